/**
 * The recorded book of one market: the price levels that its exchange published, without your orders.
 *
 * Invariant: after a frame, and after a trade, no bid crosses an ask. Crossed levels are dropped until they are
 * published again: on the side that the frame did not update, or on both if it updates both.
 * After a gap the last levels stay but are not reliable: check `isKnown` before showing them to an order. A snapshot is
 * compared with them: levels it does not contain are removed, everything else stays.
 */
import type { QuoteBlock } from '../quote-block.ts'
import { ASK, BID, FRAME_END, frameEnd, GAP, SNAPSHOT, type DepthBlock, type DepthSide } from '../depth-block.ts'
import { BookSide } from './book-side.ts'
import type { BookState, SideState } from './book-state.ts'

/** A price at which orders rest. */
export interface RecordedLevel {
  /** Ticks. */
  readonly price: number
  /** Lots. */
  readonly qty: number
}

/** Cost or proceeds of a taking order. */
export interface TakingCost {
  /** Lots that the book has for it. */
  readonly lots: number
  /** Price times quantity of these, in ticks times lots. */
  readonly notional: bigint
  /** The last price that it reaches, in ticks; undefined when the side is empty. */
  readonly worst: number | undefined
}

/** Listener for the effects of recorded trades on a book. The player reports frames and quotes itself. */
export interface BookTradeListener {
  /** See `RecordedBook.traded`. */
  onTraded(price: number, isBuyerMaker: boolean): void
  /** See `RecordedBook.lower`. */
  onLowered(side: DepthSide, price: number, lots: number): void
}

const NOTHING = new Float64Array(0)

export class RecordedBook {
  readonly listeners: BookTradeListener[] = []
  readonly #bids = new BookSide(true)
  readonly #asks = new BookSide(false)
  #isKnown = false
  /** True if a snapshot contained the levels behind the best, and nothing is missing since. */
  #isDeep = false
  #bidsShownTo = 0
  #asksShownTo = 0
  #dropped = 0

  /** False before the first snapshot or quote, and after a gap until the next one: its levels may be wrong. */
  get isKnown(): boolean {
    return this.#isKnown
  }

  /** True while the levels behind the best are known, too: a snapshot contained them, and nothing is missing since. */
  get isDeep(): boolean {
    return this.#isDeep
  }

  /** Highest bid in ticks; undefined if there are no bids. */
  get bestBid(): number | undefined {
    return this.#bids.best
  }

  /** Lowest ask in ticks; undefined if there are no asks. */
  get bestAsk(): number | undefined {
    return this.#asks.best
  }

  /** Levels that were dropped so far because a trade or the other side had passed them. */
  get dropped(): number {
    return this.#dropped
  }

  /** Lots at a price, in ticks; 0 if the book shows none. */
  qtyAt(side: DepthSide, price: number): number {
    return (side === BID ? this.#bids : this.#asks).at(price)
  }

  /** True if the book covers a price; it does not cover prices behind its last level. */
  isShown(side: DepthSide, price: number): boolean {
    const shownTo = side === BID ? this.#bidsShownTo : this.#asksShownTo
    if (this.qtyAt(side, price) > 0) return true
    // A side published as empty is fully known.
    if (shownTo === 0) return this.#isKnown
    return side === BID ? price >= shownTo : price <= shownTo
  }

  /** The best levels of each side, at most `count`, best first. */
  levels(count: number): { readonly bids: readonly RecordedLevel[]; readonly asks: readonly RecordedLevel[] } {
    return { bids: bestLevels(this.#bids, count), asks: bestLevels(this.#asks, count) }
  }

  /** Prices with resting orders, best first, in ticks; do not continue the iteration after the book has changed. */
  prices(side: DepthSide): Generator<number, void, undefined> {
    return (side === BID ? this.#bids : this.#asks).prices()
  }

  /**
   * Cost of a market order now.
   *
   * @param side  resting side to take from: ASK for a buy
   * @param qty  lots, >= 0
   */
  costOf(side: DepthSide, qty: number): TakingCost {
    const resting = side === BID ? this.#bids : this.#asks
    let [left, notional] = [qty, 0n]
    let worst = resting.best
    for (const price of left > 0 ? resting.prices() : []) {
      const lots = Math.min(left, resting.at(price))
      notional += BigInt(price) * BigInt(lots)
      left -= lots
      worst = price
      if (left === 0) break
    }
    return { lots: qty - left, notional, worst }
  }

  /**
   * Applies frames of a block.
   *
   * @param start  first row of a frame
   * @param end    one past the last row of the last frame
   */
  apply(block: DepthBlock, start = 0, end = block.length): void {
    const { flags, side, price, qty } = block
    const [bids, asks] = [this.#bids, this.#asks]
    let first = start
    for (let row = start; row < end; row += 1) {
      const flag = flags[row] ?? 0
      if ((flag & (SNAPSHOT | GAP)) !== 0) this.#begin(block, row, flag)
      const book = side[row] === BID ? bids : asks
      book.set(price[row] ?? 0, qty[row] ?? 0)
      if ((flag & FRAME_END) === 0) continue
      if (bids.bestKey >= -asks.bestKey) this.#uncross(block, first, row + 1)
      first = row + 1
    }
  }

  /** Marks missing data before the next frame: a broken sequence, or silence. */
  gap(): void {
    this.#isKnown = false
    this.#isDeep = false
  }

  /**
   * Applies quotes of a block: levels better than the best price are removed. Before a snapshot, and after a gap, only
   * the best prices are known.
   *
   * @param start  first row
   * @param end    one past the last row
   */
  applyQuotes({ bid, bidQty, ask, askQty, length }: QuoteBlock, start = 0, end = length): void {
    for (let row = start; row < end; row += 1) {
      const [bidPrice = 0, askPrice = 0] = [bid[row], ask[row]]
      this.#touch(this.#bids, bidPrice, bidQty[row] ?? 0)
      this.#touch(this.#asks, askPrice === 0 ? Infinity : askPrice, askQty[row] ?? 0)
      if (bidPrice >= askPrice && askPrice > 0) this.#dropMeeting(bidPrice, askPrice)
      if (!this.#isDeep || bidPrice === 0) this.#bidsShownTo = bidPrice
      if (!this.#isDeep || askPrice === 0) this.#asksShownTo = askPrice
      this.#isKnown = true
    }
  }

  /** Drops a crossed quote on both sides. */
  #dropMeeting(bid: number, ask: number): void {
    this.#dropped += this.#asks.dropBetter(bid + 1) + this.#bids.dropBetter(ask - 1)
  }

  /**
   * Applies the price of a recorded trade, which may be newer than the book: levels that it has passed are dropped, on
   * both sides.
   *
   * @param price         ticks
   * @param isBuyerMaker  true when a seller was the aggressor
   */
  traded(price: number, isBuyerMaker: boolean): void {
    for (const listener of this.listeners) listener.onTraded(price, isBuyerMaker)
    const [bid, ask] = [this.bestBid, this.bestAsk]
    // Lots at the price itself stay: the trade may have left some of them.
    if (bid !== undefined && bid > (isBuyerMaker ? price : price - 1)) {
      this.#dropped += this.#bids.dropBetter(isBuyerMaker ? price : price - 1)
    }
    if (ask !== undefined && ask < (isBuyerMaker ? price + 1 : price)) {
      this.#dropped += this.#asks.dropBetter(isBuyerMaker ? price + 1 : price)
    }
  }

  /**
   * Subtracts the lots of a recorded trade at its price, as far as they are shown, until that price is published again.
   *
   * @param side  of the resting lots
   */
  lower(side: DepthSide, price: number, lots: number): void {
    for (const listener of this.listeners) listener.onLowered(side, price, lots)
    const book = side === BID ? this.#bids : this.#asks
    const resting = book.at(price)
    if (resting > 0) book.set(price, Math.max(0, resting - lots))
  }

  /** Immutable copy of the state. */
  state(): BookState {
    return {
      isKnown: this.#isKnown,
      ...(this.#isKnown && !this.#isDeep ? { isOfQuotes: true } : {}),
      bids: stateOf(this.#bids, this.#bidsShownTo),
      asks: stateOf(this.#asks, this.#asksShownTo),
    }
  }

  /** Replaces the contents by a state. */
  restore({ isKnown, isOfQuotes = false, bids, asks }: BookState): void {
    restoreSide(this.#bids, bids)
    restoreSide(this.#asks, asks)
    this.#isKnown = isKnown
    this.#isDeep = isKnown && !isOfQuotes
    this.#bidsShownTo = bids.shownTo
    this.#asksShownTo = asks.shownTo
  }

  #begin(block: DepthBlock, row: number, flag: number): void {
    if ((flag & GAP) !== 0) this.gap()
    if ((flag & SNAPSHOT) === 0) return
    const end = frameEnd(block, row)
    const middle = asksFrom(block, row, end)
    this.#bids.keepOnly(block.price.subarray(row, middle))
    this.#asks.keepOnly(block.price.subarray(middle, end))
    this.#bidsShownTo = worstReported(block, row, middle)
    this.#asksShownTo = worstReported(block, middle, end)
    this.#isKnown = true
    this.#isDeep = true
  }

  /**
   * Sets the best price of a side, in ticks, with its lots: better levels are removed and, without a snapshot, all
   * others too.
   */
  #touch(side: BookSide, price: number, lots: number): void {
    if (!this.#isDeep && (side.count !== 1 || side.best !== price)) side.keepOnly(NOTHING)
    side.dropBetter(price)
    if (lots > 0) side.set(price, lots)
  }

  /** Drops what a frame has passed. */
  #uncross(block: DepthBlock, start: number, end: number): void {
    const [bid = 0, ask = 0] = [this.bestBid, this.bestAsk]
    const middle = asksFrom(block, start, end)
    const isBidNew = reports(block, start, middle, bid)
    const isAskNew = reports(block, middle, end, ask)
    if (isBidNew) this.#dropped += this.#asks.dropBetter(bid + 1)
    if (isAskNew) this.#dropped += this.#bids.dropBetter(ask - 1)
  }
}

/** The first row of a frame that is of an ask. */
function asksFrom({ side }: DepthBlock, start: number, end: number): number {
  let row = start
  while (row < end && side[row] !== ASK) row += 1
  return row
}

const reports = ({ price }: DepthBlock, start: number, end: number, wanted: number): boolean =>
  price.subarray(start, end).includes(wanted)

/**
 * The rows of an empty side of a snapshot are none, or one of no lots; after others, a row of no lots gives the reach
 * of the snapshot.
 */
const worstReported = ({ price, qty }: DepthBlock, start: number, end: number): number =>
  end > start + 1 || (end > start && (qty[end - 1] ?? 0) > 0) ? (price[end - 1] ?? 0) : 0

function bestLevels(side: BookSide, count: number): readonly RecordedLevel[] {
  const levels: RecordedLevel[] = []
  if (count < 1) return levels
  for (const price of side.prices()) {
    levels.push({ price, qty: side.at(price) })
    if (levels.length === count) break
  }
  return levels
}

function stateOf(side: BookSide, shownTo: number): SideState {
  const price = Float64Array.from(side.prices())
  return { price, qty: price.map((each) => side.at(each)), shownTo }
}

function restoreSide(side: BookSide, { price, qty }: SideState): void {
  side.keepOnly(price)
  for (const [row, each] of price.entries()) side.set(each, qty[row] ?? 0)
}
