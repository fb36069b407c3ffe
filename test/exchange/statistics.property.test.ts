/**
 * Tickers and candles of thousands of trades, kept up to date by the exchange, beside the twin's scan of all of them; a
 * few times the exchange goes on from its own snapshot.
 *
 * Long enough for whatever grows, wraps or is thrown away inside to do so. `PROPERTY_SEED=random PROPERTY_TIMES=25`
 * looks elsewhere and longer.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CANDLE_INTERVAL_NAMES } from '../../src/domain/candle.ts'
import { TICKER_WINDOW_MS } from '../../src/domain/ticker.ts'
import { createExchange } from '../../src/exchange/create-exchange.ts'
import type { ExchangeSnapshot } from '../../src/exchange/snapshot/exchange-snapshot.ts'
import type { Print, SnapshotExchange } from '../../src/exchange/exchange.ts'
import { restoreExchange } from '../../src/exchange/restore-exchange.ts'
import { runs } from '../property/property.ts'
import { createNaiveExchange } from '../twin/naive-exchange.ts'
import { KEEP_ALL, oneMarket } from './rig/configs.ts'

/** Fewer do not see every corner. */
const RUNS = Math.max(8, runs(8))
/** More than two of whatever the exchange keeps trades in. */
const TRADES = 9_000
const FIRST_PRICE = 100_000

type Shape = (last: number, noise: number) => number

/** How the price moves from one trade to the next; `noise` is 0 to 1023. */
const SHAPES = {
  random: (_last: number, noise: number) => 1 + noise,
  walking: (last: number, noise: number) => Math.max(1, last + (noise % 3) - 1),
  rising: (last: number, noise: number) => last + 1 + (noise % 2),
  falling: (last: number, noise: number) => Math.max(1, last - 1 - (noise % 2)),
  enormous: (_last: number, noise: number) => Number.MAX_SAFE_INTEGER - noise,
} satisfies Record<string, Shape>

/** Mean time between trades: with 20 s a day holds all of them, with a minute 1440, with an hour 24. */
const PACES_MS = [10, 1_000, 20_000, 60_000, 120_000, 3_600_000] as const

/** A part of a tape; the parts of one tape are of the same length. */
interface Phase {
  readonly shape: Shape
  readonly paceMs: number
}

const phase: fc.Arbitrary<Phase> = fc.record({
  shape: fc.constantFrom<Shape>(...Object.values(SHAPES)),
  paceMs: fc.constantFrom(...PACES_MS),
})

const tape = fc
  .record({
    phases: fc.array(phase, { minLength: 1, maxLength: 4 }),
    noise: fc.array(fc.nat(2 ** 30 - 1), { minLength: TRADES, maxLength: TRADES, size: 'max' }),
  })
  .map(({ phases, noise }) => printsOf(phases, noise))

/** Takes ten bits of the noise each for time, price and quantity. */
function printsOf(phases: readonly Phase[], noise: readonly number[]): readonly Print[] {
  let time = Date.UTC(2025, 0, 1)
  let price = FIRST_PRICE
  return noise.map((bits, index) => {
    const { shape, paceMs } = phases[Math.floor((index * phases.length) / noise.length)] ?? {
      shape: SHAPES.random,
      paceMs: 1,
    }
    time += Math.floor(((bits % 1024) * paceMs) / 512)
    price = shape(price, (bits >> 10) % 1024)
    return { symbol: 'BTC_USD', time, price, qty: 1 + (bits >> 20), isBuyerMaker: bits % 2 === 0 }
  })
}

const corners = { 'more than 5000 trades in a day': 0, 'a day forgets more than 5000 trades': 0, 'an idle day': 0 }

const restored = (exchange: SnapshotExchange): SnapshotExchange =>
  restoreExchange(JSON.parse(JSON.stringify(exchange.snapshot())) as ExchangeSnapshot)

function compare(prints: readonly Print[], kept: number): void {
  const config = { ...oneMarket(), history: { ...KEEP_ALL, trades: kept, candles: kept } }
  let exchange = createExchange(config)
  const twin = createNaiveExchange(config)
  const compareTickers = (now: number): void => {
    expect(exchange.ticker('BTC_USD', now)).toStrictEqual(twin.ticker('BTC_USD', now))
  }
  prints.forEach((print, index) => {
    exchange.print(print)
    twin.print(print)
    // Sometimes often, sometimes not for long: what is only written down until it is read must not be lost.
    if (index % 3_100 === 3_099) exchange = restored(exchange)
    if (index % 200 > 3 && index % 1_700 !== 0) return
    const nextTime = prints[index + 1]?.time ?? print.time
    const now = index % 3 === 0 ? print.time : Math.max(print.time, nextTime - index)
    compareTickers(now)
    const inDay = prints.slice(0, index + 1).filter(({ time }) => time > now - TICKER_WINDOW_MS).length
    if (inDay > 5000) corners['more than 5000 trades in a day'] += 1
    if (index - inDay > 5000) corners['a day forgets more than 5000 trades'] += 1
  })
  expect(exchange.trades('BTC_USD', 500)).toStrictEqual(twin.trades('BTC_USD', 500))
  for (const interval of CANDLE_INTERVAL_NAMES) {
    const query = { interval, limit: 300 }
    expect(exchange.candles('BTC_USD', query)).toStrictEqual(twin.candles('BTC_USD', query))
  }
  const idle = (prints.at(-1)?.time ?? 0) + TICKER_WINDOW_MS
  compareTickers(idle)
  if (twin.ticker('BTC_USD', idle).volume === 0n) corners['an idle day'] += 1
}

describe('statistics of thousands of trades', () => {
  it.each(['rising', 'falling'] as const)('prices %s for days: every trade is an extreme once', (name) => {
    const noise = Array.from({ length: TRADES }, (_, index) => (index * 48_271) % 2 ** 30)
    compare(printsOf([{ shape: SHAPES[name], paceMs: 60_000 }], noise), 100)
  })

  it('tickers, trades and candles are what a scan of every trade gives', () => {
    const law = fc.property(tape, fc.constantFrom(1, 3, 100, Infinity), compare)
    fc.assert(law, { numRuns: RUNS, endOnFailure: true })
    expect(Object.entries(corners).filter(([, count]) => count === 0)).toEqual([])
  })
})
