/** Ids, names and times that the parts of a snapshot have in common. */
import type { Trade } from '../../domain/trade.ts'
import type { ExchangeSnapshot } from './exchange-snapshot.ts'
import { isWhole, type Fault } from './snapshot-values.ts'

export class SnapshotIds {
  readonly #time: number
  readonly #lastOrderId: number
  readonly #lastTradeId: number
  readonly #symbols: ReadonlySet<string>
  readonly #accounts = new Set<string>()
  readonly #orders = new Set<number>()
  readonly #trades = new Map<number, Trade>()

  constructor({ time, lastOrderId, lastTradeId, markets }: ExchangeSnapshot) {
    this.#time = time
    this.#lastOrderId = lastOrderId
    this.#lastTradeId = lastTradeId
    this.#symbols = new Set(markets.map(({ symbol }) => symbol))
  }

  /** @returns false when it is there already */
  addAccount(id: string): boolean {
    const isNew = !this.#accounts.has(id)
    this.#accounts.add(id)
    return isNew
  }

  hasAccount(id: string): boolean {
    return this.#accounts.has(id)
  }

  hasSymbol(symbol: string): boolean {
    return this.#symbols.has(symbol)
  }

  /** Unix milliseconds, and not after the snapshot. */
  isTime(time: unknown): time is number {
    return isWhole(time, 0, this.#time)
  }

  isOrderId(id: unknown): id is number {
    return isWhole(id, 1, this.#lastOrderId)
  }

  isTradeId(id: unknown): id is number {
    return isWhole(id, 1, this.#lastTradeId)
  }

  /** Whether a trade equals its earlier occurrence; the first occurrence is accepted. */
  isSameTrade(trade: Trade): boolean {
    const before = this.#trades.get(trade.id)
    if (before === undefined) {
      this.#trades.set(trade.id, trade)
      return true
    }
    return (Object.keys(before) as (keyof Trade)[]).every((key) => before[key] === trade[key])
  }

  /** Checks the id and the time of an order, both of which must be unique. */
  faultOfOrder(id: unknown, createdAt: unknown): Fault {
    if (!this.isOrderId(id)) return `no order ${String(id)} was given out`
    if (this.#orders.has(id)) return `order ${id} is there twice`
    this.#orders.add(id)
    return this.isTime(createdAt) ? undefined : `was created at ${String(createdAt)}`
  }
}
