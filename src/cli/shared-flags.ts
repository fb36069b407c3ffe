/** Flags that several commands have: `--db`, `--json` and `--config`. */
import type { Options } from 'yargs'
import { io } from './cli-io.ts'
import { type FlagText, single } from './option-values.ts'

/** The flag that names the config file, the same for every command that reads one. */
export const CONFIG_FLAG: Options = {
  type: 'string',
  requiresArg: true,
  describe: 'config file (default: papertape.config.ts, .js or .json)',
}

/** The flag that asks for a result as data: one JSON object on stdout, and nothing else there. */
export const JSON_FLAG = {
  type: 'boolean',
  describe: 'print only one JSON object on stdout',
} as const satisfies Options

export const printJson = (value: unknown): void => void io.stdout.write(`${JSON.stringify(value)}\n`)

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
