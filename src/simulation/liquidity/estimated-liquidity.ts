/**
 * Base class of the models `tape`, `through` and `touch`: the crowd's quote, its ladder, and the lots you took from it.
 *
 * Purpose: resting orders use the quote of the last trade. Takers meet a quote whose touched side has moved on by the
 * drift, and which follows what you took from the other side.
 * Invariant: lots taken stay missing at the front of the ladder until time and recorded volume have brought them back,
 * so n orders at one instant cost as much as one of their sum, and no round trip at one instant earns money.
 * Known limitation: a quote is the last trade plus a spread; only its mean is right, because trades alone do not show
 * the moment.
 * Complexity: constant per recorded trade; a taking order meets at most 400 levels.
 * Source: docs/liquidity.md has the formulas, and the measurements that chose them.
 */
import { opposite, type Side } from '../../domain/order.ts'
import { hasOwnMethods } from './own-methods.ts'
import type {
  CrowdQuote,
  LadderLevel,
  LiquidityModel,
  Reach,
  RecordedColumns,
  RecordedTrade,
  TakingOrder,
} from './liquidity-model.ts'
import { currentEstimates, type FormerMarketEstimates, type MarketEstimates } from './market-estimates.ts'
import { ShownLots } from './shown-lots.ts'
import { TakenLots } from './taken-lots.ts'

const LEVELS = 400

/**
 * Shape of one side of the crowd's ladder: distance of each level from the best price, and its lots.
 *
 * 400 levels, a quarter step apart times the momentum factor; lots start at a quarter of a trade cluster and grow by
 * 1/64 per level.
 * Invariant: no level is nearer to the best price, or smaller, than the one before.
 */
export class LadderShape {
  readonly #averageTrade: number
  readonly #step: number
  readonly #impactSkew: number

  /**
   * @param averageTrade  lots of a trade cluster, above 0
   * @param step      ticks, at least 1
   * @param impactSkew  momentum factor of the distances, above 0
   */
  constructor(averageTrade: number, step: number, impactSkew: number) {
    this.#averageTrade = averageTrade
    this.#step = step
    this.#impactSkew = impactSkew
  }

  /** Ticks from the best price, for a level from 0 on. */
  offset(level: number): number {
    return Math.floor((level * this.#step * this.#impactSkew) / 4)
  }

  /** Lots of a level, at least 1. */
  lots(level: number): number {
    return Math.max(1, Math.floor((this.#averageTrade * (16 + level)) / 64))
  }

  /**
   * Total distance of the first `lots` lots from the best price: the sum of ticks times lots, limited to the levels
   * there are.
   */
  distance(lots: number): number {
    let left = lots
    let distance = 0
    for (let level = 0; level < LEVELS && left > 0; level += 1) {
      const taken = Math.min(left, this.lots(level))
      distance += taken * this.offset(level)
      left -= taken
    }
    return distance
  }

  /** First level with lots left when `missing` of them are gone; the last one when all are. */
  firstLevel(missing: number): number {
    let left = missing
    let level = 0
    for (; level < LEVELS - 1 && left >= this.lots(level); level += 1) left -= this.lots(level)
    return level
  }
}

/** Settings of the user that a model applies. */
export interface LiquidityTerms {
  /** Queue size ahead of your order, in average trade sizes: a number of 0 to 1000. */
  readonly queueSize: number
  /** Size of each simulated price level, in average trade sizes: a number of 0 to 1000. */
  readonly levelSize: number
  /** Milliseconds after which a quote is stale and fills nothing. */
  readonly staleAfterMs: number
}

/** `LiquidityTerms` with the names from before a rename. */
export interface FormerLiquidityTerms extends Pick<LiquidityTerms, 'staleAfterMs'> {
  readonly queueClips: number
  readonly depthClips: number
}

/** A model that knows the crowd's quote from the last trade, and its depth from estimates. */
export abstract class EstimatedLiquidity implements LiquidityModel {
  /** Estimates of the market so far. */
  readonly estimates: MarketEstimates
  readonly #terms: LiquidityTerms
  #last: RecordedTrade | undefined
  /** Lots taken, by side of your orders. */
  readonly #taken = { BUY: new TakenLots(), SELL: new TakenLots() }

  /** @param estimates  its own, of one market: it teaches them */
  constructor(estimates: MarketEstimates | FormerMarketEstimates, terms: LiquidityTerms | FormerLiquidityTerms) {
    const { staleAfterMs } = terms
    this.estimates = currentEstimates(estimates)
    this.#terms =
      'queueSize' in terms ? terms : { queueSize: terms.queueClips, levelSize: terms.depthClips, staleAfterMs }
  }

  abstract queueAhead(side: Side, price: number): number
  abstract reach(side: Side, trade: RecordedTrade): Reach

  get quote(): CrowdQuote | undefined {
    if (this.#last === undefined) return undefined
    const { price, isBuyerMaker } = this.#last
    const { spread } = this.estimates
    return isBuyerMaker ? { bid: price, ask: price + spread } : { bid: price - spread, ask: price }
  }

  /** Quote for takers after the last trade, before anything that your orders took; undefined before the first trade. */
  get takerQuote(): CrowdQuote | undefined {
    const { quote } = this
    if (this.#last === undefined || quote === undefined) return undefined
    const { bid, ask } = quote
    const drift = this.estimates.drift ?? 0
    return this.#last.isBuyerMaker
      ? { bid: bid - drift, ask: Math.max(bid, ask - drift) }
      : { bid: Math.min(ask, bid + drift), ask: ask + drift }
  }

  learn(trade: RecordedTrade): void {
    this.estimates.learn(trade)
    if (this.#isMissing()) this.#refill(trade.time, trade.qty, this.#last?.time)
    this.#last = trade
  }

  get learnAll(): ((trades: RecordedColumns) => void) | undefined {
    const hasOwn = hasOwnMethods<EstimatedLiquidity>(this, EstimatedLiquidity.prototype, 'learn', 'remainder')
    return hasOwn ? this.#learnAll : undefined
  }

  gap(): void {
    this.estimates.gap()
  }

  took(side: Side, qty: number, time: number): void {
    const taken = this.#taken[side]
    const missing = taken.missing(time)
    const shape = this.#shape(this.#impactSkew(side, time))
    taken.take(qty, time, shape.distance(missing + qty) - shape.distance(missing))
  }

  remainder({ qty }: RecordedTrade, filled: number): number {
    return qty - filled
  }

  /** Lots that your orders of `side` took and that are still missing at `time`, Unix milliseconds. */
  missing(side: Side, time: number): number {
    return this.#taken[side].missing(time)
  }

  ladder(taking: TakingOrder): readonly LadderLevel[] {
    const { side, qty, time } = taking
    const best = this.#isStale(time) || this.#joins(taking) ? undefined : this.#best(taking)
    if (best === undefined) return []
    const shown = new ShownLots(this.missing(side, time), taking, side === 'BUY' ? 1 : -1)
    return this.#rungs(best, qty, taking, shown, false)
  }

  /**
   * Estimated levels beyond a price, for an order that continues there.
   *
   * @param price   in ticks; all levels are beyond it
   * @param wanted  lots
   * @param shown   lots of the crowd's queue not yet met
   */
  protected clustersBeyond(
    price: number,
    wanted: number,
    taking: TakingOrder,
    shown: ShownLots,
  ): readonly LadderLevel[] {
    shown.miss(this.missing(taking.side, taking.time))
    return this.#rungs(price, wanted, taking, shown, true)
  }

  #rungs(
    best: number,
    qty: number,
    { side, time }: TakingOrder,
    shown: ShownLots,
    isBehind: boolean,
  ): readonly LadderLevel[] {
    const sign = side === 'BUY' ? 1 : -1
    const shape = this.#shape(this.#impactSkew(side, time))
    const levels: LadderLevel[] = []
    let wanted = qty
    for (let level = 0; level < LEVELS && wanted > 0; level += 1) {
      const offset = shape.offset(level)
      if (isBehind && offset === 0) continue
      const price = best + sign * offset
      if (price <= 0 || !Number.isSafeInteger(price)) break
      const lots = shown.at(price, shape.lots(level))
      if (lots > 0) addLots(levels, price, lots)
      wanted -= lots
    }
    return levels
  }

  /** Unix milliseconds of the last trade; -Infinity before the first. */
  protected get lastTradeAt(): number {
    return this.#last?.time ?? Number.NEGATIVE_INFINITY
  }

  /** Lots that the crowd rests ahead of an order that joins it. */
  protected get queueLots(): number {
    return Math.round(this.estimates.averageTrade * this.#terms.queueSize)
  }

  /**
   * Ticks by which the crowd follows your takers of `side`: half the distance of the first level with lots in the
   * narrower of the two ladders, but at most the mean distance of the missing lots. More would make taking profitable.
   */
  protected followed(side: Side, time: number): number {
    const missing = this.missing(side, time)
    if (missing === 0) return 0
    const shape = this.#shape(Math.min(this.#impactSkew('BUY', time), this.#impactSkew('SELL', time)))
    const half = shape.offset(shape.firstLevel(missing)) / 2
    return Math.floor(Math.min(half, this.#taken[side].meanDistance))
  }

  readonly #learnAll = (trades: RecordedColumns): void => {
    const { estimates } = this
    const { length, time, qty } = trades
    if (length === 0) return
    if (estimates.learnAll === undefined) {
      for (let row = 0; row < length; row += 1) estimates.learn(trades.at(row))
    } else estimates.learnAll(trades)
    for (let row = 0; row < length && this.#isMissing(); row += 1) {
      this.#refill(time[row] ?? 0, qty[row] ?? 0, row === 0 ? this.#last?.time : time[row - 1])
    }
    this.#last = trades.at(length - 1)
    for (const taken of [this.#taken.BUY, this.#taken.SELL]) taken.settle(this.#last.time)
  }

  /** A limit at or behind the quote of resting orders rests, even if drift has moved the other side. */
  #joins({ side, limitPrice }: TakingOrder): boolean {
    const { quote } = this
    if (limitPrice === undefined || quote === undefined) return false
    return side === 'BUY' ? limitPrice <= quote.bid : limitPrice >= quote.ask
  }

  /** Price of the first level that your order meets. */
  #best({ side, time, heldPrice }: TakingOrder): number | undefined {
    const { takerQuote } = this
    if (takerQuote === undefined) return undefined
    const followed = this.followed(opposite(side), time)
    if (side === 'BUY') return Math.max(takerQuote.ask - followed, heldPrice ?? 1, 1)
    return Math.min(takerQuote.bid + followed, heldPrice ?? Number.POSITIVE_INFINITY)
  }

  #shape(impactSkew: number): LadderShape {
    const { averageTrade, step } = this.estimates
    return new LadderShape(averageTrade * this.#terms.levelSize, step, impactSkew)
  }

  #impactSkew(side: Side, time: number): number {
    return this.estimates.impactSkew?.(side, time) ?? 1
  }

  #isMissing(): boolean {
    return this.#taken.BUY.isSome || this.#taken.SELL.isSome
  }

  /** Lots restored by a recorded trade of `qty` lots; after too long a silence everything is restored. */
  #refill(time: number, qty: number, lastTime: number | undefined): void {
    const isAfterSilence = lastTime !== undefined && time - lastTime > this.#terms.staleAfterMs
    for (const taken of [this.#taken.BUY, this.#taken.SELL]) {
      if (isAfterSilence) taken.clear()
      else taken.record(qty)
    }
  }

  #isStale(now: number): boolean {
    return this.#last === undefined || now - this.#last.time > this.#terms.staleAfterMs
  }
}

/** Levels that fall on one tick are one. */
function addLots(levels: LadderLevel[], price: number, lots: number): void {
  const last = levels.at(-1)
  if (last?.price === price) levels[levels.length - 1] = { price, qty: last.qty + lots }
  else levels.push({ price, qty: lots })
}
