/**
 * Commands: requests of a participant to the exchange. The time comes in with the command and never goes back.
 */
import type { OrderRequest } from './order.ts'

/**
 * The account of the recorded market. It trades on a credit line without limit (its balances may go below zero, and the
 * audit counts them), pays no fee, is exempt from self-trade checks, and keeps no order history.
 */
export const CROWD = 'crowd'

/**
 * Matches that enter no statistic, as in a recorded market, whose statistics are made of recorded rows alone: all of them are listed
 * among the trades, or only those in which somebody beside the crowd takes part.
 */
export type UncountedMatches = 'listed' | 'ours-listed'

export type Command =
  /** Without `matches` they are listed and enter the statistics. */
  | {
      readonly type: 'place'
      readonly time: number
      readonly account: string
      readonly request: OrderRequest
      readonly matches?: UncountedMatches
    }
  | { readonly type: 'cancel'; readonly time: number; readonly account: string; readonly orderId: number }
  /** `amount` in ledger units of the asset; a negative one is a debit. */
  | {
      readonly type: 'credit'
      readonly time: number
      readonly account: string
      readonly asset: string
      readonly amount: bigint
    }
