/**
 * The recorded book of one market: the price levels that its exchange has told, and nothing of ours.
 *
 * Invariant: after a frame, and after a trade, no bid meets an ask. Levels that would are dropped until they are told
 * again: of the side that the frame did not tell anew, of both where it tells both.
 * Behind a gap the levels stay as they were told last, but are not known: whoever shows them to an order asks `isKnown`
 * first. A snapshot is compared with them: what it does not name goes, everything else stays in place.
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

/** What an order that takes would pay or get. */
export interface TakingCost {
  /** Lots that the book has for it. */
  readonly lots: number
  /** Price times quantity of these, in ticks times lots. */
  readonly notional: bigint
  /** The last price that it reaches, in ticks; undefined when the side is empty. */
  readonly worst: number | undefined
}

/** Hears of what recorded trades do to a book. Frames and quotes are told by whoever plays them. */
export interface BookTradeListener {
  /** As of `RecordedBook.traded`. */
  onTraded(price: number, isBuyerMaker: boolean): void
  /** As of `RecordedBook.lower`. */
  onLowered(side: DepthSide, price: number, lots: number): void
}

const NOTHING = new Float64Array(0)

export class RecordedBook {
  readonly listeners: BookTradeListener[] = []
  readonly #bids = new BookSide(true)
  readonly #asks = new BookSide(false)
  #isKnown = false
  /** A snapshot told the levels behind the best, and nothing is missing since. */
  #isDeep = false
  #bidsShownTo = 0
  #asksShownTo = 0
  #dropped = 0

  /** False before the first snapshot or quote, and behind a gap until the next one: its levels may be wrong. */
  get isKnown(): boolean {
    return this.#isKnown
  }

  /** True while the levels behind the best are known, too: a snapshot told them, and nothing is missing since. */
  get isDeep(): boolean {
    return this.#isDeep
  }

  /** Highest price at which somebody buys, in ticks; undefined when nobody does. */
  get bestBid(): number | undefined {
    return this.#bids.best
  }

  /** Lowest price at which somebody sells, in ticks; undefined when nobody does. */
  get bestAsk(): number | undefined {
    return this.#asks.best
  }

  /** Levels that were dropped so far because a trade or the other side had passed them. */
  get dropped(): number {
    return this.#dropped
  }

  /** Lots at a price, in ticks; 0 where none are told. */
  qtyAt(side: DepthSide, price: number): number {
    return (side === BID ? this.#bids : this.#asks).at(price)
  }

  /** True when the book tells what rests at a price: it does not behind its last level. */
  isShown(side: DepthSide, price: number): boolean {
    const shownTo = side === BID ? this.#bidsShownTo : this.#asksShownTo
    if (this.qtyAt(side, price) > 0) return true
    // Of a side that was told to be empty, all is told.
    if (shownTo === 0) return this.#isKnown
    return side === BID ? price >= shownTo : price <= shownTo
  }

  /** The best levels of each side, at most `count`, best first. */
  levels(count: number): { readonly bids: readonly RecordedLevel[]; readonly asks: readonly RecordedLevel[] } {
    return { bids: bestLevels(this.#bids, count), asks: bestLevels(this.#asks, count) }
  }

  /** Prices at which orders rest, best first, in ticks; must not be asked for more once the book has changed. */
  prices(side: DepthSide): Generator<number, void, undefined> {
    return (side === BID ? this.#bids : this.#asks).prices()
  }

  /**
   * What an order that takes would meet now. @param side  on which it takes: ASK for one that buys @param qty  lots, >=
   * 0
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
   * Takes in frames of a block.
   *
   * @param start  row at which a frame begins
   * @param end    the row behind the last frame
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

  /** Something is missing before what comes next: a broken sequence, or silence. */
  gap(): void {
    this.#isKnown = false
    this.#isDeep = false
  }

  /**
   * Takes in quotes of a block: what was better than the best price is gone. Before a snapshot, and behind a gap,
   * nothing but the best prices is known.
   *
   * @param start  first row
   * @param end    the row behind the last
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

  /** A quote that meets itself is believed on neither side. */
  #dropMeeting(bid: number, ask: number): void {
    this.#dropped += this.#asks.dropBetter(bid + 1) + this.#bids.dropBetter(ask - 1)
  }

  /**
   * A trade that was recorded, at a price that the book may not know yet: what it has passed is dropped, of both sides.
   *
   * @param price         ticks
   * @param isBuyerMaker  true when a seller was the aggressor
   */
  traded(price: number, isBuyerMaker: boolean): void {
    for (const listener of this.listeners) listener.onTraded(price, isBuyerMaker)
    const [bid, ask] = [this.bestBid, this.bestAsk]
    // What rests at the price itself stays: the trade may have left some of it.
    if (bid !== undefined && bid > (isBuyerMaker ? price : price - 1)) {
      this.#dropped += this.#bids.dropBetter(isBuyerMaker ? price : price - 1)
    }
    if (ask !== undefined && ask < (isBuyerMaker ? price + 1 : price)) {
      this.#dropped += this.#asks.dropBetter(isBuyerMaker ? price + 1 : price)
    }
  }

  /**
   * Lots that a recorded trade took of what rests at its price, as far as they are told: until that price is told
   * again.
   *
   * @param side  of what rested
   */
  lower(side: DepthSide, price: number, lots: number): void {
    for (const listener of this.listeners) listener.onLowered(side, price, lots)
    const book = side === BID ? this.#bids : this.#asks
    const resting = book.at(price)
    if (resting > 0) book.set(price, Math.max(0, resting - lots))
  }

  /** As a value, which does not change with the book. */
  state(): BookState {
    return {
      isKnown: this.#isKnown,
      ...(this.#isKnown && !this.#isDeep ? { isOfQuotes: true } : {}),
      bids: stateOf(this.#bids, this.#bidsShownTo),
      asks: stateOf(this.#asks, this.#asksShownTo),
    }
  }

  /** Becomes what the state tells. */
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
    this.#bidsShownTo = worstTold(block, row, middle)
    this.#asksShownTo = worstTold(block, middle, end)
    this.#isKnown = true
    this.#isDeep = true
  }

  /**
   * A side whose best price is known, in ticks, with its lots: what was better is gone, and without a snapshot all the
   * rest.
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
    const isBidNew = tells(block, start, middle, bid)
    const isAskNew = tells(block, middle, end, ask)
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

const tells = ({ price }: DepthBlock, start: number, end: number, wanted: number): boolean =>
  price.subarray(start, end).includes(wanted)

/**
 * The rows of a snapshot's side that is empty are none, or one of no lots; behind others, one of no lots says how far
 * it tells.
 */
const worstTold = ({ price, qty }: DepthBlock, start: number, end: number): number =>
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
