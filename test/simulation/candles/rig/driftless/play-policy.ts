/**
 * Plays a policy on the candles of a walk by hand: straight into the orders of a candle market, stops and all.
 */
import { isOpen, type Side } from '../../../../../src/domain/order.ts'
import type { ExchangeEvent } from '../../../../../src/domain/exchange-event.ts'
import { createExchange } from '../../../../../src/exchange/create-exchange.ts'
import type { RecordedCandle } from '../../../../../src/simulation/candles/recorded-candle.ts'
import { market } from '../../../../exchange/rig/configs.ts'
import { isTouched, OrdersWithStops, type StopOrder } from '../orders-with-stops.ts'
import { WALK_INTERVAL_MS } from './driftless-walk.ts'
import type { Act, Policy, PolicyFill, WaitingOrder } from './policy.ts'

const SYMBOL = 'BTC_USD'
const ACCOUNT = 'policy'
const MUCH = 10n ** 16n

/** The fills of the policy, in the order of the candles. */
export const playPolicy = (policy: Policy, candles: readonly RecordedCandle[]): readonly PolicyFill[] =>
  new Play(policy).run(candles)

class Play {
  readonly #policy: Policy
  readonly #exchange = createExchange({
    markets: [market(SYMBOL)],
    quoteAsset: 'USD',
    history: { orders: 1_000, fills: 0, trades: 0, candles: 1 },
  })
  readonly #orders: OrdersWithStops
  readonly #limitsByKey = new Map<number, number>()
  readonly #stopsByKey = new Map<number, StopOrder>()
  readonly #fills: PolicyFill[] = []
  #position = 0
  #candle = 0
  #time = 0

  constructor(policy: Policy) {
    this.#policy = policy
    const terms = { intervalMs: WALK_INTERVAL_MS, isAligned: true, spread: undefined, fills: 'tape' } as const
    this.#orders = new OrdersWithStops(this.#exchange, SYMBOL, terms)
    for (const asset of ['BTC', 'USD']) {
      this.#exchange.execute({ type: 'credit', time: 0, account: ACCOUNT, asset, amount: MUCH })
    }
  }

  run(candles: readonly RecordedCandle[]): readonly PolicyFill[] {
    const seen: RecordedCandle[] = []
    let acts: readonly Act[] = []
    for (const [index, candle] of candles.entries()) {
      this.#candle = index
      this.#time = candle.time
      this.#open(candle, acts)
      this.#time = candle.time + WALK_INTERVAL_MS
      this.#report(this.#orders.fill(candle, this.#time))
      this.#orders.end(candle)
      seen.push(candle)
      acts = this.#policy.onCandle({ candles: seen, position: this.#position, waiting: this.#waiting(candle) })
    }
    return this.#fills
  }

  #open(candle: RecordedCandle, acts: readonly Act[]): void {
    for (const act of acts) if (act.type === 'cancel') this.#cancel(candle.time, act.key)
    this.#orders.begin(candle)
    this.#report(this.#orders.open(candle))
    for (const act of acts) this.#place(candle.time, act)
  }

  #cancel(time: number, key: number): void {
    const orderId = this.#limitsByKey.get(key)
    const stop = this.#stopsByKey.get(key)
    if (stop !== undefined) this.#orders.cancelStop(stop)
    if (orderId !== undefined) this.#exchange.execute({ type: 'cancel', time, account: ACCOUNT, orderId })
    this.#stopsByKey.delete(key)
  }

  #place(time: number, act: Act): void {
    if (act.type === 'cancel') return
    const { side, qty } = act
    const request = { symbol: SYMBOL, side, type: 'MARKET', qty } as const
    if (act.type === 'stop') this.#placeStop(time, act.key, act.price, request, act.excludes)
    else if (act.type === 'market') this.#report(this.#orders.place(time, ACCOUNT, request))
    else {
      const events = this.#orders.place(time, ACCOUNT, { ...request, type: 'LIMIT', price: act.price })
      const [first] = events
      if (first?.type === 'order-accepted') this.#limitsByKey.set(act.key, first.order.id)
      this.#report(events)
    }
  }

  #placeStop(time: number, key: number, price: number, stop: StopOrder['stop'], excludedKey?: number): void {
    const excludes = excludedKey === undefined ? undefined : this.#limitsByKey.get(excludedKey)
    // What excludes it may have been filled at the open.
    if (excludes !== undefined && !this.#isOpen(excludes)) return
    const order = { account: ACCOUNT, orderId: this.#exchange.lastOrderId, price, stop, excludes }
    this.#stopsByKey.set(key, order)
    this.#report(this.#orders.placeStop(time, order))
  }

  #isOpen(orderId: number): boolean {
    const order = this.#exchange.order(ACCOUNT, orderId)
    return order !== undefined && isOpen(order.status)
  }

  #report(events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      if (event.type !== 'traded') continue
      const { price, qty } = event.trade
      for (const { userId, side } of [event.maker, event.taker]) if (userId === ACCOUNT) this.#fill(side, price, qty)
    }
  }

  #fill(side: Side, price: number, qty: number): void {
    this.#position += side === 'BUY' ? qty : -qty
    this.#fills.push({ candle: this.#candle, time: this.#time, side, price, qty })
  }

  #waiting(candle: RecordedCandle): readonly WaitingOrder[] {
    for (const [key, id] of this.#limitsByKey) if (!this.#isOpen(id)) this.#limitsByKey.delete(key)
    for (const [key, stop] of this.#stopsByKey) if (!this.#waits(stop, candle)) this.#stopsByKey.delete(key)
    return [...this.#limitsByKey.keys(), ...this.#stopsByKey.keys()].sort((a, b) => a - b).map((key) => ({ key }))
  }

  /** A stop waits until a candle touches it, or an order that it excludes is filled. */
  #waits(stop: StopOrder, { low, high }: RecordedCandle): boolean {
    const { excludes } = stop
    if (isTouched(stop, low, high)) return false
    return excludes === undefined || this.#exchange.order(ACCOUNT, excludes)?.status === 'OPEN'
  }
}
