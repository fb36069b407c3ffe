/**
 * Makes an exchange of a snapshot: it answers every later command and question as the one that the snapshot was taken of.
 */
import { InputError, invariant } from '../../domain/errors.ts'
import type { Order } from '../../domain/order.ts'
import { auditExchange, faultOfAudit } from '../audit-exchange.ts'
import { checkConfig } from '../create-exchange.ts'
import type { ExchangeConfig, SnapshotExchange } from '../exchange.ts'
import {
  SNAPSHOT_FORMAT,
  type AccountSnapshot,
  type ExchangeSnapshot,
  type OrderSnapshot,
  type RestingSnapshot,
} from './exchange-snapshot.ts'
import { checkSnapshot } from './check-snapshot.ts'
import { checkObject } from './snapshot-values.ts'
import { ExchangeState } from '../exchange-state.ts'
import type { WorkingOrder } from '../accounts/working-order.ts'
import { MatchingExchange } from '../matching-exchange.ts'

/** @throws {InputError} for a snapshot of another format, with markets that cannot be, or with parts that do not fit together */
export function restoreExchange(snapshot: ExchangeSnapshot): SnapshotExchange {
  if (snapshot.format !== SNAPSHOT_FORMAT) {
    throw new InputError('snapshot', `has format ${snapshot.format}, this version reads ${SNAPSHOT_FORMAT}`)
  }
  checkObject('history', snapshot.history)
  const config = configOf(snapshot)
  checkConfig(config)
  checkSnapshot(snapshot)
  const state = new ExchangeState(config)
  state.time = snapshot.time
  state.orderIds.last = snapshot.lastOrderId
  state.tradeIds.last = snapshot.lastTradeId
  state.ledger.restore(snapshot.ledger)
  for (const account of snapshot.accounts) restoreAccount(state, account)
  restoreOrders(state, snapshot, restoreMarkets(state, snapshot))
  const fault = faultOfAudit(auditExchange(state))
  if (fault !== undefined) throw new InputError('snapshot', fault)
  return new MatchingExchange(state)
}

function configOf({ markets, quoteAsset, history }: ExchangeSnapshot): ExchangeConfig {
  const limit = (kind: keyof typeof history): number => {
    const kept: unknown = history[kind]
    if (kept !== null && typeof kept !== 'number')
      throw new InputError('snapshot', `does not say how many ${kind} are kept`)
    return kept ?? Number.POSITIVE_INFINITY
  }
  const limits = { orders: limit('orders'), fills: limit('fills'), trades: limit('trades'), candles: limit('candles') }
  return { markets, quoteAsset, history: limits }
}

function restoreAccount(state: ExchangeState, snapshot: AccountSnapshot): void {
  const account = state.open(snapshot.id)
  account.restore(snapshot)
  state.ledger.assets.forEach((_, asset) => {
    const available = BigInt(snapshot.available[asset] ?? 0)
    const locked = BigInt(snapshot.locked[asset] ?? 0)
    state.ledger.restoreBalance(account.row, asset, available, locked)
  })
}

const finishedOrder = (order: OrderSnapshot): Order => ({
  ...order,
  filledNotional: BigInt(order.filledNotional),
  fee: BigInt(order.fee),
})

/** @returns the orders that rest, oldest first */
function restoreMarkets(state: ExchangeState, { states }: ExchangeSnapshot): readonly WorkingOrder[] {
  const resting: WorkingOrder[] = []
  const markets = [...state.marketsBySymbol.values()]
  states.forEach(({ bids, asks, statistics }, index) => {
    const market = markets[index]
    invariant(market !== undefined, 'a snapshot has a state for each of its markets')
    for (const order of [...worstFirst(bids), ...worstFirst(asks)]) {
      resting.push(market.orders.restore(order, state.account(order.account)))
    }
    market.statistics.restore(statistics)
  })
  return resting.sort((left, right) => left.id - right.id)
}

/** Worst price first, which costs the book least; the orders of one price as they are. */
function* worstFirst(orders: readonly RestingSnapshot[]): Generator<RestingSnapshot> {
  let end = orders.length
  while (end > 0) {
    let start = end - 1
    while (start > 0 && priceOf(orders[start - 1]) === priceOf(orders[start])) start -= 1
    yield* orders.slice(start, end)
    end = start
  }
}

const priceOf = (order: RestingSnapshot | undefined): number | undefined =>
  order?.request.type === 'LIMIT' ? order.request.price : undefined

function restoreOrders(state: ExchangeState, { accounts }: ExchangeSnapshot, resting: readonly WorkingOrder[]): void {
  const restingByAccount = new Map<string, WorkingOrder[]>(accounts.map(({ id }) => [id, []]))
  for (const order of resting) restingByAccount.get(order.account.id)?.push(order)
  for (const { id, finishedOrders } of accounts) {
    state.orders.restore(id, finishedOrders.map(finishedOrder), restingByAccount.get(id) ?? [])
  }
}
