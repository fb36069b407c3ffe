/**
 * Time of a live session, injected: the machine's clock, or an event queue in a simulation.
 *
 * Invariant: neither clock goes backwards, and callbacks run one at a time.
 */
import type { Clock } from '../../domain/time.ts'

/** Runs a function as an event of a live session, for promise code that continues once it has run. */
export const inEvent = <T>(time: LiveTime, action: () => T): Promise<T> =>
  new Promise((resolve, reject) => {
    time.enter(() => {
      try {
        resolve(action())
      } catch (error) {
        reject(error instanceof Error ? error : new Error('a value that is not an Error was thrown', { cause: error }))
      }
    })
  })

/**
 * A timer that fires later than this (milliseconds) was delayed by a blocked event loop or a suspended process: input
 * that arrived meanwhile may not be read yet.
 */
export const LATE_MS = 250

export interface LiveTimer {
  /** A no-op once the callback has run. */
  cancel(): void
}

export interface LiveTime extends Clock {
  /** Unix milliseconds. Jumps forward after the machine slept or its clock was set. */
  now(): number
  /** Milliseconds since an arbitrary moment, independent of clock changes: use it for every wait. */
  monotonic(): number
  /** Calls `action` once, after `delayMs` or more of the monotonic clock, and never within this call. */
  after(delayMs: number, action: () => void): LiveTimer
  /**
   * Calls `action` once, at a calendar time in Unix milliseconds or as soon as it has passed; never within this call.
   */
  atTime(time: number, action: () => void): void
  /**
   * Runs external input, such as a socket message or an answer, as its own event after everything that was due before
   * it. All code that notifies a strategy runs in here; within an event it runs immediately.
   */
  enter(action: () => void): void
}
