/**
 * Snapshot of a state in a separate file, written while the state keeps changing: `FILE-checkpoint-N` contains
 * everything up to write N.
 *
 * Known limit: only the state file knows which of them is valid and complete.
 */
import { closeSync, openSync, readdirSync, readFileSync, readSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { crc32 } from 'node:zlib'
import { InputError } from '../../domain/errors.ts'

/** Reference to a snapshot in the state file. */
export interface SnapshotBeside {
  /** The last write that it contains. */
  readonly through: number
  readonly bytes: number
  readonly crc: number
}

/** First bytes of a snapshot: other files of such a name are neither read nor removed. */
const MARK = Buffer.from('papertape checkpoint\n')

/** Flush interval, so that small writers never wait for a large flush. */
const FLUSH_BYTES = 4 << 20

export const snapshotPath = (file: string, through: number): string => `${file}-checkpoint-${through}`

/** Paths of all snapshots, including invalid ones. */
export function snapshotsBeside(file: string): readonly string[] {
  const prefix = `${basename(file)}-checkpoint-`
  const names = readdirSync(dirname(resolve(file))).filter((name) => name.startsWith(prefix))
  const numbered = names.filter((name) => /^\d+$/.test(name.slice(prefix.length)))
  return numbered.map((name) => file + name.slice(basename(file).length)).filter(isOurs)
}

function isOurs(path: string): boolean {
  const begin = Buffer.alloc(MARK.length)
  const descriptor = openSync(path, 'r')
  try {
    return begin.subarray(0, readSync(descriptor, begin, 0, begin.length, 0)).equals(MARK)
  } finally {
    closeSync(descriptor)
  }
}

/** @throws {InputError} naming the snapshot if it was changed */
export function readSnapshot(file: string, { through, bytes, crc }: SnapshotBeside): string {
  const path = snapshotPath(file, through)
  const read = contentOf(path)
  if (read.length === bytes && crc32(read) === crc) return read.toString('utf8', MARK.length)
  throw new InputError(path, `is damaged (it is not as it was written, ${file} goes on from it)`)
}

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new InputError(path, 'is gone or cannot be read, and its state goes on from it', { cause: error })
  }
}

/**
 * Writes a snapshot, durable when this resolves.
 *
 * @param signal  aborts it
 * @returns undefined if it was aborted; the file exists all the same
 */
export async function writeSnapshot(
  path: string,
  pieces: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<Omit<SnapshotBeside, 'through'> | undefined> {
  let [bytes, crc, flushed] = [MARK.length, crc32(MARK), 0]
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.appendFile(MARK)
    for await (const text of pieces) {
      if (signal.aborted) return undefined
      const piece = Buffer.from(text)
      crc = crc32(piece, crc)
      bytes += piece.length
      await handle.appendFile(piece)
      if (bytes - flushed < FLUSH_BYTES) continue
      await handle.datasync()
      flushed = bytes
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  await flushFolder(path)
  return signal.aborted ? undefined : { bytes, crc }
}

/** Makes the file name durable. */
async function flushFolder(path: string): Promise<void> {
  const folder = await open(dirname(resolve(path)), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Removes snapshots of processes that did not finish writing or removing them. */
export function dropSnapshots(file: string, saved: string | undefined): void {
  for (const path of snapshotsBeside(file)) if (path !== saved) rmSync(path, { force: true })
}
