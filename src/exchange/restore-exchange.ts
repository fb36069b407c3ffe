/**
 * Makes an exchange of a snapshot: it answers every later command and question as the one that the snapshot was taken
 * of.
 */
import { InputError } from '../domain/errors.ts'
import type { MarketConfig } from '../domain/market.ts'
import type { Trade } from '../domain/trade.ts'
import { auditExchange, faultOfAudit } from './audit-exchange.ts'
import { checkConfig, createExchange } from './create-exchange.ts'
import type { ExchangeConfig, HistoryLimits, SnapshotExchange } from './exchange.ts'
import {
  SNAPSHOT_FORMAT,
  type AccountSnapshot,
  type BooksSnapshot,
  type ExchangeSnapshot,
  type RestingSnapshot,
} from './snapshot/exchange-snapshot.ts'
import { checkSnapshot } from './snapshot/check-snapshot.ts'
import { checkObject } from './snapshot/snapshot-values.ts'
import { ExchangeState } from './exchange-state.ts'
import { MatchingExchange } from './matching-exchange.ts'
import { withMarkets } from './with-markets.ts'

/** Snapshots that were restored before, whose values are not checked again. */
const SOUND = new WeakSet<ExchangeSnapshot>()

/**
 * @throws {InputError} for a snapshot of another format, with markets that cannot be, or with parts that do not fit
 * together
 */
export function restoreExchange(snapshot: ExchangeSnapshot): SnapshotExchange {
  if (snapshot.format !== SNAPSHOT_FORMAT) {
    throw new InputError('snapshot', `has format ${snapshot.format}, this version reads ${SNAPSHOT_FORMAT}`)
  }
  checkObject('history', snapshot.history)
  const config = configOf(snapshot)
  checkConfig(config)
  if (!SOUND.has(snapshot)) checkSnapshot(snapshot)
  const state = new ExchangeState(config)
  state.time = snapshot.time
  state.orderIds.last = snapshot.lastOrderId
  state.tradeIds.last = snapshot.lastTradeId
  state.ledger.restore(snapshot.ledger)
  for (const account of snapshot.accounts) restoreAccount(state, account)
  restoreTrades(state, snapshot)
  restoreOrders(state, snapshot, restoreMarkets(state, snapshot))
  const fault = faultOfAudit(auditExchange(state))
  if (fault !== undefined) throw new InputError('snapshot', fault)
  SOUND.add(snapshot)
  return new MatchingExchange(state)
}

/**
 * Makes an exchange of orders and balances; its histories and statistics are empty.
 *
 * @param added  further markets, which give no existing asset more digits
 * @throws {InputError} as `restoreExchange`
 */
export function restoreBooks(
  books: BooksSnapshot,
  history: HistoryLimits,
  added: readonly MarketConfig[],
): SnapshotExchange {
  const { markets, quoteAsset } = books
  const empty = createExchange({ markets, quoteAsset, history }).snapshot()
  const states = empty.states.map((state, number) => ({ ...state, ...books.states[number] }))
  return restoreExchange(withMarkets({ ...empty, ...books, states }, added))
}

function configOf({ markets, quoteAsset, history }: ExchangeSnapshot): ExchangeConfig {
  const limit = (kind: keyof typeof history): number => {
    const given: unknown = history[kind]
    if (given !== null && typeof given !== 'number')
      throw new InputError('snapshot', `does not say how many ${kind} are kept`)
    return given ?? Number.POSITIVE_INFINITY
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

/** Restores each trade once, even if it is in several histories. */
function restoreTrades(state: ExchangeState, { accounts, states }: ExchangeSnapshot): void {
  const { trades } = state
  const recordById = new Map<number, number>()
  const recordOf = (trade: Trade): number => {
    const known = recordById.get(trade.id)
    if (known !== undefined) return known
    // Written out: spreading the fields takes half as long again for a large snapshot.
    const record = trades.take({
      id: trade.id,
      market: state.market(trade.symbol).number,
      price: trade.price,
      qty: trade.qty,
      buyOrderId: trade.buyOrderId,
      sellOrderId: trade.sellOrderId,
      buyer: state.row(trade.buyerId),
      seller: state.row(trade.sellerId),
      isBuyerMaker: trade.isBuyerMaker,
      createdAt: trade.createdAt,
    })
    recordById.set(trade.id, record)
    return record
  }
  states.forEach(({ statistics }, number) => {
    for (const trade of statistics.trades) trades.addNewest(state.marketOf(number).statistics.trades, recordOf(trade))
  })
  for (const { id, fills } of accounts) {
    for (const { trade, side, fee } of fills) {
      const record = recordOf(trade)
      trades.setFee(record, side, BigInt(fee))
      trades.addFill(state.account(id).fills, record, side)
    }
  }
}

/** @returns the orders that rest */
function restoreMarkets(state: ExchangeState, { states }: ExchangeSnapshot): readonly number[] {
  const resting: number[] = []
  states.forEach(({ bids, asks, statistics }, number) => {
    const market = state.marketOf(number)
    for (const order of [...worstFirst(bids), ...worstFirst(asks)]) {
      resting.push(market.orders.restore(order, state.row(order.account)))
    }
    market.statistics.restore(statistics)
  })
  return resting
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

function restoreOrders(state: ExchangeState, { accounts }: ExchangeSnapshot, resting: readonly number[]): void {
  const { records } = state.orders
  const byRow = new Map<number, number[]>()
  for (const order of resting) {
    const row = records.account(order)
    const orders = byRow.get(row)
    if (orders === undefined) byRow.set(row, [order])
    else orders.push(order)
  }
  for (const { id, finishedOrders } of accounts) {
    const { row, orders } = state.account(id)
    const finished = finishedOrders.map((order) => {
      return state.orders.restoreFinished(row, state.market(order.symbol).number, order)
    })
    const byAge = [...finished, ...(byRow.get(row) ?? [])].sort((left, right) => records.id(left) - records.id(right))
    orders.restore(byAge, finished)
  }
}
