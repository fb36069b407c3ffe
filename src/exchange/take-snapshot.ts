/** Takes a snapshot of an exchange: mutable state immediately, immutable history lazily. */
import type { Order } from '../domain/order.ts'
import type { Account } from './accounts/account.ts'
import type { OrderRecords } from './accounts/order-records.ts'
import type { TradeRecords } from './accounts/trade-records.ts'
import type { HistoryLimits } from './exchange.ts'
import {
  SNAPSHOT_FORMAT,
  type AccountSnapshot,
  type BooksSnapshot,
  type ExchangeSnapshot,
  type OrderSnapshot,
} from './snapshot/exchange-snapshot.ts'
import { LaterList, type Cut, wholeOf } from './snapshot/later-list.ts'
import type { ExchangeState } from './exchange-state.ts'

/** @param withoutHistory  accounts whose finished orders and fills are left out */
export function takeCut(state: ExchangeState, withoutHistory: ReadonlySet<string> = new Set()): Cut<ExchangeSnapshot> {
  const orders = state.orders.records.copy()
  const trades = state.trades.copy()
  return {
    ...headOf(state),
    history: finiteLimits(state.config.history),
    accounts: Array.from(state.accountsById.values(), (account) =>
      accountSnapshot(state, account, withoutHistory.has(account.id) ? undefined : { orders, trades }),
    ),
    states: Array.from(state.marketsBySymbol.values(), (market) => ({
      bids: market.orders.snapshot('BUY', orders),
      asks: market.orders.snapshot('SELL', orders),
      statistics: market.statistics.snapshot(trades),
    })),
  }
}

/** Takes orders and balances without any history, which costs little while few orders rest. */
export function takeBooks(state: ExchangeState): BooksSnapshot {
  const { records } = state.orders
  return wholeOf<BooksSnapshot>({
    ...headOf(state),
    accounts: Array.from(state.accountsById.values(), (account) => accountSnapshot(state, account, undefined)),
    states: Array.from(state.marketsBySymbol.values(), ({ orders }) => ({
      bids: orders.snapshot('BUY', records),
      asks: orders.snapshot('SELL', records),
    })),
  })
}

const headOf = (state: ExchangeState): Omit<BooksSnapshot, 'accounts' | 'states'> => ({
  format: SNAPSHOT_FORMAT,
  markets: state.markets,
  quoteAsset: state.config.quoteAsset,
  time: state.time,
  lastOrderId: state.orderIds.last,
  lastTradeId: state.tradeIds.last,
  ledger: state.ledger.snapshot(),
})

/** JSON has no Infinity. */
function finiteLimits({ orders, fills, trades, candles }: HistoryLimits): ExchangeSnapshot['history'] {
  const orNull = (limit: number): number | null => (limit === Number.POSITIVE_INFINITY ? null : limit)
  return { orders: orNull(orders), fills: orNull(fills), trades: orNull(trades), candles: orNull(candles) }
}

/** @param copies  to include its history; undefined to leave it out */
function accountSnapshot(
  { ledger }: ExchangeState,
  account: Account,
  copies: { readonly orders: OrderRecords; readonly trades: TradeRecords } | undefined,
): Cut<AccountSnapshot> {
  const { row } = account
  return {
    ...account.snapshot(copies?.trades),
    available: ledger.assets.map((_, asset) => String(ledger.available(row, asset))),
    locked: ledger.assets.map((_, asset) => String(ledger.locked(row, asset))),
    finishedOrders:
      copies === undefined
        ? []
        : LaterList.ofRecords(account.orders.finished(), (order) => orderSnapshot(copies.orders.view(order))),
  }
}

const orderSnapshot = (order: Order): OrderSnapshot => ({
  ...order,
  filledNotional: String(order.filledNotional),
  fee: String(order.fee),
})
