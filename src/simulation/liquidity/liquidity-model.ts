/**
 * Liquidity model: estimates the books of a recorded market from its past trades. One instance serves one market.
 *
 * It decides quantities, never money, and sees only trades recorded so far.
 */
import type { Side } from '../../domain/order.ts'
import type { FollowedBook } from '../depth/followed-book.ts'

/** A trade of the tape. */
export interface RecordedTrade {
  /** Unix milliseconds. */
  readonly time: number
  /** Ticks. */
  readonly price: number
  /** Lots. */
  readonly qty: number
  /** True if the buy order was resting, so the seller was the taker. */
  readonly isBuyerMaker: boolean
}

/** Recorded trades in columns, oldest first. Only the first `length` entries of each column count. */
export interface RecordedColumns {
  /** The number of trades. */
  readonly length: number
  /** Unix milliseconds. */
  readonly time: Float64Array
  /** Ticks. */
  readonly price: Float64Array
  /** Lots. */
  readonly qty: Float64Array
  /** 1 when the buy order was resting, otherwise 0. */
  readonly isBuyerMaker: Uint8Array
  /** Returns the trade of a row, 0 to `length` - 1. */
  at(row: number): RecordedTrade
}

/** The crowd's best prices. */
export interface CrowdQuote {
  /** Price at which the crowd buys, in ticks; 0 or less for none. */
  readonly bid: number
  /** Price at which the crowd sells, in ticks. */
  readonly ask: number
}

/** A price at which the crowd offers to trade, and how much. */
export interface LadderLevel {
  /** Price in ticks. */
  readonly price: number
  /** Quantity in lots. */
  readonly qty: number
}

/** A taking order of yours, with the state of the book. */
export interface TakingOrder {
  /** Side of your order; the crowd is on the other side. */
  readonly side: Side
  /** Lots. */
  readonly qty: number
  /** Unix milliseconds. */
  readonly time: number
  /** Limit price in ticks; undefined for a market order. */
  readonly limitPrice?: number | undefined
  /**
   * Best price of your resting orders on their own side, in ticks; undefined if you have none. An offer that met one
   * would fill it without a recorded trade.
   */
  readonly ownBest: number | undefined
  /** Price of a quarantined print, in ticks: this order gets nothing better. Undefined if there is none. */
  readonly heldPrice?: number | undefined
  /** Resting queue of the crowd on the other side, best price first; included in what it shows. */
  readonly queued: readonly LadderLevel[]
}

/** Effect of a recorded trade on your resting orders. */
export interface Reach {
  /** Worst price of yours that it reaches, in ticks. */
  readonly price: number
  /** Lots for everything that rests there, the crowd's queue ahead of you included; `Infinity` for no limit. */
  readonly lots: number
  /** Maximum lots of these for your orders; `Infinity` for no limit. */
  readonly ours: number
}

/** A liquidity model: the simulated market (the crowd) asks it. */
export interface LiquidityModel {
  /** Updates the model with a recorded trade, after it was traded. */
  learn(trade: RecordedTrade): void

  /**
   * Updates the model with many trades, as `learn` would with each in order. Optional.
   *
   * A model with this method receives trades later, but before any other call. It is not asked for the remainder of a
   * trade that met no order of yours; that trade is printed whole.
   */
  readonly learnAll?: ((trades: RecordedColumns) => void) | undefined

  /** Data is missing from the tape between the last trade and the next one. */
  gap(): void

  /** The crowd's best prices; undefined before the first trade. */
  readonly quote: CrowdQuote | undefined

  /**
   * Levels that the crowd offers to a taking order of yours, best price first. They rest only while that order is
   * matched.
   */
  ladder(taking: TakingOrder): readonly LadderLevel[]

  /**
   * Reports that your order took `qty` lots from the crowd at `time`, Unix milliseconds.
   *
   * @param at  by price, best first
   */
  took(side: Side, qty: number, time: number, at: readonly LadderLevel[]): void

  /** The recorded book that the queues follow; undefined if only trades move them. */
  readonly recordedBook?: FollowedBook | undefined

  /** Lots of the crowd ahead of an order of yours that joins the queue at `price`, in ticks. */
  queueAhead(side: Side, price: number): number

  /**
   * Effect of a recorded trade on your resting orders; called before `learn`.
   *
   * @param side  of your resting orders that the trade touches
   */
  reach(side: Side, trade: RecordedTrade): Reach

  /** Lots of the recorded trade to print after `filled` lots of it matched resting orders. */
  remainder(trade: RecordedTrade, filled: number): number
}
