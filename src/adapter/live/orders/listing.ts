/**
 * Lists the orders of a market that are newer than a known one, page by page.
 *
 * Pages are read in ascending order: an order created meanwhile shifts rows back, so that a row may repeat and none is
 * skipped. There is no status filter, because rows would drop out between two pages. Neither a short page nor a page
 * without a readable row is the end: a service may silently cap `limit`.
 * Invariant: the result contains every order, readable or not, that existed at the beginning and is newer than the
 * known one.
 */
import { ExchangeError } from '../../../domain/errors.ts'
import type { WireOrder } from '../../../wire/wire-order.ts'
import type { OrderCalls, UnreadableRow } from '../rest/service-calls.ts'
import type { NewestOrder } from './known-orders.ts'

const PAGE_ROWS = 500
/** Orders with whole-second times have no order within a second; another second allows for a clock that was set. */
export const TIE_MS = 2_000
/** More than any account has: protects against a service that repeats a page indefinitely. */
const MAX_PAGES = 10_000

/** Consecutive pages with nothing but the same unreadable rows: the service adds those to every page. */
const MAX_REPEATS = 3

/** Orders of a market, newest first. */
export interface ListedOrders {
  readonly orders: readonly WireOrder[]
  readonly unreadable: readonly UnreadableRow[]
}

/**
 * @param since  undefined for all orders
 * @throws {ExchangeError} if a page cannot be read, or HISTORY_CUT if the service no longer lists `since`
 */
export async function ordersSince(
  calls: Pick<OrderCalls, 'orders'>,
  symbol: string,
  since: NewestOrder | undefined,
): Promise<ListedOrders> {
  const rowsById = new Map<string, WireOrder>()
  const unreadable: UnreadableRow[] = []
  const seenUnreadable = new Set<string>()
  let repeats = 0
  const found = (): ListedOrders => ({ orders: [...rowsById.values()], unreadable })
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const rows = await calls.orders({ symbol, limit: PAGE_ROWS, page }, 'settle')
    const last = rows.orders.at(-1)
    const isRepeated = last === undefined && rows.unreadable.every((row) => seenUnreadable.has(textOf(row)))
    repeats = isRepeated ? repeats + 1 : 0
    for (const row of rows.unreadable) seenUnreadable.add(textOf(row))
    for (const row of rows.unreadable) unreadable.push({ ...row, place: rowsById.size + row.place })
    // A repeated row, shifted by a newer one, keeps its position with its later state.
    for (const row of rows.orders) rowsById.set(row.id, row)
    const isSeen = since === undefined || rowsById.has(since.id) || unreadable.some(({ id }) => id === since.id)
    if (isRepeated && (rows.unreadable.length === 0 || repeats >= MAX_REPEATS)) {
      if (isSeen) return found()
      throw historyCut(symbol, since)
    }
    if (isSeen && isBehind(last, since)) return found()
  }
  throw new ExchangeError('HISTORY_CUT', `the order history of ${symbol} has more than ${MAX_PAGES} pages`)
}

const isBehind = (last: WireOrder | undefined, since: NewestOrder | undefined): boolean =>
  since !== undefined && last !== undefined && last.createdAt < since.createdAt - TIE_MS

const textOf = (row: UnreadableRow): string => JSON.stringify({ ...row, place: 0 })

/** Whether a listing contains an order, readable or not. */
export const isAmong = ({ orders, unreadable }: ListedOrders, orderId: string): boolean =>
  orders.some(({ id }) => id === orderId) || unreadable.some(({ id }) => id === orderId)

/** The error for an order that the service no longer lists. */
export const historyCut = (symbol: string, { id }: NewestOrder): ExchangeError =>
  new ExchangeError('HISTORY_CUT', `the order history of ${symbol} no longer has order ${id}`)
