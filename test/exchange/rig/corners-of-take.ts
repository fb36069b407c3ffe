/**
 * Which corners a take reaches, by what its shadow and its trades report.
 */
import type { ExchangeEvent } from '../../../src/domain/exchange-event.ts'
import { divideUp } from '../../../src/domain/fixed-point.ts'
import { FEE_RATE_ONE } from '../../../src/domain/market.ts'
import type { Corner } from './corner-names.ts'
import type { ShadowTake } from './shadow.ts'
import type { ShadowOrder } from './shadow-order.ts'

type Traded = Extract<ExchangeEvent, { type: 'traded' }>

export function cornersOfTake(take: ShadowTake, trades: readonly Traded[]): readonly Corner[] {
  const took = take.takers.filter(({ id }) => trades.some(({ taker }) => taker.id === id))
  const rested = took.filter(({ isOpen }) => isOpen)
  const idle = take.takers.filter((order) => !took.includes(order))
  const reached: readonly (readonly [Corner, boolean])[] = [
    ['an order takes from an offer and rests again', rested.length > 0],
    ['an order that was filled in part as maker takes from an offer', took.some(({ makerFills }) => makerFills > 0)],
    ['two orders share an offer', take.offered.some((offer) => takersOf(offer, trades) > 1)],
    ['an offer is left over', take.offered.some(({ filledQty, isCancelled }) => filledQty > 0 && isCancelled)],
    ['offers meet nobody', trades.length === 0],
    [ROUNDED_ONCE, took.some((order) => isRoundedOnce(order, trades))],
    ['an order that gets nothing of an offer is passed at its price', idle.some((order) => isPassed(order, take))],
  ]
  return reached.flatMap(([corner, isReached]) => (isReached ? [corner] : []))
}

const ROUNDED_ONCE = 'a fee is rounded once over a fill as maker and a fill from an offer'

const takersOf = (offer: ShadowOrder, trades: readonly Traded[]): number =>
  new Set(trades.filter(({ maker }) => maker.id === offer.id).map(({ taker }) => taker.id)).size

/** Its first fill as a taker is charged less than it would be by itself: what it lacks was paid as a maker. */
function isRoundedOnce({ id, makerFills, takerFills, market }: ShadowOrder, trades: readonly Traded[]): boolean {
  const first = trades.find(({ taker }) => taker.id === id)
  if (first === undefined || makerFills === 0 || takerFills !== 1) return false
  const cost = BigInt(first.trade.price) * BigInt(first.trade.qty) * market.unitsPerNotional
  return first.takerFee > 0n && first.takerFee < divideUp(cost * market.rates.taker, FEE_RATE_ONE)
}

/**
 * Who was behind it at its price is ahead of it now: never of one that took, since nothing that it accepts is left for
 * others.
 */
function isPassed(order: ShadowOrder, { behind }: ShadowTake): boolean {
  const { bids, asks } = order.market
  const queue = (order.request.side === 'BUY' ? bids : asks).ordersAt(order.price)
  const ahead = queue.slice(0, queue.indexOf(order))
  return ahead.some((other) => behind.get(order)?.includes(other))
}
