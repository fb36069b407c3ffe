/**
 * Terminates a piece of a run that takes too long, within its own thread.
 *
 * Known limit: promises that continue after it are not covered; the supervisor of the thread terminates those.
 */
import { Script } from 'node:vm'

const SLOT = Symbol.for('papertape.guarded-stretch')

/** A VM script, because only that can interrupt an endless loop. */
const script = new Script(`globalThis[Symbol.for('papertape.guarded-stretch')]()`)

/**
 * @param limitMs  milliseconds of the machine
 * @returns a function that runs a piece, and throws if it takes longer
 */
export const guardedBy =
  (limitMs: number) =>
  (stretch: () => void): void => {
    Object.defineProperty(globalThis, SLOT, { value: stretch, configurable: true, enumerable: false })
    script.runInThisContext({ timeout: limitMs, displayErrors: false })
  }

/** True for what the guard throws. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
