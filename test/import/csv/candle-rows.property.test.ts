import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readText } from '../rig/read-text.ts'
import { runs } from '../../property/property.ts'

/** Prices and volume in tenths, time in minutes. */
interface Candle {
  readonly step: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

const tenths = (units: number): string => (units / 10).toFixed(1)

/** Few prices, so that lows and highs are met, and sometimes crossed. */
const candles = fc.array(
  fc
    .record<Candle>({
      step: fc.constantFrom(1, 1, 1, 1, 2, 7, 0),
      open: fc.integer({ min: 1, max: 4 }),
      high: fc.integer({ min: 1, max: 4 }),
      low: fc.integer({ min: 1, max: 4 }),
      close: fc.integer({ min: 1, max: 4 }),
      volume: fc.integer({ min: 0, max: 9 }),
    })
    .chain((candle) => {
      const prices = [candle.open, candle.high, candle.low, candle.close]
      const repaired = { ...candle, high: Math.max(...prices), low: Math.min(...prices) }
      return fc.constantFrom(repaired, repaired, repaired, repaired, candle)
    }),
  { minLength: 2, maxLength: 6 },
)

const isRight = ({ step, open, high, low, close }: Candle, index: number): boolean =>
  (index === 0 || step > 0) && low <= Math.min(open, close) && high >= Math.max(open, close)

it('takes candles exactly when each is sound and after the one before, and keeps their prices and their volume', async () => {
  const reached = { taken: 0, refused: 0, gaps: 0, empty: 0 }
  await fc.assert(
    fc.asyncProperty(candles, fc.boolean(), fc.constantFrom(1, 5, 65_536), async (rows, areQuoted, chunkBytes) => {
      let minute = 0
      const opens: number[] = []
      const lines = rows.map(({ step, open, high, low, close, volume }) => {
        minute += step
        opens.push(minute * 60_000)
        const prices = [open, high, low, close].map(tenths)
        return [String(minute * 60_000), ...prices, tenths(volume)]
          .map((cell) => (areQuoted ? `"${cell}"` : cell))
          .join(',')
      })
      const bytes = Buffer.from(['time_ms,open,high,low,close,volume', ...lines].join('\n'))
      const source = { symbol: 'BTC_USD', candleInterval: 60_000 }
      const outcome = await readText(bytes, source, { chunkBytes })
      expect(outcome).toEqual(await readText(bytes, source, { way: 'csv' }))

      const wrong = rows.findIndex((row, index) => !isRight(row, index))
      const isEmpty = rows.every(({ volume }) => volume === 0)
      if ('error' in outcome) {
        reached.refused += 1
        if (wrong < 0) expect([isEmpty, outcome.error]).toEqual([true, expect.stringContaining('with volume')])
        else expect(outcome.error).toMatch(new RegExp(`^tape.csv:${wrong + 2}:`))
        return
      }
      expect(wrong).toBe(-1)
      const { totals, candles: read } = outcome
      const lots = (units: number): number => Math.round((units * 10 ** totals.qtyPrecision) / 10)
      const ticks = (units: number): number => Math.round((units * 10 ** totals.pricePrecision) / 10)
      const traded = rows.filter(({ volume }) => volume > 0)
      expect(read).toEqual({
        time: opens,
        open: rows.map(({ open }) => ticks(open)),
        high: rows.map(({ high }) => ticks(high)),
        low: rows.map(({ low }) => ticks(low)),
        close: rows.map(({ close }) => ticks(close)),
        volume: rows.map(({ volume }) => lots(volume)),
      })
      expect(totals).toMatchObject({ rows: rows.length, emptyCandles: rows.length - traded.length, intervalMs: 60_000 })
      reached.taken += 1
      reached.gaps += rows.some(({ step }, index) => index > 0 && step > 1) ? 1 : 0
      reached.empty += totals.emptyCandles > 0 ? 1 : 0
    }),
    { numRuns: runs(400) },
  )
  expect(Object.entries(reached).filter(([, count]) => count === 0)).toEqual([])
})
