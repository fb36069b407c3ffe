/**
 * Estimates from recorded trades: spread, trade cluster size, step, drift and momentum factor, each with its own
 * recurrence.
 */
import type { Side } from '../../domain/order.ts'
import { ImpactSkew } from './impact-skew.ts'
import { hasOwnMethods } from './own-methods.ts'
import type { RecordedColumns, RecordedTrade } from './liquidity-model.ts'
import type { MarketEstimates } from './market-estimates.ts'
import { SpreadEstimate } from './spread-estimate.ts'
import { TradeClusterSize } from './trade-cluster-size.ts'

/** Memory of the step in sweeps, and of the drift in changes of aggressor. */
const DECAY = 64

/**
 * Distance between the levels of a recorded market: the mean price span of past sweeps over several prices.
 *
 * A sweep is all trades of one side in one millisecond. Past sweeps decay by 1/64 per sweep.
 */
class SweepEstimate {
  /** Sum of the spans of past sweeps over several prices, in ticks, and their number. */
  #spans = 0
  #count = 0
  /** The open sweep. */
  #time = Number.NEGATIVE_INFINITY
  #isSell = false
  #firstPrice = 0
  #lastPrice = 0

  /** Mean span in whole ticks; undefined before the first sweep over several prices. */
  get ticks(): number | undefined {
    return this.#count === 0 ? undefined : Math.round(this.#spans / this.#count)
  }

  learn(time: number, price: number, isSell: boolean): void {
    if (time === this.#time && isSell === this.#isSell) {
      this.#lastPrice = price
      return
    }
    this.close()
    this.#time = time
    this.#isSell = isSell
    this.#firstPrice = this.#lastPrice = price
  }

  /** Batch version of `learn` with state in local variables: it runs for every recorded trade. */
  learnAll({ length, time, price, isBuyerMaker }: RecordedColumns): void {
    if (length === 0) return
    this.learn(time[0] ?? 0, price[0] ?? 0, isBuyerMaker[0] === 1)
    let spans = this.#spans
    let count = this.#count
    let firstPrice = this.#firstPrice
    for (let row = 1; row < length; row += 1) {
      if (time[row] === time[row - 1] && isBuyerMaker[row] === isBuyerMaker[row - 1]) continue
      const lastPrice = price[row - 1] ?? 0
      if (firstPrice !== lastPrice) {
        spans += Math.abs(lastPrice - firstPrice) - spans / DECAY
        count += 1 - count / DECAY
      }
      firstPrice = price[row] ?? 0
    }
    this.#spans = spans
    this.#count = count
    this.#time = time[length - 1] ?? 0
    this.#isSell = isBuyerMaker[length - 1] === 1
    this.#firstPrice = firstPrice
    this.#lastPrice = price[length - 1] ?? 0
  }

  /** Counts the open sweep, if it went over several prices, among the past ones. */
  close(): void {
    if (this.#firstPrice !== this.#lastPrice) {
      this.#spans += Math.abs(this.#lastPrice - this.#firstPrice) - this.#spans / DECAY
      this.#count += 1 - this.#count / DECAY
    }
    this.#time = Number.NEGATIVE_INFINITY
    this.#firstPrice = this.#lastPrice = 0
  }
}

/**
 * Drift of the side that a recorded trade touched: the spread, less the mean signed price difference at a change of
 * aggressor.
 *
 * A difference counts towards the new aggressor: above zero when a buyer pays more than the seller before got. Past
 * ones are remembered with a decay of 1/64 a change.
 */
class DriftEstimate {
  /** Sum of the differences at past changes of aggressor, in ticks, and their number. */
  #sum = 0
  #count = 0
  #lastPrice = 0
  #lastIsSell: boolean | undefined

  /** Whole ticks, at least 0; 0 before the first change of aggressor. */
  ticks(spread: number): number {
    return this.#count === 0 ? 0 : Math.max(0, Math.round(spread - this.#sum / this.#count))
  }

  learn(price: number, isSell: boolean): void {
    if (this.#lastIsSell !== undefined && isSell !== this.#lastIsSell) {
      const difference = isSell ? this.#lastPrice - price : price - this.#lastPrice
      this.#sum += difference - this.#sum / DECAY
      this.#count += 1 - this.#count / DECAY
    }
    this.#lastPrice = price
    this.#lastIsSell = isSell
  }

  /** Batch version of `learn` with state in local variables: it runs for every recorded trade. */
  learnAll({ length, price, isBuyerMaker }: RecordedColumns): void {
    if (length === 0) return
    this.learn(price[0] ?? 0, isBuyerMaker[0] === 1)
    let sum = this.#sum
    let count = this.#count
    for (let row = 1; row < length; row += 1) {
      if (isBuyerMaker[row] === isBuyerMaker[row - 1]) continue
      const rise = (price[row] ?? 0) - (price[row - 1] ?? 0)
      sum += (isBuyerMaker[row] === 1 ? -rise : rise) - sum / DECAY
      count += 1 - count / DECAY
    }
    this.#sum = sum
    this.#count = count
    this.#lastPrice = price[length - 1] ?? 0
    this.#lastIsSell = isBuyerMaker[length - 1] === 1
  }
}

/** Estimates of a market from recorded trades. */
export class TradeEstimates implements MarketEstimates {
  readonly #spread = new SpreadEstimate()
  readonly #cluster = new TradeClusterSize()
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
    return this.#cluster.lots
  }

  get step(): number {
    return Math.max(this.spread, this.#sweep.ticks ?? 0)
  }

  get drift(): number {
    return this.#drift.ticks(this.spread)
  }

  impactSkew(side: Side, time: number): number {
    return this.skew(side, time)
  }

  /** Former name of `impactSkew`; `time` is in Unix milliseconds. */
  skew(side: Side, time: number): number {
    return this.#impactSkew.factor(side, time)
  }

  learn({ time, price, qty, isBuyerMaker }: RecordedTrade): void {
    this.#spread.learn(price, isBuyerMaker)
    this.#cluster.learn(time, price, qty)
    this.#sweep.learn(time, price, isBuyerMaker)
    this.#drift.learn(price, isBuyerMaker)
    this.#impactSkew.learn(time, price)
  }

  get learnAll(): ((trades: RecordedColumns) => void) | undefined {
    return hasOwnMethods<TradeEstimates>(this, TradeEstimates.prototype, 'learn') ? this.#learnAll : undefined
  }

  gap(): void {
    this.#cluster.close()
    this.#sweep.close()
    this.#impactSkew.close()
  }

  readonly #learnAll = (trades: RecordedColumns): void => {
    this.#spread.learnAll(trades)
    this.#cluster.learnAll(trades)
    this.#sweep.learnAll(trades)
    this.#drift.learnAll(trades)
    this.#impactSkew.learnAll(trades)
  }
}
