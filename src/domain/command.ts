/**
 * Commands: requests of a participant to the exchange. The time comes in with the command and never goes back.
 */
import type { OrderRequest } from './order.ts'

/**
 * The account of the recorded market. It trades on a credit line without limit (its balances may go below zero, and the
 * audit counts them), pays no fee, is exempt from self-trade checks, and keeps no order history.
 */
export const CROWD = 'crowd'

export type Command =
  | { readonly type: 'place'; readonly time: number; readonly account: string; readonly request: OrderRequest }
  | { readonly type: 'cancel'; readonly time: number; readonly account: string; readonly orderId: number }
  /**
   * Resting orders of one side meet an offer of the crowd as takers, in the order of their ids in the list: each takes what it can at its
   * price or better, and what is left of it rests again, behind the others at its price. The rest of the offer is gone.
   */
  | {
      readonly type: 'take'
      readonly time: number
      readonly symbol: string
      /** Every resting order that the offer would meet, and only orders of one side. */
      readonly orderIds: readonly number[]
      /** On the other side, in ticks and lots. */
      readonly offers: readonly { readonly price: number; readonly qty: number }[]
    }
  /** `amount` in ledger units of the asset; a negative one is a debit. */
  | {
      readonly type: 'credit'
      readonly time: number
      readonly account: string
      readonly asset: string
      readonly amount: bigint
    }
