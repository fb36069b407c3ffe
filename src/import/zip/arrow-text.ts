/**
 * An Arrow file (Feather version 2) as the lines of a CSV with a header, like `parquet-text.ts`.
 *
 * Decimals keep every digit, and times are integers of the unit of the file. Known limits: flat columns; a record batch
 * is in memory at a time.
 */
import { open, type FileHandle } from 'node:fs/promises'
import type * as Arrow from 'apache-arrow'
import { InputError } from '../../domain/errors.ts'
import { formatUnits } from '../../domain/fixed-point.ts'
import { isoTime } from '../../domain/time.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import { decompressLz4Frame } from './lz4-frame.ts'
import { cellText, floatText, lineOf } from './parquet-text.ts'

const LINES = 4_096
const END = Buffer.from('ARROW1')

type Api = typeof Arrow

/** @throws {InputError} without the package, or naming the file when it is damaged or of a kind that is not read */
export async function* arrowText(file: string): AsyncGenerator<Buffer, void, undefined> {
  const api = await loadArrow(file)
  const handle = await open(file)
  try {
    await checkEnd(handle)
    const reader = await api.RecordBatchReader.from(handle)
    await reader.open()
    const { fields } = reader.schema
    yield lineOf(fields.map(({ name }) => name))
    for await (const batch of reader) {
      const columns = fields.map((field, at) => columnText(api, field, batch.getChildAt(at)))
      for (let start = 0; start < batch.numRows; start += LINES) {
        const length = Math.min(LINES, batch.numRows - start)
        yield Buffer.concat(Array.from({ length }, (_, at) => lineOf(columns.map((text) => text(start + at)))))
      }
    }
  } catch (error) {
    throw new InputError(file, `cannot be read as Arrow (${thrownText(error)})`, { cause: error })
  } finally {
    await handle.close()
  }
}

/** @throws {Error} for a file that is cut off */
async function checkEnd(handle: FileHandle): Promise<void> {
  const { size } = await handle.stat()
  const { buffer } = await handle.read(Buffer.alloc(END.length), 0, END.length, size - END.length)
  if (!buffer.equals(END)) throw new Error('it is cut off')
}

/** @returns the text of a row; empty for none */
function columnText(
  { DataType, Precision: { SINGLE } }: Api,
  { name, type }: Arrow.Field,
  column: Arrow.Vector | null,
): (row: number) => string {
  if (column === null || DataType.isList(type) || DataType.isStruct(type) || DataType.isMap(type))
    throw new InputError(`column '${name}'`, 'has columns of its own')
  const text = textOf(column)
  return (row) => (column.isValid(row) ? text(row) : '')

  function textOf(vector: Arrow.Vector): (row: number) => string {
    // A batch has one chunk of each column. `get` would lose digits of these.
    const values = vector.data[0]?.values as ArrayLike<number | bigint> | undefined
    if (DataType.isTimestamp(type)) return (row) => String(values?.[row])
    if (DataType.isDate(type)) return (row) => isoTime(Number(vector.get(row))).replace('T00:00:00.000Z', '')
    if (DataType.isDecimal(type)) return (row) => formatUnits(unitsOf(vector.get(row) as Uint32Array), type.scale)
    if (DataType.isFloat(type)) return (row) => (type.precision === SINGLE ? floatText : cellText)(vector.get(row))
    return (row) => cellText(vector.get(row))
  }
}

/** An integer of 32-bit words in two's complement, the lowest first. */
const unitsOf = (words: Uint32Array): bigint =>
  BigInt.asIntN(
    32 * words.length,
    words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n),
  )

async function loadArrow(file: string): Promise<Api> {
  const api = await importArrow(file)
  const { decompressZstd } = await import('hyparquet-compressors')
  const { CompressionType, compressionRegistry } = api
  compressionRegistry.set(CompressionType.LZ4_FRAME, { decode: decompressLz4Frame })
  // A copy begins at a multiple of 8 bytes.
  compressionRegistry.set(CompressionType.ZSTD, { decode: (bytes) => decompressZstd(bytes).slice() })
  return api
}

/** @param where  place of the error @throws {InputError} if the package is not installed */
export async function importArrow(where: string): Promise<Api> {
  try {
    return await import('apache-arrow')
  } catch (error) {
    const [why = ''] = thrownText(error).split('\n')
    const message = `needs the package apache-arrow; run npm install apache-arrow (${why})`
    throw new InputError(where, message, { cause: error })
  }
}
