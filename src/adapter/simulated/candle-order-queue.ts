/**
 * Requests of one account in a market recorded as candles: they wait for an open, except those of orders that were
 * triggered inside a candle.
 *
 * Invariant: during a bar phase only requests triggered there are executed; others that are sent then arrive at a later
 * open.
 */
import { decimalOf, type Decimal } from '../../domain/decimal.ts'
import type { Side } from '../../domain/order.ts'
import { EVENT_KIND, type EventQueue } from '../../simulation/event-queue.ts'
import type { CandleMarket, CandleStage } from '../../simulation/candles/candle-market.ts'
import type { RecordedCandle } from '../../simulation/candles/recorded-candle.ts'
import type { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import { HotStream } from '../../strategy/hot-stream.ts'
import type { MarketView } from '../../strategy/market-view.ts'
import type { IntrabarExecution, PriceRange } from '../intrabar-execution.ts'
import type { Latency } from './latency.ts'

/** A request that waits for an open. */
export interface QueuedRequest {
  /** The session's reference of a creation; undefined for a cancel. */
  readonly reference: number | undefined
  readonly act: () => void
  /** No further open came. */
  readonly expire: () => void
  /** The request was withdrawn. */
  readonly withdraw: () => void
}

export class CandleOrderQueue implements IntrabarExecution {
  readonly reaches$ = new HotStream<PriceRange>()
  readonly candles: CandleMarket
  readonly #queue: EventQueue
  readonly #market: MarketView
  readonly #latency: Latency
  /** Requests that no open has reached. */
  readonly #waiting = new Set<QueuedRequest>()
  #stage: CandleStage | undefined

  constructor(candles: CandleMarket, queue: EventQueue, market: MarketView, latency: Latency) {
    this.#latency = latency
    this.candles = candles
    this.#queue = queue
    this.#market = market
    candles.actors.push((stage, candle) => {
      this.#onStage(stage, candle)
    })
  }

  /** Latencies as they count here: those shorter than a candle are 0, since a candle has no time inside. */
  get latency(): Readonly<Latency> {
    const { orderMs, responseMs, feedMs } = this.#latency
    const counted = (ms: number): number => (ms < this.candles.intervalMs ? 0 : ms)
    return { orderMs: counted(orderMs), responseMs: counted(responseMs), feedMs: counted(feedMs) }
  }

  get open(): Decimal | undefined {
    const open = this.#isPrompt ? this.candles.open : undefined
    return open === undefined ? undefined : this.#price(open)
  }

  /** True while triggered requests are executed immediately. */
  get isActing(): boolean {
    return this.#stage !== undefined
  }

  /** True while events are held until the end of the candle and emitted before it is. */
  get isEnding(): boolean {
    return this.candles.isEnding && this.latency.responseMs === 0
  }

  actAtOpen(action: () => void): void {
    if (this.#isPrompt && this.candles.openedAt === this.#queue.now()) this.#within('open', action)
  }

  onArrival(action: () => void, isCancel: boolean): void {
    if (!this.#isPrompt) {
      action()
      return
    }
    const act = (): void => {
      this.#within('open', action)
    }
    this.candles.submit({ from: this.#queue.now(), isCancel, act, expire: () => undefined })
  }

  submit(request: QueuedRequest): void {
    const { reference, act, expire } = request
    this.#waiting.add(request)
    const ifLeft = (action: () => void) => (): void => {
      if (this.#waiting.delete(request)) action()
    }
    this.candles.submit({
      from: this.#queue.now() + this.latency.orderMs,
      isCancel: reference === undefined,
      act: ifLeft(act),
      expire: ifLeft(expire),
    })
  }

  /** Withdraws a creation; false if it does not wait, or no longer. */
  withdraw(reference: number): boolean {
    const request = [...this.#waiting].find((each) => each.reference === reference)
    if (request === undefined) return false
    this.#waiting.delete(request)
    request.withdraw()
    return true
  }

  /**
   * The first whole tick at a price or beyond it, in the direction that costs the taker more. @param price  in the
   * quote asset
   */
  ticksBehind(price: Decimal, side: Side): number {
    const rounded = side === 'BUY' ? this.#market.ceilPrice(price) : this.#market.floorPrice(price)
    return rounded.div(this.#market.tickSize).toNumber()
  }

  get #isPrompt(): boolean {
    const { orderMs, responseMs, feedMs } = this.latency
    return orderMs === 0 && responseMs === 0 && feedMs === 0
  }

  #onStage(stage: CandleStage, candle: RecordedCandle): void {
    if (!this.reaches$.isWatched) return
    if (this.#isPrompt) {
      this.#within(stage, () => {
        this.reaches$.push(this.#reach(stage, candle))
      })
    } else if (stage === 'ended') this.#reportLater(this.#reach(undefined, candle))
  }

  #reportLater(reach: PriceRange): void {
    this.#queue.enter(this.#queue.now() + this.latency.feedMs, EVENT_KIND.candle, () => {
      this.reaches$.push(reach)
    })
  }

  #within(stage: CandleStage, action: () => void): void {
    this.#stage = stage
    try {
      action()
    } finally {
      this.#stage = undefined
    }
  }

  #reach(stage: CandleStage | undefined, { open, high, low, close }: RecordedCandle): PriceRange {
    if (stage === 'open') {
      const price = this.#price(open)
      return { first: price, last: price, low: price, high: price, stage }
    }
    const [first, last] = [this.#price(open), this.#price(close)]
    return { first, last, low: this.#price(low), high: this.#price(high), stage }
  }

  #price(ticks: number): Decimal {
    return decimalOf(ticks, this.#market.pricePrecision)
  }
}

/** Queues of the markets that were recorded as candles, by symbol. */
export function candleOrderQueues(
  simulated: SimulatedMarkets,
  markets: readonly MarketView[],
  latency: Latency,
): ReadonlyMap<string, CandleOrderQueue> {
  return new Map(
    markets.flatMap((market) => {
      const { candles } = simulated.market(market.symbol)
      return candles === undefined
        ? []
        : [[market.symbol, new CandleOrderQueue(candles, simulated.queue, market, latency)] as const]
    }),
  )
}
