/**
 * Live time that stands still until a test lets it go on: events of a queue, and after each whatever promises it
 * settled.
 *
 * Known limit: promises that wait for the machine, such as for a socket, are not waited for.
 */
import { setImmediate as macrotask } from 'node:timers/promises'
import type { LiveTime, LiveTimer } from '../../../../src/adapter/live/live-time.ts'
import { EVENT_KIND, EventQueue, type EventKind } from '../../../../src/simulation/event-queue.ts'

/** 2024-01-01T00:00:00Z */
export const START = 1_704_067_200_000

export class FakeLiveTime implements LiveTime {
  /** For anyone who needs it, such as RxJS's virtual time. Its time is the wall clock's before any jump. */
  readonly queue: EventQueue
  readonly #start: number
  #jumped = 0
  #isInside = false

  constructor(start = START) {
    this.#start = start
    this.queue = new EventQueue(start)
  }

  now(): number {
    return this.queue.now() + this.#jumped
  }

  monotonic(): number {
    return this.queue.now() - this.#start
  }

  after(delayMs: number, action: () => void): LiveTimer {
    const event = this.queue.schedule(this.queue.now() + Math.max(0, delayMs), EVENT_KIND.timer, this.#inside(action))
    return {
      cancel: () => {
        this.queue.cancel(event)
      },
    }
  }

  atTime(time: number, action: () => void): void {
    this.after(time - this.now(), action)
  }

  enter(action: () => void): void {
    if (this.#isInside) action()
    else this.queue.schedule(this.queue.now(), EVENT_KIND.message, this.#inside(action))
  }

  /**
   * Calls `action` as an event of its own at a time, Unix milliseconds: by its kind before timers of that moment, or
   * behind them.
   */
  at(time: number, kind: EventKind, action: () => void): void {
    this.queue.schedule(time, kind, this.#inside(action))
  }

  /** Sets the wall clock on, as when the machine has slept; the monotonic one stays. */
  jump(ms: number): void {
    this.#jumped += ms
  }

  /** Lets `ms` of the monotonic clock pass. */
  async pass(ms: number): Promise<void> {
    const until = this.queue.now() + ms
    await macrotask()
    while (this.queue.nextTime <= until) await this.#step()
    this.queue.advance(until)
  }

  /**
   * Lets time pass until the promise is settled, event by event; fails when nothing more is to come, or after
   * `withinMs`.
   */
  async until<T>(promise: Promise<T>, withinMs = 24 * 3_600_000): Promise<T> {
    const last = this.queue.now() + withinMs
    const state: { isSettled: boolean } = { isSettled: false }
    const settle = (): void => {
      state.isSettled = true
    }
    promise.then(settle, settle)
    await macrotask()
    while (!state.isSettled && this.queue.nextTime <= last) await this.#step()
    if (!state.isSettled)
      throw new Error(`not settled ${this.monotonic()} ms after the start, and no event within ${withinMs} ms`)
    return promise
  }

  async #step(): Promise<void> {
    this.queue.runNext()
    await macrotask()
  }

  #inside(action: () => void): () => void {
    return () => {
      this.#isInside = true
      try {
        action()
      } finally {
        this.#isInside = false
      }
    }
  }
}
