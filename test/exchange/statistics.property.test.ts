/**
 * Tickers and candles of thousands of trades, kept up to date by the exchange, beside the twin's scan of all of them.
 *
 * Repeatable as twin.property.test.ts is. Long enough for whatever grows, wraps or is thrown away inside to do so.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CANDLE_INTERVAL_NAMES } from '../../src/domain/candle.ts'
import { TICKER_WINDOW_MS } from '../../src/domain/ticker.ts'
import { createExchange } from '../../src/exchange/create-exchange.ts'
import type { Print } from '../../src/exchange/exchange.ts'
import { createNaiveExchange } from '../twin/naive-exchange.ts'
import { KEEP_ALL, oneMarket } from './configs.ts'

const SEED = Number(process.env['PROPERTY_SEED'] ?? 20_250_101)
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 400) / 40
const TRADES = 4_000
const TIMEOUT_MS = 600_000

/** How the price moves from one trade to the next; `noise` is 0 to 1023. */
const SHAPES = {
  random: (_last: number, noise: number) => 1 + noise,
  walking: (last: number, noise: number) => Math.max(1, last + (noise % 3) - 1),
  rising: (last: number, noise: number) => last + (noise % 2),
  falling: (last: number, noise: number) => Math.max(1, last - (noise % 2)),
  enormous: (_last: number, noise: number) => Number.MAX_SAFE_INTEGER - noise,
} as const

const FIRST_PRICE = 100_000

/** Mean time between trades: with 20 s a day holds them all, with 2 min 720 of them, with 1 h 24. */
const PACES_MS = [10, 1_000, 20_000, 60_000, 120_000, 3_600_000] as const

const tape = fc
  .record({
    phases: fc.array(
      fc.record({ shape: fc.constantFrom(...Object.values(SHAPES)), pace: fc.constantFrom(...PACES_MS) }),
      { minLength: 1, maxLength: 4 },
    ),
    noise: fc.array(fc.nat(2 ** 30 - 1), { minLength: TRADES, maxLength: TRADES, size: 'max' }),
    kept: fc.constantFrom(1, 3, 100, Infinity),
  })
  .map(({ phases, noise, kept }) => ({ prints: noise.map(printsIn(phases)), kept }))

/** Ten bits of the noise each for time, price and quantity. */
function printsIn(phases: readonly { shape: (last: number, noise: number) => number; pace: number }[]) {
  let time = Date.UTC(2025, 0, 1)
  let price = FIRST_PRICE
  return (noise: number, index: number): Print => {
    const { shape, pace } = phases[Math.floor((index * phases.length) / TRADES)] ?? { shape: SHAPES.random, pace: 1 }
    time += Math.floor(((noise % 1024) * pace) / 512)
    price = shape(price, (noise >> 10) % 1024)
    return { symbol: 'BTC_USD', time, price, qty: 1 + (noise >> 20), isBuyerMaker: noise % 2 === 0 }
  }
}

describe('statistics of many trades', () => {
  it(
    'are what a scan of all of them gives',
    () => {
      const corners = {
        'more than 2048 trades in a day': 0,
        'a day forgets more than 1024 trades': 0,
        'an idle day': 0,
      }
      const law = fc.property(tape, ({ prints, kept }) => {
        const config = { ...oneMarket(), history: { ...KEEP_ALL, trades: kept, candles: kept } }
        const exchange = createExchange(config)
        const twin = createNaiveExchange(config)
        prints.forEach((print, index) => {
          exchange.print(print)
          twin.print(print)
          // Sometimes often, sometimes not for long: what is only written down until it is read must not be lost.
          if (index % 100 > 5 && index % 1_700 !== 0) return
          const later = print.time + (index % 3 === 0 ? 0 : index)
          if (later > (prints[index + 1]?.time ?? later)) return
          expect(exchange.ticker('BTC_USD', later)).toStrictEqual(twin.ticker('BTC_USD', later))
          const inDay = prints.slice(0, index + 1).filter(({ time }) => time > later - TICKER_WINDOW_MS).length
          corners['more than 2048 trades in a day'] += inDay > 2048 ? 1 : 0
          corners['a day forgets more than 1024 trades'] += index - inDay > 1024 ? 1 : 0
        })
        expect(exchange.trades('BTC_USD', 500)).toStrictEqual(twin.trades('BTC_USD', 500))
        for (const interval of CANDLE_INTERVAL_NAMES) {
          const query = { interval, limit: 300 }
          expect(exchange.candles('BTC_USD', query)).toStrictEqual(twin.candles('BTC_USD', query))
        }
        const idle = (prints.at(-1)?.time ?? 0) + TICKER_WINDOW_MS
        expect(exchange.ticker('BTC_USD', idle)).toStrictEqual(twin.ticker('BTC_USD', idle))
        corners['an idle day'] += twin.ticker('BTC_USD', idle).volume === 0n ? 1 : 0
      })
      fc.assert(law, { seed: SEED, numRuns: RUNS, endOnFailure: true })
      expect(Object.entries(corners).filter(([, count]) => count === 0)).toEqual([])
    },
    TIMEOUT_MS,
  )
})
