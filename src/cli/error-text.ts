/** Errors as the command line prints them: one line for bad input, a stack for an internal error. */
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

/** Loads no more modules than the command itself. */
async function wordsOfCommand(command: string | undefined): Promise<SettingWords> {
  if (command === 'live') return (await import('./live/live-flags.ts')).LIVE_WORDS
  if (command === 'import' || command === 'query')
    return (await import('./import/import-flags.ts')).wordsOfFiles(command)
  if (command === 'sweep') return (await import('./backtest/backtest-flags.ts')).SWEEP_WORDS
  if (command === 'serve' || command === 'fetch' || command === 'record' || command === 'worker')
    return flagWords(new Map())
  // A repeated run was described by backtest flags.
  return (await import('./backtest/backtest-flags.ts')).BACKTEST_WORDS
}

/** Text without a final newline. @param command  first word after `papertape`, if any */
export async function errorText(error: unknown, command: string | undefined): Promise<string> {
  if (error instanceof InputError)
    return reportedError(`${error.messageFor(await wordsOfCommand(command))}${elsewhere(error)}`)
  if (error instanceof ExchangeError)
    return reportedError(`${error.message}${error.code === 'NO_ANSWER' ? NEXT_STEP : ''}`)
  if (isFileFault(error)) return reportedError(fileFaultText(error))
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** File errors that were not turned into an InputError. */
function fileFaultText(error: Error & { readonly path?: string }): string {
  const place = error.path === undefined ? '' : `${error.path}: `
  return `${place}cannot be used (${error.message})${fileRemedy(error)}`
}

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url))
/** Paths in folders that the documentation refers to. */
const NAMED = /(?<![\w/\\.-])(?:data|examples|strategies)\/[\w.-]+/

/**
 * Path in the package of a file named in a text; undefined if the text names none, or if the file exists here or not in
 * the package.
 */
function inPackage(text: string): string | undefined {
  const [file] = NAMED.exec(text) ?? []
  if (file === undefined || existsSync(file)) return undefined
  const path = join(PACKAGE, file)
  return existsSync(path) ? relative(io.cwd, path) : undefined
}

/** Hint for a user who follows the documentation from another folder. */
function elsewhere({ message }: InputError): string {
  const place = inPackage(message)
  return place === undefined ? '' : `; there is one in ${place}`
}

/** Prefixes the program name, for logs of several programs. */
export const reportedError = (text: string): string => (text.startsWith(PROGRAM) ? text : `${PROGRAM}${text}`)
