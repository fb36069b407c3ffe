/**
 * An order of ours as the exchange holds it, in ticks and lots: decimals are made on first use, its JSON without them.
 *
 * Its values are read, and not spread: most of them are getters.
 */
import { decimalOf, toDecimal, type Decimal } from '../domain/decimal.ts'
import { formatTrimmed, formatUnits } from '../domain/fixed-point.ts'
import type { Market } from '../domain/market.ts'
import { averagePrice, type Order, type OrderStatus, type OrderType, type Side } from '../domain/order.ts'
import type { OwnOrder } from './own-order.ts'

export class ExactOrder implements OwnOrder {
  readonly id: string
  readonly tag: string | undefined
  readonly #order: Order
  readonly #market: Market
  #price: Decimal | undefined
  #qty: Decimal | undefined
  #filledQty: Decimal | undefined
  #averagePrice: Decimal | undefined
  #json: string | undefined

  constructor(order: Order, market: Market, tag?: string) {
    this.id = String(order.id)
    this.tag = tag
    this.#order = order
    this.#market = market
  }

  get symbol(): string {
    return this.#order.symbol
  }

  get side(): Side {
    return this.#order.side
  }

  get type(): OrderType {
    return this.#order.type
  }

  get status(): OrderStatus {
    return this.#order.status
  }

  get createdAt(): number {
    return this.#order.createdAt
  }

  get price(): Decimal | undefined {
    const { price } = this.#order
    return price === undefined ? undefined : (this.#price ??= decimalOf(price, this.#market.pricePrecision))
  }

  get qty(): Decimal {
    return (this.#qty ??= decimalOf(this.#order.qty, this.#market.qtyPrecision))
  }

  get filledQty(): Decimal {
    return (this.#filledQty ??= decimalOf(this.#order.filledQty, this.#market.qtyPrecision))
  }

  get averagePrice(): Decimal | undefined {
    return this.#order.filledQty === 0 ? undefined : (this.#averagePrice ??= toDecimal(this.#averageText()))
  }

  /** The same order with what the strategy wrote on it. */
  withTag(tag: string): ExactOrder {
    return new ExactOrder(this.#order, this.#market, tag)
  }

  /** As it stands in the journal: quantities as strings, without the tag. */
  get json(): string {
    return (this.#json ??= this.#write())
  }

  /** As they stand in a table: with all digits of the market, the average with those it needs; empty for what it has not. */
  get cells(): Record<'price' | 'qty' | 'filledQty' | 'averagePrice', string> {
    const { price, qty, filledQty } = this.#order
    const { pricePrecision, qtyPrecision } = this.#market
    return {
      price: price === undefined ? '' : formatUnits(price, pricePrecision),
      qty: formatUnits(qty, qtyPrecision),
      filledQty: formatUnits(filledQty, qtyPrecision),
      averagePrice: filledQty === 0 ? '' : this.#averageText(),
    }
  }

  toJSON(): unknown {
    const fields = JSON.parse(this.json) as object
    return this.tag === undefined ? fields : { ...fields, tag: this.tag }
  }

  #write(): string {
    const { symbol, side, type, status, price, qty, filledQty, createdAt } = this.#order
    const { pricePrecision, qtyPrecision } = this.#market
    const priceText = price === undefined ? '' : `,"price":"${formatTrimmed(price, pricePrecision)}"`
    const filledText = filledQty === 0 ? '0' : formatTrimmed(filledQty, qtyPrecision)
    const averageText = filledQty === 0 ? '' : `,"averagePrice":"${this.#averageText()}"`
    return (
      `{"id":"${this.id}","symbol":${JSON.stringify(symbol)},"side":"${side}","type":"${type}","status":"${status}"` +
      `${priceText},"qty":"${formatTrimmed(qty, qtyPrecision)}","filledQty":"${filledText}"${averageText},"createdAt":${createdAt}}`
    )
  }

  #averageText(): string {
    const { filledNotional, filledQty } = this.#order
    return averagePrice(filledNotional, filledQty, this.#market.pricePrecision)
  }
}
