/**
 * `book`: liquidity from the recorded book or its best prices; everything not recorded is as in `tape`.
 *
 * Purpose: the default where a recording has a book. It assumes that cancelled orders were behind yours as long as
 * there were any: the queue ahead of an order is the lesser of its previous length and the book's present lots.
 * `book-power` and `book-prorata` let some cancels be ahead.
 * Invariant: lots that you took are offered again only as the recorded book grows at their price.
 * Known limitation: your orders were not in that market, and influenced no one in it.
 * Complexity: a taking order costs the recorded levels that it reaches, then at most 400 estimated ones.
 * Source: docs/liquidity.md, recorded books and quotes.
 */
import { opposite, type Side } from '../../domain/order.ts'
import { FollowedBook, depthSide } from '../depth/followed-book.ts'
import type { RecordedDepth } from '../depth/recorded-depth.ts'
import type { LiquidityTerms } from './estimated-liquidity.ts'
import type { CrowdQuote, LadderLevel, Reach, RecordedTrade, TakingOrder } from './liquidity-model.ts'
import type { MarketEstimates } from './market-estimates.ts'
import { ShownLots } from './shown-lots.ts'
import { TapeLiquidity } from './tape.ts'

/** Only orders behind yours cancel. */
const BACK = Infinity

/** Model `book`, a base class for variants. */
export class BookLiquidity extends TapeLiquidity {
  readonly recordedBook: FollowedBook
  readonly #staleAfterMs: number

  /**
   * @param estimates  of this market only; the model updates them
   * @param depth      of the market
   * @param power      exponent of the cancel model: 1 for a uniform share; default: Infinity, only orders behind yours
   */
  constructor(estimates: MarketEstimates, terms: LiquidityTerms, depth: RecordedDepth, power = BACK) {
    super(estimates, terms)
    this.#staleAfterMs = terms.staleAfterMs
    this.recordedBook = new FollowedBook(depth, power)
  }

  override get quote(): CrowdQuote | undefined {
    const { book } = this.recordedBook.depth
    const { bestBid, bestAsk } = book
    if (!book.isKnown || this.#isBehindTrades || (bestBid === undefined && bestAsk === undefined)) return super.quote
    return { bid: bestBid ?? 0, ask: bestAsk ?? Infinity }
  }

  /** True if a trade is newer than the last book update. */
  get #isBehindTrades(): boolean {
    return this.lastTradeAt > this.recordedBook.depth.reportedAt
  }

  override queueAhead(side: Side, price: number): number {
    const { depth } = this.recordedBook
    const displayed = this.recordedBook.displayed(side, price)
    // A trade newer than the book may have attracted orders to a price that is empty in the book.
    if (displayed !== undefined && (displayed > 0 || !this.#isBehindTrades)) return displayed
    const isGuess = depth.book.isKnown && !this.#isBehindTrades
    // After a gap, an order does not jump the queue that was recorded last.
    return Math.max(isGuess ? this.queueLots : super.queueAhead(side, price), this.recordedBook.available(side, price))
  }

  override ladder(taking: TakingOrder): readonly LadderLevel[] {
    const { book, reportedAt } = this.recordedBook.depth
    // Before the first book update only trades are known.
    if (reportedAt === Number.NEGATIVE_INFINITY) return super.ladder(taking)
    if (!book.isKnown || taking.time - reportedAt > this.#staleAfterMs) return []
    return this.#recordedLadder(taking)
  }

  override took(side: Side, qty: number, time: number, at: readonly LadderLevel[] = []): void {
    const { depth, missing } = this.recordedBook
    const from = opposite(side)
    let unreported = qty
    for (const { price, qty: lots } of at) {
      const reported = depth.book.qtyAt(depthSide(from), price)
      if (reported === 0) continue
      missing.take(from, price, lots, reported)
      unreported -= lots
    }
    if (unreported > 0) super.took(side, unreported, time)
  }

  /** Lots of a trade that your takers already had cannot fill your resting orders again. */
  override reach(side: Side, trade: RecordedTrade): Reach {
    const rested = trade.isBuyerMaker ? 'BUY' : 'SELL'
    if (rested === side) return super.reach(side, trade)
    const lots = Math.max(0, trade.qty - this.recordedBook.missing.at(rested, trade.price))
    return { price: trade.price, lots, ours: lots }
  }

  /** The recorded book shows the reaction to your takers; an estimate could cross the recorded other side. */
  protected override followed(side: Side, time: number): number {
    return this.recordedBook.depth.reportedAt === Number.NEGATIVE_INFINITY ? super.followed(side, time) : 0
  }

  /** Levels of the book, then estimated levels beyond the last known one. */
  #recordedLadder(taking: TakingOrder): readonly LadderLevel[] {
    const { side, qty, limitPrice } = taking
    const from = opposite(side)
    const sign = side === 'BUY' ? 1 : -1
    const { book } = this.recordedBook.depth
    const { queued } = taking
    const queue = new Map(queued.map((each) => [each.price, each.qty]))
    const levels: LadderLevel[] = []
    let wanted = qty
    let last: number | undefined
    for (const price of book.prices(depthSide(from))) {
      if (wanted <= 0 || (limitPrice !== undefined && price * sign > limitPrice * sign)) return levels
      last = price
      const lots = isLeftOut(taking, price) ? 0 : this.recordedBook.available(from, price) - (queue.get(price) ?? 0)
      if (lots <= 0) continue
      levels.push({ price, qty: lots })
      wanted -= lots
    }
    // All recorded levels may have been passed by trades since.
    if (last === undefined && this.#isBehindTrades) return super.ladder(taking)
    last ??= this.#passedTo(from)
    if (last === undefined || wanted <= 0) return levels
    // The crowd's queue at a recorded price is part of the recorded lots; elsewhere it is part of the estimate.
    const guessed = queued.filter(({ price }) => book.qtyAt(depthSide(from), price) === 0)
    const shown = new ShownLots(0, { ...taking, queued: guessed }, sign)
    return [...levels, ...this.clustersBeyond(last, wanted, taking, shown)]
  }

  /** Price where the last trade left a side whose recorded levels it has all passed; undefined if there is no quote. */
  #passedTo(from: Side): number | undefined {
    const quote = super.quote
    if (quote === undefined) return undefined
    const price = from === 'BUY' ? quote.bid : quote.ask
    return this.recordedBook.depth.book.isShown(depthSide(from), price) ? undefined : price
  }
}

/** Better than a quarantined print, or crossing a resting order of yours. */
function isLeftOut({ side, heldPrice, ownBest }: TakingOrder, price: number): boolean {
  const sign = side === 'BUY' ? 1 : -1
  const isHeld = heldPrice !== undefined && price * sign < heldPrice * sign
  return isHeld || (ownBest !== undefined && price * sign <= ownBest * sign)
}
