/**
 * Which corners an order reaches to which offers are made, by what its shadow and its trades report.
 */
import type { ExchangeEvent } from '../../../src/domain/exchange-event.ts'
import type { Corner } from './corner-names.ts'
import type { ShadowOffers } from './shadow.ts'
import type { ShadowOrder } from './shadow-order.ts'

type Traded = Extract<ExchangeEvent, { type: 'traded' }>

/** @param over  units that its account had more than it needed, where it was funded */
export function cornersOfOffers(
  { taker, offered, ownBest }: ShadowOffers,
  trades: readonly Traded[],
  over: number | undefined,
): readonly Corner[] {
  const { side, type } = taker.request
  const sign = side === 'BUY' ? 1 : -1
  const ids = new Set(offered.map(({ id }) => id))
  const makers = trades.map(({ maker, trade }) => ({ id: maker.id, price: trade.price, isOffer: ids.has(maker.id) }))
  const taken = makers.filter(({ isOffer }) => isOffer)
  const untaken = offered.filter(({ filledQty }) => filledQty === 0)
  const isAll = taken.length > 0 && taken.length === trades.length
  const isBuyAtMarket = type === 'MARKET' && side === 'BUY'
  const isBeyond = ({ price }: ShadowOrder): boolean => type === 'LIMIT' && price * sign > taker.price * sign
  const isCrossing = ({ price }: ShadowOrder): boolean => ownBest !== undefined && price * sign <= ownBest.price * sign
  const isBefore = (maker: (typeof makers)[number], next: (typeof makers)[number] | undefined): boolean =>
    !maker.isOffer && next?.isOffer === true && next.price === maker.price
  return reached([
    ['an order takes what is offered to it alone', taken.length > 0],
    [
      'an order meets what rests at the price of an offer before the offer',
      makers.some((maker, index) => isBefore(maker, makers[index + 1])),
    ],
    [
      'an order goes from an offer to what rests behind it',
      makers.some(({ isOffer }, index) => isOffer && makers[index + 1]?.isOffer === false),
    ],
    [
      'an order takes what is offered in another order than it was offered',
      taken.some(({ id }, index) => id < (taken[index - 1]?.id ?? 0)),
    ],
    ['an offer lies beyond the limit of its order', offered.some(isBeyond)],
    ['an offer that nobody takes crosses the side of its order', untaken.some(isCrossing)],
    ['an order takes from an offer and its rest comes to rest', taken.length > 0 && taker.isOpen],
    ['a market order finds nothing but offers', type === 'MARKET' && isAll],
    ['a market order takes all of its offers and is cancelled', taken.length > 0 && taker.isCancelled],
    ['an order that needs exactly what its offers cost is taken', isBuyAtMarket && isAll && over === 0],
    ['an order is filled by offers before it meets its own', isAll && !taker.isOpen && meetsItself(taker)],
  ])
}

export function cornersOfRefusedOffers(event: ExchangeEvent, over: number | undefined): readonly Corner[] {
  if (event.type !== 'order-refused') return []
  const { request, refusal } = event
  const isZero = request.qty === 0 || (request.type === 'LIMIT' && request.price === 0)
  const isShort = refusal.code === 'INSUFFICIENT_BALANCE' && request.type === 'MARKET' && request.side === 'BUY'
  return reached([
    ['an order that needs one unit more than its offers leave it is refused', isShort && over === -1],
    ['a self-trade is refused in spite of offers', refusal.code === 'ORDER_REJECTED' && !isZero],
  ])
}

const reached = (corners: readonly (readonly [Corner, boolean])[]): readonly Corner[] =>
  corners.flatMap(([corner, isReached]) => (isReached ? [corner] : []))

/** Its own order is the next that it would have met, in a market that refuses this. */
function meetsItself({ request, account, market, price }: ShadowOrder): boolean {
  const next = request.side === 'BUY' ? market.asks.first : market.bids.first
  if (next?.account !== account || next.isOfCrowd || market.config.selfTrade === 'allow') return false
  return request.type === 'MARKET' || (request.side === 'BUY' ? next.price <= price : next.price >= price)
}
