/**
 * Frames, quotes and trades of one market in columns, block by block, all in the same precisions.
 *
 * Invariant: the decimals only grow from block to block; a frame is never cut.
 */
import { InputError } from '../../domain/errors.ts'
import { formatUnits } from '../../domain/fixed-point.ts'
import type { SideState } from '../../tape/book/book-state.ts'
import { ASK, BID } from '../../tape/depth-block.ts'
import { MAX_BLOCK_ROWS, type TapeBlock } from '../../tape/tape.ts'
import type { TapePrecisions } from '../../tape/tape-precisions.ts'
import type { StoredDepth } from '../tapes/blocks/depth-codec.ts'
import type { StoredQuotes } from '../tapes/blocks/quote-codec.ts'
import type { BookEnd, BookEvent, LevelText, ToldFall, ToldFrame } from './book-event.ts'
import type { BookTally } from './book-tally.ts'
import { DepthColumns, type Level } from './depth-columns.ts'
import { ExactUnits } from './exact-units.ts'
import type { Fall } from './fall-columns.ts'
import { UnitTable } from './unit-table.ts'

/** Levels of a frame at most. */
const MAX_LEVELS = 2 ** 20

/** Rows of one kind, with their decimal precisions. */
export type BookPart =
  | ({ readonly kind: 'depth' } & StoredDepth)
  | ({ readonly kind: 'quotes' } & StoredQuotes)
  | ({ readonly kind: 'trades'; readonly block: TapeBlock } & TapePrecisions)

const NOBODY: Level = [0, 0]

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
      this.#learn([event.bid, event.ask].filter((side) => side !== undefined), where) // prettier-ignore
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

  *#addFrame(frame: ToldFrame): Generator<BookPart, void, undefined> {
    const { where, time, isSnapshot, hasGap } = frame
    const levels = frame.bids.length + frame.asks.length
    if (levels > MAX_LEVELS) throw new InputError(where, `expected at most ${MAX_LEVELS} levels in one update, got ${levels}`) // prettier-ignore
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
    if (side === undefined || this.#qty.of(side[1], where) === 0) return NOBODY
    return this.#level(side, where)
  }

  #levels(told: readonly LevelText[], where: string): ReadonlyMap<number, number> {
    const qtyByPrice = new Map<number, number>()
    for (const level of told) {
      const [price, qty] = this.#level(level, where)
      qtyByPrice.set(price, qty)
    }
    this.#tally.count('levels repeated within a frame', told.length - qtyByPrice.size)
    return qtyByPrice
  }

  #fall({ side, price, qty, ...how }: ToldFall, where: string): Fall {
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
