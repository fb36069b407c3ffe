/**
 * Pricing of assets in a quote asset, in integers: the quote asset by itself, any other by its market against it.
 *
 * Invariant: the value of a ledger unit of any asset at a price of any tick is a whole number of value units, so
 * nothing is rounded.
 */
import { powerOfTen } from './fixed-point.ts'
import type { Market } from './market.ts'

export interface Pricing {
  readonly asset: string
  /** Ledger digits of the asset. */
  readonly scale: number
  /** Market whose price values the asset; undefined for the quote asset itself, or when there is none. */
  readonly market: Market | undefined
  readonly isQuote: boolean
  /**
   * Value units in a ledger unit at a price of 1 tick, or of 1 for the quote asset; 0 for an asset that has no price.
   */
  readonly unitsPerUnit: bigint
}

/**
 * Decimal digits of a value in the quote asset: the fewest that represent the value of every asset exactly.
 *
 * @param scales  ledger digits by asset
 */
export function valueScaleOf(
  quoteAsset: string,
  scales: ReadonlyMap<string, number>,
  markets: readonly Market[],
): number {
  const digits = markets
    .filter((market) => market.quoteAsset === quoteAsset)
    .map((market) => (scales.get(market.baseAsset) ?? 0) + market.pricePrecision)
  return Math.max(scales.get(quoteAsset) ?? 0, ...digits)
}

/** Pricing of each asset of `scales`, in its order. */
export function pricingsOf(
  quoteAsset: string,
  scales: ReadonlyMap<string, number>,
  markets: readonly Market[],
): readonly Pricing[] {
  const valueScale = valueScaleOf(quoteAsset, scales, markets)
  return [...scales].map(([asset, scale]) => {
    const isQuote = asset === quoteAsset
    const market = markets.find((each) => each.baseAsset === asset && each.quoteAsset === quoteAsset)
    const isPriced = isQuote || market !== undefined
    const digitsLeft = valueScale - scale - (market?.pricePrecision ?? 0)
    return { asset, scale, market, isQuote, unitsPerUnit: isPriced ? powerOfTen(digitsLeft) : 0n }
  })
}
