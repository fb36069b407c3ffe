/**
 * Makes an exchange of a snapshot: it answers every later command and question as the one that the snapshot was taken of.
 */
import { InputError, invariant } from '../domain/errors.ts'
import type { Order } from '../domain/order.ts'
import { checkConfig } from './create-exchange.ts'
import type { ExchangeConfig, SnapshotExchange } from './exchange.ts'
import {
  SNAPSHOT_FORMAT,
  type AccountSnapshot,
  type ExchangeSnapshot,
  type OrderSnapshot,
} from './exchange-snapshot.ts'
import { ExchangeState } from './exchange-state.ts'
import type { LiveOrder } from './live-order.ts'
import { MatchingExchange } from './matching-exchange.ts'

/** @throws {InputError} for a snapshot of another format, or with markets that cannot be */
export function restoreExchange(snapshot: ExchangeSnapshot): SnapshotExchange {
  if (snapshot.format !== SNAPSHOT_FORMAT) {
    throw new InputError('snapshot', `has format ${snapshot.format}, this version reads ${SNAPSHOT_FORMAT}`)
  }
  const config = configOf(snapshot)
  checkConfig(config)
  const state = new ExchangeState(config)
  state.time = snapshot.time
  state.orderIds.last = snapshot.lastOrderId
  state.tradeIds.last = snapshot.lastTradeId
  state.ledger.restore(snapshot.ledger)
  for (const account of snapshot.accounts) restoreAccount(state, account)
  restoreOrders(state, snapshot, restoreMarkets(state, snapshot))
  return new MatchingExchange(state)
}

function configOf({ markets, quoteAsset, history }: ExchangeSnapshot): ExchangeConfig {
  const limit = (kind: keyof typeof history): number => history[kind] ?? Number.POSITIVE_INFINITY
  const limits = { orders: limit('orders'), fills: limit('fills'), trades: limit('trades'), candles: limit('candles') }
  return { markets, quoteAsset, history: limits }
}

function restoreAccount(state: ExchangeState, snapshot: AccountSnapshot): void {
  const account = state.open(snapshot.id)
  account.restore(snapshot)
  state.ledger.assets.forEach((_, asset) => {
    const available = BigInt(snapshot.available[asset] ?? 0)
    state.ledger.restoreBalance(account.row, asset, available, BigInt(snapshot.locked[asset] ?? 0))
  })
}

const finishedOrder = (order: OrderSnapshot): Order => ({
  ...order,
  filledNotional: BigInt(order.filledNotional),
  fee: BigInt(order.fee),
})

/** @returns the orders that rest, oldest first */
function restoreMarkets(state: ExchangeState, { states }: ExchangeSnapshot): readonly LiveOrder[] {
  const resting: LiveOrder[] = []
  const markets = [...state.marketsBySymbol.values()]
  states.forEach(({ bids, asks, statistics }, index) => {
    const market = markets[index]
    invariant(market !== undefined, 'a snapshot has a state for each of its markets')
    for (const order of [...bids, ...asks]) resting.push(market.trading.restore(order, state.account(order.account)))
    market.statistics.restore(statistics)
  })
  return resting.sort((left, right) => left.id - right.id)
}

function restoreOrders(state: ExchangeState, { accounts }: ExchangeSnapshot, resting: readonly LiveOrder[]): void {
  const restingByAccount = new Map<string, LiveOrder[]>(accounts.map(({ id }) => [id, []]))
  for (const order of resting) restingByAccount.get(order.account.id)?.push(order)
  for (const { id, finishedOrders } of accounts) {
    state.orders.restore(id, finishedOrders.map(finishedOrder), restingByAccount.get(id) ?? [])
  }
}
