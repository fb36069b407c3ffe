/** The clocks of a machine that a test moves: together, apart, and back. */
import type { MachineClocks } from '../../../../src/adapter/live/machine-clocks.ts'

interface FakeTimer {
  readonly at: number
  readonly action: () => void
}

export class FakeClocks implements MachineClocks {
  #wall: number
  #monotonic: number
  #timers: FakeTimer[] = []

  constructor(wall = 1_000_000, monotonic = 500.25) {
    this.#wall = wall
    this.#monotonic = monotonic
  }

  wall(): number {
    return this.#wall
  }

  monotonic(): number {
    return this.#monotonic
  }

  setTimer(delayMs: number, action: () => void): () => void {
    const timer = { at: this.#monotonic + delayMs, action }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer)
    }
  }

  /** Timers that wait. */
  get timers(): number {
    return this.#timers.length
  }

  /** Both clocks go on, and timers come when they are due. */
  pass(ms: number): void {
    const end = this.#monotonic + ms
    for (;;) {
      const due = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
      const [next] = due
      if (next === undefined) break
      this.#move(Math.max(0, next.at - this.#monotonic))
      this.#timers = this.#timers.filter((each) => each !== next)
      next.action()
    }
    this.#move(end - this.#monotonic)
  }

  /** Both clocks go on, and the process does not. */
  stall(ms: number): void {
    this.#move(ms)
  }

  /** The wall clock alone, forward or back. */
  set(byMs: number): void {
    this.#wall += byMs
  }

  /** The monotonic clock alone, which no machine should do. */
  lie(byMs: number): void {
    this.#monotonic += byMs
  }

  #move(ms: number): void {
    this.#monotonic += ms
    this.#wall += ms
  }
}
