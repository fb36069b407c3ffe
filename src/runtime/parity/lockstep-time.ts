/**
 * Live time driven by another clock: it stops while a service is called, and continues when the service has answered.
 */
import type { LiveTime, LiveTimer } from '../../adapter/live/live-time.ts'
import { EVENT_KIND, EventQueue } from '../../simulation/event-queue.ts'
import { Turn } from '../session/turn.ts'

export class LockstepTime implements LiveTime {
  readonly queue: EventQueue
  /** On while an event runs, which is the strategies' turn. */
  readonly turn = new Turn()
  readonly #start: number
  #isInEvent = false

  /** @param start  Unix milliseconds */
  constructor(start: number) {
    this.#start = start
    this.queue = new EventQueue(start)
  }

  now(): number {
    return this.queue.now()
  }

  monotonic(): number {
    return this.queue.now() - this.#start
  }

  after(delayMs: number, action: () => void): LiveTimer {
    const event = this.queue.schedule(this.now() + Math.max(0, Math.ceil(delayMs)), EVENT_KIND.timer, () => {
      this.enter(action)
    })
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
    if (this.#isInEvent) {
      action()
      return
    }
    this.#isInEvent = true
    this.turn.begin()
    try {
      action()
    } finally {
      this.turn.end()
      this.#isInEvent = false
    }
  }
}
