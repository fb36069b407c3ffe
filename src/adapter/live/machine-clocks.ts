/**
 * The clocks and the timer of the machine, as a live session reads them.
 *
 * They are captured when this file is loaded, because the global ones throw while a strategy runs.
 */
import { randomUUID } from 'node:crypto'

/** Clocks and the timer of a machine. */
export interface MachineClocks {
  /** Wall clock, Unix milliseconds: it may be set forwards or backwards. */
  wall(): number
  /** Milliseconds since an arbitrary moment. It may stop while the machine sleeps. */
  monotonic(): number
  /**
   * Calls `action` once, `delayMs` from now or a little later, and never within this call.
   *
   * @param delayMs  milliseconds, less than 2^31
   * @returns what cancels it
   */
  setTimer(delayMs: number, action: () => void): () => void
}

/** A session name that is unique across machines. */
export const newSessionName = (): string => randomUUID()

/** Random numbers of the machine in [0, 1). */
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
