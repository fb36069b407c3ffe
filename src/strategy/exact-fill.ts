/**
 * Fill of the account in ticks and lots: decimals are created lazily, JSON is written without them.
 *
 * Most values are getters: read them, spreading the object loses them.
 */
import { decimalOf, type Decimal } from '../domain/decimal.ts'
import { formatTrimmed, formatUnits } from '../domain/fixed-point.ts'
import type { Market } from '../domain/market.ts'
import type { Side } from '../domain/order.ts'
import type { Fill } from '../domain/trade.ts'
import type { OwnFill } from './own-order.ts'

export class ExactFill implements OwnFill {
  readonly orderId: string
  readonly tag: string | undefined
  /** The exchange's immutable record. */
  readonly exact: Fill
  readonly market: Market
  readonly quoteScale: number
  #price: Decimal | undefined
  #qty: Decimal | undefined
  #fee: Decimal | undefined

  /** @param quoteScale  ledger digits of the market's quote asset */
  constructor(fill: Fill, market: Market, quoteScale: number, tag?: string) {
    this.orderId = String(fill.orderId)
    this.tag = tag
    this.exact = fill
    this.market = market
    this.quoteScale = quoteScale
  }

  get tradeId(): string {
    return String(this.exact.trade.id)
  }

  get symbol(): string {
    return this.exact.trade.symbol
  }

  get side(): Side {
    return this.exact.side
  }

  get isMaker(): boolean {
    return this.exact.isMaker
  }

  get createdAt(): number {
    return this.exact.trade.createdAt
  }

  get price(): Decimal {
    return (this.#price ??= decimalOf(this.exact.trade.price, this.market.pricePrecision))
  }

  get qty(): Decimal {
    return (this.#qty ??= decimalOf(this.exact.trade.qty, this.market.qtyPrecision))
  }

  get fee(): Decimal {
    return (this.#fee ??= decimalOf(this.exact.fee, this.quoteScale))
  }

  /** The same fill with the strategy's text on its order. */
  withTag(tag: string): ExactFill {
    return new ExactFill(this.exact, this.market, this.quoteScale, tag)
  }

  /** JSON as in the journal: quantities as strings, without the tag. */
  get json(): string {
    const { trade, side, isMaker, fee } = this.exact
    const price = formatTrimmed(trade.price, this.market.pricePrecision)
    const qty = formatTrimmed(trade.qty, this.market.qtyPrecision)
    return (
      `{"tradeId":"${trade.id}","orderId":"${this.orderId}","symbol":${JSON.stringify(trade.symbol)},"side":"${side}",` +
      `"price":"${price}","qty":"${qty}","fee":"${formatTrimmed(fee, this.quoteScale)}","isMaker":${isMaker},"createdAt":${trade.createdAt}}`
    )
  }

  /** Table cells: price and quantity with all digits of the market, the fee with those it needs. */
  get cells(): Record<'price' | 'qty' | 'fee', string> {
    const { trade, fee } = this.exact
    const price = formatUnits(trade.price, this.market.pricePrecision)
    const qty = formatUnits(trade.qty, this.market.qtyPrecision)
    return { price, qty, fee: formatTrimmed(fee, this.quoteScale) }
  }

  toJSON(): unknown {
    const fields = JSON.parse(this.json) as object
    return this.tag === undefined ? fields : { ...fields, tag: this.tag }
  }
}
