/**
 * An error as the command line tells it: input is mended by one line, a bug of ours by its stack.
 */
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ExchangeError, InputError } from '../domain/errors.ts'
import type { SettingWords } from '../domain/setting-name.ts'
import { io } from './cli-io.ts'
import { flagWords } from './flag-words.ts'
import { fileRemedy, isFileFault } from '../domain/write-fault.ts'

const PROGRAM = 'papertape: '

const NEXT_STEP = '; run papertape doctor --url URL to see what answers there'

/** Loads no more than the command itself does. */
async function wordsOfCommand(command: string | undefined): Promise<SettingWords> {
  if (command === 'live') return (await import('./live/live-flags.ts')).LIVE_WORDS
  if (command === 'import') return (await import('./import/import-flags.ts')).IMPORT_WORDS
  if (command === 'sweep') return (await import('./backtest/backtest-words.ts')).SWEEP_WORDS
  if (command === 'serve' || command === 'record' || command === 'worker') return flagWords(new Map())
  // A run that is run again was described by the flags of a backtest.
  return (await import('./backtest/backtest-words.ts')).BACKTEST_WORDS
}

/** Without a line end. @param command  the first word behind `papertape`, if there is one */
export async function errorText(error: unknown, command: string | undefined): Promise<string> {
  if (error instanceof InputError) return toldError(`${error.told(await wordsOfCommand(command))}${elsewhere(error)}`)
  if (error instanceof ExchangeError) return toldError(`${error.message}${error.code === 'NO_ANSWER' ? NEXT_STEP : ''}`)
  if (isFileFault(error)) return toldError(fileFaultText(error))
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** A file that was not named where it was used. */
function fileFaultText(error: Error & { readonly path?: string }): string {
  const place = error.path === undefined ? '' : `${error.path}: `
  return `${place}cannot be used (${error.message})${fileRemedy(error)}`
}

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url))
/** Files of the folders that the documents name files of. */
const NAMED = /(?<![\w/\\.-])(?:data|examples|strategies)\/[\w.-]+/

/**
 * Where the package has the file that a text names, from the folder of the process; undefined where it names none,
 * where the process has it as well, or where the package has none.
 */
function inPackage(text: string): string | undefined {
  const [file] = NAMED.exec(text) ?? []
  if (file === undefined || existsSync(file)) return undefined
  const path = join(PACKAGE, file)
  return existsSync(path) ? relative(io.cwd, path) : undefined
}

/** The next step of who follows a document from a folder of their own. */
function elsewhere({ message }: InputError): string {
  const place = inPackage(message)
  return place === undefined ? '' : `; there is one in ${place}`
}

/** Whoever reads a log of several programs sees whose line it is. */
export const toldError = (text: string): string => (text.startsWith(PROGRAM) ? text : `${PROGRAM}${text}`)
