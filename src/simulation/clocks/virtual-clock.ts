/** Clock that moves only when set. */
import type { Clock } from '../../domain/time.ts'

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

/** A clock that runs with the machine's, from a time of its own and perhaps faster. */
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

export class VirtualClock implements Clock {
  #now: number

  /** @param start  Unix milliseconds */
  constructor(start: number) {
    this.#now = start
  }

  now(): number {
    return this.#now
  }

  /** @param ms  0 or more */
  advance(ms: number): void {
    this.#now += ms
  }
}
