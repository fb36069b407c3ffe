/**
 * The directory of a zip archive, cross-checked with the local headers.
 *
 * The parser is yauzl, which is loaded only when needed. It trusts the entry count and the names, so the end of the
 * directory and the agreement of both names are checked here.
 */
import type { FileHandle } from 'node:fs/promises'
import type { Entry, RandomAccessReader, ZipFile } from 'yauzl'
import { InputError } from '../../domain/errors.ts'
import { escapeControls } from '../../domain/escape-controls.ts'

/** Place of an entry in a message. */
export const entryPlace = (file: string, name: string): string => escapeControls(`${file}!${name}`)

/** A read error as InputError; other errors are returned unchanged. */
export function asZipFault(place: string, error: unknown): unknown {
  if (error instanceof InputError || !(error instanceof Error) || !('code' in error)) return error
  const { code } = error
  if (code === 'ENOENT') return new InputError(place, 'no such file', { cause: error })
  if (code === 'Z_BUF_ERROR') {
    return new InputError(place, 'expected complete compressed data, got some that were cut off', { cause: error })
  }
  const said = escapeControls(error.message)
  if (code === 'Z_DATA_ERROR') {
    return new InputError(place, `expected sound compressed data, got damaged ones (${said})`, { cause: error })
  }
  return new InputError(place, `cannot be read (${said})`, { cause: error })
}

export const STORED = 0
export const DEFLATED = 8

/** Maximum number of entries. */
const MAX_ENTRIES = 100_000
/** Maximum uncompressed size of an archive, in bytes. */
const MAX_BYTES = 2 ** 40
/**
 * Zip bomb limits: both the size and the compression ratio must be exceeded. Recorded markets reach a ratio of about
 * 20.
 */
const MAX_SUSPECT_BYTES = 2 ** 30
const MAX_SUSPECT_RATIO = 250

const END_BYTES = 22
const LOCATOR_BYTES = 20
const LOCATOR_START = Buffer.from('PK\u0006\u0007')
/** Header flags: encrypted, and UTF-8 name. */
const COMPARED_FLAGS = 0x801

/** An entry with the position of its data. */
export interface PlacedEntry {
  readonly name: string
  /** Uncompressed size in bytes. */
  readonly size: number
  readonly crc32: number
  readonly method: typeof STORED | typeof DEFLATED
  /** Offset of its local header. */
  readonly start: number
  readonly dataStart: number
  /** Offset after its data. */
  readonly dataEnd: number
}

type Reader = abstract new () => RandomAccessReader

/**
 * File reader for yauzl.
 *
 * The reader of yauzl crashes the process if a damaged archive refers to an offset far beyond the end of the file.
 *
 * @param Base  class of yauzl, which is loaded only when needed
 */
function readerOf(Base: Reader, handle: FileHandle, size: number): RandomAccessReader {
  class FileReader extends Base {
    override read(
      buffer: Buffer,
      offset: number,
      length: number,
      position: number,
      callback: (error: Error | null) => void,
    ): void {
      if (position + length > size) {
        callback(new Error('a place behind the end of the file'))
        return
      }
      handle.read(buffer, offset, length, position).then(
        ({ bytesRead }) => callback(bytesRead < length ? new Error('the file ends early') : null),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
      )
    }
  }
  return new FileReader()
}

/**
 * The entries of an archive in directory order, without directories and files of macOS.
 *
 * @param size  of the file, in bytes
 * @throws {InputError} if the archive is damaged, truncated or empty; or if an entry is encrypted, not stored or
 * deflated, shares its name or data with another one, or is a zip bomb
 */
export async function zipDirectory(file: string, handle: FileHandle, size: number): Promise<readonly PlacedEntry[]> {
  const { fromRandomAccessReaderPromise, RandomAccessReader } = await import('yauzl')
  const reader = readerOf(RandomAccessReader, handle, size)
  const zip = await sound(file, fromRandomAccessReaderPromise(reader, size, { autoClose: false }))
  const listed = await sound(file, allEntries(file, zip))
  if ((await directoryEnd(handle, zip, size)) !== Number(zip.readEntryCursor)) {
    throw new InputError(file, 'expected a sound zip archive, got one whose directory ends elsewhere than it says')
  }
  const wanted = listed.filter(({ fileName }) => !isLeftOut(fileName))
  if (wanted.length === 0) throw new InputError(file, 'expected a zip archive that holds a file, got none')
  const placed: PlacedEntry[] = []
  for (const entry of wanted) placed.push(await placedEntry(file, zip, entry))
  checkApart(file, placed)
  checkSizes(file, placed)
  return placed
}

async function sound<T>(file: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (!(error instanceof Error) || error instanceof InputError) throw error
    const said = escapeControls(error.message)
    throw new InputError(file, `expected a sound zip archive, got one that is damaged or cut off (${said})`, {
      cause: error,
    })
  }
}

async function allEntries(file: string, zip: ZipFile): Promise<readonly Entry[]> {
  if (zip.entryCount > MAX_ENTRIES) {
    throw new InputError(file, `expected at most ${MAX_ENTRIES} entries in a zip archive, got ${zip.entryCount}`)
  }
  const entries: Entry[] = []
  for await (const entry of zip.eachEntry()) entries.push(entry)
  return entries
}

/** Required end of the directory: the end record, or the Zip64 end record if there is one. */
async function directoryEnd(handle: FileHandle, zip: ZipFile, size: number): Promise<number> {
  // One character per byte.
  const endStart = size - END_BYTES - zip.comment.length
  if (endStart < LOCATOR_BYTES) return endStart
  const locator = Buffer.alloc(LOCATOR_BYTES)
  await handle.read(locator, 0, LOCATOR_BYTES, endStart - LOCATOR_BYTES)
  return locator.subarray(0, LOCATOR_START.length).equals(LOCATOR_START) ? Number(locator.readBigUInt64LE(8)) : endStart
}

const isLeftOut = (name: string): boolean =>
  name.endsWith('/') || name.startsWith('__MACOSX/') || name === '.DS_Store' || name.endsWith('/.DS_Store')

async function placedEntry(file: string, zip: ZipFile, entry: Entry): Promise<PlacedEntry> {
  const place = entryPlace(file, entry.fileName)
  const { compressionMethod: method, relativeOffsetOfLocalHeader: start } = entry
  if (entry.isEncrypted())
    throw new InputError(place, 'expected an entry that can be read by all, got an encrypted one')
  if (method !== STORED && method !== DEFLATED) {
    throw new InputError(place, `expected an entry that is stored or deflated, got compression method ${method}`)
  }
  const header = await sound(place, zip.readLocalFileHeaderPromise(entry))
  const isSame =
    header.fileName.equals(entry.fileNameRaw) &&
    header.compressionMethod === method &&
    ((header.generalPurposeBitFlag ^ entry.generalPurposeBitFlag) & COMPARED_FLAGS) === 0
  if (!isSame) {
    throw new InputError(
      place,
      'expected the same entry in the directory of the archive and in front of its data, got two',
    )
  }
  const { fileDataStart: dataStart } = header
  const dataEnd = dataStart + entry.compressedSize
  return { name: entry.fileName, size: entry.uncompressedSize, crc32: entry.crc32, method, start, dataStart, dataEnd }
}

/** Checks that entries have unique names and do not overlap. */
function checkApart(file: string, entries: readonly PlacedEntry[]): void {
  const names = new Set<string>()
  let end = 0
  for (const { name, start, dataEnd } of [...entries].sort((a, b) => a.start - b.start)) {
    const place = entryPlace(file, name)
    if (names.has(name)) throw new InputError(place, 'expected each name once in an archive, got it again')
    if (start < end) throw new InputError(place, 'expected entries that lie apart, got one within another')
    names.add(name)
    end = dataEnd
  }
}

function checkSizes(file: string, entries: readonly PlacedEntry[]): void {
  let total = 0
  for (const { name, size, dataStart, dataEnd } of entries) {
    total += size
    if (total > MAX_BYTES) throw new InputError(file, `expected at most ${MAX_BYTES} bytes in a zip archive, got more`)
    if (size > MAX_SUSPECT_BYTES && size > MAX_SUSPECT_RATIO * (dataEnd - dataStart)) {
      const got = `got ${dataEnd - dataStart} bytes that unpack to ${size}`
      throw new InputError(
        entryPlace(file, name),
        `expected data of at most ${MAX_SUSPECT_RATIO} times their packed size, ${got}`,
      )
    }
  }
}
