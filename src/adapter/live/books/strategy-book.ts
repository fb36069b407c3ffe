/**
 * Book of one strategy on a shared account: its capital, changed by the fills of its own orders alone.
 *
 * Invariant: an execution counts once, even if a session was killed after it was booked and before it was in a file.
 */
import { type Decimal, decimalOf, stepsOf, toDecimal, ZERO } from '../../../domain/decimal.ts'
import type { Market } from '../../../domain/market.ts'
import type { BookedOrder, PersistedAmounts, PersistedBook } from '../../../store/state/live/persisted-books.ts'
import type { OwnFill } from '../../../strategy/own-order.ts'
import type { AssumedFees } from '../orders/order-fees.ts'

/** Amounts by asset. */
export type Amounts = ReadonlyMap<string, Decimal>

export const amountsOf = (texts: PersistedAmounts): Map<string, Decimal> =>
  new Map(Object.entries(texts).map(([asset, text]) => [asset, toDecimal(text)]))

export const textsOf = (amounts: Amounts): PersistedAmounts =>
  Object.fromEntries([...amounts].map(([asset, amount]) => [asset, amount.toFixed()]))

/** Capital and holdings. */
export interface BookFacts {
  readonly capital: PersistedBook['capital']
  readonly allotted: Amounts
  readonly held: Amounts
}

/** The parts of a fill that change a book. */
export type BookedFill = Pick<OwnFill, 'isInferred' | 'isMaker' | 'orderId' | 'price' | 'qty' | 'side' | 'tradeId'>

const NOTHING_BOOKED: BookedOrder = { qty: 0, inferredQty: 0, tradeIds: [], exactFee: '0' }

export class StrategyBook {
  readonly #held: Map<string, Decimal>
  readonly #orders: Map<string, BookedOrder>
  #capital: PersistedBook['capital']
  #allotted: Amounts

  constructor({ capital, allotted, held, orders }: PersistedBook) {
    this.#capital = capital
    this.#allotted = amountsOf(allotted)
    this.#held = amountsOf(held)
    this.#orders = new Map(Object.entries(orders))
  }

  static of({ capital, allotted, held }: BookFacts): StrategyBook {
    return new StrategyBook({ capital, allotted: textsOf(allotted), held: textsOf(held), orders: {} })
  }

  get facts(): BookFacts {
    return { capital: this.#capital, allotted: this.#allotted, held: this.#held }
  }

  get saved(): PersistedBook {
    const orders = Object.fromEntries(this.#orders)
    return { capital: this.#capital, allotted: textsOf(this.#allotted), held: textsOf(this.#held), orders }
  }

  held(asset: string): Decimal {
    return this.#held.get(asset) ?? ZERO
  }

  /** Changes capital and holdings, as an operator asked at a start. */
  change({ capital, allotted, held }: BookFacts): void {
    this.#capital = capital
    this.#allotted = allotted
    for (const [asset, amount] of held) this.#held.set(asset, amount)
  }

  /** An amount came from other books, or went to them if it is negative. */
  receive(asset: string, amount: Decimal): void {
    this.#move(asset, amount)
  }

  /** The book as saved after that. */
  savedWith(asset: string, amount: Decimal): PersistedBook {
    const { saved } = this
    return { ...saved, held: { ...saved.held, [asset]: this.held(asset).plus(amount).toFixed() } }
  }

  /** Exact fee of an order's fills so far, as of `AssumedFees.exactFee`. */
  exactFeeOf(orderId: string): bigint {
    return BigInt(this.#orders.get(orderId)?.exactFee ?? 0)
  }

  /** @param filledQty  of its order, including this fill */
  add(fill: BookedFill, market: Market, filledQty: Decimal, fees: AssumedFees): void {
    const { baseAsset, quoteAsset, pricePrecision, qtyPrecision } = market
    const lots = stepsOf(fill.qty, qtyPrecision)
    const lotsAfter = stepsOf(filledQty, qtyPrecision)
    const order = this.#orders.get(fill.orderId) ?? { ...NOTHING_BOOKED, qty: lotsAfter - lots }
    if (order.tradeIds.includes(fill.tradeId)) return
    const isInferred = fill.isInferred === true
    // A killed session booked its trades, or a sum that includes this one.
    const isKnown = isInferred ? lotsAfter <= order.qty : order.inferredQty > 0
    const counted = isKnown ? 0 : isInferred ? Math.min(lots, lotsAfter - order.qty) : lots
    const inferred = isInferred ? counted : isKnown ? -Math.min(lots, order.inferredQty) : 0
    const feeBefore = BigInt(order.exactFee)
    const feeAfter = feeBefore + fees.exactFee(market, stepsOf(fill.price, pricePrecision), counted, fill.isMaker)
    this.#orders.set(fill.orderId, {
      qty: order.qty + counted,
      inferredQty: order.inferredQty + inferred,
      tradeIds: [...order.tradeIds, fill.tradeId],
      exactFee: String(feeAfter),
    })
    if (counted === 0) return
    const base = counted === lots ? fill.qty : decimalOf(counted, qtyPrecision)
    const quote = base.times(fill.price)
    const isBuy = fill.side === 'BUY'
    this.#move(baseAsset, isBuy ? base : base.neg())
    const fee = fees.charged(market, feeAfter).minus(fees.charged(market, feeBefore))
    this.#move(quoteAsset, (isBuy ? quote.neg() : quote).minus(fee))
  }

  /** Forgets executions of orders that the reports of their intents have. */
  keepOrders(isNeeded: (orderId: string) => boolean): void {
    for (const orderId of this.#orders.keys()) if (!isNeeded(orderId)) this.#orders.delete(orderId)
  }

  #move(asset: string, amount: Decimal): void {
    this.#held.set(asset, this.held(asset).plus(amount))
  }
}
