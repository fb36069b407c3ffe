/** Clock that moves only when set. */
import type { Clock } from '../../domain/time.ts'

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
