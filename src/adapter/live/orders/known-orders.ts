/**
 * All orders of the account that were ever seen, ours and foreign, by id, and the newest of each market.
 *
 * Invariant: an id keeps its position, so that it can be decided whether it was known at a given moment.
 */
import { ExchangeError } from '../../../domain/errors.ts'
import type { WireOrder } from '../../../wire/wire-order.ts'
import type { OrderCalls, UnreadableRow } from '../rest/service-calls.ts'
import type { Intent, IntentStore } from './intent.ts'

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

/**
 * The error for an order that the service no longer lists.
 *
 * Pages are read in ascending order: an order created meanwhile shifts rows back, so that a row may repeat and none is
 * skipped. There is no status filter, because rows would drop out between two pages. Neither a short page nor a page
 * without a readable row is the end: a service may silently cap `limit`.
 * Invariant: the result contains every order, readable or not, that existed at the beginning and is newer than the
 * known one.
 */
export const historyCut = (symbol: string, { id }: NewestOrder): ExchangeError =>
  new ExchangeError('HISTORY_CUT', `the order history of ${symbol} no longer has order ${id}`)

export interface NewestOrder {
  readonly id: string
  /** Unix milliseconds, as reported by the service. */
  readonly createdAt: number
}

/** The newest order that was known when an intent was sent; undefined if there was none. */
export function watermarkOf({ watermark, watermarkAt }: Intent): NewestOrder | undefined {
  return watermark === undefined || watermarkAt === undefined ? undefined : { id: watermark, createdAt: watermarkAt }
}

export class KnownOrders {
  readonly #store: Pick<IntentStore, 'knownIds' | 'addKnownIds'>
  readonly #placesById: Map<string, number>
  readonly #newestBySymbol = new Map<string, NewestOrder>()

  constructor(store: Pick<IntentStore, 'knownIds' | 'addKnownIds'>) {
    this.#store = store
    this.#placesById = new Map(store.knownIds().map((id, place) => [id, place]))
  }

  get count(): number {
    return this.#placesById.size
  }

  /** The id seen last for the first time; undefined if none was ever seen. */
  get last(): string | undefined {
    return [...this.#placesById.keys()].at(-1)
  }

  /** Whether it was among the first `count` known ids. */
  wasAmong(id: string, count: number): boolean {
    return (this.#placesById.get(id) ?? Number.POSITIVE_INFINITY) < count
  }

  newest(symbol: string): NewestOrder | undefined {
    return this.#newestBySymbol.get(symbol)
  }

  /** @returns orders that were unknown */
  see(orders: readonly WireOrder[]): readonly WireOrder[] {
    const freshIds = new Set(this.seeIds(orders.map(({ id }) => id)))
    for (const { symbol, id, createdAt } of orders) {
      const newest = this.#newestBySymbol.get(symbol)
      if (newest === undefined || createdAt > newest.createdAt) this.#newestBySymbol.set(symbol, { id, createdAt })
    }
    return orders.filter(({ id }) => freshIds.has(id))
  }

  /** @returns ids that were unknown */
  seeIds(ids: readonly string[]): readonly string[] {
    const fresh = [...new Set(ids)].filter((id) => !this.#placesById.has(id))
    for (const id of fresh) this.#placesById.set(id, this.#placesById.size)
    if (fresh.length > 0) this.#store.addKnownIds(fresh)
    return fresh
  }
}
