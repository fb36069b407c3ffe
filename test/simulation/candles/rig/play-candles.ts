/**
 * Plays requests on candles through the real exchange, in the form of the naive one.
 */
import { CROWD } from '../../../../src/domain/command.ts'
import { invariant } from '../../../../src/domain/errors.ts'
import type { ExchangeEvent } from '../../../../src/domain/exchange-event.ts'
import type { OrderType } from '../../../../src/domain/order.ts'
import { createExchange } from '../../../../src/exchange/create-exchange.ts'
import type { CandleTerms } from '../../../../src/simulation/candles/candle-terms.ts'
import { OrdersWithStops, type StopOrder } from './orders-with-stops.ts'
import type { NaiveCandle, NaiveFill, NaiveOptions, NaiveOrder, NaiveRequest } from './naive-candles.ts'

const SYMBOL = 'BTC_USD'
const MUCH = 10n ** 22n

/**
 * Everything that the requests come to, side by side: the exchange matches our orders with ours, of which the rules say
 * nothing, and beyond that neither side knows of the other.
 */
export function playCandles(
  candles: readonly NaiveCandle[],
  requests: readonly NaiveRequest[],
  options: NaiveOptions,
  fills: CandleTerms['fills'] = 'tape',
): readonly NaiveFill[] {
  return (['BUY', 'SELL'] as const).flatMap((side) => {
    const ids = new Set(requests.flatMap((each) => ('id' in each && each.side === side ? [each.id] : [])))
    const own = requests.filter((each) => ids.has('id' in each ? each.id : each.cancel))
    return new Play(own, options, fills).run(candles)
  })
}

class Play {
  readonly #requests: readonly NaiveRequest[]
  readonly #options: NaiveOptions
  readonly #exchange = createExchange({
    markets: [
      {
        id: SYMBOL,
        name: SYMBOL,
        symbol: SYMBOL,
        baseAsset: 'BTC',
        quoteAsset: 'USD',
        pricePrecision: 0,
        qtyPrecision: 0,
        makerFeeBps: '0',
        takerFeeBps: '0',
        selfTrade: 'allow',
      },
    ],
    quoteAsset: 'USD',
    history: { orders: 100_000, fills: 0, trades: 0, candles: 1 },
  })
  readonly #orders: OrdersWithStops
  /** Ids of the exchange by those of the requests. */
  readonly #idsByRequest = new Map<number, number>()
  readonly #stopsByRequest = new Map<number, StopOrder>()
  readonly #fills: NaiveFill[] = []
  #how = ''

  constructor(requests: readonly NaiveRequest[], options: NaiveOptions, fills: CandleTerms['fills']) {
    const { interval, spread } = options
    this.#requests = requests.toSorted((a, b) => a.at - b.at)
    this.#options = options
    this.#orders = new OrdersWithStops(this.#exchange, SYMBOL, { intervalMs: interval, isAligned: true, spread, fills })
    for (const request of requests) {
      if ('cancel' in request) continue
      for (const asset of ['BTC', 'USD']) {
        this.#exchange.execute({ type: 'credit', time: 0, account: accountOf(request), asset, amount: MUCH })
      }
    }
  }

  run(candles: readonly NaiveCandle[]): readonly NaiveFill[] {
    const { interval, latency } = this.#options
    const arrives = ({ at }: NaiveRequest): number => at + (latency >= interval ? latency : 0)
    let pending = this.#requests
    for (const candle of candles.filter(({ volume }) => volume > 0)) {
      const arrived = pending.filter((request) => arrives(request) <= candle.time)
      pending = pending.filter((request) => arrives(request) > candle.time)
      this.#arrive(candle, arrived)
      this.#how = 'body'
      this.#report(this.#orders.fill(candle, candle.time + interval))
      this.#orders.end(candle)
    }
    for (const request of pending) {
      if (!('cancel' in request)) this.#fills.push({ id: request.id, time: null, refused: 'NO_LIQUIDITY' })
    }
    return this.#fills
  }

  #arrive(candle: NaiveCandle, arrived: readonly NaiveRequest[]): void {
    const { time } = candle
    this.#how = 'open'
    for (const request of arrived) {
      if (!('cancel' in request)) continue
      const orderId = this.#idsByRequest.get(request.cancel)
      const account = String(request.cancel)
      const stop = this.#stopsByRequest.get(request.cancel)
      if (stop !== undefined) this.#orders.cancelStop(stop)
      if (orderId !== undefined) this.#exchange.execute({ type: 'cancel', time, account, orderId })
    }
    this.#orders.begin(candle)
    this.#report(this.#orders.open(candle))
    // A stop knows the order that excludes it by its id.
    const isLate = (request: NaiveRequest): boolean => {
      const later = arrived.slice(arrived.indexOf(request))
      return 'oco' in request && later.some((each) => 'id' in each && each.id === request.oco)
    }
    for (const request of [...arrived.filter((each) => !isLate(each)), ...arrived.filter(isLate)]) {
      if (!('cancel' in request)) this.#place(time, request)
    }
  }

  #place(time: number, order: NaiveOrder): void {
    const { id, side, type, price = 0, qty, oco } = order
    const account = accountOf(order)
    const market = { symbol: SYMBOL, side, type: 'MARKET', qty } as const
    if (type === 'STOP') {
      const excludes = oco === undefined ? undefined : this.#idsByRequest.get(oco)
      const stop = { account, orderId: this.#exchange.lastOrderId, price, stop: market, excludes }
      this.#stopsByRequest.set(id, stop)
      this.#report(this.#orders.placeStop(time, stop))
      return
    }
    const request = type === 'LIMIT' ? ({ ...market, type, price } as const) : market
    const events = this.#orders.place(time, account, request)
    const [first] = events
    if (first?.type === 'order-accepted') this.#idsByRequest.set(id, first.order.id)
    this.#report(events)
  }

  #report(events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      if (event.type === 'order-refused') {
        invariant(event.refusal.code === 'NO_LIQUIDITY', 'there is money for everything')
        const id = this.#requestOf(event.account, 'MARKET')
        this.#fills.push({ id, time: event.time, refused: event.refusal.code })
      }
      if (event.type !== 'traded') continue
      for (const { userId, type } of [event.maker, event.taker]) {
        if (userId === CROWD) continue
        const { price, qty } = event.trade
        const how = this.#how === 'body' && type === 'MARKET' ? 'stop' : this.#how
        this.#fills.push({ id: this.#requestOf(userId, type), time: event.time, price, qty, how })
      }
    }
  }

  /** Of two requests that exclude each other, and so have one account, the market order is the stop's. */
  #requestOf(account: string, type: OrderType): number {
    const isStop = (each: NaiveRequest): boolean => 'oco' in each && accountOf(each) === account
    const stop = type === 'MARKET' ? this.#requests.find(isStop) : undefined
    return stop !== undefined && 'id' in stop ? stop.id : Number(account)
  }
}

/** Each order has its own account, so that its fills report whose they are. */
const accountOf = ({ id, oco = id }: NaiveOrder): string => String(oco)
