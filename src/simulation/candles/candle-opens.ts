/**
 * Opens of several markets at one moment: all of them are played before anyone is answered.
 */
import { EVENT_KIND, type EventQueue } from '../event-queue.ts'

export class CandleOpens {
  readonly #queue: EventQueue
  #time = Number.NaN
  #actions: (() => void)[] = []

  constructor(queue: EventQueue) {
    this.#queue = queue
  }

  /** Lets a market open after everything else of a moment. */
  add(time: number, open: () => void): void {
    if (time === this.#time) {
      this.#actions.push(open)
      return
    }
    const actions = [open]
    this.#time = time
    this.#actions = actions
    this.#queue.schedule(time, EVENT_KIND.open, () => {
      this.#time = Number.NaN
      for (const action of actions) action()
    })
  }
}
