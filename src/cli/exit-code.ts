/**
 * Exit codes of a command, for scripts that call it.
 */
import { ExchangeError, InputError, InvariantError } from '../domain/errors.ts'
import { isFileFault } from '../domain/write-fault.ts'

export const EXIT = {
  done: 0,
  /** The strategy failed, or a check did not hold. */
  failed: 1,
  /** What the user gave has to be mended. */
  input: 2,
  /** The service or the account cannot be used as it has to be. */
  service: 3,
  /** A bug of ours. */
  invariant: 70,
} as const

export function exitCodeOf(error: unknown): number {
  if (error instanceof InputError || isFileFault(error)) return EXIT.input
  if (error instanceof ExchangeError) return EXIT.service
  return error instanceof InvariantError ? EXIT.invariant : EXIT.failed
}
