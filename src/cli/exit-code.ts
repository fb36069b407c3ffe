/** Exit codes of commands. */
import { ExchangeError, InputError, InvariantError } from '../domain/errors.ts'
import { isFileFault } from '../domain/write-fault.ts'

export const EXIT = {
  done: 0,
  /** The strategy failed, or a check found a problem. */
  failed: 1,
  /** Invalid input. */
  input: 2,
  /** The service or the account is unavailable. */
  service: 3,
  /** Internal error. */
  invariant: 70,
} as const

export function exitCodeOf(error: unknown): number {
  if (error instanceof InputError || isFileFault(error)) return EXIT.input
  if (error instanceof ExchangeError) return EXIT.service
  return error instanceof InvariantError ? EXIT.invariant : EXIT.failed
}
