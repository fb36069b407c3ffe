/**
 * The clocks and the timer of the machine, as a live session reads them.
 *
 * They are taken when this file is loaded: while a strategy runs, the global ones refuse it.
 */
import { randomUUID } from 'node:crypto'

/** Clocks and the timer of a machine. */
export interface MachineClocks {
  /** Unix milliseconds, as the machine has them: it may be set, both ways. */
  wall(): number
  /** Milliseconds since some moment. It may stand still while the machine sleeps. */
  monotonic(): number
  /**
   * Calls `action` once, `delayMs` from now or a little later, and never within this call.
   *
   * @param delayMs  milliseconds, less than 2^31
   * @returns what cancels it
   */
  setTimer(delayMs: number, action: () => void): () => void
}

/** A name that no other session of any machine has. */
export const newSessionName = (): string => randomUUID()

/** Chance of the machine: numbers in [0, 1). */
export const machineRandom: () => number = Math.random

const { now: realNow } = Date
const realPerformanceNow = performance.now.bind(performance)
const { setTimeout: realSetTimeout, clearTimeout: realClearTimeout } = globalThis

export const MACHINE_CLOCKS: MachineClocks = {
  wall: realNow,
  monotonic: realPerformanceNow,
  setTimer: (delayMs, action) => {
    const timer = realSetTimeout(action, delayMs)
    return () => {
      realClearTimeout(timer)
    }
  },
}
