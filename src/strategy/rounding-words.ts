/** Rounding to the precision of a market. */
import type { Decimal, DecimalInput } from '../domain/decimal.ts'
import type { MarketView } from './market-view.ts'

/** Functions of a `MarketView`, by symbol. @throws {InputError} for an unknown symbol */
export interface RoundingWords {
  /** Rounds a quantity down to whole lots, in the base asset. */
  readonly floorQty: (symbol: string, value: DecimalInput) => Decimal
  /** Rounds a price down to whole ticks, in the quote asset. */
  readonly floorPrice: (symbol: string, value: DecimalInput) => Decimal
  /** Rounds a price up to whole ticks, in the quote asset. */
  readonly ceilPrice: (symbol: string, value: DecimalInput) => Decimal
  /** Rounds a price to the nearest tick, in the quote asset; half a tick rounds to the even tick. */
  readonly roundPrice: (symbol: string, value: DecimalInput) => Decimal
  /** Quantity in whole lots that is worth at most `value` of the quote asset at `price`; 0 if one lot is worth more. */
  readonly qtyWorth: (symbol: string, value: DecimalInput, price: DecimalInput) => Decimal
  /**
   * Quantity in whole lots that `funds` of the quote asset can buy at `price`, fees included; 0 if that is too little
   * for one lot.
   */
  readonly affordableQty: (symbol: string, funds: DecimalInput, price: DecimalInput) => Decimal
}

/** Rounding functions that look up the market by symbol. */
export const roundingWords = (market: (symbol: string) => MarketView): RoundingWords => ({
  floorQty: (symbol, value) => market(symbol).floorQty(value),
  floorPrice: (symbol, value) => market(symbol).floorPrice(value),
  ceilPrice: (symbol, value) => market(symbol).ceilPrice(value),
  roundPrice: (symbol, value) => market(symbol).roundPrice(value),
  qtyWorth: (symbol, value, price) => market(symbol).qtyWorth(value, price),
  affordableQty: (symbol, funds, price) => market(symbol).affordableQty(funds, price),
})
