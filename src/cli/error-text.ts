/**
 * An error as the command line tells it: input is mended by one line, a bug of ours by its stack.
 */
import { ExchangeError, InputError } from '../domain/errors.ts'
import { wordsOfCommand } from './command-words.ts'
import { inPackage } from './in-package.ts'
import { fileRemedy, isFileFault } from '../domain/write-fault.ts'

const PROGRAM = 'papertape: '

const NEXT_STEP = '; run papertape doctor --url URL to see what answers there'

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

/** The next step of who follows a document from a folder of their own. */
function elsewhere({ message }: InputError): string {
  const place = inPackage(message)
  return place === undefined ? '' : `; there is one in ${place}`
}

/** Whoever reads a log of several programs sees whose line it is. */
export const toldError = (text: string): string => (text.startsWith(PROGRAM) ? text : `${PROGRAM}${text}`)
