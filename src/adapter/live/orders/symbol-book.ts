/**
 * The account's orders in each market as listings show them: when each became known, and which are unexplained.
 *
 * Invariant: a listed order is owned by an intent, known as foreign, or waits here to be explained.
 */
import { ExchangeError } from '../../../domain/errors.ts'
import type { WireOrder } from '../../../wire/wire-order.ts'
import type { OrderCalls, UnreadableRow } from '../rest/service-calls.ts'
import { couldBeOrderOf } from './fingerprint.ts'
import type { Intent } from './intent.ts'
import type { IntentBook } from './intent-book.ts'
import {
  historyCut,
  isAmong,
  type KnownOrders,
  type ListedOrders,
  type NewestOrder,
  ordersSince,
  watermarkOf,
} from './known-orders.ts'

export class SymbolBook {
  readonly #calls: Pick<OrderCalls, 'orders'>
  readonly #known: KnownOrders
  readonly #intents: IntentBook
  readonly #onListed: (orders: readonly WireOrder[]) => void
  readonly #unexplainedById = new Map<string, WireOrder>()
  /** Ids of orders that were new in a listing and unreadable. */
  readonly #unreadableIds = new Set<string>()
  readonly #prepared = new Map<string, Promise<void>>()
  readonly #ready = new Set<string>()
  /** The newest order of the last listing: no older one was skipped. */
  readonly #listedToBySymbol = new Map<string, NewestOrder>()

  /** @param onListed  receives every listed order, some of which may be ours */
  constructor(
    calls: Pick<OrderCalls, 'orders'>,
    known: KnownOrders,
    intents: IntentBook,
    onListed: (orders: readonly WireOrder[]) => void,
  ) {
    this.#calls = calls
    this.#known = known
    this.#intents = intents
    this.#onListed = onListed
  }

  isReady(symbol: string): boolean {
    return this.#ready.has(symbol)
  }

  /**
   * Reads the existing orders of a market before the first of ours is sent.
   * @throws {ExchangeError} if they cannot be read
   */
  async prepare(symbol: string): Promise<void> {
    const prepared = this.#prepared.get(symbol) ?? this.#prepare(symbol)
    this.#prepared.set(symbol, prepared)
    try {
      await prepared
    } catch (error) {
      this.#prepared.delete(symbol)
      throw error
    }
  }

  /** @returns newest first, as `ordersSince` */
  async list(symbol: string, since: NewestOrder | undefined): Promise<ListedOrders> {
    const listed = await ordersSince(this.#calls, symbol, older(since, this.#listedToBySymbol.get(symbol)))
    if (since !== undefined && !isAmong(listed, since.id)) throw historyCut(symbol, since)
    this.#listed(symbol, listed)
    this.absorb(listed.orders)
    this.#seeUnreadable(listed)
    return listed
  }

  /**
   * Orders newer than the last listing. Its bound is the last listing, because the answer to a creation may show newer
   * orders without those between.
   */
  listNew(symbol: string): Promise<ListedOrders> {
    return this.list(symbol, this.#listedToBySymbol.get(symbol))
  }

  absorb(orders: readonly WireOrder[]): void {
    const fresh = new Set(this.#known.see(orders))
    for (const order of orders) {
      const isNew = this.#unreadableIds.delete(order.id) || fresh.has(order)
      if (isNew && !this.#intents.isOwned(order.id)) this.#unexplainedById.set(order.id, order)
    }
    this.#onListed(orders)
  }

  /** True for an order that was known when an intent was sent. */
  wasBefore({ id }: WireOrder, { knownCount }: Intent): boolean {
    return this.#known.wasAmong(id, knownCount)
  }

  /** Oldest first. */
  unexplained(symbol: string): readonly WireOrder[] {
    const rows = [...this.#unexplainedById.values()].filter((order) => order.symbol === symbol)
    return rows.toSorted((left, right) => left.createdAt - right.createdAt)
  }

  explain(orderId: string): void {
    this.#unexplainedById.delete(orderId)
  }

  async #prepare(symbol: string): Promise<void> {
    const oldest = this.#oldestUndecided(symbol)
    if (oldest === undefined) {
      const listed = await this.#newest(symbol)
      // Orders from before our first start need no explanation.
      this.#listed(symbol, listed)
      this.#known.see(listed.orders)
      this.#known.seeIds(idsOf(listed))
      this.#onListed(listed.orders)
    } else {
      const listed = await this.#since(symbol, watermarkOf(oldest))
      const { orders } = listed
      this.#listed(symbol, listed)
      this.absorb(orders)
      this.#seeUnreadable(listed)
      // The last process may have ended between the listing that first showed an order and its explanation.
      for (const order of orders) {
        if (!this.wasBefore(order, oldest) && !this.#intents.isOwned(order.id))
          this.#unexplainedById.set(order.id, order)
      }
    }
    this.#ready.add(symbol)
  }

  /** An unreadable order that may be ours is listed again until it can be read. */
  #listed(symbol: string, { orders, unreadable }: ListedOrders): void {
    const undecided = this.#intents.inState('SENDING', 'UNKNOWN', 'QUARANTINED', 'AMBIGUOUS')
    if (unreadable.some((row) => undecided.some((intent) => couldBeOrderOf(intent, row)))) return
    for (const { id, createdAt } of orders) {
      const newest = this.#listedToBySymbol.get(symbol)
      if (newest === undefined || createdAt > newest.createdAt) this.#listedToBySymbol.set(symbol, { id, createdAt })
    }
  }

  /** Marks unreadable orders as known; they are explained once they can be read. */
  #seeUnreadable(listed: ListedOrders): void {
    for (const id of this.#known.seeIds(idsOf(listed))) this.#unreadableIds.add(id)
  }

  /** Lists as far back as the service's history reaches. */
  async #since(symbol: string, since: NewestOrder | undefined): Promise<ListedOrders> {
    try {
      return await ordersSince(this.#calls, symbol, since)
    } catch (error) {
      if (error instanceof ExchangeError && error.code === 'HISTORY_CUT') return await this.#newest(symbol)
      throw error
    }
  }

  async #newest(symbol: string): Promise<ListedOrders> {
    const page = await this.#calls.orders({ symbol, limit: 500, page: 1 }, 'settle')
    const [newest = page.unreadable.find(isNamed)] = page.orders
    const isEmpty = page.orders.length === 0 && page.unreadable.length === 0
    return isEmpty ? page : await ordersSince(this.#calls, symbol, newest)
  }

  /** Its order, if it exists, is the oldest that may belong to an intent of an earlier session. */
  #oldestUndecided(symbol: string): Intent | undefined {
    return this.#intents.inState('SENDING', 'UNKNOWN', 'QUARANTINED').find((each) => each.symbol === symbol)
  }
}

const idsOf = ({ unreadable }: ListedOrders): readonly string[] => unreadable.flatMap(({ id }) => id ?? [])

const isNamed = (row: UnreadableRow): row is UnreadableRow & NewestOrder =>
  row.id !== undefined && row.createdAt !== undefined

/** Undefined means the beginning. */
function older(one: NewestOrder | undefined, other: NewestOrder | undefined): NewestOrder | undefined {
  if (one === undefined || other === undefined) return undefined
  return one.createdAt <= other.createdAt ? one : other
}
