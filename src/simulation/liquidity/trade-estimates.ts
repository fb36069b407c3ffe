/**
 * Estimates from recorded trades: spread, trade cluster size, step, drift and momentum factor, each with its own
 * recurrence.
 */
import type { Side } from '../../domain/order.ts'
import { TradeClusterSize } from './trade-cluster-size.ts'
import { ImpactSkew } from './impact-skew.ts'
import { DriftEstimate } from './drift-estimate.ts'
import { keepsMethods } from './kept-methods.ts'
import type { RecordedColumns, RecordedTrade } from './liquidity-model.ts'
import type { MarketEstimates } from './market-estimates.ts'
import { SpreadEstimate } from './spread-estimate.ts'
import { SweepEstimate } from './sweep-estimate.ts'

/** Estimates of a market from recorded trades. */
export class TradeEstimates implements MarketEstimates {
  readonly #spread = new SpreadEstimate()
  readonly #clip = new TradeClusterSize()
  readonly #sweep = new SweepEstimate()
  readonly #drift = new DriftEstimate()
  readonly #impactSkew = new ImpactSkew()
  readonly #givenSpread: number | undefined

  /** @param givenSpread  ticks; undefined to learn it */
  constructor(givenSpread: number | undefined) {
    this.#givenSpread = givenSpread
  }

  get spread(): number {
    return this.#givenSpread ?? this.#spread.ticks
  }

  get averageTrade(): number {
    // A subclass may override the former name.
    return this.clip
  }

  /** Former name of `averageTrade`, in lots. */
  get clip(): number {
    return this.#clip.lots
  }

  get step(): number {
    return Math.max(this.spread, this.#sweep.ticks ?? 0)
  }

  get drift(): number {
    return this.#drift.ticks(this.spread)
  }

  impactSkew(side: Side, time: number): number {
    return this.dearness(side, time)
  }

  /** Former name of `impactSkew`; `time` is in Unix milliseconds. */
  dearness(side: Side, time: number): number {
    return this.#impactSkew.factor(side, time)
  }

  learn({ time, price, qty, isBuyerMaker }: RecordedTrade): void {
    this.#spread.learn(price, isBuyerMaker)
    this.#clip.learn(time, price, qty)
    this.#sweep.learn(time, price, isBuyerMaker)
    this.#drift.learn(price, isBuyerMaker)
    this.#impactSkew.learn(time, price)
  }

  get learnAll(): ((trades: RecordedColumns) => void) | undefined {
    return keepsMethods<TradeEstimates>(this, TradeEstimates.prototype, 'learn') ? this.#learnAll : undefined
  }

  gap(): void {
    this.#clip.close()
    this.#sweep.close()
    this.#impactSkew.close()
  }

  readonly #learnAll = (trades: RecordedColumns): void => {
    this.#spread.learnAll(trades)
    this.#clip.learnAll(trades)
    this.#sweep.learnAll(trades)
    this.#drift.learnAll(trades)
    this.#impactSkew.learnAll(trades)
  }
}
