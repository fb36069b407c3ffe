/**
 * The orders of the account in each market as listings show them: which were known when, and which nobody has explained yet.
 *
 * Invariant: an order that was listed is owned by an intent, known as a stranger's, or waits here to be explained.
 */
import { ExchangeError } from '../../../domain/errors.ts'
import type { WireOrder } from '../../../wire/wire-order.ts'
import type { OrderCalls } from '../rest/service-calls.ts'
import type { Intent } from './intent.ts'
import type { IntentBook } from './intent-book.ts'
import { watermarkOf, type KnownOrders, type NewestOrder } from './known-orders.ts'
import { historyCut, ordersSince } from './listing.ts'

export class SymbolBook {
  readonly #calls: Pick<OrderCalls, 'orders'>
  readonly #known: KnownOrders
  readonly #intents: IntentBook
  readonly #onListed: (orders: readonly WireOrder[]) => void
  readonly #unexplainedById = new Map<string, WireOrder>()
  readonly #prepared = new Map<string, Promise<void>>()
  readonly #ready = new Set<string>()
  /** The newest order of the last listing: of what is older none was passed over. */
  readonly #listedToBySymbol = new Map<string, NewestOrder>()

  /** @param onListed  hears of every order that a listing shows, some of which may be ours */
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
   * Learns which orders of a market are there, before the first of ours is sent.
   *
   * @throws {ExchangeError} when they cannot be read
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
  async list(symbol: string, since: NewestOrder | undefined): Promise<readonly WireOrder[]> {
    const orders = await ordersSince(this.#calls, symbol, older(since, this.#listedToBySymbol.get(symbol)))
    if (since !== undefined && !orders.some(({ id }) => id === since.id)) throw historyCut(symbol, since)
    this.#listed(symbol, orders)
    this.absorb(orders)
    return orders
  }

  /** Those that are newer than the last listing. An answer to a creation may have told of newer ones, and not of those between. */
  listNew(symbol: string): Promise<readonly WireOrder[]> {
    return this.list(symbol, this.#listedToBySymbol.get(symbol))
  }

  absorb(orders: readonly WireOrder[]): void {
    for (const order of this.#known.see(orders)) {
      if (!this.#intents.isOwned(order.id)) this.#unexplainedById.set(order.id, order)
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
      const orders = await this.#newest(symbol)
      // What was there before we ever were is nobody's to explain.
      this.#listed(symbol, orders)
      this.#known.see(orders)
      this.#onListed(orders)
    } else {
      const orders = await this.#since(symbol, watermarkOf(oldest))
      this.#listed(symbol, orders)
      this.absorb(orders)
      // A process may have ended between the listing that first showed one and its explanation.
      for (const order of orders) {
        if (!this.wasBefore(order, oldest) && !this.#intents.isOwned(order.id))
          this.#unexplainedById.set(order.id, order)
      }
    }
    this.#ready.add(symbol)
  }

  #listed(symbol: string, orders: readonly WireOrder[]): void {
    for (const { id, createdAt } of orders) {
      const newest = this.#listedToBySymbol.get(symbol)
      if (newest === undefined || createdAt > newest.createdAt) this.#listedToBySymbol.set(symbol, { id, createdAt })
    }
  }

  /** As far back as the service still tells. */
  async #since(symbol: string, since: NewestOrder | undefined): Promise<readonly WireOrder[]> {
    try {
      return await ordersSince(this.#calls, symbol, since)
    } catch (error) {
      if (error instanceof ExchangeError && error.code === 'HISTORY_CUT') return await this.#newest(symbol)
      throw error
    }
  }

  async #newest(symbol: string): Promise<readonly WireOrder[]> {
    const [newest] = await this.#calls.orders({ symbol, limit: 500, page: 1 }, 'settle')
    return newest === undefined ? [] : await ordersSince(this.#calls, symbol, newest)
  }

  /** Its order, if there is one, is the first that may be that of an intent of an earlier session. */
  #oldestUndecided(symbol: string): Intent | undefined {
    return this.#intents.inState('SENDING', 'UNKNOWN', 'QUARANTINED').find((each) => each.symbol === symbol)
  }
}

/** Undefined stands for the beginning. */
function older(one: NewestOrder | undefined, other: NewestOrder | undefined): NewestOrder | undefined {
  if (one === undefined || other === undefined) return undefined
  return one.createdAt <= other.createdAt ? one : other
}
