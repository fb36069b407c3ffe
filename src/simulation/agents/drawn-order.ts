/**
 * Side and size of an order that is drawn by lot.
 */
import type { Side } from '../../domain/order.ts'
import type { Chance } from './chance.ts'

const LARGER_STILL = 0.55
const MAX_DOUBLINGS = 12
const ROUND_PROBABILITY = 0.35

/** Lots from `unitQty` to 2^13 times as much, the larger the rarer; many are round, as people like them. */
export function drawnQty(chance: Chance, unitQty: number): number {
  const qty = Math.floor(unitQty * chance.heavyTailed(LARGER_STILL, MAX_DOUBLINGS))
  return chance.happens(ROUND_PROBABILITY) ? firstDigitOf(qty) : qty
}

/**
 * Mean-reverting side: a position beyond `limit` lots is nearly always reduced, so no agent runs out of either asset
 * for good.
 */
export function drawnSide(chance: Chance, position: number, limit: number): Side {
  const buys = 0.5 - position / limit / 2
  return chance.happens(Math.min(0.95, Math.max(0.05, buys))) ? 'BUY' : 'SELL'
}

/** 4711 as 4000. */
function firstDigitOf(qty: number): number {
  let unit = 1
  while (unit * 10 <= qty) unit *= 10
  return qty - (qty % unit)
}
