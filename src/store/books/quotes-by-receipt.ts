/**
 * Quotes that have an update id but no time, put between the frames of a book that has both.
 *
 * A quote of an id up to that of a frame was true before that frame, or with it; it waits until the frame has come. Its
 * moment is that of its receipt by the clock of the exchange, but never outside of the two frames.
 * Invariant: times and ids rise together.
 */
import type { ToldQuote } from './book-event.ts'

export type UntimedQuote = Omit<ToldQuote, 'time'> & { readonly id: number }

/** Maximum of quotes buffered without a frame: the capture then has no book. */
const MAX_HELD = 10_000

const NANOSECOND_DIGITS = 6

interface Held {
  readonly quote: UntimedQuote
  readonly receivedMs: number | undefined
}

export class QuotesByReceipt {
  #held: Held[] = []
  /**
   * Milliseconds from the clock of the receipt to that of the exchange: the most that was seen, of what travelled the
   * fastest.
   */
  #aheadMs = Number.NEGATIVE_INFINITY
  #lastTime = 0
  #frameTime = 0
  #frameId = -1

  /**
   * Learns the clock offset from a message with both times.
   *
   * @param received  nanoseconds, as text
   */
  sawClock(exchangeMs: number, received: string | undefined): void {
    const receivedMs = milliseconds(received)
    if (receivedMs !== undefined) this.#aheadMs = Math.max(this.#aheadMs, exchangeMs - receivedMs)
  }

  /** Buffers a quote, and yields those buffered too long, or older than the last frame. */
  *add(quote: UntimedQuote, received: string | undefined): Generator<ToldQuote, void, undefined> {
    const held = { quote, receivedMs: milliseconds(received) }
    if (quote.id <= this.#frameId) {
      yield this.#at(held, quote.id === this.#frameId ? this.#frameTime : this.#frameTime - 1)
      return
    }
    this.#held.push(held)
    if (this.#held.length > MAX_HELD) yield* this.rest()
  }

  /**
   * Yields the quotes that precede a frame.
   *
   * @param lastId  last update id of the frame
   * @param time    its time
   */
  *before(lastId: number, time: number): Generator<ToldQuote, void, undefined> {
    const held = this.#held
    this.#held = held.filter(({ quote }) => quote.id > lastId)
    for (const each of held) {
      if (each.quote.id > lastId) continue
      // With the same id both show the same book; with a smaller one the quote is older than the frame.
      const latest = each.quote.id === lastId ? time : time - 1
      yield this.#at(each, Math.min(latest, Math.max(this.#frameTime, this.#received(each))))
    }
    this.#frameTime = time
    this.#frameId = lastId
  }

  /** Gives all. */
  *rest(): Generator<ToldQuote, void, undefined> {
    const held = this.#held
    this.#held = []
    for (const each of held) yield this.#at(each, Math.max(this.#frameTime, this.#received(each)))
  }

  #at({ quote }: Held, time: number): ToldQuote {
    this.#lastTime = Math.max(this.#lastTime, time)
    return { ...quote, time: this.#lastTime, isPlaced: true }
  }

  #received({ receivedMs }: Held): number {
    if (receivedMs === undefined) return this.#lastTime
    return receivedMs + (this.#aheadMs === Number.NEGATIVE_INFINITY ? 0 : this.#aheadMs)
  }
}

/** Nanoseconds as text in whole milliseconds. */
const milliseconds = (nanoseconds: string | undefined): number | undefined =>
  nanoseconds === undefined || nanoseconds.length <= NANOSECOND_DIGITS
    ? undefined
    : Number(nanoseconds.slice(0, -NANOSECOND_DIGITS))
