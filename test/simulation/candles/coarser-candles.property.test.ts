/**
 * Candles that are published of a tape of candles: its own, and coarser ones, against what its rows say.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ALL_CANDLE_INTERVALS, type CandleInterval } from '../../../src/domain/candle.ts'
import { EVENT_KIND } from '../../../src/simulation/event-queue.ts'
import { market } from '../../exchange/rig/configs.ts'
import { BTC, MarketStage } from '../rig/market-stage.ts'
import { memoryCandles, type CandleRow } from '../rig/memory-candles.ts'
import { runs } from '../../property/property.ts'

const MINUTE = 60_000
const WATCHED = ['1m', '5m', '15m', '1h', '1d'] as const satisfies readonly CandleInterval[]

/** Reported at, opened at, open, high, low, close, volume. */
type Reported = readonly [
  at: number,
  time: number,
  open: number,
  high: number,
  low: number,
  close: number,
  volume: bigint,
]

/** Rows of a minute with holes, from any minute of a day on. */
const rowsOfMinutes = (volume: fc.Arbitrary<number>): fc.Arbitrary<readonly CandleRow[]> =>
  fc
    .record({
      first: fc.integer({ min: 0, max: 1_500 }),
      draws: fc.array(
        fc.record({
          hole: fc.constantFrom(0, 0, 0, 0, 1, 4, 14, 70, 1_500),
          prices: fc.tuple(price(), price(), price(), price()),
          volume,
        }),
        { minLength: 1, maxLength: 60, size: 'max' },
      ),
    })
    .map(({ first, draws }) => {
      let minute = first
      return draws.map(({ hole, prices, volume }): CandleRow => {
        minute += hole + 1
        const [open, close] = prices
        return [minute * MINUTE, open, Math.max(...prices), Math.min(...prices), close, volume]
      })
    })

const price = (): fc.Arbitrary<number> => fc.integer({ min: 90, max: 110 })

/** All rows of an interval as one, reported at its end. */
function naiveCoarser(rows: readonly CandleRow[], intervalMs: number, from: number, end: number): readonly Reported[] {
  const starts = [...new Set(rows.map(([time]) => Math.floor(time / intervalMs) * intervalMs))]
  return starts.flatMap((start): readonly Reported[] => {
    const inside = rows.filter(([time, , , , , volume]) => time >= start && time < start + intervalMs && volume > 0)
    const [first, last] = [inside[0], inside.at(-1)]
    const at = start + intervalMs
    if (first === undefined || last === undefined || at > end || at <= from) return []
    const [high, low] = [Math.max(...inside.map((row) => row[2])), Math.min(...inside.map((row) => row[3]))]
    return [[at, start, first[1], high, low, last[4], inside.reduce((sum, row) => sum + BigInt(row[5]), 0n)]]
  })
}

const stageOfMinutes = (): MarketStage => {
  const terms = { intervalMs: MINUTE, isAligned: true, spread: 1, fills: 'tape' } as const
  return new MarketStage({ markets: [market(BTC)], candles: new Map([[BTC, terms]]) })
}

it('a candle that is watched is reported once, at its end, and holds the rows of its interval', async () => {
  const reached = { inAHole: 0, cutOff: 0, withARow: 0 }
  await fc.assert(
    fc.asyncProperty(rowsOfMinutes(fc.constantFrom(0, 1, 7, 9_000)), fc.nat(200), async (rows, more) => {
      const stage = stageOfMinutes()
      const reported = new Map(WATCHED.map((interval) => [interval, [] as Reported[]]))
      for (const interval of WATCHED) {
        stage.simulated.watchCandles(BTC, interval, ({ time, open, high, low, close, volume }) => {
          reported.get(interval)?.push([stage.queue.now(), time, open, high, low, close, volume])
        })
      }
      const end = (rows.at(-1)?.[0] ?? 0) + MINUTE + (more % 20) * MINUTE
      await stage.play([memoryCandles(rows, { blockRows: 1 + (more % 7) })], { end })
      for (const interval of WATCHED) {
        expect(reported.get(interval), interval).toEqual(naiveCoarser(rows, ALL_CANDLE_INTERVALS[interval], 0, end))
      }
      for (const [at] of reported.get('5m') ?? []) {
        reached[rows.some((row) => row[0] + MINUTE === at && row[5] > 0) ? 'withARow' : 'inAHole'] += 1
      }
      if (stage.simulated.runningCandles > 0) reached.cutOff += 1
    }),
    { numRuns: runs(300) },
  )
  expect(Math.min(...Object.values(reached))).toBeGreaterThan(0)
})

it('a late listener receives what ends after that, whole', async () => {
  await fc.assert(
    fc.asyncProperty(rowsOfMinutes(fc.constantFrom(1, 7)), fc.nat(), async (rows, draw) => {
      const stage = stageOfMinutes()
      const reported: Reported[] = []
      const begin = (rows[draw % rows.length]?.[0] ?? 0) + (draw % 2) * 30_000
      stage.queue.schedule(begin, EVENT_KIND.joined, () => {
        stage.simulated.watchCandles(BTC, '5m', ({ time, open, high, low, close, volume }) => {
          reported.push([stage.queue.now(), time, open, high, low, close, volume])
        })
      })
      const end = (rows.at(-1)?.[0] ?? 0) + 10 * MINUTE
      await stage.play([memoryCandles(rows)], { end })
      expect(reported).toEqual(naiveCoarser(rows, 5 * MINUTE, begin, end))
    }),
    { numRuns: runs(200) },
  )
})

it('the lots of a coarse candle are counted exactly beyond 2^53', async () => {
  const stage = stageOfMinutes()
  const volumes: bigint[] = []
  stage.simulated.watchCandles(BTC, '5m', ({ volume }) => void volumes.push(volume))
  const most = Number.MAX_SAFE_INTEGER
  await stage.play([memoryCandles([0, 1, 2, 3, 4].map((minute) => [minute * MINUTE, 100, 100, 100, 100, most]))])
  expect(volumes).toEqual([5n * BigInt(most)])
})
