/** The flag for a database, shared by all commands that have it. */
import type { Options } from 'yargs'
import { single, type FlagText } from './option-values.ts'

/** Default database in the working directory. */
export const DEFAULT_STORE = 'papertape.db'

/** Flag of commands about a database. */
export const DB_FLAG: Options = {
  type: 'string',
  requiresArg: true,
  describe: `database file (default: ${DEFAULT_STORE})`,
}

/** @throws {InputError} if it is given twice */
export const storeOf = (value: unknown): string => single('--db', value as FlagText) ?? DEFAULT_STORE
