/**
 * Reorder buffer: sorts events received within a second of each other by exchange time; at one moment trades, then
 * frames, then quotes.
 *
 * Frames keep their sequence: a frame with an earlier time gets the time of the one before. Invariant: output never
 * goes back in time. Events more than a second late are rejected.
 */
import { InputError } from '../../domain/errors.ts'
import { isBefore } from '../../tape/merge.ts'
import type { BookEvent } from './book-event.ts'
import type { BookTally } from './book-tally.ts'

/** Milliseconds. */
const WITHIN_MS = 1_000

/** Events that were given are forgotten so many at a time. */
const MAX_GIVEN = 1_024

/** Descriptions as used in the tally. */
export const MOVED = {
  trades: 'trades received out of order',
  depth: 'frames received out of order',
  quotes: 'quotes received out of order',
} as const

export class MatchingOrder {
  readonly #tally: BookTally
  /** Buffered events in time order, from `#next` on. */
  #waiting: BookEvent[] = []
  #next = 0
  #newest = Number.NEGATIVE_INFINITY
  #lastFrame = Number.NEGATIVE_INFINITY

  constructor(tally: BookTally) {
    this.#tally = tally
  }

  /**
   * Adds the next received event, and yields those that no later event can precede.
   *
   * @throws {InputError} naming its line, when it is more than a second late
   */
  *add(received: BookEvent): Generator<BookEvent, void, undefined> {
    if (received.time < this.#newest - WITHIN_MS) {
      const late = this.#newest - received.time
      throw new InputError(
        received.where,
        `expected times of at most ${WITHIN_MS} ms before the latest, got one ${late} ms before it`,
      )
    }
    const event = this.#inSequence(received)
    this.#insert(event)
    if (event.time <= this.#newest) return
    this.#newest = event.time
    yield* this.#upTo(event.time - WITHIN_MS)
  }

  /** Yields the remaining events. */
  *end(): Generator<BookEvent, void, undefined> {
    yield* this.#upTo(Number.POSITIVE_INFINITY)
  }

  #inSequence(event: BookEvent): BookEvent {
    if (event.kind !== 'depth') return event
    if (event.time >= this.#lastFrame) {
      this.#lastFrame = event.time
      return event
    }
    this.#tally.count('frames with a time before the previous frame, moved to that time')
    return { ...event, time: this.#lastFrame }
  }

  #insert(event: BookEvent): void {
    const waiting = this.#waiting
    let at = waiting.length
    for (let before = waiting[at - 1]; at > this.#next && before !== undefined; before = waiting[at - 1]) {
      if (!comesBefore(event, before)) break
      at -= 1
    }
    if (at === waiting.length) waiting.push(event)
    else {
      if (!('isPlaced' in event)) this.#tally.count(MOVED[event.kind])
      waiting.splice(at, 0, event)
    }
  }

  *#upTo(time: number): Generator<BookEvent, void, undefined> {
    let event = this.#waiting[this.#next]
    while (event !== undefined && event.time < time) {
      this.#next += 1
      yield event
      event = this.#waiting[this.#next]
    }
    if (this.#next < MAX_GIVEN) return
    this.#waiting = this.#waiting.slice(this.#next)
    this.#next = 0
  }
}

/** Quotes of one moment have the order of their numbers. */
const comesBefore = (event: BookEvent, other: BookEvent): boolean =>
  isBefore(event, other) ||
  (event.time === other.time && event.kind === 'quotes' && other.kind === 'quotes' && (event.id ?? 0) < (other.id ?? 0))
