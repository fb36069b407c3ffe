import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ReplayedCandles } from '../../../src/report/replay/replayed-candles.ts'

const SECOND = 1_000
const MINUTE = 60_000

/** A candle a second, with its number as its prices and a volume of 1. */
const seconds = (count: number, from = 0) => {
  const numbers = Float64Array.from({ length: count }, (_, row) => row)
  const times = numbers.map((row) => from + row * SECOND)
  const columns = { times, open: numbers, high: numbers, low: numbers, close: numbers, volume: numbers.map(() => 1) }
  return { from, to: from + (count - 1) * SECOND, read: () => columns }
}

const levelOf = (...stretches: ReturnType<typeof seconds>[]) => ({ intervalMs: SECOND, stretches })

describe('the candles of a replay', () => {
  it('count once they have closed, so that no moment shows a later price', () => {
    const candles = new ReplayedCandles([levelOf(seconds(600))])
    fc.assert(
      fc.property(fc.nat(600 * SECOND), fc.constantFrom(...candles.lengths), (time, length) => {
        const known = candles.upTo(time, length)
        const closed = Math.floor(time / SECOND)
        expect(known.at(-1)?.close).toBe(closed === 0 ? undefined : closed - 1)
        const shown = Math.min(closed, 300 * (length / SECOND))
        if (length > SECOND) expect(known.reduce((sum, { volume }) => sum + volume, 0)).toBe(shown)
      }),
    )
  })

  it('are folded to the chosen length, the last one as far as it is known', () => {
    const candles = new ReplayedCandles([levelOf(seconds(100), seconds(100, 100 * SECOND))])
    expect(candles.upTo(90 * SECOND, MINUTE)).toEqual([
      { time: 0, open: 0, high: 59, low: 0, close: 59, volume: 60 },
      { time: MINUTE, open: 60, high: 89, low: 60, close: 89, volume: 30 },
    ])
    expect(candles.upTo(130 * SECOND, MINUTE).at(-1)).toMatchObject({ time: 2 * MINUTE, open: 20, close: 29 })
  })

  it('come from the longest recorded candles that fit, completed by the shorter ones', () => {
    const one = Float64Array.of(1)
    const minute = { times: Float64Array.of(0), open: one, high: one, low: one, close: one, volume: one }
    const longer = { intervalMs: MINUTE, stretches: [{ from: 0, to: 0, read: () => minute }] }
    const candles = new ReplayedCandles([levelOf(seconds(120)), longer])
    expect(candles.lengths).toEqual(
      [1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400, 604_800].map((each) => each * SECOND),
    )
    expect(candles.upTo(90 * SECOND, MINUTE)).toEqual([
      { time: 0, open: 1, high: 1, low: 1, close: 1, volume: 1 },
      { time: MINUTE, open: 60, high: 89, low: 60, close: 89, volume: 30 },
    ])
    expect(candles.upTo(90 * SECOND, 5 * MINUTE)).toEqual([
      { time: 0, open: 1, high: 89, low: 1, close: 89, volume: 31 },
    ])
  })

  it('give a window of the last ones', () => {
    const candles = new ReplayedCandles([levelOf(seconds(1_000))])
    expect(candles.upTo(900 * SECOND, SECOND).map(({ close }) => close)).toEqual(
      Array.from({ length: 300 }, (_, index) => 600 + index),
    )
  })
})
