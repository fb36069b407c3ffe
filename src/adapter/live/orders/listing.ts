/**
 * The orders of a market that are newer than a known one, page by page.
 *
 * Pages are read in ascending order: an order that comes meanwhile pushes rows back, so that one is seen twice and none is skipped. No
 * status is asked for, because rows would leave it between two pages. A short page is no end: a service may cap `limit` in silence.
 * Invariant: what is returned holds every order that was there when it began and is newer than the known one.
 */
import { ExchangeError } from '../../../domain/errors.ts'
import type { WireOrder } from '../../../wire/wire-order.ts'
import type { OrderCalls } from '../rest/service-calls.ts'
import type { NewestOrder } from './known-orders.ts'

const PAGE_ROWS = 500
/** Orders of whole seconds may stand in any order within one; another second for a clock that was set. */
export const TIE_MS = 2_000
/** More than any account has; a service that answers one page for ever must not hold us for ever. */
const MOST_PAGES = 10_000

/**
 * @param since  undefined for every order that there is
 * @returns      newest first
 * @throws {ExchangeError} when a page cannot be read, or with HISTORY_CUT when the service no longer tells of `since`
 */
export async function ordersSince(
  calls: Pick<OrderCalls, 'orders'>,
  symbol: string,
  since: NewestOrder | undefined,
): Promise<readonly WireOrder[]> {
  const rowsById = new Map<string, WireOrder>()
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const rows = await calls.orders({ symbol, limit: PAGE_ROWS, page }, 'settle')
    const last = rows.at(-1)
    // A row that is seen again, pushed back by a newer one, keeps its place among the others, in its later state.
    for (const row of rows) rowsById.set(row.id, row)
    if (last === undefined) {
      if (since === undefined || rowsById.has(since.id)) return [...rowsById.values()]
      throw historyCut(symbol, since)
    }
    const isBehind = since !== undefined && last.createdAt < since.createdAt - TIE_MS
    if (isBehind && rowsById.has(since.id)) return [...rowsById.values()]
  }
  throw new ExchangeError('HISTORY_CUT', `the history of ${symbol} has no end`)
}

/** The service no longer tells of an order that was there. */
export const historyCut = (symbol: string, { id }: NewestOrder): ExchangeError =>
  new ExchangeError('HISTORY_CUT', `the history of ${symbol} ends before order ${id}, which was there`)
