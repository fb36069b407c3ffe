/**
 * A liquidity model: the books of a recorded market, told from its past trades. One instance serves one market.
 *
 * It chooses quantities, never money, and sees nothing of the future: only trades that were recorded before.
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
  /** True when the buy order was resting: a seller was the aggressor. */
  readonly isBuyerMaker: boolean
}

/** Recorded trades in columns, oldest first; only the first `length` entries of each count. */
export interface RecordedColumns {
  /** The number of trades. */
  readonly length: number
  /** Unix milliseconds. */
  readonly time: Float64Array
  /** Ticks. */
  readonly price: Float64Array
  /** Lots. */
  readonly qty: Float64Array
  /** 1 when the buy order was resting, else 0. */
  readonly isBuyerMaker: Uint8Array
  /** The trade of a row, 0 to `length` - 1. */
  at(row: number): RecordedTrade
}

/** The crowd's best prices. */
export interface CrowdQuote {
  /** What it buys at, in ticks; none when it is 0 or less. */
  readonly bid: number
  /** What it sells at, in ticks. */
  readonly ask: number
}

/** A price at which the crowd offers to trade, and how much. */
export interface LadderLevel {
  /** Ticks. */
  readonly price: number
  /** Lots. */
  readonly qty: number
}

/** An order of ours that meets the crowd, and what stands there already. */
export interface TakingOrder {
  /** Of our order; the crowd is on the other. */
  readonly side: Side
  /** Lots. */
  readonly qty: number
  /** Unix milliseconds. */
  readonly time: number
  /** In ticks; undefined for a market order. */
  readonly limitPrice?: number | undefined
  /**
   * Best price of our resting orders on its own side, in ticks; undefined without any. An offer that met one would fill it without a
   * recorded trade.
   */
  readonly ownBest: number | undefined
  /**
   * The price of a print that is not believed yet, in ticks: nothing better is offered to this order. Undefined when there is none.
   */
  readonly heldPrice?: number | undefined
  /** What the crowd rests on the other side as queue, best price first: a part of what it shows, not more than it. */
  readonly queued: readonly LadderLevel[]
}

/** What a recorded trade brings against our resting orders. */
export interface Reach {
  /** The worst price of ours that it reaches, in ticks. */
  readonly price: number
  /** Lots for all that rests there, the crowd's queue ahead of us included; `Infinity` for as much as there is. */
  readonly lots: number
  /** Lots of them that are for us, at most; `Infinity` for as much as there is. */
  readonly ours: number
}

/** What a model has to answer; the crowd of a market asks it. */
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

  /** The crowd's best prices; undefined before the first trade. */
  readonly quote: CrowdQuote | undefined

  /** What the crowd offers to an order of ours that takes, best price first. It rests only while that order is matched. */
  ladder(taking: TakingOrder): readonly LadderLevel[]

  /**
   * An order of ours took `qty` lots from the crowd at `time`, Unix milliseconds.
   *
   * @param at  by price, best first
   */
  took(side: Side, qty: number, time: number, at: readonly LadderLevel[]): void

  /** The recorded book that its queues follow; undefined where the market's trades alone move them. */
  readonly recordedBook?: FollowedBook | undefined

  /** Lots of the crowd that are ahead of an order of ours that comes to rest at `price`, in ticks. */
  queueAhead(side: Side, price: number): number

  /**
   * What a recorded trade does to our resting orders; asked before `learn`.
   *
   * @param side  of our resting orders that the trade touches
   */
  reach(side: Side, trade: RecordedTrade): Reach

  /** Lots of the recorded trade that are printed after `filled` lots of it were traded with what rests. */
  remainder(trade: RecordedTrade, filled: number): number
}
