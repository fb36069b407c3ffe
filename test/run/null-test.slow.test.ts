/** Whole backtests with a null test: without skill their p-values are uniform, and foresight has the lowest one. */
import { map } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { backtest } from '../../src/run.ts'
import { seededRandom } from '../../src/runtime/strategies/seeded-random.ts'
import { defineStrategy } from '../../src/strategy/strategy.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const { write } = temporaryFiles()
const [WALKS, TAPES, ROWS, START, HOUR] = [30, 19, 120, 1_700_006_400_000, 3_600_000]

/** Hourly candles of a random walk, or of a market that repeats itself. */
function candlesOf(seed: number, hasPattern = false): string {
  const random = seededRandom(seed)
  let close = 1_000
  const rows = Array.from({ length: ROWS }, (_, row) => {
    const open = close
    const sign = hasPattern ? (row % 16 < 8 ? 1 : -1) : random() < 0.5 ? 1 : -1
    close = open * (1 + sign * 0.01 * random())
    const prices = [open, Math.max(open, close), Math.min(open, close), close].map((price) => price.toFixed(2))
    return [START + row * HOUR, ...prices, 1_000].join(',')
  })
  return ['time,open,high,low,close,volume', ...rows, ''].join('\n')
}

/** Holds while the last close is above the one before. */
const momentum = defineStrategy({
  name: 'momentum',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, candles, target }) => {
    let before = 0
    return candles(symbol, '1h').pipe(
      map(({ closeNumber: close }) => {
        const isUp = close > before
        before = close
        return target(symbol, isUp ? 0.9 : 0)
      }),
    )
  },
})

const pValueOf = async (seed: number, hasPattern = false): Promise<number> => {
  const tape = write(candlesOf(seed, hasPattern), `walk-${seed}-${String(hasPattern)}.csv`)
  const options = {
    strategy: momentum,
    tapes: { A_USD: tape },
    bounds: false,
    limits: false,
    seed,
    null: TAPES,
  } as const
  const { report } = await backtest(options)
  expect(report.nullTest?.returns).toHaveLength(TAPES)
  return report.nullTest?.pValue ?? NaN
}

describe('the p-value of a backtest', () => {
  it('is at most 5 % on about 5 % of random walks, and in the lower half on about half of them', async () => {
    const values: number[] = []
    for (let seed = 0; seed < WALKS; seed += 1) values.push(await pValueOf(seed))
    for (const limit of [0.05, 0.25, 0.5, 0.75]) {
      const below = values.filter((value) => value <= limit + 1e-9).length
      const room = 3.3 * Math.sqrt(WALKS * limit * (1 - limit))
      expect(Math.abs(below - WALKS * limit), `${below} of ${WALKS} at most ${limit}`).toBeLessThan(room)
    }
  })

  it('is the lowest where the market has what the strategy looks for', async () => {
    expect(await pValueOf(1, true)).toBe(1 / (TAPES + 1))
  })
})
