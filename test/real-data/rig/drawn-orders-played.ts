/**
 * The same drawn orders on the trades of a tape and on candles of these trades: lots and mean price of those that were
 * filled.
 *
 * On the trades an order comes, and goes, in the millisecond before a candle begins, so that it meets the trades of
 * whole candles.
 */
import { CROWD } from '../../../src/domain/command.ts'
import { invariant } from '../../../src/domain/errors.ts'
import type { ExchangeEvent } from '../../../src/domain/exchange-event.ts'
import type { RecordedCandle } from '../../../src/simulation/candles/recorded-candle.ts'
import { EVENT_KIND } from '../../../src/simulation/event-queue.ts'
import { liquidity } from '../../../src/simulation/liquidity/liquidity-models.ts'
import type { Tape } from '../../../src/tape/tape.ts'
import type { NaiveRequest } from '../../simulation/candles/rig/naive-candles.ts'
import { playCandles } from '../../simulation/candles/rig/play-candles.ts'
import { BTC, MarketStage } from '../../simulation/rig/market-stage.ts'
import type { DrawnOrder } from './drawn-orders.ts'

export interface Filled {
  readonly lots: number
  /** Ticks times lots. */
  readonly notional: number
}

/** By the id of the order; one that was not filled is not there. */
export type FilledById = ReadonlyMap<number, Filled>

const TERMS = { queueSize: 1, levelSize: 1, staleAfterMs: 600_000 }

/** By the model `tape`. */
export async function onTrades(tape: Tape, orders: readonly DrawnOrder[]): Promise<FilledById> {
  const { create } = liquidity('tape')
  const stage = new MarketStage({
    model: () => create({ symbol: BTC, spread: undefined, terms: TERMS }),
    start: tape.info.from,
  })
  const filled = new FilledOrders()
  stage.simulated.onEvents((events) => filled.note(events))
  for (const order of orders) {
    const account = String(order.id)
    stage.credit(account, 'USD', 10n ** 15n)
    stage.credit(account, 'BTC', 10n ** 12n)
    stage.queue.schedule(order.from - 1, EVENT_KIND.message, () => {
      send(stage, account, order)
    })
  }
  await stage.play([tape])
  return filled.byId
}

function send(stage: MarketStage, account: string, { side, price, lots, to }: DrawnOrder): void {
  if (price === undefined) {
    stage.market(account, side, lots)
    return
  }
  const [accepted] = stage.limit(account, side, price, lots)
  invariant(accepted?.type === 'order-accepted', 'there is money for everything')
  const { id: orderId } = accepted.order
  stage.queue.schedule(to - 1, EVENT_KIND.message, () => {
    stage.execute({ type: 'cancel', account, orderId })
  })
}

/** By the rules for candles. */
export function onCandles(
  candles: readonly RecordedCandle[],
  intervalMs: number,
  orders: readonly DrawnOrder[],
): FilledById {
  const requests = orders.flatMap(({ id, side, price, lots, from, to }): readonly NaiveRequest[] => {
    if (price === undefined) return [{ id, at: from, side, type: 'MARKET', qty: lots }]
    return [
      { id, at: from, side, type: 'LIMIT', price, qty: lots },
      { cancel: id, at: to },
    ]
  })
  const filled = new FilledOrders()
  for (const fill of playCandles(candles, requests, { interval: intervalMs, latency: 0 })) {
    if (!('refused' in fill)) filled.add(fill.id, fill.price, fill.qty)
  }
  return filled.byId
}

class FilledOrders {
  readonly byId = new Map<number, Filled>()

  /** Each order has its own account. */
  note(events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      if (event.type !== 'traded') continue
      for (const { userId } of [event.maker, event.taker]) {
        if (userId !== CROWD) this.add(Number(userId), event.trade.price, event.trade.qty)
      }
    }
  }

  add(id: number, price: number, qty: number): void {
    const { lots, notional } = this.byId.get(id) ?? { lots: 0, notional: 0 }
    this.byId.set(id, { lots: lots + qty, notional: notional + price * qty })
  }
}
