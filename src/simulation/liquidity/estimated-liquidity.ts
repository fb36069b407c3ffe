/**
 * The common part of the models `tape`, `through` and `touch`: the crowd's quote, its ladder, and what we took from it.
 *
 * Invariant: what an order of ours took stays missing at the front of the ladder until as much has been recorded again, so n orders
 * at one instant cost what one of their sum costs.
 * Known limit: a quote is the last trade and a spread; only its mean is right, no trade-only model follows the moment.
 */
import type { Side } from '../../domain/order.ts'
import { keepsMethods } from './kept-methods.ts'
import type {
  CrowdQuote,
  LadderLevel,
  LiquidityModel,
  Reach,
  RecordedColumns,
  RecordedTrade,
  TakingOrder,
} from './liquidity-model.ts'
import type { MarketEstimates } from './market-estimates.ts'

/** What a user may set. */
export interface LiquidityTerms {
  /** Clips ahead of an order that joins a price. */
  readonly queueClips: number
  /** Clips at a level of the ladder. */
  readonly depthClips: number
  /** A quote that is more milliseconds old than this shows no ladder. */
  readonly staleAfterMs: number
}

const MOST_LEVELS = 100

/** A model that knows the crowd's quote from the last trade, and its depth from estimates. */
export abstract class EstimatedLiquidity implements LiquidityModel {
  /** What the model has learnt so far. */
  readonly estimates: MarketEstimates
  readonly #terms: LiquidityTerms
  #last: RecordedTrade | undefined
  /** Lots that orders of ours took, by their side. */
  #missing = { BUY: 0, SELL: 0 }

  /** @param estimates  its own, of one market: it teaches them */
  constructor(estimates: MarketEstimates, terms: LiquidityTerms) {
    this.estimates = estimates
    this.#terms = terms
  }

  abstract queueAhead(side: Side, price: number): number
  abstract reach(side: Side, trade: RecordedTrade): Reach

  get quote(): CrowdQuote | undefined {
    if (this.#last === undefined) return undefined
    const { price, isBuyerMaker } = this.#last
    const { spread } = this.estimates
    return isBuyerMaker ? { bid: price, ask: price + spread } : { bid: price - spread, ask: price }
  }

  learn(trade: RecordedTrade): void {
    this.estimates.learn(trade)
    this.#refill(trade.qty)
    this.#last = trade
  }

  get learnAll(): ((trades: RecordedColumns) => void) | undefined {
    const keeps = keepsMethods<EstimatedLiquidity>(this, EstimatedLiquidity.prototype, 'learn', 'remainder')
    return keeps ? this.#learnAll : undefined
  }

  gap(): void {
    this.estimates.gap()
    this.#missing = { BUY: 0, SELL: 0 }
  }

  took(side: Side, qty: number): void {
    this.#missing[side] += qty
  }

  remainder({ qty }: RecordedTrade, filled: number): number {
    return qty - filled
  }

  ladder(taking: TakingOrder): readonly LadderLevel[] {
    const { side, qty, time } = taking
    const { quote } = this
    if (quote === undefined || this.#isStale(time)) return []
    const [best, sign] = side === 'BUY' ? [quote.ask, 1] : [quote.bid, -1]
    const { step } = this.estimates
    const shown = new ShownLots(this.depthLots, this.#missing[side], taking, sign)
    const levels: LadderLevel[] = []
    let wanted = qty
    for (let level = 0; level < MOST_LEVELS && wanted > 0; level += 1) {
      const price = best + sign * level * step
      if (price <= 0 || !Number.isSafeInteger(price)) break
      const lots = shown.at(price)
      if (lots > 0) levels.push({ price, qty: lots })
      wanted -= lots
    }
    return levels
  }

  /** Lots at a level of the ladder. */
  protected get depthLots(): number {
    return Math.max(1, Math.round(this.estimates.clip * this.#terms.depthClips))
  }

  /** Lots that the crowd rests ahead of an order that joins it. */
  protected get queueLots(): number {
    return Math.round(this.estimates.clip * this.#terms.queueClips)
  }

  /** Lots of a recorded trade that our orders may have of it. */
  protected share(trade: RecordedTrade): number {
    return this.estimates.share(trade)
  }

  readonly #learnAll = (trades: RecordedColumns): void => {
    const { estimates } = this
    const { length, qty } = trades
    if (estimates.learnAll === undefined) {
      for (let row = 0; row < length; row += 1) estimates.learn(trades.at(row))
    } else estimates.learnAll(trades)
    for (let row = 0; row < length && this.#isMissing(); row += 1) this.#refill(qty[row] ?? 0)
    if (length > 0) this.#last = trades.at(length - 1)
  }

  #isMissing(): boolean {
    return this.#missing.BUY > 0 || this.#missing.SELL > 0
  }

  /** As much as was recorded stands at the front of the ladder again. */
  #refill(qty: number): void {
    this.#missing.BUY = Math.max(0, this.#missing.BUY - qty)
    this.#missing.SELL = Math.max(0, this.#missing.SELL - qty)
  }

  #isStale(now: number): boolean {
    return this.#last === undefined || now - this.#last.time > this.#terms.staleAfterMs
  }
}

/** What is shown at the levels of a ladder, asked for from the best one on. */
class ShownLots {
  readonly #lots: number
  readonly #taking: TakingOrder
  /** 1 when a higher price is worse for the taker. */
  readonly #sign: number
  #missing: number
  #nextQueued = 0
  /** Lots that rest as queue at or before the level, and were not yet taken off one. */
  #queued = 0

  constructor(lots: number, missing: number, taking: TakingOrder, sign: number) {
    this.#lots = lots
    this.#missing = missing
    this.#taking = taking
    this.#sign = sign
  }

  at(price: number): number {
    const { ownBest, queued } = this.#taking
    if (ownBest !== undefined && price * this.#sign <= ownBest * this.#sign) return 0
    for (let next = queued[this.#nextQueued]; next !== undefined; next = queued[this.#nextQueued]) {
      if (next.price * this.#sign > price * this.#sign) break
      this.#queued += next.qty
      this.#nextQueued += 1
    }
    const missing = Math.min(this.#missing, this.#lots)
    this.#missing -= missing
    const rest = Math.min(this.#queued, this.#lots - missing)
    this.#queued -= rest
    return this.#lots - missing - rest
  }
}
