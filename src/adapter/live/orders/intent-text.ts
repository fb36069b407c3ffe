/** An order creation in a few words. */
import { formatUnits } from '../../../domain/fixed-point.ts'
import type { Market } from '../../../domain/market.ts'
import type { Intent } from './intent.ts'

/** Precision of a market that is no longer listed. */
const NO_DECIMALS = { pricePrecision: 0, qtyPrecision: 0 }

export function intentText({ id, side, symbol, price, qty }: Intent, markets: readonly Market[]): string {
  const { pricePrecision, qtyPrecision } = markets.find((market) => market.symbol === symbol) ?? NO_DECIMALS
  const at = price === undefined ? 'at market' : `at ${formatUnits(price, pricePrecision)}`
  return `intent ${id} (${side} ${formatUnits(qty, qtyPrecision)} ${symbol} ${at})`
}
