/**
 * All orders of the account that were ever seen, ours and foreign, by id, and the newest of each market.
 *
 * Invariant: an id keeps its position, so that it can be decided whether it was known at a given moment.
 */
import type { WireOrder } from '../../../wire/wire-order.ts'
import type { Intent } from './intent.ts'
import type { IntentStore } from './intent-store.ts'

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
