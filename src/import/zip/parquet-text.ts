/**
 * A Parquet file as the lines of a CSV with a header, so that its columns are recognised as those of any table.
 *
 * Decimals keep every digit, times are integers of the file's unit, and floats are written in the fewest digits that
 * give them back. Known limits: flat columns; a group of rows is in memory at a time.
 */
import {
  asyncBufferFromFile,
  parquetMetadataAsync,
  parquetRead,
  type FileMetaData,
  type SchemaElement,
} from 'hyparquet'
import { InputError } from '../../domain/errors.ts'
import { formatUnits } from '../../domain/fixed-point.ts'
import { DAY_MS, isoTime } from '../../domain/time.ts'
import { thrownText } from '../../domain/thrown-text.ts'

const LINES = 4_096
/** Digits that a float of 32 bits may need. */
const FLOAT_DIGITS = [6, 7, 8, 9]

const PARSERS = {
  // Those of 96 bits.
  timestampFromNanoseconds: String,
  dateFromDays: (days: number) => isoTime(days * DAY_MS).slice(0, '2024-01-01'.length),
}

/** @throws {InputError} naming the file, when it is damaged or of a kind that is not read */
export async function* parquetText(file: string): AsyncGenerator<Buffer, void, undefined> {
  try {
    const buffer = await asyncBufferFromFile(file)
    const { metadata, columns } = plainColumns(await parquetMetadataAsync(buffer))
    const { compressors } = await import('hyparquet-compressors')
    yield lineOf(columns.map(({ name }) => name))
    let rowStart = 0
    for (const { num_rows: rows } of metadata.row_groups) {
      const rowEnd = rowStart + Number(rows)
      const pages = new Map(columns.map(({ stored }) => [stored, new Array<Iterable<unknown>>()]))
      const onChunk = ({ columnName, columnData }: { columnName: string; columnData: Iterable<unknown> }): void =>
        void pages.get(columnName)?.push(columnData)
      await parquetRead({ file: buffer, metadata, rowStart, rowEnd, parsers: PARSERS, compressors, onChunk })
      const cells = columns.map(({ stored, text }) => textsOf(pages.get(stored) ?? [], text))
      while (rowStart < rowEnd) {
        const count = Math.min(LINES, rowEnd - rowStart)
        yield Buffer.concat(Array.from({ length: count }, () => lineOf(cells.map(nextText))))
        rowStart += count
      }
    }
  } catch (error) {
    throw new InputError(file, `cannot be read as Parquet (${thrownText(error)})`, { cause: error })
  }
}

/** Texts of the values of a column in order, page by page. */
function* textsOf(pages: readonly Iterable<unknown>[], text: TextColumn['text']): Generator<string, undefined> {
  for (const page of pages) for (const value of page) yield text(value)
  return undefined
}

function nextText(column: Generator<string, undefined>): string {
  const { value } = column.next()
  if (value === undefined) throw new Error('a column has fewer rows than the file')
  return value
}

interface TextColumn {
  /** Name in the file. */
  readonly stored: string
  readonly name: string
  readonly text: (value: unknown) => string
}

/** Decimals and timestamps are read as the integers that they are stored as. */
function plainColumns(metadata: FileMetaData): {
  readonly metadata: FileMetaData
  readonly columns: readonly TextColumn[]
} {
  const [root, ...leaves] = metadata.schema
  if (root === undefined || leaves.some(({ num_children: children = 0 }) => children > 0)) {
    throw new InputError('its columns', 'have columns of their own')
  }
  const schema = leaves.map((leaf) => (scaleOf(leaf) === undefined && !isTimestamp(leaf) ? leaf : withoutType(leaf)))
  const columns = leaves.map((leaf): TextColumn => {
    const { name, type } = leaf
    const scale = scaleOf(leaf)
    // An index of pandas without a name.
    const shown = name === '__index_level_0__' ? 'time' : name
    if (scale !== undefined) return { stored: name, name: shown, text: (value) => decimalText(value, scale) }
    return { stored: name, name: shown, text: type === 'FLOAT' ? floatText : cellText }
  })
  return { metadata: { ...metadata, schema: [root, ...schema] }, columns }
}

/** @returns the fraction digits of a decimal; newer files may name the type in the second way alone */
function scaleOf({ converted_type: type, logical_type: logical, scale }: SchemaElement): number | undefined {
  if (logical?.type === 'DECIMAL') return logical.scale
  return type === 'DECIMAL' ? (scale ?? 0) : undefined
}

const isTimestamp = ({ converted_type: type, logical_type: logical }: SchemaElement): boolean =>
  logical?.type === 'TIMESTAMP' || type === 'TIMESTAMP_MILLIS' || type === 'TIMESTAMP_MICROS'

/** @returns the same column of plain integers or bytes */
function withoutType({ name, type, type_length: length, repetition_type: repetition }: SchemaElement): SchemaElement {
  return {
    name,
    ...(type !== undefined && { type }),
    ...(length !== undefined && { type_length: length }),
    ...(repetition !== undefined && { repetition_type: repetition }),
  }
}

/** Text of a value of a table; empty for none. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  const isPlain = typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
  return isPlain ? String(value) : JSON.stringify(value)
}

/** The shortest text of a float of 32 bits that gives it back. */
export function floatText(value: unknown): string {
  if (typeof value !== 'number' || !Number.isFinite(value)) return cellText(value)
  const digits = FLOAT_DIGITS.find((each) => Math.fround(Number(value.toPrecision(each))) === value)
  return String(digits === undefined ? value : Number(value.toPrecision(digits)))
}

function decimalText(value: unknown, scale: number): string {
  if (typeof value === 'bigint' || typeof value === 'number') return formatUnits(BigInt(value), scale)
  if (!(value instanceof Uint8Array)) return cellText(value)
  const bits = value.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  return formatUnits(BigInt.asIntN(value.length * 8, bits), scale)
}

export const lineOf = (cells: readonly string[]): Buffer =>
  Buffer.from(`${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`)
