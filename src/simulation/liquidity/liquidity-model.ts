/**
 * What stands in the books of a recorded market, told from its past trades. One instance serves one market.
 *
 * It chooses quantities, never money, and sees nothing of the future: only trades that were recorded before.
 */
import type { Side } from '../../domain/order.ts'

export interface RecordedTrade {
  readonly time: number
  /** Ticks. */
  readonly price: number
  /** Lots. */
  readonly qty: number
  /** True when the buy order was resting: a seller was the aggressor. */
  readonly isBuyerMaker: boolean
}

/** A price at which the crowd offers to trade, in ticks, and how much, in lots. */
export interface LadderLevel {
  readonly price: number
  readonly qty: number
}

export interface LiquidityModel {
  /** Learns from a recorded trade, after it was traded. */
  learn(trade: RecordedTrade): void

  /**
   * What the crowd offers to an order of ours that takes, best price first. It rests only while that order is matched.
   *
   * @param side  of our order
   * @param qty   lots that our order wants
   */
  ladder(side: Side, qty: number): readonly LadderLevel[]

  /** Lots of the crowd that are ahead of an order of ours that comes to rest at `price`. */
  queueAhead(side: Side, price: number): number

  /**
   * Lots that a recorded trade brings against our resting orders at or beyond its price.
   *
   * @param resting  lots that rest there, the crowd's queue ahead of us included
   */
  reach(trade: RecordedTrade, resting: bigint): bigint

  /** Lots of the recorded trade that are printed after our orders took `filled` of it. */
  remainder(trade: RecordedTrade, filled: bigint): number
}
