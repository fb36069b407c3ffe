/**
 * Offers of the crowd in a transcript, `BTC_USD offers 2 at 99, 3 at 98 to #1, #2`, and its amounts.
 */
import type { Command } from '../../../src/domain/command.ts'
import { invariant } from '../../../src/domain/errors.ts'
import { parseUnits } from '../../../src/domain/fixed-point.ts'
import type { MarketConfig } from '../../../src/domain/market.ts'

/** @param line  what stands behind `offers` */
export function parseTake({ symbol, pricePrecision, qtyPrecision }: MarketConfig, line: string, time: number): Command {
  const [offered = '', takers = ''] = line.split(' to ')
  const offers = offered.split(', ').map((offer) => {
    const [qty = '', price = ''] = offer.split(' at ')
    return { price: units(price, pricePrecision), qty: units(qty, qtyPrecision) }
  })
  const orderIds = takers.split(', ').map((id) => Number(id.slice(1)))
  return { type: 'take', time, symbol, orderIds, offers }
}

export function units(text: string, precision: number): number {
  const parsed = parseUnits(text, precision)
  invariant(parsed.ok, `bad number '${text}'`)
  return parsed.value
}
