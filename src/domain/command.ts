/** Commands: requests of a participant to the exchange. The time comes in with the command and never goes back. */
import type { OrderRequest } from './order.ts'
import type { Trade } from './trade.ts'

/**
 * The account of the recorded market. It trades on a credit line without limit (its balances may go below zero, and the
 * audit counts them), pays no fee, is exempt from self-trade checks, and keeps no order history.
 */
export const CROWD = 'crowd'

/** True for a match of the recorded market with itself. */
export const isOfCrowd = ({ buyerId, sellerId }: Trade): boolean => buyerId === CROWD && sellerId === CROWD

/** Price and quantity that the crowd offers to one order only, at the moment of the command. */
export interface Offer {
  /** Ticks, more than 0. */
  readonly price: number
  /** Lots, more than 0. */
  readonly qty: number
}

/**
 * Matches that enter no statistic, as in a recorded market, whose statistics come from recorded rows alone: all are
 * listed among the trades, or only those with a participant other than the crowd.
 */
export type UncountedMatches = 'listed' | 'ours-listed'

export type Command =
  /** Without `matches` they are listed and enter the statistics. */
  | {
      readonly type: 'place'
      readonly time: number
      readonly account: string
      readonly request: OrderRequest
      /** Offers of the crowd to this order only, matched after resting orders at the same price. Default: none. */
      readonly offers?: readonly Offer[]
      readonly matches?: UncountedMatches
    }
  | { readonly type: 'cancel'; readonly time: number; readonly account: string; readonly orderId: number }
  /**
   * Resting orders of one side take from offers of the crowd, in the order of the list: each fills at its price or
   * better, and its remainder rests again at the end of the queue at its price.
   */
  | {
      readonly type: 'take'
      readonly time: number
      readonly symbol: string
      /** Orders of one side. */
      readonly orderIds: readonly number[]
      readonly offers: readonly Offer[]
      readonly matches?: UncountedMatches
    }
  /**
   * Takes `qty` lots off a resting order of the crowd, which keeps its id and its queue position, as if they had never
   * been placed. More than 0 and fewer than are open; use a cancel for all.
   */
  | {
      readonly type: 'reduce'
      readonly time: number
      readonly account: typeof CROWD
      readonly orderId: number
      /** Lots. */
      readonly qty: number
    }
  /** `amount` in ledger units of the asset; a negative one is a debit. */
  | {
      readonly type: 'credit'
      readonly time: number
      readonly account: string
      readonly asset: string
      readonly amount: bigint
    }
