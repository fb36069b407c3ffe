/** One-line error for a file or folder that cannot be written: its place, the reason, and the remedy. */
import { DiskError, type Place } from './errors.ts'
import { thrownText } from './thrown-text.ts'

const PERMISSION = ': choose a place that you may write to, or change its permissions'
const ROOM = ': free some disk space, or choose another place'

/** Remedies by code of the system call. */
const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: PERMISSION,
  EPERM: PERMISSION,
  EROFS: ': choose a place that you may write to',
  ENOSPC: ROOM,
  EDQUOT: ROOM,
  EFBIG: ': raise the limit of the size of a file (ulimit -f), or choose another place',
  EIO: ': check the disk, or choose another place',
  ESTALE: ': check the connection to the file server, or choose another place',
  ENOENT: ': create its directory first, or choose another path',
  ENOTDIR: ': a part of the path is a file; choose another path',
  EISDIR: ': it is a directory; give the path of a file',
  EMFILE: ': too many files are open; close some, or raise the limit (ulimit -n)',
  ENAMETOOLONG: ': choose a shorter name',
}

/**
 * An error of the file system: it names a path or, on an open file, has a code that has a remedy here. Not of a socket
 * or a program.
 */
export const isFileFault = (error: unknown): error is Error & { readonly code: string; readonly path?: string } =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  'syscall' in error &&
  !String(error.syscall).startsWith('spawn') &&
  !('address' in error) &&
  ('path' in error || error.code in REMEDIES)

/** @param what  such as `cannot be written` */
export const writeFault = (where: Place, what: string, error: unknown): DiskError =>
  new DiskError(where, `${what} (${thrownText(error)})${fileRemedy(error)}`, { cause: error })

/** Converts a file system error to one of its file; returns any other unchanged. */
export const asWriteFault = (file: string, error: unknown): unknown =>
  isFileFault(error) ? writeFault(file, 'cannot be written', error) : error

/** Remedy, after the reason; empty if unknown. */
export const fileRemedy = (error: unknown): string => (isFileFault(error) ? (REMEDIES[error.code] ?? '') : '')
