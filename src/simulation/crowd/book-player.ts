/**
 * Plays the recorded book of a market: the book changes, then resting orders react, then listeners are notified.
 *
 * It plays frame by frame and quote by quote. If none of your orders rests, nothing you took is missing and there
 * is no listener, it applies all frames before the next event in one step.
 */
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import { firstIndex } from '../../domain/first-index.ts'
import { ASK, BID, frameEnd, type DepthBlock } from '../../tape/depth-block.ts'
import type { QuoteBlock } from '../../tape/quote-block.ts'
import type { Crowd } from './crowd.ts'
import { frameFalls } from './frame-falls.ts'
import type { EventQueue } from '../event-queue.ts'
import type { RecordedDepth } from '../depth/recorded-depth.ts'

/** Notified of each change of a recorded book, after its effects on resting orders. */
export interface BookListener {
  /** The rows of a frame are from `start` up to `end`, exclusive. The block never changes. */
  onDepth?(time: number, block: DepthBlock, start: number, end: number): void
  onQuote?(time: number, block: QuoteBlock, row: number): void
}

/** Looks at a recorded book at moments of its own. */
export interface BookSampler {
  /** Unix milliseconds of the next moment: several frames may be applied in one step up to it. */
  readonly nextAt: number
  /** Call before a change at this time is applied. */
  before(time: number): void
}

export interface BookPlayerParts {
  readonly depth: RecordedDepth
  readonly crowd: Crowd
  readonly queue: EventQueue
  readonly listeners: readonly BookListener[]
  readonly report: (events: readonly ExchangeEvent[]) => void
}

export class BookPlayer {
  readonly #parts: BookPlayerParts
  readonly #depth: RecordedDepth
  /** True while the effects of a book change on resting orders are emitted. */
  isActing = false
  /** True while fills by the other side of the book are emitted; no recorded trade caused them. */
  isCrossing = false
  /** Undefined if the book is not drawn. */
  sampler: BookSampler | undefined

  constructor(parts: BookPlayerParts) {
    this.#parts = parts
    this.#depth = parts.depth
  }

  /**
   * Plays the next frame, or several that have no other effect.
   *
   * @param row      first row of the frame
   * @param end      one past the last row that may be played
   * @param upTo     Unix milliseconds, not before the first row: later rows are not played
   * @param shiftMs  added to the time of a row
   * @returns the next row
   */
  playFrames(block: DepthBlock, row: number, end: number, upTo: number, shiftMs: number): number {
    const { crowd, listeners } = this.#parts
    this.#depth.reportsOrders = block.falls !== undefined
    this.sampler?.before((block.time[row] ?? 0) + shiftMs)
    if (crowd.ignoresBook && !listeners.some((listener) => listener.onDepth !== undefined)) {
      const last = rowsUpTo(block.time, row, end, Math.min(upTo, this.sampler?.nextAt ?? upTo) - shiftMs)
      this.#advance(block.time, last - 1, shiftMs)
      this.#depth.book.apply(block, row, last)
      return last
    }
    const last = frameEnd(block, row)
    const time = this.#advance(block.time, row, shiftMs)
    crowd.beforeBook()
    this.#depth.book.apply(block, row, last)
    this.#act(time, crowd.afterBook(time, frameFalls(block, row, last, shiftMs)))
    for (const listener of listeners) listener.onDepth?.(time, block, row, last)
    return last
  }

  /** The same of quotes. */
  playQuotes(block: QuoteBlock, row: number, end: number, upTo: number, shiftMs: number): number {
    const { crowd, listeners } = this.#parts
    this.sampler?.before((block.time[row] ?? 0) + shiftMs)
    if (crowd.ignoresBook && !listeners.some((listener) => listener.onQuote !== undefined)) {
      const last = rowsUpTo(block.time, row, end, Math.min(upTo, this.sampler?.nextAt ?? upTo) - shiftMs)
      this.#advance(block.time, last - 1, shiftMs)
      this.#depth.book.applyQuotes(block, row, last)
      return last
    }
    const time = this.#advance(block.time, row, shiftMs)
    crowd.beforeBook()
    this.#depth.book.applyQuotes(block, row, row + 1)
    this.#act(time, crowd.afterQuote(time))
    for (const listener of listeners) listener.onQuote?.(time, block, row)
    return row + 1
  }

  /** Unix milliseconds of the last frame or quote; -Infinity before the first. */
  get reportedAt(): number {
    return this.#depth.reportedAt
  }

  /** Removes the lots of a recorded, accepted trade from the book. */
  traded(price: number, qty: number, isBuyerMaker: boolean): void {
    const { book } = this.#depth
    this.sampler?.before(this.#parts.queue.now())
    // Also after a gap, because a snapshot is compared with the rest of the book.
    book.traded(price, isBuyerMaker)
    book.lower(isBuyerMaker ? BID : ASK, price, qty)
    this.#parts.crowd.afterBookTrade()
  }

  /** @param events  effects of the change on the queue ahead of orders */
  #act(time: number, events: readonly ExchangeEvent[]): void {
    const { crowd, report } = this.#parts
    const crossed = crowd.crossedByBook(time)
    this.isActing = true
    if (events.length > 0) report(events)
    this.isCrossing = true
    if (crossed.length > 0) report(crossed)
    this.isCrossing = false
    this.isActing = false
  }

  #advance(times: Float64Array, row: number, shiftMs: number): number {
    const time = (times[row] ?? Number.NaN) + shiftMs
    this.#parts.queue.advance(time)
    this.#depth.reportedAt = time
    return time
  }
}

/** First row after `time`; at least one row is consumed. */
function rowsUpTo(times: Float64Array, row: number, end: number, time: number): number {
  if ((times[end - 1] ?? Infinity) <= time) return end
  return firstIndex(row + 1, end, (at) => (times[at] ?? Infinity) > time)
}
