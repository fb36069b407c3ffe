/**
 * The flag that names a store, the same for every command that has one.
 */
import type { Options } from 'yargs'
import { single, type FlagText } from './option-values.ts'

/** The store where none is named, in the working directory. */
export const DEFAULT_STORE = 'papertape.db'

/** Where a command is about a store. */
export const DB_FLAG: Options = {
  type: 'string',
  requiresArg: true,
  describe: `database file (default: ${DEFAULT_STORE})`,
}

/** @throws {InputError} when it is there twice */
export const storeOf = (value: unknown): string => single('--db', value as FlagText) ?? DEFAULT_STORE
