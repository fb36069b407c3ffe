/**
 * The orders of a market that are newer than a known one, page by page.
 *
 * Pages are read in ascending order: an order that comes meanwhile pushes rows back, so that one is seen twice and none
 * is skipped. No status is asked for, because rows would leave it between two pages. A short page is no end: a service
 * may cap `limit` in silence. Nor is a page of which no row can be read. Invariant: what is returned holds every order
 * that was there when it began and is newer than the known one, readable or not.
 */
import { ExchangeError } from '../../../domain/errors.ts'
import type { WireOrder } from '../../../wire/wire-order.ts'
import type { OrderCalls, UnreadableRow } from '../rest/service-calls.ts'
import type { NewestOrder } from './known-orders.ts'

const PAGE_ROWS = 500
/** Orders of whole seconds may stand in any order within one; another second for a clock that was set. */
export const TIE_MS = 2_000
/** More than any account has; a service that answers one page for ever must not hold us for ever. */
const MOST_PAGES = 10_000

/** Pages in a row that show nothing but the same unreadable rows: something adds them to every page. */
const MAX_REPEATS = 3

/** Orders of a market, newest first. */
export interface ListedOrders {
  readonly orders: readonly WireOrder[]
  readonly unreadable: readonly UnreadableRow[]
}

/**
 * @param since  undefined for every order that there is
 * @throws {ExchangeError} when a page cannot be read, or with HISTORY_CUT when the service no longer tells of `since`
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
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const rows = await calls.orders({ symbol, limit: PAGE_ROWS, page }, 'settle')
    const last = rows.orders.at(-1)
    const isRepeated = last === undefined && rows.unreadable.every((row) => seenUnreadable.has(textOf(row)))
    repeats = isRepeated ? repeats + 1 : 0
    for (const row of rows.unreadable) seenUnreadable.add(textOf(row))
    for (const row of rows.unreadable) unreadable.push({ ...row, place: rowsById.size + row.place })
    // A row that is seen again, pushed back by a newer one, keeps its place among the others, in its later state.
    for (const row of rows.orders) rowsById.set(row.id, row)
    const isSeen = since === undefined || rowsById.has(since.id) || unreadable.some(({ id }) => id === since.id)
    if (isRepeated && (rows.unreadable.length === 0 || repeats >= MAX_REPEATS)) {
      if (isSeen) return found()
      throw historyCut(symbol, since)
    }
    if (isSeen && isBehind(last, since)) return found()
  }
  throw new ExchangeError('HISTORY_CUT', `the order history of ${symbol} has more than ${MOST_PAGES} pages`)
}

const isBehind = (last: WireOrder | undefined, since: NewestOrder | undefined): boolean =>
  since !== undefined && last !== undefined && last.createdAt < since.createdAt - TIE_MS

const textOf = (row: UnreadableRow): string => JSON.stringify({ ...row, place: 0 })

/** Whether a listing shows an order, which it does as well when the order cannot be read. */
export const isAmong = ({ orders, unreadable }: ListedOrders, orderId: string): boolean =>
  orders.some(({ id }) => id === orderId) || unreadable.some(({ id }) => id === orderId)

/** The service no longer tells of an order that was there. */
export const historyCut = (symbol: string, { id }: NewestOrder): ExchangeError =>
  new ExchangeError('HISTORY_CUT', `the order history of ${symbol} no longer has order ${id}`)
