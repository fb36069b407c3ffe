/**
 * Books of the strategies of an account, and the reserve that none of them has.
 *
 * Invariants: books plus reserve change only by fills of the strategies' orders, so they equal the account unless
 * something else moves it. A fill is in its book on disk before its strategy receives it. An order that its book cannot
 * pay is not sent. Transfers between books add up to zero, and take nothing that an order may lock.
 * Known limitation: the cost of a market buy is that at the last price, so slippage can take a book below zero.
 */
import { Decimal, decimalOf, ZERO } from '../../../domain/decimal.ts'
import { invariant } from '../../../domain/errors.ts'
import type { OrderRequest } from '../../../domain/order.ts'
import type { Refusal } from '../../../domain/refusal.ts'
import type { PersistedAmounts, PersistedBook } from '../../../store/state/live/persisted-books.ts'
import type { OwnBalances } from '../../../strategy/own-order.ts'
import type { AccountUpdate } from '../../exchange-adapter.ts'
import type { Intent } from '../orders/intent.ts'
import type { ReportedFill } from '../orders/reported-fills.ts'
import { OrderLocks, type OrderLocksParts, SENT, UNDECIDED } from './order-locks.ts'
import { type Amounts, amountsOf, type BookFacts, StrategyBook, textsOf } from './strategy-book.ts'

/** Books on disk. What is saved is on disk when the call returns. */
export interface BookStore {
  load(): { readonly books: ReadonlyMap<string, PersistedBook>; readonly reserve: PersistedAmounts | undefined }
  /** Saves all of them, or none if it fails. @param reserve  undefined if it did not change */
  save(books: ReadonlyMap<string, PersistedBook>, reserve?: PersistedAmounts): void
}

export interface StrategyBooksParts extends Omit<OrderLocksParts, 'exactFeeOf'> {
  /** Default: nothing is persisted. */
  readonly store: BookStore | undefined
  /** Assets of the markets. */
  readonly assets: readonly string[]
  /** Reports a transfer to the sessions of the owners. */
  readonly onTransfer: (asset: string, amounts: Amounts) => void
  /** Whether the reports of an owner's finished orders are saved. */
  readonly isWritten: (owner: string) => boolean
  /** Ids of orders whose executions may be missing in the reports of their intents. */
  readonly unreported: () => readonly string[]
}

export class StrategyBooks {
  readonly locks: OrderLocks
  readonly #parts: StrategyBooksParts
  readonly #books: Map<string, StrategyBook>
  /** Owners whose strategies see their books, and can spend no more. */
  readonly #open = new Set<string>()
  #reserve: Amounts | undefined

  constructor(parts: StrategyBooksParts) {
    this.#parts = parts
    this.locks = new OrderLocks({ ...parts, exactFeeOf: (owner, orderId) => this.exactFeeOf(owner, orderId) })
    const { books, reserve } = parts.store?.load() ?? { books: new Map<string, PersistedBook>(), reserve: undefined }
    this.#books = new Map([...books].map(([owner, book]) => [owner, new StrategyBook(book)]))
    this.#reserve = reserve && amountsOf(reserve)
    const needed = new Set(books.size === 0 ? [] : parts.unreported())
    for (const book of this.#books.values()) book.keepOrders((orderId) => needed.has(orderId))
  }

  /** Owners of books, with or without a session. */
  get owners(): readonly string[] {
    return [...this.#books.keys()]
  }

  /** Undefined before the first book. */
  get reserve(): Amounts | undefined {
    return this.#reserve
  }

  factsOf(owner: string): BookFacts | undefined {
    return this.#books.get(owner)?.facts
  }

  /** Replaces books and reserve, together. */
  change(books: ReadonlyMap<string, BookFacts>, reserve: Amounts): void {
    const { store } = this.#parts
    this.#reserve = reserve
    for (const [owner, facts] of books) {
      const book = this.#books.get(owner) ?? StrategyBook.of(facts)
      book.change(facts)
      this.#books.set(owner, book)
    }
    const changed = [...this.#books].filter(([owner]) => books.has(owner))
    store?.save(new Map(changed.map(([owner, book]) => [owner, book.saved])), textsOf(reserve))
  }

  /** Books as saved after a transfer. @param amounts  by owner, which add up to zero */
  savedAfter(asset: string, amounts: Amounts): ReadonlyMap<string, PersistedBook> {
    return new Map([...amounts].map(([owner, amount]) => [owner, this.#bookOf(owner).savedWith(asset, amount)]))
  }

  /** Executes a transfer that is on disk. */
  transfer(asset: string, amounts: Amounts): void {
    for (const [owner, amount] of amounts) this.#bookOf(owner).receive(asset, amount)
    this.#parts.onTransfer(asset, amounts)
  }

  #bookOf(owner: string): StrategyBook {
    const book = this.#books.get(owner)
    invariant(book !== undefined, `'${owner}' has a book`)
    return book
  }

  /** From now on the strategies of these owners trade on their books alone. */
  open(owners: readonly string[]): void {
    for (const owner of owners) this.#open.add(owner)
  }

  isOpen(owner: string): boolean {
    return this.#open.has(owner)
  }

  /** Books the fills among updates of an owner's orders. */
  onUpdates(owner: string, updates: readonly AccountUpdate[]): void {
    const book = this.#books.get(owner)
    if (book === undefined || !updates.some(({ type }) => type === 'fill')) return
    const { marketOf, own, isWritten, store, fees } = this.#parts
    // The intents of finished orders have their reports by now.
    if (isWritten(owner)) book.keepOrders((orderId) => own.find(orderId) !== undefined)
    for (const [index, update] of updates.entries()) {
      const market = update.type === 'fill' ? marketOf(update.fill.symbol) : undefined
      if (update.type === 'fill' && market !== undefined)
        book.add(update.fill, market, filledAfter(updates, index), fees)
    }
    store?.save(new Map([[owner, book.saved]]))
  }

  /** Books fills in the files of earlier sessions, which a full disk has kept out of the book. */
  onFiled(owner: string, { orderId = '', symbol, side, type, report }: Intent, rows: readonly ReportedFill[]): void {
    const [book, market] = [this.#books.get(owner), this.#parts.marketOf(symbol)]
    if (book === undefined || market === undefined || report === undefined) return
    const { fees, store } = this.#parts
    const { pricePrecision, qtyPrecision } = market
    let lots = report.qty
    for (const { tradeId, price, qty, isInferred } of rows) {
      if (report.tradeIds.includes(tradeId)) continue
      lots += qty
      const isMaker = type === 'LIMIT'
      const amounts = { price: decimalOf(price, pricePrecision), qty: decimalOf(qty, qtyPrecision) }
      book.add({ tradeId, orderId, side, isMaker, isInferred, ...amounts }, market, decimalOf(lots, qtyPrecision), fees)
    }
    if (lots > report.qty) store?.save(new Map([[owner, book.saved]]))
  }

  /** Exact fee of an order so far, so that its fees are rounded up once, also after a restart. */
  exactFeeOf(owner: string, orderId: string): bigint {
    return this.#books.get(owner)?.exactFeeOf(orderId) ?? 0n
  }

  /** Balances of an owner's book; undefined if its strategy does not trade on one. */
  view(owner: string): OwnBalances | undefined {
    const book = this.#open.has(owner) ? this.#books.get(owner) : undefined
    if (book === undefined) return undefined
    const locked = this.locks.of(owner, UNDECIDED)
    const assets = new Set([...this.#parts.assets, ...book.facts.held.keys()])
    return new Map(
      [...assets].map((asset) => {
        const held = book.held(asset)
        const part = Decimal.max(ZERO, Decimal.min(held, locked.get(asset) ?? ZERO))
        return [asset, { available: held.minus(part), locked: part }]
      }),
    )
  }

  /**
   * Amounts that an owner can spend, with every order that may exist counted.
   * @param states  of intents that count like their orders
   */
  free(owner: string, states = SENT): Amounts {
    const book = this.#books.get(owner)
    const locked = this.locks.of(owner, states)
    const held = book?.facts.held ?? new Map<string, Decimal>()
    return new Map([...held].map(([asset, amount]) => [asset, amount.minus(locked.get(asset) ?? ZERO)]))
  }

  /** Why its book cannot pay an order; undefined if it can. */
  refusal(owner: string, request: OrderRequest): Refusal | undefined {
    const cost = this.#open.has(owner) ? this.locks.costOf(request) : undefined
    if (cost === undefined) return undefined
    const { asset, amount } = cost
    const free = this.free(owner).get(asset) ?? ZERO
    if (amount?.lte(free) === true) return undefined
    const needs = amount === undefined ? `${request.symbol} has no price yet` : `the order needs ${amount.toFixed()}`
    const message = `not enough ${asset} available: the book of '${owner}' has ${free.toFixed()} free, ${needs}`
    return { code: 'INSUFFICIENT_BALANCE', message }
  }

  /** Books plus reserve. */
  total(): Amounts {
    const sums = new Map(this.#reserve)
    for (const book of this.#books.values()) {
      for (const [asset, held] of book.facts.held) sums.set(asset, (sums.get(asset) ?? ZERO).plus(held))
    }
    return sums
  }

  /**
   * Amounts that an account has beyond books and reserve, without assets in which it has the same; negative for less.
   */
  difference(balances: OwnBalances): Amounts {
    const total = this.total()
    return new Map(
      this.#parts.assets.flatMap((asset) => {
        const { available = ZERO, locked = ZERO } = balances.get(asset) ?? {}
        const more = available.plus(locked).minus(total.get(asset) ?? ZERO)
        return more.isZero() ? [] : [[asset, more] as const]
      }),
    )
  }
}

/** Filled quantity of its order after a fill, in the next update of the order. */
function filledAfter(updates: readonly AccountUpdate[], index: number): Decimal {
  const fill = updates[index]
  invariant(fill?.type === 'fill', 'a fill is at this place')
  for (const each of updates.slice(index + 1)) {
    if (each.type === 'order' && each.order.id === fill.fill.orderId) return each.order.filledQty
  }
  return fill.fill.qty
}
