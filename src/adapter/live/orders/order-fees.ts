/**
 * Assumed fees of live orders, because the service does not report them: the rates are configured, the rest is decision
 * 12.
 */
import { OrderFee } from '../../../exchange/fees.ts'
import { powerOfTen } from '../../../domain/fixed-point.ts'
import { ledgerScales, parseFeeRate, type Market, type MarketFees } from '../../../domain/market.ts'
import { decimalOf, type Decimal } from '../../../domain/decimal.ts'

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

  ofOrder({ symbol, quoteAsset, pricePrecision, qtyPrecision }: Market): FeeCount {
    const { makerFeeBps, takerFeeBps } = this.#feesOf(symbol)
    const makerRate = parseFeeRate(`${symbol} makerFeeBps`, makerFeeBps)
    const takerRate = parseFeeRate(`${symbol} takerFeeBps`, takerFeeBps)
    const quoteScale = this.#scales.get(quoteAsset) ?? 0
    const unitsPerNotional = powerOfTen(quoteScale - pricePrecision - qtyPrecision)
    const fee = new OrderFee()
    return {
      charge: (price, qty, isMaker) => {
        const cost = BigInt(price) * BigInt(qty) * unitsPerNotional
        return decimalOf(fee.charge(cost, isMaker ? makerRate : takerRate), quoteScale)
      },
    }
  }
}
