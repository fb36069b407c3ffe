/**
 * An error as the command line tells it: input is mended by one line, a bug of ours by its stack.
 */
import { ExchangeError, InputError } from '../domain/errors.ts'
import { wordsOfCommand } from './command-words.ts'

/** @param command  the first word behind `papertape`, if there is one */
export async function errorText(error: unknown, command: string | undefined): Promise<string> {
  if (error instanceof InputError) return error.told(await wordsOfCommand(command))
  if (error instanceof ExchangeError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
