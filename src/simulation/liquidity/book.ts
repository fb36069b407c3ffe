/**
 * `book`: what was there, by the recorded book or its best prices; what nobody recorded is as `tape` has it.
 *
 * Assumes that those who cancel stood behind us as long as there were any: ahead of an order of ours is the lesser of
 * what was and what the book has now. `book-power` and `book-prorata` let some of them stand ahead.
 * Known limit: our own orders were not in that market, and moved nobody in it.
 */
import { opposite, type Side } from '../../domain/order.ts'
import { FollowedBook, depthSide } from '../depth/followed-book.ts'
import type { RecordedDepth } from '../depth/recorded-depth.ts'
import type { LiquidityTerms } from './estimated-liquidity.ts'
import type { CrowdQuote, LadderLevel, Reach, RecordedTrade, TakingOrder } from './liquidity-model.ts'
import type { MarketEstimates } from './market-estimates.ts'
import { ShownLots } from './shown-lots.ts'
import { TapeLiquidity } from './tape.ts'

/** Only those behind us cancel. */
const BACK = Infinity

/** The model `book`, to be extended by one that assumes something else. */
export class BookLiquidity extends TapeLiquidity {
  readonly recordedBook: FollowedBook
  readonly #staleAfterMs: number

  /**
   * @param estimates  its own, of one market: it teaches them
   * @param depth      of the market
   * @param power      how near to us those stand who cancel: 1 for all alike; default: Infinity, behind us
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

  /** A trade is newer than what the book told last. */
  get #isBehindTrades(): boolean {
    return this.lastTradeAt > this.recordedBook.depth.toldAt
  }

  override queueAhead(side: Side, price: number): number {
    const { depth } = this.recordedBook
    const displayed = this.recordedBook.displayed(side, price)
    // A trade that is newer than the book may have brought others to where the book has nobody yet.
    if (displayed !== undefined && (displayed > 0 || !this.#isBehindTrades)) return displayed
    const isGuess = depth.book.isKnown && !this.#isBehindTrades
    // Behind a gap nobody jumps the queue that was told last.
    return Math.max(isGuess ? this.queueLots : super.queueAhead(side, price), this.recordedBook.available(side, price))
  }

  override ladder(taking: TakingOrder): readonly LadderLevel[] {
    const { book, toldAt } = this.recordedBook.depth
    // Before anything of it was told the trades are all that there is.
    if (toldAt === Number.NEGATIVE_INFINITY) return super.ladder(taking)
    if (!book.isKnown || taking.time - toldAt > this.#staleAfterMs) return []
    return this.#recordedLadder(taking)
  }

  override took(side: Side, qty: number, time: number, at: readonly LadderLevel[] = []): void {
    const { depth, missing } = this.recordedBook
    const from = opposite(side)
    let untold = qty
    for (const { price, qty: lots } of at) {
      const told = depth.book.qtyAt(depthSide(from), price)
      if (told === 0) continue
      missing.take(from, price, lots, told)
      untold -= lots
    }
    if (untold > 0) super.took(side, untold, time)
  }

  /** What we had of the lots that a trade took cannot come to us once more. */
  override reach(side: Side, trade: RecordedTrade): Reach {
    const rested = trade.isBuyerMaker ? 'BUY' : 'SELL'
    if (rested === side) return super.reach(side, trade)
    const lots = Math.max(0, trade.qty - this.recordedBook.missing.at(rested, trade.price))
    return { price: trade.price, lots, ours: lots }
  }

  /** What comes after our takings is told, not guessed: a guess could come to meet what is told on the other side. */
  protected override followed(side: Side, time: number): number {
    return this.recordedBook.depth.toldAt === Number.NEGATIVE_INFINITY ? super.followed(side, time) : 0
  }

  /** The levels of the book, then clips behind the last that is known. */
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
    // All that was told may have been passed by trades since.
    if (last === undefined && this.#isBehindTrades) return super.ladder(taking)
    last ??= this.#passedTo(from)
    if (last === undefined || wanted <= 0) return levels
    // The crowd's queue at a price that is told is a part of what is told there; at any other it is a part of what is
    // guessed.
    const guessed = queued.filter(({ price }) => book.qtyAt(depthSide(from), price) === 0)
    const shown = new ShownLots(0, { ...taking, queued: guessed }, sign)
    return [...levels, ...this.clipsBehind(last, wanted, taking, shown)]
  }

  /** Where the last trade left a side of which it has passed all that was told; undefined where nobody is. */
  #passedTo(from: Side): number | undefined {
    const quote = super.quote
    if (quote === undefined) return undefined
    const price = from === 'BUY' ? quote.bid : quote.ask
    return this.recordedBook.depth.book.isShown(depthSide(from), price) ? undefined : price
  }
}

/** Better than a print that nobody believes yet, or what would meet a resting order of ours. */
function isLeftOut({ side, heldPrice, ownBest }: TakingOrder, price: number): boolean {
  const sign = side === 'BUY' ? 1 : -1
  const isHeld = heldPrice !== undefined && price * sign < heldPrice * sign
  return isHeld || (ownBest !== undefined && price * sign <= ownBest * sign)
}
