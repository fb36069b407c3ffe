/**
 * Candles of every interval (decisions 2 and 3).
 */
import { describe, expect, it } from 'vitest'
import { ALL_CANDLE_INTERVALS, CANDLE_INTERVAL_NAMES } from '../../src/domain/candle.ts'
import type { CandleInterval } from '../../src/domain/candle.ts'
import { KEEP_ALL, oneMarket } from './rig/configs.ts'
import { implementations } from './rig/implementations.ts'
import { script } from './rig/script-test.ts'
import { START } from './rig/transcript.ts'

describe('decision 3: candles', () => {
  script(
    'decision 3: open, high, low and close in the order of the trades, an interval without a trade has none',
    oneMarket({ pricePrecision: 1, qtyPrecision: 1 }),
    `
    BTC_USD candles 1m           | none
    BTC_USD prints buy 1 at 10   | trade 1
    BTC_USD prints buy 0.5 at 12 | trade 2
    wait 59999ms                 |
    BTC_USD prints buy 1 at 9    | trade 3
    BTC_USD prints buy 1 at 11   | trade 4
    wait 2m                      |
    BTC_USD prints buy 2 at 7.5  | trade 5
    BTC_USD candles 1m           | 1 00:00:00.000 10.0 12.0 9.0 11.0 x 3.5, 1 00:02:00.000 7.5 7.5 7.5 7.5 x 2
    BTC_USD candles 5m           | 1 00:00:00.000 10.0 12.0 7.5 7.5 x 5.5
    `,
  )

  script(
    'decision 2: time is the opening time; a trade at the boundary belongs to the next interval',
    oneMarket(),
    `
    wait 59999ms                 |
    BTC_USD prints buy 1 at 10   | trade 1
    wait 1ms                     |
    BTC_USD prints buy 1 at 20   | trade 2
    BTC_USD candles 1m           | 1 00:00:00.000 10 10 10 10 x 1, 1 00:01:00.000 20 20 20 20 x 1
    `,
  )

  script(
    'decision 3: the running interval is the last one, and days open at midnight UTC',
    oneMarket(),
    `
    wait 23h                     |
    BTC_USD prints buy 1 at 10   | trade 1
    wait 2h                      |
    BTC_USD prints buy 1 at 20   | trade 2
    BTC_USD candles 1d           | 1 00:00:00.000 10 10 10 10 x 1, 2 00:00:00.000 20 20 20 20 x 1
    BTC_USD candles 4h           | 1 20:00:00.000 10 10 10 10 x 1, 2 00:00:00.000 20 20 20 20 x 1
    `,
  )

  describe.each(implementations)('$name', ({ create }) => {
    it.each(CANDLE_INTERVAL_NAMES)('decision 3: interval %s', (interval) => {
      const exchange = create(oneMarket())
      const length = ALL_CANDLE_INTERVALS[interval]
      const at = (time: number, price: number) =>
        exchange.print({ symbol: 'BTC_USD', time, price, qty: 1, isBuyerMaker: false })
      at(START, 5)
      at(START + length - 1, 7)
      at(START + length, 6)
      const candles = exchange.candles('BTC_USD', { interval, limit: 10 })
      expect(candles).toEqual([
        { time: START, symbol: 'BTC_USD', open: 5, high: 7, low: 5, close: 7, volume: 2n },
        { time: START + length, symbol: 'BTC_USD', open: 6, high: 6, low: 6, close: 6, volume: 1n },
      ])
    })

    /** Opening minutes of the candles; there are trades in the minutes 0, 1, 3, 4 and 6. */
    const minutes = (query: { from?: number; to?: number; limit: number }, kept = Infinity): number[] => {
      const exchange = create({ ...oneMarket(), history: { ...KEEP_ALL, candles: kept } })
      for (const minute of [0, 1, 3, 4, 6]) {
        exchange.print({ symbol: 'BTC_USD', time: minute * 60_000 + 30_000, price: 5, qty: 1, isBuyerMaker: false })
      }
      const interval: CandleInterval = '1m'
      return exchange.candles('BTC_USD', { interval, ...query }).map(({ time }) => time / 60_000)
    }

    it.each`
      query                                         | expected           | why
      ${{ limit: 500 }}                             | ${[0, 1, 3, 4, 6]} | ${'chronological'}
      ${{ limit: 2 }}                               | ${[4, 6]}          | ${'the newest ones'}
      ${{ limit: 0 }}                               | ${[]}              | ${'none asked for'}
      ${{ from: 60_000, limit: 500 }}               | ${[1, 3, 4, 6]}    | ${'from is inclusive'}
      ${{ from: 60_001, limit: 500 }}               | ${[3, 4, 6]}       | ${'from compares with the opening time'}
      ${{ to: 240_000, limit: 500 }}                | ${[0, 1, 3]}       | ${'to is exclusive'}
      ${{ to: 240_001, limit: 500 }}                | ${[0, 1, 3, 4]}    | ${'to compares with the opening time'}
      ${{ from: 60_000, to: 300_000, limit: 2 }}    | ${[3, 4]}          | ${'the newest of the range'}
      ${{ from: 120_000, to: 180_000, limit: 500 }} | ${[]}              | ${'a range between candles'}
      ${{ from: 600_000, limit: 500 }}              | ${[]}              | ${'a range after all of them'}
      ${{ from: -600_000, to: 0, limit: 500 }}      | ${[]}              | ${'a range before all of them'}
      ${{ from: 300_000, to: 60_000, limit: 500 }}  | ${[]}              | ${'a range that ends before it begins'}
    `('decision 3: $query -> $expected: $why', ({ query, expected }) => {
      expect(minutes(query)).toEqual(expected)
    })

    it.each`
      kept  | expected
      ${1}  | ${[6]}
      ${3}  | ${[3, 4, 6]}
      ${99} | ${[0, 1, 3, 4, 6]}
    `('history.candles $kept keeps the newest, the running one included: $expected', ({ kept, expected }) => {
      expect(minutes({ limit: 500 }, kept)).toEqual(expected)
    })
  })
})
