/**
 * A policy: what is done at the end of each candle, by what was seen so far. It can be played as a strategy, or by
 * hand.
 */
import type { Side } from '../../../../../src/domain/order.ts'
import type { RecordedCandle } from '../../../../../src/simulation/candles/recorded-candle.ts'

/** An order of the policy that waits. */
export interface WaitingOrder {
  readonly key: number
}

/** All that a policy sees. */
export interface Seen {
  /** Every candle so far, the last of them just over. */
  readonly candles: readonly RecordedCandle[]
  /** Lots that were bought less those that were sold. */
  readonly position: number
  /** Oldest first. */
  readonly waiting: readonly WaitingOrder[]
}

/** Ticks and lots; a key names an order of the policy, and is never used twice. */
export type Act =
  | { readonly type: 'market'; readonly side: Side; readonly qty: number }
  | { readonly type: 'limit'; readonly key: number; readonly side: Side; readonly price: number; readonly qty: number }
  | {
      readonly type: 'stop'
      readonly key: number
      readonly side: Side
      readonly price: number
      readonly qty: number
      /** A limit order of the same moment that excludes it. */
      readonly excludes?: number | undefined
    }
  | { readonly type: 'cancel'; readonly key: number }

export interface Policy {
  /** True when it may place stop orders. */
  readonly canStop: boolean
  readonly onCandle: (seen: Seen) => readonly Act[]
}

/** A fill of a policy, in or at the open of a candle. */
export interface PolicyFill {
  /**
   * Index of the candle; of a stop in a backtest, which is filled at one time in a body and at the open behind it, of
   * that open.
   */
  readonly candle: number
  /** Unix milliseconds. */
  readonly time: number
  readonly side: Side
  /** Ticks and lots. */
  readonly price: number
  readonly qty: number
}
