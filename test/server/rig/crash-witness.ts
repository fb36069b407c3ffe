/**
 * Remembers what a service has acknowledged, and holds what it shows after it was killed against that.
 *
 * Every order has a quantity of its own, so that none can be there twice, or be there without having been sent.
 */
import type { OrderJson } from '../../../src/domain/order.ts'
import type { Chance } from '../../exchange/rig/chance.ts'

export interface Sent {
  readonly side: 'BUY' | 'SELL'
  readonly price: string
  readonly qty: string
}

const COMMON = ['id', 'userId', 'symbol', 'side', 'type', 'price', 'qty', 'createdAt'] as const

export class CrashWitness {
  readonly #sentByQty = new Map<string, Sent>()
  /** As they were acknowledged last. */
  readonly #acknowledgedById = new Map<number, OrderJson>()
  readonly #idsByQty = new Map<string, number>()
  /** Ids of all orders that were shown or acknowledged. */
  readonly #knownIds = new Set<number>()
  readonly faults: string[] = []

  get acknowledged(): number {
    return this.#acknowledgedById.size
  }

  /** A new order to be sent; it may meet another one. */
  draw(chance: Chance): Sent & { readonly symbol: 'BTC_USD'; readonly type: 'LIMIT' } {
    const qty = String(this.#sentByQty.size + 1)
    const sent = { side: chance.pick(['BUY', 'SELL']), price: String(chance.between(95, 105)), qty }
    this.#sentByQty.set(qty, sent)
    return { symbol: 'BTC_USD', type: 'LIMIT', ...sent }
  }

  /** An order that was acknowledged; undefined before there is one. */
  pick(chance: Chance): OrderJson | undefined {
    const ids = [...this.#acknowledgedById.keys()].slice(-50)
    return ids.length === 0 ? undefined : this.#acknowledgedById.get(chance.pick(ids))
  }

  created(order: OrderJson): void {
    const id = Number(order.id)
    if (this.#knownIds.has(id)) this.faults.push(`id ${id} is given a second time`)
    this.#acknowledgedById.set(id, order)
    this.#know(order)
  }

  cancelled(order: OrderJson): void {
    this.#acknowledgedById.set(Number(order.id), order)
  }

  /** @param orders  what the service shows: every order with an id of at least `from` */
  look(orders: readonly OrderJson[], from: number): void {
    const shownById = new Map(orders.map((order) => [Number(order.id), order]))
    if (shownById.size !== orders.length) this.faults.push('an id is shown twice')
    for (const order of orders) this.#lookAt(order)
    for (const [id, order] of this.#acknowledgedById) {
      if (id >= from) this.#compare(order, shownById.get(id))
    }
  }

  /** The newest order that is known. */
  get lastId(): number {
    return Math.max(0, ...[...this.#knownIds].slice(-1_000))
  }

  #lookAt(order: OrderJson): void {
    const sent = this.#sentByQty.get(order.qty)
    if (sent?.side !== order.side || sent.price !== order.price)
      this.faults.push(`nobody sent ${JSON.stringify(order)}`)
    this.#know(order)
  }

  #know({ id, qty }: OrderJson): void {
    this.#knownIds.add(Number(id))
    const known = this.#idsByQty.get(qty)
    if (known !== undefined && known !== Number(id))
      this.faults.push(`orders ${known} and ${id} are one that was sent once`)
    this.#idsByQty.set(qty, Number(id))
  }

  #compare(acknowledged: OrderJson, shown: OrderJson | undefined): void {
    const isSame =
      shown !== undefined &&
      COMMON.every((field) => shown[field] === acknowledged[field]) &&
      Number(shown.filledQty) >= Number(acknowledged.filledQty) &&
      (acknowledged.status !== 'CANCELLED' || JSON.stringify(shown) === JSON.stringify(acknowledged))
    if (!isSame) this.faults.push(`${JSON.stringify(acknowledged)} was acknowledged, and is ${JSON.stringify(shown)}`)
  }
}
