/**
 * Time of a live session, handed in: the machine's, or a queue's in a simulation.
 *
 * Invariant: neither of its clocks goes back, and what it calls is called one at a time.
 */
import type { Clock } from '../../domain/time.ts'

/**
 * A timer that is later than this, in milliseconds, was held up by a blocked event loop, or by a process that was
 * stopped: what came meanwhile may be there, not yet read.
 */
export const LATE_MS = 250

export interface LiveTimer {
  /** A no-op when it has been called. */
  cancel(): void
}

export interface LiveTime extends Clock {
  /** Unix milliseconds. It jumps forward when the machine has slept or its clock was set. */
  now(): number
  /** Milliseconds since some moment, whatever happens to the machine's clock: for every wait. */
  monotonic(): number
  /** Calls `action` once, `delayMs` of the monotonic clock from now or later, and never within this call. */
  after(delayMs: number, action: () => void): LiveTimer
  /**
   * Calls `action` once, at a time of the calendar in Unix milliseconds, or as soon as it is seen to have passed; never
   * within this call.
   */
  atTime(time: number, action: () => void): void
  /**
   * Runs what came from outside, such as a message of a socket or an answer, as an event of its own, behind what was
   * due before it. Whoever tells the strategy something does it in here; within an event it runs at once.
   */
  enter(action: () => void): void
}
