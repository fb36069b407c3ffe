/**
 * Frames, quotes and trades of one market in columns, block by block, all in the same precisions.
 *
 * Invariant: the decimals only grow from block to block; a frame is never cut.
 */
import { InputError } from '../../domain/errors.ts'
import { formatUnits } from '../../domain/fixed-point.ts'
import { refineValues } from '../../import/csv/decimal-column.ts'
import type { BookState, SideState } from '../../tape/book/book-state.ts'
import { RecordedBook } from '../../tape/book/recorded-book.ts'
import {
  ASK,
  BID,
  type DepthBlock,
  type DepthSide,
  FRAME_END,
  GAP,
  SEEN_TO_COME,
  SNAPSHOT,
  TRADED,
} from '../../tape/depth-block.ts'
import type { TapePrecisions } from '../../tape/tape-precisions.ts'
import { MAX_BLOCK_ROWS, type TapeBlock } from '../../tape/tape.ts'
import type { StoredDepth } from '../tapes/blocks/depth-codec.ts'
import type { StoredQuotes } from '../tapes/blocks/quote-codec.ts'
import type { BookEnd, BookEvent, LevelText, ReportedFall, ReportedFrame } from './book-event.ts'
import type { BookTally } from './book-tally.ts'
import { ExactUnits } from './exact-units.ts'
import { UnitTable } from './unit-table.ts'

/** Removal of an order, or of a part of it, in units. */
interface Fall {
  readonly side: DepthSide
  readonly price: number
  readonly lots: number
  readonly since: number
  readonly isTraded: boolean
  readonly isSeenToCome: boolean
}

/** Removals of single orders in columns, in units, alongside their frames. */
class FallColumns {
  readonly #rows = new UnitTable(
    ['row', 'plain'],
    ['side', 'plain'],
    ['price', 'price'],
    ['since', 'plain'],
    ['lots', 'qty'],
    ['kind', 'plain'],
  )
  #reportsOrders = false

  /**
   * @param row    first row of their frame
   * @param falls  undefined unless the recording is order-level
   */
  add(row: number, falls: readonly Fall[] | undefined): void {
    if (falls === undefined) return
    this.#reportsOrders = true
    for (const { side, price, since, lots, isTraded, isSeenToCome } of falls) {
      const kind = (isTraded ? TRADED : 0) + (isSeenToCome ? SEEN_TO_COME : 0)
      this.#rows.push(row, side, price, since, lots, kind)
    }
  }

  /** Rescales the rows to more decimals. */
  refine(priceDecimals: number, qtyDecimals: number): void {
    this.#rows.refine(priceDecimals, qtyDecimals)
  }

  /** Takes the removals since the last call, for the block of their frames. */
  take(): Pick<DepthBlock, 'falls'> {
    if (!this.#reportsOrders) return {}
    const rows = this.#rows.take()
    return { falls: { ...rows, side: Uint8Array.from(rows.side), kind: Uint8Array.from(rows.kind) } }
  }
}

/** The price of a level and what rests there, in units. */
type Level = readonly [price: number, qty: number]

interface Frame {
  readonly time: number
  readonly isSnapshot: boolean
  readonly hasGap: boolean
  /** Lots by price. */
  readonly bids: ReadonlyMap<number, number>
  readonly asks: ReadonlyMap<number, number>
  /** Undefined unless the recording is order-level. */
  readonly falls?: readonly Fall[] | undefined
}

/** Row of a frame without levels. */
const NOTHING: Level = [1, 0]

/**
 * Frames of a book gathered in columns, in units, with the book as it was before the first of them.
 *
 * Invariant: the frames are whole, each side from its best price outward and each price once.
 */
class DepthColumns {
  readonly #rows = new UnitTable(
    ['time', 'plain'],
    ['flags', 'plain'],
    ['side', 'plain'],
    ['price', 'price'],
    ['qty', 'qty'],
  )
  readonly #falls = new FallColumns()
  readonly #book = new RecordedBook()

  get length(): number {
    return this.#rows.length
  }

  add({ time, isSnapshot, hasGap, bids, asks, falls }: Frame): void {
    const isRow = ([, qty]: Level): boolean => !isSnapshot || qty > 0
    const bidRows = [...bids].filter(isRow).sort((a, b) => b[0] - a[0])
    const askRows = [...asks].filter(isRow).sort((a, b) => a[0] - b[0])
    const begins = (isSnapshot ? SNAPSHOT : 0) + (hasGap ? GAP : 0)
    if (bidRows.length + askRows.length > 0 || begins > 0) this.#falls.add(this.length, falls)
    if (bidRows.length + askRows.length === 0) {
      if (begins > 0) this.#push(time, begins | FRAME_END, BID, NOTHING)
      return
    }
    const last = bidRows.length + askRows.length - 1
    const flagsOf = (at: number): number => (at === 0 ? begins : 0) | (at === last ? FRAME_END : 0)
    for (const [at, row] of bidRows.entries()) this.#push(time, flagsOf(at), BID, row)
    for (const [at, row] of askRows.entries()) this.#push(time, flagsOf(bidRows.length + at), ASK, row)
  }

  /** Rescales the rows to more decimals. */
  refine(priceDecimals: number, qtyDecimals: number): void {
    this.#rows.refine(priceDecimals, qtyDecimals)
    this.#falls.refine(priceDecimals, qtyDecimals)
    if (priceDecimals === 0 && qtyDecimals === 0) return
    const { isKnown, bids, asks } = this.#book.state()
    const refined = (side: SideState): SideState => refinedSide(side, priceDecimals, qtyDecimals)
    this.#book.restore({ isKnown, bids: refined(bids), asks: refined(asks) })
  }

  /** State of the book after all frames added. */
  state(): BookState {
    return this.#book.state()
  }

  /** The frames since the last time, and the book before them. */
  take(): { readonly block: DepthBlock; readonly before: BookState } {
    const before = this.#book.state()
    const rows = this.#rows.take()
    const [flags, side] = [Uint8Array.from(rows.flags), Uint8Array.from(rows.side)]
    const block = { ...rows, flags, side, ...this.#falls.take() }
    this.#book.apply(block)
    return { block, before }
  }

  #push(time: number, flags: number, side: DepthSide, [price, qty]: Level): void {
    this.#rows.push(time, flags, side, price, qty)
  }
}

function refinedSide({ price, qty, shownTo }: SideState, priceDecimals: number, qtyDecimals: number): SideState {
  refineValues(price, price.length, priceDecimals)
  refineValues(qty, qty.length, qtyDecimals)
  const bound = Float64Array.of(shownTo)
  refineValues(bound, 1, priceDecimals)
  return { price, qty, shownTo: bound[0] ?? 0 }
}

/** Levels of a frame at most. */
const MAX_LEVELS = 2 ** 20

/** Rows of one kind, with their decimal precisions. */
export type BookPart =
  | ({ readonly kind: 'depth' } & StoredDepth)
  | ({ readonly kind: 'quotes' } & StoredQuotes)
  | ({ readonly kind: 'trades'; readonly block: TapeBlock } & TapePrecisions)

const NO_LEVEL: Level = [0, 0]

/** Trades recorded with a book, in columns, in units. */
class TradeColumns {
  readonly #rows = new UnitTable(
    ['time', 'plain'],
    ['price', 'price'],
    ['qty', 'qty'],
    ['side', 'plain'],
    ['id', 'plain'],
  )
  #hasIds = true

  get length(): number {
    return this.#rows.length
  }

  /** @param side  of the aggressor, as a `TapeBlock` has it */
  add(time: number, [price, qty]: Level, side: number, id: number | undefined): void {
    this.#rows.push(time, price, qty, side, id ?? 0)
    if (id === undefined) this.#hasIds = false
  }

  /** Rescales the rows to more decimals. */
  refine(priceDecimals: number, qtyDecimals: number): void {
    this.#rows.refine(priceDecimals, qtyDecimals)
  }

  take(): TapeBlock {
    const { id, side, ...rows } = this.#rows.take()
    return { ...rows, side: Uint8Array.from(side), ids: this.#hasIds ? id : undefined }
  }
}

export class BookColumns {
  readonly #tally: BookTally
  readonly #price: ExactUnits
  readonly #qty: ExactUnits
  #precisions: TapePrecisions
  readonly #depth = new DepthColumns()
  readonly #quotes = new UnitTable(
    ['time', 'plain'],
    ['bid', 'price'],
    ['bidQty', 'qty'],
    ['ask', 'price'],
    ['askQty', 'qty'],
  )
  readonly #trades = new TradeColumns()

  /** @param given  decimal digits; those not given are detected */
  constructor(tally: BookTally, given: Partial<TapePrecisions> = {}) {
    this.#tally = tally
    this.#price = new ExactUnits('price', given.pricePrecision)
    this.#qty = new ExactUnits('quantity', given.qtyPrecision)
    this.#precisions = this.#found()
  }

  /**
   * Adds the next event, and yields blocks that are full.
   *
   * @param event  not before the last one
   * @throws {InputError} naming its line, for an invalid price or quantity
   */
  *add(event: BookEvent): Generator<BookPart, void, undefined> {
    const { where } = event
    if (event.kind === 'depth') yield* this.#addFrame(event)
    else if (event.kind === 'quotes') {
      this.#learn(
        [event.bid, event.ask].filter((side) => side !== undefined),
        where,
      )
      const [bid, bidQty] = this.#quoted(event.bid, where)
      const [ask, askQty] = this.#quoted(event.ask, where)
      this.#quotes.push(event.time, bid, bidQty, ask, askQty)
      if (this.#quotes.length === MAX_BLOCK_ROWS) yield this.#takeQuotes()
    } else {
      const level: LevelText = [event.price, event.qty]
      this.#learn([level], where)
      const [price, qty] = this.#level(level, where)
      if (qty === 0) throw new InputError(where, `expected a quantity above 0, got '${event.qty}'`)
      this.#trades.add(event.time, [price, qty], event.side, event.id)
      if (this.#trades.length === MAX_BLOCK_ROWS) yield this.#takeTrades()
    }
  }

  /** Yields the remaining rows. */
  *end(): Generator<BookPart, void, undefined> {
    if (this.#depth.length > 0) yield this.#takeDepth()
    if (this.#quotes.length > 0) yield this.#takeQuotes()
    if (this.#trades.length > 0) yield this.#takeTrades()
  }

  /** The levels of the book as the blocks that were given have left it, best first. */
  levels(): Pick<BookEnd, 'bids' | 'asks'> {
    const { bids, asks } = this.#depth.state()
    const { pricePrecision, qtyPrecision } = this.#precisions
    const texts = ({ price, qty }: SideState): readonly LevelText[] =>
      Array.from(price, (each, row) => [formatUnits(each, pricePrecision), formatUnits(qty[row] ?? 0, qtyPrecision)])
    return { bids: texts(bids), asks: texts(asks) }
  }

  *#addFrame(frame: ReportedFrame): Generator<BookPart, void, undefined> {
    const { where, time, isSnapshot, hasGap } = frame
    const levels = frame.bids.length + frame.asks.length
    if (levels > MAX_LEVELS)
      throw new InputError(where, `expected at most ${MAX_LEVELS} levels in one update, got ${levels}`)
    this.#learn(frame.bids, where)
    this.#learn(frame.asks, where)
    this.#learn(
      (frame.falls ?? []).map(({ price, qty }): LevelText => [price, qty]),
      where,
    )
    if (this.#depth.length > 0 && this.#depth.length + levels > MAX_BLOCK_ROWS) yield this.#takeDepth()
    const bids = this.#levels(frame.bids, where)
    const asks = this.#levels(frame.asks, where)
    const falls = frame.falls?.map((fall) => this.#fall(fall, where))
    this.#depth.add({ time, isSnapshot, hasGap, bids, asks, falls })
  }

  /** Detects the number of decimals and rescales the gathered rows first. */
  #learn(levels: readonly LevelText[], where: string): void {
    for (const [price, qty] of levels) {
      this.#price.of(price, where)
      this.#qty.of(qty, where)
    }
    const found = this.#found()
    const priceDecimals = found.pricePrecision - this.#precisions.pricePrecision
    const qtyDecimals = found.qtyPrecision - this.#precisions.qtyPrecision
    if (priceDecimals === 0 && qtyDecimals === 0) return
    this.#precisions = found
    for (const columns of [this.#depth, this.#quotes, this.#trades]) columns.refine(priceDecimals, qtyDecimals)
  }

  #found(): TapePrecisions {
    return { pricePrecision: this.#price.precision, qtyPrecision: this.#qty.precision }
  }

  #level([price, qty]: LevelText, where: string): Level {
    const ticks = this.#price.of(price, where)
    if (ticks === 0) throw new InputError(where, `expected a price above 0, got '${price}'`)
    return [ticks, this.#qty.of(qty, where)]
  }

  /** A side of no lots is empty, whatever its price. */
  #quoted(side: LevelText | undefined, where: string): Level {
    if (side === undefined || this.#qty.of(side[1], where) === 0) return NO_LEVEL
    return this.#level(side, where)
  }

  #levels(reported: readonly LevelText[], where: string): ReadonlyMap<number, number> {
    const qtyByPrice = new Map<number, number>()
    for (const level of reported) {
      const [price, qty] = this.#level(level, where)
      qtyByPrice.set(price, qty)
    }
    this.#tally.count('levels repeated within a frame', reported.length - qtyByPrice.size)
    return qtyByPrice
  }

  #fall({ side, price, qty, ...how }: ReportedFall, where: string): Fall {
    const [ticks, lots] = this.#level([price, qty], where)
    return { side: side === 'bids' ? BID : ASK, price: ticks, lots, ...how }
  }

  #takeDepth(): BookPart {
    return { kind: 'depth', ...this.#depth.take(), ...this.#precisions }
  }

  #takeQuotes(): BookPart {
    return { kind: 'quotes', block: this.#quotes.take(), ...this.#precisions }
  }

  #takeTrades(): BookPart {
    return { kind: 'trades', block: this.#trades.take(), ...this.#precisions }
  }
}
