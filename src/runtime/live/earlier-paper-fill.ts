/** A fill on paper in the form in which it is saved, and the updates that it was. */
import type { EarlierUpdate } from '../../adapter/exchange-adapter.ts'
import { invariant } from '../../domain/errors.ts'
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import type { Order } from '../../domain/order.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { FillSnapshot, OrderSnapshot } from '../../exchange/snapshot/exchange-snapshot.ts'
import type { PersistedPaperFill, PersistedPaperOrder } from '../../store/state/live/persisted-paper.ts'
import { ExactFill } from '../../strategy/exact-fill.ts'
import { ExactOrder } from '../../strategy/exact-order.ts'

export type Traded = Extract<ExchangeEvent, { type: 'traded' }>

/** @param isMaker  which of the two orders is that of the owner */
export function persistedFill(owner: string, event: Traded, isMaker: boolean): PersistedPaperFill {
  const { trade, maker, taker, makerFee, takerFee } = event
  const order = isMaker ? maker : taker
  const fee = String(isMaker ? makerFee : takerFee)
  const fill: FillSnapshot = { trade, side: order.side, orderId: order.id, isMaker, fee }
  const after: OrderSnapshot = { ...order, filledNotional: String(order.filledNotional), fee: String(order.fee) }
  return { owner, tradeId: trade.id, orderId: order.id, fill, order: after }
}

/** The fill and the state of its order after it. */
export function earlierUpdates(
  saved: PersistedPaperFill,
  { markets, scales }: Pick<Exchange, 'markets' | 'scales'>,
  orders: ReadonlyMap<number, Pick<PersistedPaperOrder, 'tag'>>,
): readonly EarlierUpdate[] {
  const { fee, ...fill } = saved.fill as FillSnapshot
  const after = saved.order as OrderSnapshot
  const market = markets.find(({ symbol }) => symbol === after.symbol)
  invariant(market !== undefined, 'a market of an order stays')
  const tag = orders.get(saved.orderId)?.tag
  const own = new ExactFill({ ...fill, fee: BigInt(fee) }, market, scales.get(market.quoteAsset) ?? 0, tag)
  const order: Order = { ...after, filledNotional: BigInt(after.filledNotional), fee: BigInt(after.fee) }
  return [
    { type: 'fill', fill: Object.assign(own, { isRecovered: true }) },
    { type: 'order', order: new ExactOrder(order, market, tag) },
  ]
}
