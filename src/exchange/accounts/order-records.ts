/**
 * Orders as numeric records: type, owner and progress. Exposed as an immutable `Order`.
 *
 * Contains every order that is open or in a history, of all accounts and markets. Link fields hold the lists of them.
 */
import type { Order, OrderRequest, OrderStatus, OrderType, Side } from '../../domain/order.ts'
import { ExactColumn } from '../records/exact-column.ts'
import { RecordPages } from '../records/record-pages.ts'

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

// Doubles of a record; then integers of the same bytes.
const ID = 0
const QTY = 1
const CREATED_AT = 2
const PRICE = 3
const REMAINING = 4
const ACCOUNT = 10
const KIND = 11
const SLOT = 12
/** Places of the links to orders of the same account: see `AccountOrders`. */
export const OLDER = 13
export const NEWER = 14
export const OPEN_OLDER = 15
export const OPEN_NEWER = 16
const WIDTH = 9

// Layout of KIND: bit 0 for a sell order, bit 1 for a market order, two bits of status, a bit once it has amounts, then
// the market's index.
const SELL = 1
const MARKET = 2
const STATUS_SHIFT = 2
const HAS_AMOUNTS = 16
const MARKET_SHIFT = 5
const STATUS_MASK = 3 << STATUS_SHIFT

export const OPEN = 0
export const PARTIALLY_FILLED = 1
export const FILLED = 2
export const CANCELLED = 3
export type StatusNumber = typeof OPEN | typeof PARTIALLY_FILLED | typeof FILLED | typeof CANCELLED
const STATUSES: readonly OrderStatus[] = ['OPEN', 'PARTIALLY_FILLED', 'FILLED', 'CANCELLED']

export class OrderRecords {
  /** Names of the accounts, by row of the ledger. */
  readonly #accounts: readonly string[]
  /** Symbols by market index. */
  readonly #symbols: readonly string[]
  readonly pages: RecordPages
  readonly #notional: ExactColumn
  readonly #fee: ExactColumn

  constructor(
    accounts: readonly string[],
    symbols: readonly string[],
    pages = new RecordPages(WIDTH),
    notional = new ExactColumn(),
    fee = new ExactColumn(),
  ) {
    this.#accounts = accounts
    this.#symbols = symbols
    this.pages = pages
    this.#notional = notional
    this.#fee = fee
  }

  /** All of them as they are now, to be read later. */
  copy(): OrderRecords {
    const { pages } = this
    return new OrderRecords(this.#accounts, this.#symbols, pages.copy(), this.#notional.copy(), this.#fee.copy())
  }

  /** @returns its record; it is in no list yet */
  take(id: number, account: number, market: number, request: OrderRequest, createdAt: number): number {
    const { pages } = this
    const record = pages.take(id)
    const doubles = pages.doublesOf(record)
    const integers = pages.integersOf(record)
    const place = pages.placeOf(record)
    const { qty } = request
    doubles[place + QTY] = qty
    doubles[place + REMAINING] = qty
    doubles[place + CREATED_AT] = createdAt
    doubles[place + PRICE] = request.type === 'LIMIT' ? request.price : 0
    integers[2 * place + ACCOUNT] = account
    const kind = (request.side === 'SELL' ? SELL : 0) | (request.type === 'MARKET' ? MARKET : 0)
    integers[2 * place + KIND] = kind | (market << MARKET_SHIFT)
    return record
  }

  /** Releases an order that is in no list. */
  release(record: number): void {
    if ((this.pages.integer(record, KIND) & HAS_AMOUNTS) !== 0) {
      this.#notional.clear(record)
      this.#fee.clear(record)
    }
    this.pages.release(record)
  }

  id(record: number): number {
    return this.pages.double(record, ID)
  }

  /** Row of the ledger. */
  account(record: number): number {
    return this.pages.integer(record, ACCOUNT)
  }

  market(record: number): number {
    return this.pages.integer(record, KIND) >> MARKET_SHIFT
  }

  side(record: number): Side {
    return (this.pages.integer(record, KIND) & SELL) === 0 ? 'BUY' : 'SELL'
  }

  type(record: number): OrderType {
    return (this.pages.integer(record, KIND) & MARKET) === 0 ? 'LIMIT' : 'MARKET'
  }

  status(record: number): StatusNumber {
    return ((this.pages.integer(record, KIND) & STATUS_MASK) >> STATUS_SHIFT) as StatusNumber
  }

  setStatus(record: number, status: StatusNumber): void {
    const kind = this.pages.integer(record, KIND) & ~STATUS_MASK
    this.pages.setInteger(record, KIND, kind | (status << STATUS_SHIFT))
  }

  isOpen(record: number): boolean {
    return this.status(record) <= PARTIALLY_FILLED
  }

  hasStatus(record: number, status: OrderStatus): boolean {
    return STATUSES[this.status(record)] === status
  }

  /** Ticks; 0 of a market order. */
  price(record: number): number {
    return this.pages.double(record, PRICE)
  }

  /** Lots that are still open. */
  remaining(record: number): number {
    return this.pages.double(record, REMAINING)
  }

  /** Slot in the order book of its market, if the order rests. */
  slot(record: number): number {
    return this.pages.integer(record, SLOT)
  }

  setSlot(record: number, slot: number): void {
    this.pages.setInteger(record, SLOT, slot)
  }

  /** Counts a match. @param fee  in ledger units of the quote asset */
  fill(record: number, price: number, qty: number, fee: bigint): void {
    const remaining = this.remaining(record) - qty
    this.pages.setDouble(record, REMAINING, remaining)
    this.#notional.addProduct(record, price, qty)
    if (fee !== 0n) this.#fee.set(record, this.#fee.get(record) + fee)
    this.#setAmounts(record, remaining === 0 ? FILLED : PARTIALLY_FILLED)
  }

  /**
   * Reduces the open quantity, as if the order had been placed with less.
   *
   * @param qty  fewer than are open
   */
  reduce(record: number, qty: number): void {
    this.pages.setDouble(record, QTY, this.pages.double(record, QTY) - qty)
    this.pages.setDouble(record, REMAINING, this.remaining(record) - qty)
  }

  /**
   * Sets the progress of a new order.
   *
   * @param fee  as for `fill`, of all its matches
   */
  restore(record: number, status: OrderStatus, remaining: number, notional: bigint, fee: bigint): void {
    this.pages.setDouble(record, REMAINING, remaining)
    this.#notional.set(record, notional)
    this.#fee.set(record, fee)
    this.#setAmounts(record, STATUSES.indexOf(status) as StatusNumber)
  }

  /** Snapshot of the order. */
  view(record: number): Order {
    const { pages } = this
    const doubles = pages.doublesOf(record)
    const integers = pages.integersOf(record)
    const place = pages.placeOf(record)
    const kind = integers[2 * place + KIND] ?? 0
    const qty = doubles[place + QTY] ?? 0
    const hasAmounts = (kind & HAS_AMOUNTS) !== 0
    const order: Mutable<Order> = {
      id: doubles[place + ID] ?? 0,
      userId: this.#accounts[integers[2 * place + ACCOUNT] ?? 0] ?? '',
      symbol: this.#symbols[kind >> MARKET_SHIFT] ?? '',
      side: (kind & SELL) === 0 ? 'BUY' : 'SELL',
      type: (kind & MARKET) === 0 ? 'LIMIT' : 'MARKET',
      status: STATUSES[(kind & STATUS_MASK) >> STATUS_SHIFT] ?? 'OPEN',
      qty,
      filledQty: qty - (doubles[place + REMAINING] ?? 0),
      filledNotional: hasAmounts ? this.#notional.get(record) : 0n,
      fee: hasAmounts ? this.#fee.get(record) : 0n,
      createdAt: doubles[place + CREATED_AT] ?? 0,
    }
    // Set apart: spreading an object that may be empty costs more than all the rest.
    if ((kind & MARKET) === 0) order.price = doubles[place + PRICE] ?? 0
    return order
  }

  #setAmounts(record: number, status: StatusNumber): void {
    const kind = this.pages.integer(record, KIND) & ~STATUS_MASK
    this.pages.setInteger(record, KIND, kind | (status << STATUS_SHIFT) | HAS_AMOUNTS)
  }
}
