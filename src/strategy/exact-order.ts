/**
 * Order of the account in ticks and lots: decimals are created lazily, JSON is written without them.
 *
 * Most values are getters: read them, spreading the object loses them.
 */
import { decimalOf, toDecimal, type Decimal } from '../domain/decimal.ts'
import { formatTrimmed, formatUnits } from '../domain/fixed-point.ts'
import type { Market } from '../domain/market.ts'
import { averagePrice, type Order, type OrderStatus, type OrderType, type Side } from '../domain/order.ts'
import type { OwnOrder } from './own-order.ts'

export class ExactOrder implements OwnOrder {
  readonly id: string
  readonly tag: string | undefined
  /** The exchange's immutable record. */
  readonly exact: Order
  readonly market: Market
  #price: Decimal | undefined
  #qty: Decimal | undefined
  #filledQty: Decimal | undefined
  #averagePrice: Decimal | undefined

  constructor(order: Order, market: Market, tag?: string) {
    this.id = String(order.id)
    this.tag = tag
    this.exact = order
    this.market = market
  }

  get symbol(): string {
    return this.exact.symbol
  }

  get side(): Side {
    return this.exact.side
  }

  get type(): OrderType {
    return this.exact.type
  }

  get status(): OrderStatus {
    return this.exact.status
  }

  get createdAt(): number {
    return this.exact.createdAt
  }

  get price(): Decimal | undefined {
    const { price } = this.exact
    return price === undefined ? undefined : (this.#price ??= decimalOf(price, this.market.pricePrecision))
  }

  get qty(): Decimal {
    return (this.#qty ??= decimalOf(this.exact.qty, this.market.qtyPrecision))
  }

  get filledQty(): Decimal {
    return (this.#filledQty ??= decimalOf(this.exact.filledQty, this.market.qtyPrecision))
  }

  get averagePrice(): Decimal | undefined {
    return this.exact.filledQty === 0 ? undefined : (this.#averagePrice ??= toDecimal(this.averageText))
  }

  /** The same order with the strategy's text. */
  withTag(tag: string): ExactOrder {
    return new ExactOrder(this.exact, this.market, tag)
  }

  /** Complete JSON as in the journal: quantities as strings, without the tag. */
  get json(): string {
    return this.#write()
  }

  /** Table cells: all digits of the market, the average with those it needs; empty if undefined. */
  get cells(): Record<'price' | 'qty' | 'filledQty' | 'averagePrice', string> {
    const { price, qty, filledQty } = this.exact
    const { pricePrecision, qtyPrecision } = this.market
    return {
      price: price === undefined ? '' : formatUnits(price, pricePrecision),
      qty: formatUnits(qty, qtyPrecision),
      filledQty: formatUnits(filledQty, qtyPrecision),
      averagePrice: filledQty === 0 ? '' : this.averageText,
    }
  }

  toJSON(): unknown {
    const fields = JSON.parse(this.json) as object
    return this.tag === undefined ? fields : { ...fields, tag: this.tag }
  }

  #write(): string {
    const { symbol, side, type, status, price, qty, filledQty, createdAt } = this.exact
    const { pricePrecision, qtyPrecision } = this.market
    const priceText = price === undefined ? '' : `,"price":"${formatTrimmed(price, pricePrecision)}"`
    const filledText = filledQty === 0 ? '0' : formatTrimmed(filledQty, qtyPrecision)
    const averageText = filledQty === 0 ? '' : `,"averagePrice":"${this.averageText}"`
    return (
      `{"id":"${this.id}","symbol":${JSON.stringify(symbol)},"side":"${side}","type":"${type}","status":"${status}"` +
      `${priceText},"qty":"${formatTrimmed(qty, qtyPrecision)}","filledQty":"${filledText}"${averageText},"createdAt":${createdAt}}`
    )
  }

  /** Average price of an order with a fill. */
  get averageText(): string {
    const { filledNotional, filledQty } = this.exact
    return averagePrice(filledNotional, filledQty, this.market.pricePrecision)
  }
}
