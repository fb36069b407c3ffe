/**
 * Faults that SQLite finds in a database, in words that help whoever has its file.
 */
import { DiskError } from '../../domain/errors.ts'

const WRITABLE_PLACE = ': choose a place that you may write to'

/** By the code: the fault, and what to do about it after the words of SQLite. */
const MESSAGES: readonly (readonly [RegExp, string, string?])[] = [
  [/^SQLITE_(?:BUSY|LOCKED)/, 'is in use by another process'],
  // Tables that are missing or of another form come as a plain error.
  [/^SQLITE_(?:CORRUPT|NOTADB|FORMAT|ERROR|SCHEMA|MISMATCH)/, 'is damaged'],
  [/^SQLITE_READONLY/, 'is read-only, or its directory is', WRITABLE_PLACE],
  [/^SQLITE_(?:CANTOPEN|PERM|AUTH)/, 'cannot be opened, or its directory is missing or not writable', WRITABLE_PLACE],
  [/^SQLITE_FULL/, 'cannot be written: the disk is full', ': free some disk space, or choose another place'],
  [/^SQLITE_IOERR/, 'cannot be read or written'],
]

/** By its name: whoever asks need not have loaded SQLite. */
export const isSqliteFault = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && error.name === 'SqliteError' && 'code' in error && typeof error.code === 'string'

/** Another connection has what is asked for. */
export const isBusy = (error: unknown): boolean => isSqliteFault(error) && /^SQLITE_(?:BUSY|LOCKED)/.test(error.code)

/** Does something with a database; its faults come out as InputErrors that name it. */
export function withFaultsNamed<T>(file: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw asInputError(file, error)
  }
}

function asInputError(file: string, error: unknown): unknown {
  if (error instanceof TypeError && error.message.includes('directory does not exist')) {
    return new DiskError(file, 'its directory does not exist: create it first', { cause: error })
  }
  if (!isSqliteFault(error)) return error
  const [, message, remedy = ''] = MESSAGES.find(([code]) => code.test(error.code)) ?? []
  return message === undefined
    ? error
    : new DiskError(file, `${message} (${error.code}: ${error.message})${remedy}`, { cause: error })
}
