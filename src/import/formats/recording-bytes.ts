/** The bytes of a recording, uncompressed. */
import { open } from 'node:fs/promises'
import { InputError } from '../../domain/errors.ts'
import { fileBytes, WITHOUT_WAITING, type ByteWatch } from '../file-bytes.ts'

export interface RecordingBytes {
  /** Name of the file, and of its entry in an archive. */
  readonly name: string
  /** Each chunk is valid until the next one is requested. */
  readonly chunks: AsyncGenerator<Buffer, void, undefined>
}

/** Separates an archive from the name of a file in it. */
const ENTRY_MARK = '!'

const ZIP_START = Buffer.from('PK\u0003\u0004')
const PARQUET_START = Buffer.from('PAR1')
const ARROW_START = Buffer.from('ARROW1')

/**
 * @param file   a path, or an archive and the name of a file in it: `2024.zip!BTCUSDT-trades.csv`
 * @param watch  receives the bytes as stored on disk
 * @throws {InputError} naming the file, if it cannot be read, or if an archive has several files and none is named
 */
export async function recordingBytes(file: string, watch: ByteWatch): Promise<RecordingBytes> {
  const [archive, entry] = pathInArchive(file)
  if (await beginsWith(file, PARQUET_START)) {
    const { parquetText } = await import('../zip/parquet-text.ts')
    return { name: file, chunks: tableBytes(file, watch, parquetText) }
  }
  if (await beginsWith(file, ARROW_START)) {
    const { arrowText } = await import('../zip/arrow-text.ts')
    return { name: file, chunks: tableBytes(file, watch, arrowText) }
  }
  if (!(await isArchive(archive))) return { name: file, chunks: fileBytes(file, watch) }
  const { openZip } = await import('../zip/zip-archive.ts')
  const zip = await openZip(archive)
  const [first, second] = zip.entries
  const found = entry === undefined ? first : zip.entries.find(({ name }) => name === entry)
  if (found === undefined || (entry === undefined && second !== undefined)) {
    await zip.close()
    const names = zip.entries.slice(0, 5).map(({ name }) => `'${archive}${ENTRY_MARK}${name}'`)
    throw new InputError(file, `the archive has ${zip.entries.length} files: choose one, such as ${names.join(', ')}`)
  }
  return { name: `${archive}${ENTRY_MARK}${found.name}`, chunks: entryBytes() }

  async function* entryBytes(): AsyncGenerator<Buffer, void, undefined> {
    try {
      await zip.showTo(watch)
      if (found !== undefined) yield* found.bytes()
    } finally {
      await zip.close()
    }
  }
}

/** Passes the raw bytes to the listener, then yields the table as CSV. */
async function* tableBytes(
  file: string,
  watch: ByteWatch,
  textOf: (file: string) => AsyncGenerator<Buffer, void, undefined>,
): AsyncGenerator<Buffer, void, undefined> {
  const raw = fileBytes(file, watch)
  for (let next = await raw.next(); next.done !== true;) next = await raw.next()
  yield* textOf(file)
}

/** The files of an archive as separate recordings; the file itself if it is not an archive. */
export async function recordingsOf(file: string): Promise<readonly string[]> {
  if (!(await isArchive(file))) return [file]
  const { openZip } = await import('../zip/zip-archive.ts')
  const zip = await openZip(file)
  await zip.close()
  return zip.entries.length === 1 ? [file] : zip.entries.map(({ name }) => `${file}${ENTRY_MARK}${name}`)
}

/** The path of a recording or of its archive, and the name of a file in that. */
export function pathInArchive(file: string): readonly [string, string | undefined] {
  const at = file.search(/\.zip!/i)
  const end = at + '.zip'.length
  return at < 0 ? [file, undefined] : [file.slice(0, end), file.slice(end + 1)]
}

const isArchive = (file: string): Promise<boolean> => beginsWith(file, ZIP_START)

async function beginsWith(file: string, start: Buffer): Promise<boolean> {
  try {
    const handle = await open(file, WITHOUT_WAITING)
    try {
      if (!(await handle.stat()).isFile()) return false
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(start.length), 0, start.length, 0)
      return buffer.subarray(0, bytesRead).equals(start)
    } finally {
      await handle.close()
    }
  } catch (error) {
    // Reported when the file is read.
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}
