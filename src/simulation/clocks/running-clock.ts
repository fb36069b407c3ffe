/**
 * A clock that runs with the machine's, from a time of its own and perhaps faster.
 */
import type { Clock } from '../../domain/time.ts'

export class RunningClock implements Clock {
  readonly #start: number
  readonly #speed: number
  readonly #machine: Clock
  readonly #machineStart: number

  /**
   * @param start  Unix milliseconds that it shows now
   * @param speed  its milliseconds in one of the machine's
   */
  constructor(start: number, machine: Clock, speed = 1) {
    this.#start = start
    this.#speed = speed
    this.#machine = machine
    this.#machineStart = machine.now()
  }

  now(): number {
    return this.#start + Math.floor((this.#machine.now() - this.#machineStart) * this.#speed)
  }
}
