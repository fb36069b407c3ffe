/**
 * With no order of ours a replay prints exactly the tape, and the statistics that follow from it.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ALL_CANDLE_INTERVALS, CANDLE_INTERVAL_NAMES, type Candle } from '../../../src/domain/candle.ts'
import type { Ticker } from '../../../src/domain/ticker.ts'
import type { Exchange } from '../../../src/exchange/exchange.ts'
import { KEEP_ALL, market } from '../../exchange/rig/configs.ts'
import { createNaiveExchange } from '../../twin/naive-exchange.ts'
import { MarketStage } from '../rig/market-stage.ts'
import { memoryTape, type RecordedRow } from '../rig/memory-tape.ts'
import { runs } from '../../property/property.ts'

const SYMBOLS = ['BTC_USD', 'ETH_USD'] as const
const DAY = 86_400_000
/** So that trades share a millisecond, sit on boundaries, and fall out of the window of a day. */
const STEPS = [0, 0, 0, 1, 999, 1_000, 59_999, 60_000, 3_600_000, DAY - 1, DAY] as const

interface RandomTape {
  readonly symbol: string
  readonly rows: readonly RecordedRow[]
  readonly blockRows: number
}

const side = fc.constantFrom('buy', 'sell', undefined)
const row = fc.tuple(fc.constantFrom(...STEPS), fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 9 }), side)

const randomTape: fc.Arbitrary<RandomTape> = fc
  .record({
    symbol: fc.constantFrom(...SYMBOLS),
    steps: fc.array(row, { maxLength: 25, size: 'max' }),
    blockRows: fc.integer({ min: 1, max: 7 }),
    hasSides: fc.boolean(),
  })
  .map(({ symbol, steps, blockRows, hasSides }) => {
    let time = 0
    const rows = steps.map(([step, price, qty, given]): RecordedRow => {
      time += step
      return given === undefined || !hasSides ? [time, price, qty] : [time, price, qty, given]
    })
    return { symbol, rows, blockRows }
  })

interface Printed {
  readonly symbol: string
  readonly time: number
  readonly price: number
  readonly qty: number
  readonly isBuyerMaker: boolean
}

/** All rows in one list, sorted by time, ties by tape; sides by what the trade before it in its market says. */
function naivePrints(tapes: readonly RandomTape[]): readonly Printed[] {
  const all = tapes.flatMap(({ symbol, rows }) => rows.map((each) => ({ symbol, each })))
  all.sort((a, b) => a.each[0] - b.each[0])
  const last = new Map<string, Printed>()
  return all.map(({ symbol, each: [time, price, qty, given] }) => {
    const before = last.get(symbol)
    const sameOrLower = before !== undefined && (price === before.price ? before.isBuyerMaker : price < before.price)
    const print = { symbol, time, price, qty, isBuyerMaker: given === undefined ? sameOrLower : given === 'sell' }
    last.set(symbol, print)
    return print
  })
}

interface Statistics {
  readonly tickers: readonly Ticker[]
  readonly candles: readonly (readonly Candle[])[]
}

/** Candles of every interval as they are in the end. */
const allCandles = (exchange: Exchange): readonly (readonly Candle[])[] =>
  SYMBOLS.flatMap((symbol) =>
    CANDLE_INTERVAL_NAMES.map((interval) => exchange.candles(symbol, { interval, limit: Infinity })),
  )

/** From the twin, which scans all trades for each answer. */
function naiveStatistics(prints: readonly Printed[]): Statistics {
  const twin = createNaiveExchange({
    markets: SYMBOLS.map((symbol) => market(symbol)),
    quoteAsset: 'USD',
    history: KEEP_ALL,
  })
  const tickers = prints.map((print) => {
    twin.print(print)
    return twin.ticker(print.symbol, print.time)
  })
  return { tickers, candles: allCandles(twin) }
}

it('prints every row of every tape once, in the order of time, and tickers and candles that follow from them', async () => {
  const reached = {
    'two tapes at one moment': 0,
    'two tapes of one market': 0,
    'side by the tick rule': 0,
    'recorded side': 0,
  }
  const closed = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(randomTape, { minLength: 1, maxLength: 3 }), async (tapes) => {
      const expected = naivePrints(tapes)
      const stage = new MarketStage({ markets: SYMBOLS.map((symbol) => market(symbol)) })
      const tickers: Ticker[] = []
      const candles = new Map<string, Candle[]>()
      for (const symbol of SYMBOLS) {
        stage.simulated.listen(symbol, {
          onTrade: ({ createdAt }) => void tickers.push(stage.exchange.ticker(symbol, createdAt)),
        })
        for (const interval of CANDLE_INTERVAL_NAMES) {
          const reported: Candle[] = []
          candles.set(`${symbol} ${interval}`, reported)
          stage.simulated.watchCandles(symbol, interval, (candle) => {
            expect(stage.queue.now()).toBe(candle.time + ALL_CANDLE_INTERVALS[interval])
            closed.add(interval)
            reported.push(candle)
          })
        }
      }
      await stage.play(
        tapes.map(({ symbol, rows, blockRows }) => memoryTape(rows, { symbol, blockRows })),
        { end: (expected.at(-1)?.time ?? 0) + 2 * DAY },
      )

      expect(stage.trades.map(({ id }) => id)).toEqual(expected.map((_, index) => index + 1))
      expect(
        stage.trades.map(({ symbol, createdAt: time, price, qty, isBuyerMaker }) => ({
          symbol,
          time,
          price,
          qty,
          isBuyerMaker,
        })),
      ).toEqual(expected)
      const naive = naiveStatistics(expected)
      expect(tickers).toEqual(naive.tickers)
      expect(allCandles(stage.exchange)).toEqual(naive.candles)
      expect([...candles.values()]).toEqual(naive.candles)
      expect(stage.events).toEqual([])
      for (const line of stage.exchange.audit()) expect(line).toMatchObject({ credited: 0n, held: 0n, fees: 0n })

      const moments = tapes.flatMap(({ rows }) => [...new Set(rows.map(([time]) => time))])
      if (new Set(moments).size < moments.length) reached['two tapes at one moment'] += 1
      if (new Set(tapes.map(({ symbol }) => symbol)).size < tapes.length) reached['two tapes of one market'] += 1
      for (const { rows } of tapes) {
        for (const [, , , given] of rows) reached[given === undefined ? 'side by the tick rule' : 'recorded side'] += 1
      }
    }),
    { numRuns: runs(150) },
  )
  for (const [corner, times] of Object.entries(reached)) expect(times, corner).toBeGreaterThan(0)
  expect([...closed].sort()).toEqual([...CANDLE_INTERVAL_NAMES].sort())
})
