/** SQLite errors as messages for the owner of the file. */
import { DiskError } from '../../domain/errors.ts'

const WRITABLE_PLACE = ': choose a place that you may write to'

/** Error code, message, and advice that follows the text of SQLite. */
const MESSAGES: readonly (readonly [RegExp, string, string?])[] = [
  [/^SQLITE_(?:BUSY|LOCKED)/, 'is in use by another process'],
  // Missing tables and wrong columns are reported as generic errors.
  [/^SQLITE_(?:CORRUPT|NOTADB|FORMAT|ERROR|SCHEMA|MISMATCH)/, 'is damaged'],
  [/^SQLITE_READONLY/, 'is read-only, or its directory is', WRITABLE_PLACE],
  [/^SQLITE_(?:CANTOPEN|PERM|AUTH)/, 'cannot be opened, or its directory is missing or not writable', WRITABLE_PLACE],
  [
    /^SQLITE_(?:FULL|IOERR_SHMSIZE)/,
    'cannot be written: the disk is full',
    ': free some disk space, or choose another place',
  ],
  [/^SQLITE_IOERR/, 'cannot be read or written'],
]

/** Checked by name, so that SQLite need not be loaded. */
export const isSqliteFault = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && error.name === 'SqliteError' && 'code' in error && typeof error.code === 'string'

/** True if another connection holds a lock. */
export const isBusy = (error: unknown): boolean => isSqliteFault(error) && /^SQLITE_(?:BUSY|LOCKED)/.test(error.code)

/** Runs an action; SQLite errors become InputErrors with the name of the file. */
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
