/**
 * What stands in the books of a recorded market, told from its past trades. One instance serves one market.
 *
 * It chooses quantities, never money, and sees nothing of the future: only trades that were recorded before.
 */
import type { Side } from '../../domain/order.ts'

export interface RecordedTrade {
  /** Unix milliseconds. */
  readonly time: number
  /** Ticks. */
  readonly price: number
  /** Lots. */
  readonly qty: number
  /** True when the buy order was resting: a seller was the aggressor. */
  readonly isBuyerMaker: boolean
  /** Opening time of the candle that it was made of; undefined for a trade that was recorded as one. */
  readonly candleTime?: number
}

/** Recorded trades in columns, oldest first; only the first `length` entries of each count. */
export interface RecordedColumns {
  readonly length: number
  readonly time: Float64Array
  readonly price: Float64Array
  readonly qty: Float64Array
  /** 1 when the buy order was resting, else 0. */
  readonly isBuyerMaker: Uint8Array
  at(row: number): RecordedTrade
}

/** The crowd's best prices, in ticks. A bid of 0 or less is none. */
export interface CrowdQuote {
  readonly bid: number
  readonly ask: number
}

/** A price at which the crowd offers to trade, in ticks, and how much, in lots. */
export interface LadderLevel {
  readonly price: number
  readonly qty: number
}

/** An order of ours that meets the crowd, and what stands there already. */
export interface TakingOrder {
  readonly side: Side
  /** Lots. */
  readonly qty: number
  /** Unix milliseconds. */
  readonly time: number
  /** Best price of our resting orders on its own side; an offer that met one would fill it without a recorded trade. */
  readonly ownBest: number | undefined
  /** What the crowd rests on the other side as queue, best price first: a part of what it shows, not more than it. */
  readonly queued: readonly LadderLevel[]
}

/** What a recorded trade brings against our resting orders; lots, `Infinity` for as much as there is. */
export interface Reach {
  /** The worst price of ours that it reaches. */
  readonly price: number
  /** Over all that rests there, the crowd's queue ahead of us included. */
  readonly lots: number
  /** Of it, at most this much for us. */
  readonly ours: number
}

export interface LiquidityModel {
  /** Learns from a recorded trade, after it was traded. */
  learn(trade: RecordedTrade): void

  /**
   * Learns from many trades at once, as `learn` would from each in its order.
   *
   * A model that has this is told of trades later, but before anything else is asked of it; and is not asked for the remainder of a
   * trade that met nothing of ours, which is printed whole. Undefined for every other model.
   */
  readonly learnAll?: ((trades: RecordedColumns) => void) | undefined

  /** Something is missing from the tape between the last trade and the next one. */
  gap(): void

  /** Undefined before the first trade. */
  readonly quote: CrowdQuote | undefined

  /** What the crowd offers to an order of ours that takes, best price first. It rests only while that order is matched. */
  ladder(taking: TakingOrder): readonly LadderLevel[]

  /** An order of ours took `qty` lots from the crowd. */
  took(side: Side, qty: number): void

  /** Lots of the crowd that are ahead of an order of ours that comes to rest at `price`. */
  queueAhead(side: Side, price: number): number

  /** @param side  of our resting orders that the trade touches */
  reach(side: Side, trade: RecordedTrade): Reach

  /** Lots of the recorded trade that are printed after `filled` lots of it were traded with what rests. */
  remainder(trade: RecordedTrade, filled: number): number
}
