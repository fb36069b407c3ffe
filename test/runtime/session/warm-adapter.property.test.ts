/**
 * The past of a live market and its present, shown as one: each candle and each trade once, in order, however late the
 * service answers.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ExchangeAdapter } from '../../../src/adapter/exchange-adapter.ts'
import { candlesOf } from '../../../src/adapter/live/market-data/candle-repair.ts'
import { LiveMarketData } from '../../../src/adapter/live/market-data/live-market-data.ts'
import { ALL_CANDLE_INTERVALS, listedInterval } from '../../../src/domain/candle.ts'
import { ExchangeError } from '../../../src/domain/errors.ts'
import { candlesWord } from '../../../src/runtime/session/candles/candle-words.ts'
import { WarmAdapter } from '../../../src/runtime/session/warm-adapter.ts'
import type { MarketCandle } from '../../../src/strategy/market-data.ts'
import { MarketView } from '../../../src/strategy/market-view.ts'
import type { WireTrade } from '../../../src/wire/wire-trade.ts'
import { FakeLiveTime, START } from '../../adapter/live/rig/fake-live-time.ts'
import { market } from '../../exchange/rig/configs.ts'
import { runs } from '../../property/property.ts'

const BTC = 'BTC_USD'
const MINUTE = 60_000
const MARKET = new MarketView(market(BTC))

const never = (): never => {
  throw new Error('is not asked for')
}

interface Stage {
  readonly trades: readonly WireTrade[]
  readonly answerMs: number
  readonly isBroken: boolean
  readonly most: number
}

/** A session that begins at `START`, and its service. */
async function shown({ trades, answerMs, isBroken, most }: Stage, warmMinutes: number) {
  const time = new FakeLiveTime()
  const known = (): readonly WireTrade[] => trades.filter(({ createdAt }) => createdAt <= time.now())
  const later = async (): Promise<void> => {
    await new Promise<void>((resolve) => void time.after(answerMs, resolve))
  }
  const data = new LiveMarketData({
    markets: [MARKET],
    reads: {
      markets: () => Promise.resolve([MARKET]),
      trades: (_, limit) => Promise.resolve(known().slice(-limit).toReversed()),
      candles: async (symbol, interval, limit) => {
        const served = candlesOf(known(), symbol, interval).slice(-Math.min(limit, most))
        await later()
        if (isBroken) throw new ExchangeError('NO_ANSWER', 'it does not answer')
        return served
      },
      ticker: never,
    },
    time,
    random: () => 0.5,
  })
  data.watch(BTC)
  await time.until(data.start())
  const adapter = {
    markets: [MARKET],
    now: () => time.now(),
    trades: (symbol: string) => data.trades(symbol),
    reportedCandles: () =>
      Object.entries(ALL_CANDLE_INTERVALS).map(([interval, lengthMs]) => ({ interval, lengthMs, isAligned: true })),
  } as unknown as ExchangeAdapter
  const said: string[] = []
  const warm = new WarmAdapter({
    adapter,
    source: {
      candles: (symbol, interval) => data.candles(symbol, listedInterval(interval)),
      earlierCandles: (symbol, interval) => data.earlierCandles(symbol, listedInterval(interval)),
      afterCandles: (symbol, interval, end, action) => {
        data.afterCandles(symbol, listedInterval(interval), end, action)
      },
      loadCandles: (symbol, interval, count) => data.loadCandles(symbol, listedInterval(interval), count),
      recentTrades: (symbol) => data.recentTrades(symbol),
    },
    from: START - warmMinutes * MINUTE,
    isNeeded: () => true,
    enter: (action) => {
      time.enter(action)
    },
    log: (message) => void said.push(message),
  })
  const seen = { trades: [] as string[], minutes: [] as number[], twos: [] as number[], filled: [] as number[] }
  const order: number[] = []
  const candles = candlesWord(warm, () => undefined)
  const minutesTo = (list: number[]) => (candle: MarketCandle) => void list.push((candle.time - START) / MINUTE)
  const began: Promise<void>[] = []
  time.enter(() => {
    warm.trades(BTC).subscribe(({ id, createdAt }) => {
      seen.trades.push(id)
      order.push(createdAt)
    })
    candles(BTC, '1m').subscribe(minutesTo(seen.minutes))
    candles(BTC, '1m').subscribe((candle) => void order.push(candle.time + MINUTE))
    candles(BTC, '2m').subscribe(minutesTo(seen.twos))
    candles(BTC, '1m', { empty: 'fill' }).subscribe(minutesTo(seen.filled))
    began.push(warm.warmUp())
  })
  await time.pass(20 * MINUTE)
  await Promise.all(began)
  expect(warm.isWarming).toBe(false)
  data.close()
  return { seen, order, said }
}

const tradesOf = (seconds: readonly number[]): readonly WireTrade[] =>
  seconds
    .toSorted((a, b) => a - b)
    .map((second, index) => ({
      id: String(index),
      symbol: BTC,
      price: 100,
      qty: 1,
      isBuyerMaker: true,
      createdAt: START + second * 1_000,
      buyOrderId: '1',
      sellOrderId: '2',
      buyerId: 'a',
      sellerId: 'b',
    }))

const seconds = fc.array(fc.integer({ min: -40 * 60, max: 15 * 60 }), { minLength: 10, maxLength: 60, size: 'max' })

it('shows each candle and each trade once, in the order of time, with no gap at the seam', async () => {
  const reached = { before: 0, after: 0, empty: 0, during: 0 }
  await fc.assert(
    fc.asyncProperty(
      seconds,
      fc.constantFrom(0, 900, 90_000),
      fc.integer({ min: 5, max: 60 }),
      async (all, answerMs, ago) => {
        const trades = tradesOf(all)
        fc.pre((trades[0]?.createdAt ?? START) < START)
        const { seen, said } = await shown({ trades, answerMs, isBroken: false, most: 1_000 }, ago)
        const from = START - ago * MINUTE
        const expected = [...new Set(trades.map(({ createdAt }) => Math.floor((createdAt - START) / MINUTE)))].filter(
          (minute) => minute >= -ago,
        )
        expect(seen.minutes).toEqual(expected)
        expect(seen.trades).toEqual(trades.filter(({ createdAt }) => createdAt >= from).map(({ id }) => id))
        const [first = 0] = seen.minutes
        const last = seen.minutes.at(-1) ?? 0
        // From the first candle on there is one a minute.
        const whole = Array.from({ length: last - first + 1 }, (_, index) => first + index)
        expect(seen.filled.slice(0, whole.length)).toEqual(whole)
        const pairs = new Set(expected.map((minute) => Math.floor(minute / 2) * 2))
        expect(seen.twos).toEqual([...pairs].filter((minute) => minute >= -ago))
        expect(said.length).toBeLessThanOrEqual(1)
        if (expected.some((minute) => minute < 0)) reached.before += 1
        if (expected.some((minute) => minute > 0)) reached.after += 1
        if (whole.length > expected.length) reached.empty += 1
        if (answerMs > 1_000 && trades.some(({ createdAt }) => createdAt > START && createdAt < START + answerMs))
          reached.during += 1
      },
    ),
    { numRuns: runs(150) },
  )
  for (const [corner, times] of Object.entries(reached)) expect(times, corner).toBeGreaterThan(5)
})

const EACH_MINUTE = tradesOf(Array.from({ length: 50 }, (_, minute) => (minute - 40) * 60 + 30))

it('says how far the past reaches back where the service has less of it than was asked for', async () => {
  const { seen, said } = await shown({ trades: EACH_MINUTE, answerMs: 0, isBroken: false, most: 1_000 }, 60)
  expect(seen.minutes[0]).toBe(-40)
  expect(said).toEqual([
    'warm-up: the 1m candles of BTC_USD reach back only to 2023-12-31T23:20:00.000Z, not to 2023-12-31T23:00:00.000Z as requested',
  ])
})

it('begins with what is known where the past cannot be read, and says why', async () => {
  const { seen, said } = await shown({ trades: EACH_MINUTE, answerMs: 500, isBroken: true, most: 1_000 }, 60)
  // Of the trades that were known anyway.
  expect(seen.minutes).toContain(-5)
  expect(said[0]).toContain(': it does not answer')
})
