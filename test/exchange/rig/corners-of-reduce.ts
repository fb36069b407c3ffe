/**
 * Which corners orders reach that were reduced, by what their shadows and the events report.
 */
import { CROWD } from '../../../src/domain/command.ts'
import type { ExchangeEvent } from '../../../src/domain/exchange-event.ts'
import type { Corner } from './corner-names.ts'
import type { Shadow } from './shadow.ts'
import type { ShadowOrder } from './shadow-order.ts'

type Traded = Extract<ExchangeEvent, { type: 'traded' }>

const WIDE = 2n ** 53n

/** Remembers who stood behind the crowd when it was reduced. */
export class ReductionWatch {
  /** Ids of users' orders by the id of the crowd's. */
  readonly #usersBehind = new Map<number, ReadonlySet<number>>()

  /** @param shadow  has followed the events */
  cornersOf(events: readonly ExchangeEvent[], shadow: Shadow | undefined): readonly Corner[] {
    const trades = events.filter((event) => event.type === 'traded')
    const corners = [...this.#ofTrades(trades, shadow)]
    for (const event of events) {
      if (event.type !== 'order-reduced' && event.type !== 'order-cancelled') continue
      const order = shadow?.ordersById.get(event.order.id)
      if (order === undefined || order.reducedQty === 0) continue
      if (event.type === 'order-reduced') corners.push(...this.#ofReduction(order))
      else corners.push('a reduced order is cancelled')
    }
    return corners
  }

  #ofReduction(order: ShadowOrder): readonly Corner[] {
    const { bids, asks } = order.market
    const queue = order.request.side === 'BUY' ? bids : asks
    const behind = queue.behind(order)
    this.#usersBehind.set(order.id, new Set(behind.filter(isOfUser).map(({ id }) => id)))
    const ahead = queue.ordersAt(order.price).slice(0, -1 - behind.length)
    const lots = [order, ...ahead, ...behind].reduce((sum, { remaining }) => sum + BigInt(remaining), 0n)
    return reached([
      ['an order of the crowd is reduced behind a user', ahead.some(isOfUser)],
      ['a partially filled order is reduced', order.filledQty > 0],
      ['an order is reduced to one lot', order.remaining === 1],
      ['an order is reduced at a price of more than 2^53 lots', lots > WIDE],
      ['an order is reduced away from the best price', queue.first?.price !== order.price],
    ])
  }

  #ofTrades(trades: readonly Traded[], shadow: Shadow | undefined): readonly Corner[] {
    const isReduced = (id: number): boolean => (shadow?.ordersById.get(id)?.reducedQty ?? 0) > 0
    const isThrough = ({ maker }: Traded, next: Traded | undefined): boolean =>
      next !== undefined && this.#usersBehind.get(maker.id)?.has(next.maker.id) === true
    return reached([
      [
        'an order of the crowd is reduced ahead of a user and both are traded through',
        trades.some((traded, index) => isThrough(traded, trades[index + 1])),
      ],
      ['a reduced order takes from an offer', trades.some(({ taker }) => isReduced(taker.id))],
    ])
  }
}

const isOfUser = ({ account }: ShadowOrder): boolean => account !== CROWD

const reached = (corners: readonly (readonly [Corner, boolean])[]): readonly Corner[] =>
  corners.flatMap(([corner, isReached]) => (isReached ? [corner] : []))
