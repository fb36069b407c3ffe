/**
 * Live time of a process that can be killed: from then on nothing of it happens any more, while the world goes on.
 */
import type { LiveTime, LiveTimer } from '../../../../src/adapter/live/live-time.ts'

export class MortalTime implements LiveTime {
  readonly #world: LiveTime
  #isDead = false

  constructor(world: LiveTime) {
    this.#world = world
  }

  kill(): void {
    this.#isDead = true
  }

  get isDead(): boolean {
    return this.#isDead
  }

  now(): number {
    return this.#world.now()
  }

  monotonic(): number {
    return this.#world.monotonic()
  }

  after(delayMs: number, action: () => void): LiveTimer {
    return this.#world.after(delayMs, this.#alive(action))
  }

  atTime(time: number, action: () => void): void {
    this.#world.atTime(time, this.#alive(action))
  }

  enter(action: () => void): void {
    this.#world.enter(this.#alive(action))
  }

  #alive(action: () => void): () => void {
    return () => {
      if (!this.#isDead) action()
    }
  }
}
