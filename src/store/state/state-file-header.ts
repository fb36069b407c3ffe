/**
 * Header check of a state file without SQLite, which would leave files next to it.
 *
 * Invariant: read-only.
 */
import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { InputError } from '../../domain/errors.ts'
import { snapshotsBeside } from './snapshot-beside.ts'
import { fileStatus } from '../file-status.ts'

/** `ptap`, the SQLite application id of these files. */
export const APPLICATION_ID = 0x70_74_61_70
/** Incremented when the tables change. */
export const STATE_FILE_FORM = 1
/** Format of a file that continues from a separate snapshot. */
export const FORM_WITH_BESIDE = 2

const MAGIC = 'SQLite format 3\0'
const HEADER_BYTES = 100
const FORM_OFFSET = 60
const APPLICATION_ID_OFFSET = 68

/**
 * Files open in this process, by device and inode. Closing another descriptor would release the POSIX locks of SQLite.
 */
export const openHere = new Set<string>()

/** Undefined for a missing file. */
export function fileIdentity(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`
}

/**
 * False for a missing or empty file.
 *
 * @throws {InputError} for a file that is not a state file, is newer, or is not writable
 */
export function isStateFile(file: string): boolean {
  const folder = dirname(resolve(file))
  const above = fileStatus(folder)
  if (above === undefined) throw new InputError(file, `its directory '${folder}' does not exist: create it first`)
  if (!above.isDirectory()) throw new InputError(file, `'${folder}' is not a directory: choose another path`)
  const stats = fileStatus(file)
  if (stats === undefined || (stats.isFile() && stats.size === 0)) {
    checkIsAlone(file)
    return false
  }
  if (!stats.isFile()) throw new InputError(file, 'is not a file')
  checkWritable(file, stats.mode)
  if (openHere.has(`${stats.dev}:${stats.ino}`)) throw new InputError(file, 'is in use by this process')
  checkHeader(file, headerOf(file))
  return true
}

/**
 * Refuses a log or snapshot without its database: SQLite would delete the log, and a moved file needs both.
 */
function checkIsAlone(file: string): void {
  const [snapshot] = snapshotsBeside(file)
  if (snapshot !== undefined) {
    throw new InputError(
      file,
      `is not there, but its snapshot '${snapshot}' is: restore the file, or move the snapshot away`,
    )
  }
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0) return
  throw new InputError(file, `is not there, but its log '${file}-wal' is: restore the file, or move the log away`)
}

/** Checks the mode as well, which does not restrict root. */
function checkWritable(file: string, mode: number): void {
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
    if ((mode & 0o222) !== 0) return
  } catch (error) {
    throw new InputError(file, 'is read-only', { cause: error })
  }
  throw new InputError(file, 'is read-only')
}

function headerOf(file: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  const descriptor = openSync(file, 'r')
  try {
    return header.subarray(0, readSync(descriptor, header, 0, HEADER_BYTES, 0))
  } finally {
    closeSync(descriptor)
  }
}

function checkHeader(file: string, header: Buffer): void {
  if (header.length < HEADER_BYTES || header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new InputError(file, 'is not a papertape state file, or is damaged')
  }
  if (header.readUInt32BE(APPLICATION_ID_OFFSET) !== APPLICATION_ID) {
    throw new InputError(file, 'is the database of another program')
  }
  const form = header.readUInt32BE(FORM_OFFSET)
  if (form > FORM_WITH_BESIDE) {
    throw new InputError(
      file,
      `was written by a newer version of papertape (format ${form}; this version reads up to ${FORM_WITH_BESIDE})`,
    )
  }
  if (form < STATE_FILE_FORM) throw new InputError(file, `is damaged (form ${form})`)
}
