/**
 * Plays what was recorded of a market's book into it: it changes, then acts on the orders that rest, then those who
 * listen hear of it.
 *
 * Frame by frame and quote by quote; where nothing of ours rests, nothing that we took is missing and nobody listens,
 * all that comes before the next thing that happens is taken in at once.
 */
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import { firstIndex } from '../../domain/first-index.ts'
import { ASK, BID, frameEnd, type DepthBlock } from '../../tape/depth-block.ts'
import type { QuoteBlock } from '../../tape/quote-block.ts'
import type { Crowd } from './crowd.ts'
import { frameFalls } from './frame-falls.ts'
import type { EventQueue } from '../event-queue.ts'
import type { RecordedDepth } from '../depth/recorded-depth.ts'

/** Hears of each change of a recorded book, after all that it did to resting orders. */
export interface BookListener {
  /** The rows of a frame are from `start` up to `end`, exclusive. The block never changes. */
  onDepth?(time: number, block: DepthBlock, start: number, end: number): void
  onQuote?(time: number, block: QuoteBlock, row: number): void
}

export interface BookPlayerParts {
  readonly depth: RecordedDepth
  readonly crowd: Crowd
  readonly queue: EventQueue
  readonly listeners: readonly BookListener[]
  readonly tell: (events: readonly ExchangeEvent[]) => void
}

export class BookPlayer {
  readonly #parts: BookPlayerParts
  readonly #depth: RecordedDepth
  /** True while it is told what a change of the book did to resting orders. */
  isActing = false
  /** True while it is told which of them the other side of the book has filled: such a fill is by no trade. */
  isCrossing = false

  constructor(parts: BookPlayerParts) {
    this.#parts = parts
    this.#depth = parts.depth
  }

  /**
   * Plays the next frame, or several that do nothing else.
   *
   * @param row      at which it begins
   * @param end      the row behind the last that may be played
   * @param upTo     Unix milliseconds, not before the first row: later ones are not played with it
   * @param shiftMs  added to the time of a row
   * @returns the row that comes next
   */
  playFrames(block: DepthBlock, row: number, end: number, upTo: number, shiftMs: number): number {
    const { crowd, listeners } = this.#parts
    this.#depth.tellsOrders = block.falls !== undefined
    if (crowd.ignoresBook && !listeners.some((listener) => listener.onDepth !== undefined)) {
      const last = rowsUpTo(block.time, row, end, upTo - shiftMs)
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
    if (crowd.ignoresBook && !listeners.some((listener) => listener.onQuote !== undefined)) {
      const last = rowsUpTo(block.time, row, end, upTo - shiftMs)
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
  get toldAt(): number {
    return this.#depth.toldAt
  }

  /** A trade that was recorded and is believed: what it took of the book is gone. */
  traded(price: number, qty: number, isBuyerMaker: boolean): void {
    const { book } = this.#depth
    // Behind a gap as well, for a snapshot is compared with what is left of it.
    book.traded(price, isBuyerMaker)
    book.lower(isBuyerMaker ? BID : ASK, price, qty)
    this.#parts.crowd.afterBookTrade()
  }

  /** @param events  what the change did to what is ahead of orders */
  #act(time: number, events: readonly ExchangeEvent[]): void {
    const { crowd, tell } = this.#parts
    const crossed = crowd.crossedByBook(time)
    this.isActing = true
    if (events.length > 0) tell(events)
    this.isCrossing = true
    if (crossed.length > 0) tell(crossed)
    this.isCrossing = false
    this.isActing = false
  }

  #advance(times: Float64Array, row: number, shiftMs: number): number {
    const time = (times[row] ?? Number.NaN) + shiftMs
    this.#parts.queue.advance(time)
    this.#depth.toldAt = time
    return time
  }
}

/** The row behind the last one up to `time`; at least one is. */
function rowsUpTo(times: Float64Array, row: number, end: number, time: number): number {
  if ((times[end - 1] ?? Infinity) <= time) return end
  return firstIndex(row + 1, end, (at) => (times[at] ?? Infinity) > time)
}
