/**
 * An adapter that replays history to the strategy first: candles and trades that the service still serves, then
 * everything that arrived meanwhile, in order.
 *
 * Invariant: between history and live data there is neither a gap nor a repeated candle or trade. Prices, orders and
 * balances are live from the start, so that conditional orders of an earlier session act immediately.
 * Known limitation: `now()` is the present, too.
 */
import type { Observable } from 'rxjs'
import type {
  AccountUpdate,
  ConnectionState,
  EarlierCandles,
  ExchangeAdapter,
  PastReads,
  Placement,
  RequestOutcome,
  RunSeries,
  ReportedCandles,
} from '../../adapter/exchange-adapter.ts'
import { lengthMsOf, openTimeOf, type CandleLength } from '../../domain/candle-length.ts'
import type { Decimal } from '../../domain/decimal.ts'
import { ExchangeError } from '../../domain/errors.ts'
import { isoTime } from '../../domain/time.ts'
import { WarmSeries } from './warm-series.ts'
import { HotStream } from '../../strategy/hot-stream.ts'
import type { MarketCandle, MarketTicker, MarketTrade } from '../../strategy/market-data.ts'
import type { MarketGap } from '../../strategy/market-gap.ts'
import type { MarketView } from '../../strategy/market-view.ts'
import type { OwnBalances, OwnOrder } from '../../strategy/own-order.ts'

/** Market data of a service with its past. */
export type PastSource = Pick<ExchangeAdapter, 'afterCandles' | 'candles' | 'earlierCandles'> & PastReads

export interface WarmAdapterOptions {
  readonly adapter: ExchangeAdapter
  readonly source: PastSource
  /** Unix milliseconds from which history is replayed. */
  readonly from: number
  /** Whether to warn if the candles of a length do not reach back that far. @param lengthMs  of the candles */
  readonly isNeeded: (lengthMs: number) => boolean
  /** Runs an action as an event. */
  readonly enter: (action: () => void) => void
  /** Logs to the operator. */
  readonly log: (message: string) => void
}

/** A value of the history, or one that arrived meanwhile. */
interface Shown {
  /** Unix milliseconds at which it was known; undefined if it has no time. */
  readonly time: number | undefined
  /** Key of candles; undefined for other values. */
  readonly key: string | undefined
  readonly report: () => void
}

interface AskedCandles {
  readonly symbol: string
  readonly interval: CandleLength
  readonly lengthMs: number
  readonly stream: HotStream<MarketCandle>
}

const keyOf = (symbol: string, interval: CandleLength): string => `${symbol} ${interval}`

export class WarmAdapter implements ExchangeAdapter {
  readonly markets: readonly MarketView[]
  readonly #options: WarmAdapterOptions
  readonly #streams = new Map<string, HotStream<unknown>>()
  readonly #candles = new Map<string, AskedCandles>()
  readonly #trades = new Map<string, HotStream<MarketTrade>>()
  /** Start of the complete history by key. */
  readonly #sinceByKey = new Map<string, number>()
  readonly #awaited = new AwaitedCandles()
  #series: ReadonlyMap<string, WarmSeries> | undefined
  #later: Shown[] = []
  #isWarming = true

  constructor(options: WarmAdapterOptions) {
    this.#options = options
    this.markets = options.adapter.markets
  }

  /** True until all history was replayed. */
  get isWarming(): boolean {
    return this.#isWarming
  }

  /** Replays history to the current subscribers. Call in the event in which they subscribed. */
  async warmUp(): Promise<void> {
    const { enter } = this.#options
    const trades = [...this.#trades].flatMap(([symbol, stream]) => this.#pastTrades(symbol, stream))
    const candles = await Promise.all([...this.#candles.values()].map((asked) => this.#pastCandles(asked)))
    const rows = [...(this.#series?.values() ?? [])].flatMap((series) => series.shown())
    const past = [...trades, ...rows, ...candles.flat()].sort((a, b) => (a.time ?? 0) - (b.time ?? 0))
    for (const shown of past)
      enter(() => {
        this.#awaited.settle((each) => each.time < (shown.time ?? 0))
        shown.report()
      })
    enter(() => {
      this.#goOn()
    })
  }

  now(): number {
    return this.#options.adapter.now()
  }

  get connection(): ConnectionState {
    return this.#options.adapter.connection
  }

  get connection$(): Observable<ConnectionState> {
    return this.#options.adapter.connection$
  }

  get faults$(): Observable<ExchangeError> {
    return this.#options.adapter.faults$
  }

  get updates$(): Observable<AccountUpdate> {
    return this.#options.adapter.updates$
  }

  /** The rows of the series are known when the strategy asks for them. */
  get series(): ReadonlyMap<string, RunSeries> {
    const { adapter, from } = this.#options
    this.#series ??= new Map(
      [...(adapter.series ?? [])].map(([name, each]) => [name, new WarmSeries(name, each, from)]),
    )
    return this.#series
  }

  trades(symbol: string): Observable<MarketTrade> {
    const { adapter } = this.#options
    const stream = this.#held(
      `trades ${symbol}`,
      () => adapter.trades(symbol),
      ({ createdAt }) => createdAt,
    )
    this.#trades.set(symbol, stream)
    return stream
  }

  tickers(symbol: string): Observable<MarketTicker> {
    return this.#held(`tickers ${symbol}`, () => this.#options.adapter.tickers(symbol))
  }

  candles(symbol: string, interval: CandleLength): Observable<MarketCandle> {
    const { source } = this.#options
    const key = keyOf(symbol, interval)
    const live = source.candles(symbol, interval)
    const lengthMs = lengthMsOf(interval)
    const stream = this.#held(
      `candles ${key}`,
      () => live,
      ({ time }) => time + lengthMs,
      key,
    )
    if (this.#isWarming && !this.#candles.has(key)) this.#candles.set(key, { symbol, interval, lengthMs, stream })
    return stream
  }

  reportedCandles(symbol: string): readonly ReportedCandles[] {
    return this.#options.adapter.reportedCandles(symbol)
  }

  earlierCandles(symbol: string, interval: CandleLength): EarlierCandles {
    const since = this.#sinceByKey.get(keyOf(symbol, interval))
    return since === undefined ? this.#options.source.earlierCandles(symbol, interval) : { since, candles: [] }
  }

  afterCandles(symbol: string, interval: CandleLength, time: number, action: () => void): void {
    if (this.#isWarming) this.#awaited.add({ key: keyOf(symbol, interval), symbol, interval, time, action })
    else this.#options.source.afterCandles(symbol, interval, time, action)
  }

  prices(symbol: string): Observable<Decimal> {
    return this.#options.adapter.prices(symbol)
  }

  gaps(symbol: string): Observable<MarketGap> {
    return this.#held(`gaps ${symbol}`, () => this.#options.adapter.gaps(symbol))
  }

  balances(): OwnBalances {
    return this.#options.adapter.balances()
  }

  openOrders(): readonly OwnOrder[] {
    return this.#options.adapter.openOrders()
  }

  lastPrice(symbol: string): Decimal | undefined {
    return this.#options.adapter.lastPrice(symbol)
  }

  place(placement: Placement, reply: (outcome: RequestOutcome) => void): void {
    this.#options.adapter.place(placement, reply)
  }

  cancel(orderId: string, reply: (outcome: RequestOutcome) => void): void {
    this.#options.adapter.cancel(orderId, reply)
  }

  after(delayMs: number, action: () => void): void {
    this.#options.adapter.after(delayMs, action)
  }

  at(time: number, action: () => void): void {
    this.#options.adapter.at(time, action)
  }

  close(): Promise<void> {
    return this.#options.adapter.close()
  }

  /** From now on everything is emitted when it arrives. */
  #goOn(): void {
    const { source } = this.#options
    for (let [first] = this.#later; first !== undefined; [first] = this.#later) {
      this.#later = this.#later.slice(1)
      const { time, key, report } = first
      // A candle of another market does not show that everything was emitted by then.
      if (time !== undefined && key !== undefined) this.#awaited.settle((each) => each.key === key && each.time < time)
      report()
    }
    this.#isWarming = false
    for (const { symbol, interval, time, action } of this.#awaited.take())
      source.afterCandles(symbol, interval, time, action)
  }

  /** Values that arrive during the replay are queued after it. */
  #held<T>(name: string, live: () => Observable<T>, timeOf?: (value: T) => number, key?: string): HotStream<T> {
    const known = this.#streams.get(name)
    if (known !== undefined) return known as HotStream<T>
    let isFollowed = false
    const stream = new HotStream<T>(() => {
      if (isFollowed) return
      isFollowed = true
      live().subscribe((value) => {
        const report = (): void => {
          stream.push(value)
        }
        if (this.#isWarming) this.#later.push({ time: timeOf?.(value), key, report })
        else report()
      })
    })
    this.#streams.set(name, stream)
    return stream
  }

  #pastTrades(symbol: string, stream: HotStream<MarketTrade>): readonly Shown[] {
    const { source, from } = this.#options
    const trades = source.recentTrades(symbol).filter(({ createdAt }) => createdAt >= from)
    return trades.map((trade) => ({
      time: trade.createdAt,
      key: undefined,
      report: () => {
        stream.push(trade)
      },
    }))
  }

  async #pastCandles({ symbol, interval, lengthMs, stream }: AskedCandles): Promise<readonly Shown[]> {
    const { source, from, enter, log } = this.#options
    const count = Math.ceil((this.now() - from) / lengthMs) + 1
    let why = ''
    try {
      await source.loadCandles(symbol, interval, count)
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      why = `: ${error.message}`
    }
    const { since, candles } = source.earlierCandles(symbol, interval)
    const past = candles.filter(({ time }) => time >= from)
    const first = past[0]?.time
    enter(() => {
      this.#sinceByKey.set(keyOf(symbol, interval), Math.max(since, openTimeOf(from + lengthMs - 1, lengthMs)))
      if (!this.#options.isNeeded(lengthMs) || (first !== undefined && first < from + lengthMs)) return
      const reach = first === undefined ? 'are missing' : `reach back only to ${isoTime(first)}`
      log(`warm-up: the ${interval} candles of ${symbol} ${reach}, not to ${isoTime(from)} as requested${why}`)
    })
    return past.map((candle) => ({
      time: candle.time + lengthMs,
      key: keyOf(symbol, interval),
      report: () => {
        stream.push(candle)
      },
    }))
  }
}

interface AwaitedEnd {
  /** Key of the market and the interval. */
  readonly key: string
  readonly symbol: string
  readonly interval: CandleLength
  /** Unix milliseconds. */
  readonly time: number
  readonly action: () => void
}

/** Actions that wait until every candle that closed by a given time was emitted, during a warm-up. */
class AwaitedCandles {
  #ends: readonly AwaitedEnd[] = []

  add(end: AwaitedEnd): void {
    const before = this.#ends.filter(({ time }) => time <= end.time)
    this.#ends = [...before, end, ...this.#ends.slice(before.length)]
  }

  /** Runs the due actions, earliest first, including those added by them. */
  settle(isDue: (end: AwaitedEnd) => boolean): void {
    for (let due = this.#ends.find(isDue); due !== undefined; due = this.#ends.find(isDue)) {
      const called = due
      this.#ends = this.#ends.filter((end) => end !== called)
      called.action()
    }
  }

  /** Removes and returns the remaining ends, earliest first. */
  take(): readonly AwaitedEnd[] {
    const ends = this.#ends
    this.#ends = []
    return ends
  }
}
