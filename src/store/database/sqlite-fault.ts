/**
 * Faults that SQLite finds in a database, in words that help whoever has its file.
 */
import { DiskError } from '../../domain/errors.ts'

const MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_(?:BUSY|LOCKED)/, 'is in use by another process'],
  // Tables that are missing or of another form come as a plain error.
  [/^SQLITE_(?:CORRUPT|NOTADB|FORMAT|ERROR|SCHEMA|MISMATCH)/, 'is damaged'],
  [/^SQLITE_READONLY/, 'is read-only, or its directory is'],
  [/^SQLITE_(?:CANTOPEN|PERM|AUTH)/, 'cannot be opened, or its directory is not writable'],
  [/^SQLITE_FULL/, 'cannot be written: the disk is full'],
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
  if (!isSqliteFault(error)) return error
  const [, message] = MESSAGES.find(([code]) => code.test(error.code)) ?? []
  return message === undefined
    ? error
    : new DiskError(file, `${message} (${error.code}: ${error.message})`, { cause: error })
}
