/**
 * A guard that ends a stretch of a run which takes too long, in the thread in which it runs.
 *
 * Known limit: what a promise does behind the stretch is not in it; whoever watches the thread ends that.
 */
import { Script } from 'node:vm'

const SLOT = Symbol.for('papertape.guarded-stretch')

/** The machine of Node that can end code which never ends itself. */
const script = new Script(`globalThis[Symbol.for('papertape.guarded-stretch')]()`)

/** @param limitMs  milliseconds of the machine. @returns what does a stretch, and throws where it takes longer */
export const guardedBy =
  (limitMs: number) =>
  (stretch: () => void): void => {
    Object.defineProperty(globalThis, SLOT, { value: stretch, configurable: true, enumerable: false })
    script.runInThisContext({ timeout: limitMs, displayErrors: false })
  }

/** True for what the guard throws. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
