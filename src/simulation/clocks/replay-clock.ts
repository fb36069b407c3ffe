/**
 * The time of a market that is replayed as fast as it can be: the tape's, and after its end the machine's pace again.
 */
import type { Clock } from '../../domain/time.ts'
import { RunningClock } from './running-clock.ts'

/** Clock that moves only when set, until it is started. */
export class ReplayClock implements Clock {
  readonly #machine: Clock
  #time: number
  #running: Clock | undefined

  /**
   * @param start    Unix milliseconds
   * @param machine  whose pace it takes when it runs
   */
  constructor(start: number, machine: Clock) {
    this.#time = start
    this.#machine = machine
  }

  now(): number {
    return this.#running?.now() ?? this.#time
  }

  /** Never back. */
  moveTo(time: number): void {
    this.#time = Math.max(this.#time, time)
  }

  /** Starts the clock: from now on it follows the machine's clock. */
  run(): void {
    this.#running = new RunningClock(this.#time, this.#machine)
  }
}
