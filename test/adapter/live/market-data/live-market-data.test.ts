import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { describe, expect, it } from 'vitest'
import { LiveMarketData } from '../../../../src/adapter/live/market-data/live-market-data.ts'
import type { MarketDataSettings } from '../../../../src/adapter/live/market-data/market-data-settings.ts'
import { tradeStream } from '../../../../src/adapter/live/stream/stream-codec.ts'
import type { StreamConnection, StreamListener } from '../../../../src/adapter/live/stream/stream-connection.ts'
import { ExchangeError } from '../../../../src/domain/errors.ts'
import { CANDLE_INTERVAL_NAMES, type Candle, type CandleInterval } from '../../../../src/domain/candle.ts'
import { CandleHistory } from '../../../../src/exchange/statistics/candle-history.ts'
import { TradeLog } from '../../../../src/exchange/statistics/trade-log.ts'
import { EVENT_KIND } from '../../../../src/simulation/event-queue.ts'
import type { MarketCandle } from '../../../../src/strategy/market-data.ts'
import { MarketView } from '../../../../src/strategy/market-view.ts'
import type { WireTrade } from '../../../../src/wire/wire-trade.ts'
import { market as configOf } from '../../../exchange/rig/configs.ts'
import { FakeLiveTime, START } from '../rig/fake-live-time.ts'
import { GOOD, SYMBOL, tradeAt, TradeAdversary } from './rig/trade-adversary.ts'

const MARKET = new MarketView(configOf(SYMBOL, { pricePrecision: 2, qtyPrecision: 4 }))

/** A stream that a test opens and loses. */
class HandStream implements StreamConnection {
  readonly streams = new Set<string>()
  listener: StreamListener | undefined
  isClosed = false

  open(listener: StreamListener): void {
    this.listener = listener
  }

  subscribe(stream: string): void {
    this.streams.add(stream)
  }

  close(): void {
    this.isClosed = true
  }

  connect(): void {
    this.listener?.onOpen()
    for (const stream of this.streams) this.listener?.onSubscribed(stream)
  }

  lose(): void {
    this.listener?.onLost('cut')
  }
}

const jsonOf = (trade: WireTrade): object => ({
  ...trade,
  price: (trade.price / 100).toFixed(2),
  qty: (trade.qty / 10_000).toFixed(4),
})

const randomOf = (seed: number): (() => number) => {
  const generator = xoroshiro128plus(seed)
  return () => uniformFloat64(generator)
}

class Session {
  readonly time = new FakeLiveTime()
  readonly market: TradeAdversary
  readonly stream = new HandStream()
  readonly log: string[] = []
  readonly data: LiveMarketData
  readonly #served = new TradeLog()
  readonly #candles = new CandleHistory(SYMBOL, Number.POSITIVE_INFINITY, this.#served)
  #recorded = 0

  constructor(settings: Partial<MarketDataSettings> = {}, random: () => number = randomOf(1)) {
    const { stream, time } = this
    const market = new TradeAdversary(time, random, GOOD)
    this.market = market
    this.data = new LiveMarketData({
      markets: [MARKET],
      reads: {
        markets: () => Promise.resolve([MARKET]),
        trades: market.trades,
        candles: (_symbol, interval, limit) => Promise.resolve(this.candles(interval, limit)),
        ticker: () => Promise.reject(new ExchangeError('NO_ANSWER', 'none', { isRetryable: true })),
      },
      stream,
      time,
      random: () => 0.5,
      settings,
      onWarning: (message) => this.log.push(`warning ${message}`),
    })
  }

  /** As the service has them, by the exchange's own reckoning. */
  candles(interval: CandleInterval, limit = Number.POSITIVE_INFINITY): readonly Candle[] {
    for (const { createdAt, price, qty } of this.market.truth.slice(this.#recorded)) {
      this.#served.append(createdAt, price, qty)
    }
    this.#recorded = this.market.truth.length
    return this.#candles.read({ interval, limit })
  }

  connect(): void {
    this.stream.connect()
    this.market.connect((trade) => {
      this.stream.listener?.onMessage({ stream: tradeStream(SYMBOL), data: jsonOf(trade) })
    })
  }

  lose(): void {
    this.market.disconnect()
    this.stream.lose()
  }
}

const exactOf = (candle: MarketCandle): Candle => ({
  time: candle.time,
  symbol: candle.symbol,
  open: candle.open.times(100).toNumber(),
  high: candle.high.times(100).toNumber(),
  low: candle.low.times(100).toNumber(),
  close: candle.close.times(100).toNumber(),
  volume: BigInt(candle.volume.times(10_000).toFixed(0)),
})

const candleText = (candle: Candle): string =>
  [candle.time, candle.open, candle.high, candle.low, candle.close, candle.volume].join(' ')

describe('live market data', () => {
  it('reports a trade of a stream in order at once, and every one', async () => {
    const session = new Session()
    const { data, time, market, log } = session
    data.trades(SYMBOL).subscribe(({ id, createdAt }) => log.push(`${time.now() - createdAt} ${id}`))
    data.gaps(SYMBOL).subscribe(() => log.push('gap'))
    market.trade(5)
    const started = data.start()
    session.connect()
    await time.until(started)
    await time.pass(1_000)
    expect(data.state).toBe('connected')
    expect(data.lastPrice(SYMBOL)?.toFixed(2)).toBe(((market.truth[4]?.price ?? 0) / 100).toFixed(2))
    for (let each = 0; each < 200; each += 1) {
      market.trade(3)
      await time.pass(100)
    }
    expect(log).toEqual(market.truth.slice(5).map(({ id }) => `0 ${id}`))
    expect(data.health().bySymbol.get(SYMBOL)).toMatchObject({ source: 'stream', reported: 600, gaps: 0, missed: 0 })
  })

  it('fills what a lost connection missed, and says what can no longer be filled before what is behind it', async () => {
    const session = new Session()
    const { data, time, market, log } = session
    data.trades(SYMBOL).subscribe(({ id }) => log.push(id))
    data.gaps(SYMBOL).subscribe(({ from, to }) => log.push(`gap ${from - START} ${to - START}`))
    const states: string[] = []
    data.state$.subscribe((state) => states.push(state))
    const started = data.start()
    session.connect()
    await time.until(started)
    await time.pass(1_000)
    market.trade()
    session.lose()
    market.trade(300)
    await time.pass(5_000)
    session.connect()
    await time.pass(5_000)
    expect(log.filter((text) => !text.startsWith('warning'))).toEqual(market.truth.map(({ id }) => id))
    log.length = 0
    session.lose()
    await time.pass(100)
    market.badness = { ...GOOD, fail: 1 }
    market.trade(200)
    await time.pass(1_000)
    market.trade(501)
    market.badness = GOOD
    session.connect()
    await time.pass(60_000)
    const reported = log.filter((text) => !text.startsWith('warning'))
    expect(reported).toEqual([
      ...reported.filter((text) => text.startsWith('gap')),
      ...market.truth.slice(-500).map(({ id }) => id),
    ])
    expect(reported.filter((text) => text.startsWith('gap'))).toHaveLength(1)
    expect(log.filter((text) => text.startsWith('warning the stream'))).toHaveLength(1)
    expect(states.at(-1)).toBe('connected')
    expect(states).toContain('disconnected')
  })

  it('polls where the service has no such stream', async () => {
    const { data, time, market, stream, log } = new Session()
    data.trades(SYMBOL).subscribe(({ id }) => log.push(id))
    const started = data.start()
    stream.listener?.onOpen()
    stream.listener?.onRefused(tradeStream(SYMBOL), 'none here')
    await time.until(started)
    market.trade(3)
    await time.pass(2_500)
    expect(log.slice(1)).toEqual(market.truth.map(({ id }) => id))
    expect(data.health()).toMatchObject({ state: 'connected' })
    expect(data.health().bySymbol.get(SYMBOL)?.source).toBe('polled')
  })

  it('leaves out messages that are no trade, and says so once', async () => {
    const session = new Session()
    const { data, time, market, stream, log } = session
    data.trades(SYMBOL).subscribe(({ id }) => log.push(id))
    const started = data.start()
    session.connect()
    await time.until(started)
    const good = jsonOf({ ...(market.truth[0] ?? tradeAt(0, START)) })
    const hostile = [
      null,
      7,
      [],
      {},
      { ...good, price: '1e5' },
      { ...good, symbol: 'ETH_USD' },
      { ...good, createdAt: '1' },
    ]
    for (const data of hostile) stream.listener?.onMessage({ stream: tradeStream(SYMBOL), data })
    stream.listener?.onMessage({ stream: 'boo', data: good })
    market.trade()
    await time.pass(1_000)
    expect(data.health().unreadable).toBe(hostile.length + 1)
    expect(log.filter((text) => !text.startsWith('warning'))).toEqual([market.truth[0]?.id])
    expect(log.filter((text) => text.startsWith('warning'))).toHaveLength(1)
  })

  it('does not start on a service that it cannot read', async () => {
    const time = new FakeLiveTime()
    const refuse = (): Promise<never> => Promise.reject(new ExchangeError('MARKET_NOT_FOUND', 'no market'))
    const reads = { markets: refuse, trades: refuse, candles: refuse, ticker: refuse }
    const data = new LiveMarketData({ markets: [MARKET], reads, time, random: () => 0.5 })
    data.watch(SYMBOL)
    await expect(time.until(data.start())).rejects.toThrow('no market')
    data.close()
    expect(time.queue.nextTime === Number.POSITIVE_INFINITY || data.state === 'closed').toBe(true)
  })
})

describe('candles of a live market', () => {
  it('a trade at the boundary is reported before the candle that ends there, the next one after it', async () => {
    const session = new Session({ closeAfterMs: 0 })
    const { data, time, market, log } = session
    data.trades(SYMBOL).subscribe(({ createdAt }) => log.push(`trade ${createdAt - START}`))
    data.candles(SYMBOL, '1s').subscribe((candle) => log.push(`candle ${candle.time - START} at ${time.now() - START}`))
    const started = data.start()
    session.connect()
    await time.until(started)
    for (const at of [500, 1_000, 1_001, 2_500, 4_000]) {
      // Ahead of the timers of that moment, as a lock-step run has it.
      time.at(START + at, EVENT_KIND.data, () => market.trade())
    }
    await time.pass(6_000)
    expect(log).toEqual([
      'trade 500',
      'trade 1000',
      'candle 0 at 1000',
      'trade 1001',
      'candle 1000 at 2000',
      'trade 2500',
      'candle 2000 at 3000',
      'trade 4000',
      'candle 4000 at 5000',
    ])
  })

  it("are the exchange's own, each once and in order, over seams, lost connections and gaps", async () => {
    let compared = 0
    let repaired = 0
    for (let seed = 1; seed <= 60; seed += 1) {
      const random = randomOf(seed)
      const session = new Session({}, random)
      const { data, time, market, log } = session
      const reported = new Map<CandleInterval, Candle[]>(CANDLE_INTERVAL_NAMES.map((interval) => [interval, []]))
      const some = async (steps: number): Promise<void> => {
        for (let step = 0; step < steps; step += 1) {
          if (random() < 0.8) market.trade(1 + Math.floor(random() * 5))
          await time.pass(Math.floor(random() * 3_000))
        }
      }
      market.trade(Math.floor(random() * 700))
      await some(30)
      for (const interval of CANDLE_INTERVAL_NAMES) {
        data.candles(SYMBOL, interval).subscribe((candle) => {
          reported.get(interval)?.push(exactOf(candle))
        })
      }
      const started = data.start()
      session.connect()
      await time.until(started)
      const begun = time.now()
      for (let round = 0; round < 3; round += 1) {
        await some(40)
        session.lose()
        if (random() < 0.5) {
          market.badness = { ...GOOD, fail: 1 }
          market.trade(600)
          repaired += 1
        }
        await some(10)
        market.badness = GOOD
        session.connect()
      }
      await some(30)
      await time.pass(120_000)
      for (const [interval, candles] of reported) {
        const times = candles.map((candle) => candle.time)
        expect(times, `seed ${seed} ${interval}`).toEqual([...new Set(times)].sort((one, other) => one - other))
        const own = new Map(session.candles(interval).map((candle) => [candle.time, candleText(candle)]))
        for (const candle of candles) expect(candleText(candle), `seed ${seed} ${interval}`).toBe(own.get(candle.time))
        compared += candles.length
        if (interval !== '1m') continue
        // Of an interval that the service serves none is left out.
        const over = session
          .candles(interval)
          .filter((candle) => candle.time >= begun && candle.time + 60_000 < time.now())
        const missing = over.filter((candle) => !times.includes(candle.time))
        expect(
          missing.map((candle) => candle.time),
          `seed ${seed}: ${log.join('; ')}`,
        ).toEqual([])
      }
      data.close()
    }
    expect(compared).toBeGreaterThan(1_000)
    expect(repaired).toBeGreaterThan(10)
  })
})
