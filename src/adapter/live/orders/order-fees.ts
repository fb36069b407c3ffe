/**
 * Assumed fees of live orders, because the service does not report them: the rates are configured, the rest is decision
 * 12.
 */
import { OrderFee } from '../../../exchange/fees.ts'
import { powerOfTen } from '../../../domain/fixed-point.ts'
import { ledgerScales, parseFeeRate, type Market, type MarketFees } from '../../../domain/market.ts'
import { decimalOf, Decimal, unitsOf } from '../../../domain/decimal.ts'
import type { OrderType } from '../../../domain/order.ts'

/** Fee accumulator over the fills of one order. */
export interface FeeCount {
  /** @returns the fee of the fill, in the quote asset */
  charge(price: number, qty: number, isMaker: boolean): Decimal
}

export class AssumedFees {
  readonly #feesOf: (symbol: string) => MarketFees
  readonly #scales: ReadonlyMap<string, number>

  /** @throws {InputError} for a fee outside 0 to 10000 basis points */
  constructor(markets: readonly Market[], feesOf: (symbol: string) => MarketFees) {
    this.#feesOf = feesOf
    this.#scales = ledgerScales(markets)
    for (const market of markets) this.ofOrder(market)
  }

  /** @param exact  fee of earlier fills, as of `exactFee` */
  ofOrder(market: Market, exact = 0n): FeeCount {
    const { makerRate, takerRate } = this.#ratesOf(market.symbol)
    const quoteScale = this.#scaleOf(market)
    const fee = new OrderFee()
    fee.charge(1n, exact)
    return {
      charge: (price, qty, isMaker) => {
        const cost = this.#cost(market, price, qty)
        return decimalOf(fee.charge(cost, isMaker ? makerRate : takerRate), quoteScale)
      },
    }
  }

  /** Exact fee of a fill, in 10^-8 ledger units of the quote asset. */
  exactFee(market: Market, price: number, qty: number, isMaker: boolean): bigint {
    const { makerRate, takerRate } = this.#ratesOf(market.symbol)
    return this.#cost(market, price, qty) * (isMaker ? makerRate : takerRate)
  }

  /** Fee that an order with this exact fee was charged, in the quote asset. */
  charged(market: Market, exact: bigint): Decimal {
    return decimalOf(new OrderFee().charge(1n, exact), this.#scaleOf(market))
  }

  /**
   * The cost of what is left of a buy and the highest fee on it: the amount that the service locks.
   * @param exact  fee of its fills so far, as of `exactFee`: the fee of an order is rounded up once
   */
  withFee(market: Market, cost: Decimal, type: OrderType, exact = 0n): Decimal {
    const { makerRate, takerRate } = this.#ratesOf(market.symbol)
    const rate = type === 'MARKET' || takerRate > makerRate ? takerRate : makerRate
    const scale = this.#scaleOf(market)
    const fee = new OrderFee()
    fee.charge(1n, exact)
    const units = unitsOf(cost.toDecimalPlaces(scale, Decimal.ROUND_UP), scale)
    return decimalOf(fee.reservation(units, rate), scale)
  }

  #cost(market: Market, price: number, qty: number): bigint {
    const { pricePrecision, qtyPrecision } = market
    return BigInt(price) * BigInt(qty) * powerOfTen(this.#scaleOf(market) - pricePrecision - qtyPrecision)
  }

  #scaleOf({ quoteAsset }: Market): number {
    return this.#scales.get(quoteAsset) ?? 0
  }

  #ratesOf(symbol: string): { readonly makerRate: bigint; readonly takerRate: bigint } {
    const { makerFeeBps, takerFeeBps } = this.#feesOf(symbol)
    return {
      makerRate: parseFeeRate(`${symbol} makerFeeBps`, makerFeeBps),
      takerRate: parseFeeRate(`${symbol} takerFeeBps`, takerFeeBps),
    }
  }
}
