/**
 * All that the naive exchange remembers: four lists that only grow. Every read is a scan of them.
 */
import { isOpen } from '../../src/domain/order.ts'
import type { Side } from '../../src/domain/order.ts'
import type { Fill, Trade } from '../../src/domain/trade.ts'
import type { ExchangeConfig, RecordedRow } from '../../src/exchange/exchange.ts'
import { limitPrice, statusOf } from './naive-order.ts'
import type { NaiveMarket, NaiveOrder } from './naive-order.ts'

export interface NaiveCredit {
  readonly account: string
  readonly asset: string
  /** Ledger units; negative for a debit. */
  readonly amount: bigint
  readonly time: number
  /** How many rows there had been, in all markets. */
  readonly rowsBefore: number
}

/** A trade with what each side paid for it, in ledger units of the quote asset. */
export interface NaiveTrade {
  readonly trade: Trade
  readonly market: NaiveMarket
  readonly buyerFee: bigint
  readonly sellerFee: bigint
  /** Whether it stands among the public trades. */
  readonly isListed: boolean
}

/** A trade, or a row of a tape, as it enters the statistics. */
export type NaiveRow = RecordedRow

export interface NaiveState {
  readonly config: ExchangeConfig
  readonly scales: ReadonlyMap<string, number>
  readonly markets: readonly NaiveMarket[]
  readonly credits: NaiveCredit[]
  readonly orders: NaiveOrder[]
  readonly trades: NaiveTrade[]
  readonly rows: NaiveRow[]
}

/** The last `count` of a list, in its order; all of it for Infinity. */
export const lastOf = <T>(list: readonly T[], count: number): readonly T[] =>
  list.slice(Math.max(0, list.length - count))

export const newestFirst = <T>(list: readonly T[], count: number): readonly T[] => lastOf(list, count).toReversed()

export const liveOrders = (state: NaiveState): readonly NaiveOrder[] =>
  state.orders.filter((order) => isOpen(statusOf(order)))

/** Resting orders of one side, best price first, and first whoever came to that price first (decision 11). */
export function bookSide(state: NaiveState, symbol: string, side: Side): readonly NaiveOrder[] {
  const better = side === 'BUY' ? -1 : 1
  return liveOrders(state)
    .filter((order) => order.request.symbol === symbol && order.request.side === side)
    .toSorted((a, b) => better * (limitPrice(a) - limitPrice(b)) || a.rank - b.rank)
}

export const tradesOf = (state: NaiveState, symbol: string): readonly Trade[] =>
  state.trades.flatMap(({ trade, isListed }) => (isListed && trade.symbol === symbol ? [trade] : []))

/** What forms the prices of a market. */
export const pricingRows = (rows: readonly NaiveRow[], symbol: string): readonly NaiveRow[] =>
  rows.filter((row) => row.symbol === symbol && row.part !== 'volume')

/** A trade as the account's own rows: none, one, or for a self-trade two, the buy order's first (decision 13). */
export function fillsOf({ trade, buyerFee, sellerFee }: NaiveTrade, account: string): readonly Fill[] {
  const { buyOrderId, sellOrderId, isBuyerMaker } = trade
  const buy = { trade, side: 'BUY', orderId: buyOrderId, isMaker: isBuyerMaker, fee: buyerFee } as const
  const sell = { trade, side: 'SELL', orderId: sellOrderId, isMaker: !isBuyerMaker, fee: sellerFee } as const
  return [...(trade.buyerId === account ? [buy] : []), ...(trade.sellerId === account ? [sell] : [])]
}
