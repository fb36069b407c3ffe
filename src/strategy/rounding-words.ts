/**
 * Rounding on purpose, by the precision of the market of a symbol.
 */
import type { Decimal, DecimalInput } from '../domain/decimal.ts'
import type { MarketView } from './market-view.ts'

/** The functions of a `MarketView`, which say more. @throws {InputError} for an unknown symbol */
export interface RoundingWords {
  /** The largest quantity in whole lots that is not above `value`, in the base asset. */
  readonly floorQty: (symbol: string, value: DecimalInput) => Decimal
  /** The largest price in whole ticks that is not above `value`, in the quote asset. */
  readonly floorPrice: (symbol: string, value: DecimalInput) => Decimal
  /** The smallest price in whole ticks that is not below `value`, in the quote asset. */
  readonly ceilPrice: (symbol: string, value: DecimalInput) => Decimal
  /** The price in whole ticks that is nearest to `value`, in the quote asset. */
  readonly roundPrice: (symbol: string, value: DecimalInput) => Decimal
  /** The largest quantity in whole lots that is worth no more than `value` of the quote asset at `price`. */
  readonly qtyWorth: (symbol: string, value: DecimalInput, price: DecimalInput) => Decimal
  /** The largest quantity in whole lots that `funds` of the quote asset pay for at `price`, the highest fee included. */
  readonly affordableQty: (symbol: string, funds: DecimalInput, price: DecimalInput) => Decimal
}

/** Those of a market, by its symbol. */
export const roundingWords = (market: (symbol: string) => MarketView): RoundingWords => ({
  floorQty: (symbol, value) => market(symbol).floorQty(value),
  floorPrice: (symbol, value) => market(symbol).floorPrice(value),
  ceilPrice: (symbol, value) => market(symbol).ceilPrice(value),
  roundPrice: (symbol, value) => market(symbol).roundPrice(value),
  qtyWorth: (symbol, value, price) => market(symbol).qtyWorth(value, price),
  affordableQty: (symbol, funds, price) => market(symbol).affordableQty(funds, price),
})
