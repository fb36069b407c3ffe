/**
 * Shuffled markets: on the grid, made of the returns that there were, and without the trend that a strategy would find.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CandleColumns,
  type TradeColumns,
  shuffledCandles,
  shuffledTrades,
} from '../../../src/sweep/selection/shuffled-prices.ts'
import { chance } from './rig/chance.ts'

const trades = (prices: readonly number[]): TradeColumns => ({
  price: Float64Array.from(prices),
  qty: Float64Array.from(prices, (_, row) => row + 1),
  side: Uint8Array.from(prices, (_, row) => row % 3),
})

const ticks = fc.oneof(
  fc.integer({ min: 1, max: 5 }),
  fc.integer({ min: 1, max: 1e6 }),
  fc.constant(Number.MAX_SAFE_INTEGER),
)

const bars = fc.array(fc.tuple(ticks, ticks, ticks, ticks), { maxLength: 40 }).map((rows): CandleColumns => {
  const sorted = rows.map((row) => row.toSorted((a, b) => a - b))
  return {
    open: Float64Array.from(sorted, ([, open = 1]) => open),
    high: Float64Array.from(sorted, ([, , , high = 1]) => high),
    low: Float64Array.from(sorted, ([low = 1]) => low),
    close: Float64Array.from(sorted, ([, , close = 1]) => close),
    volume: Float64Array.from(rows, (_, row) => row),
  }
})

describe('shuffled trades', () => {
  it('by hand: the first is the recorded one, each other the return of the row that was drawn', () => {
    // Three returns: +100 %, -50 %, +10 %. The cube root of 3, rounded up, makes blocks of two.
    const draws = [0.4, 0.99]
    const found = shuffledTrades(trades([100, 200, 100, 110]), () => draws.shift() ?? 0)
    // From the second return on: -50 %, +10 %; then the third: +10 %.
    expect([...found.price]).toEqual([100, 50, 55, 61])
    expect([...found.qty]).toEqual([1, 3, 4, 4])
    expect([...found.side]).toEqual([0, 2, 0, 0])
  })

  it('stay on the grid, above nothing, whatever the prices and the chance', () => {
    fc.assert(
      fc.property(fc.array(ticks, { maxLength: 60 }), fc.nat(), (prices, seed) => {
        const found = shuffledTrades(trades(prices), chance(seed))
        expect(found.price).toHaveLength(prices.length)
        for (const price of found.price) {
          expect(Number.isSafeInteger(price)).toBe(true)
          expect(price).toBeGreaterThanOrEqual(1)
        }
        expect(found.price[0]).toBe(trades(prices).price[0])
        expect(shuffledTrades(trades(prices), chance(seed))).toEqual(found)
      }),
    )
  })

  it('do not add up what rounding takes: the end is what the drawn returns make', () => {
    const random = chance(6)
    const prices: number[] = [1_000_000]
    for (let row = 1; row < 5_000; row += 1)
      prices.push(Math.round((prices[row - 1] ?? 1) * (1 + (random() - 0.5) / 500)))
    const found = shuffledTrades(trades(prices), chance(3))
    const logOf = (row: number): number => Math.log((prices[row] ?? 1) / (prices[row - 1] ?? 1))
    // The quantity of a row says which one was drawn.
    const logs = [...found.qty].slice(1).map((qty) => logOf(qty - 1))
    const end = Math.log((found.price.at(-1) ?? 1) / 1_000_000)
    expect(end).toBeCloseTo(
      logs.reduce((total, value) => total + value, 0),
      5,
    )
  })

  it('lose a trend of long runs, and keep how far prices move', () => {
    const prices: number[] = [1_000_000]
    for (let row = 1; row < 4_000; row += 1) {
      const up = Math.floor(row / 400) % 2 === 0
      prices.push(Math.round((prices[row - 1] ?? 1) * (up ? 1.001 : 1 / 1.001)))
    }
    /** Share of the rows that move as the row 100 before them did. */
    const persistence = (row: readonly number[]): number => {
      const up = row.slice(1).map((price, index) => price > (row[index] ?? 0))
      return up.slice(100).filter((value, index) => value === up[index]).length / (up.length - 100)
    }
    expect(persistence(prices)).toBeGreaterThan(0.7)
    const found = Array.from({ length: 10 }, (_, seed) =>
      persistence([...shuffledTrades(trades(prices), chance(seed)).price]),
    )
    expect(Math.abs(found.reduce((total, value) => total + value, 0) / 10 - 0.5)).toBeLessThan(0.1)
  })

  it.each([[[]], [[7]], [[7, 8]]])('of %j are as many', (prices) => {
    expect(shuffledTrades(trades(prices), chance(1)).price).toHaveLength(prices.length)
  })
})

describe('shuffled candles', () => {
  it('by hand: each stands on the close before it', () => {
    const candles: CandleColumns = {
      open: Float64Array.of(100, 102, 210),
      high: Float64Array.of(110, 220, 240),
      low: Float64Array.of(90, 100, 100),
      close: Float64Array.of(100, 200, 100),
      volume: Float64Array.of(1, 2, 3),
    }
    // Two returns, blocks of two, from the second one on.
    const found = shuffledCandles(candles, () => 0.5)
    expect([...found.open]).toEqual([100, 105, 51])
    expect([...found.high]).toEqual([110, 120, 110])
    expect([...found.low]).toEqual([90, 50, 50])
    expect([...found.close]).toEqual([100, 50, 100])
    expect([...found.volume]).toEqual([1, 3, 2])
  })

  it('are candles: whole ticks, nothing outside of low and high', () => {
    fc.assert(
      fc.property(bars, fc.nat(), (candles, seed) => {
        const { open, high, low, close } = shuffledCandles(candles, chance(seed))
        close.forEach((last, row) => {
          const [first, top, bottom] = [open[row] ?? 0, high[row] ?? 0, low[row] ?? 0]
          for (const price of [first, top, bottom, last]) {
            expect(Number.isSafeInteger(price)).toBe(true)
            expect(price).toBeGreaterThanOrEqual(1)
          }
          expect(bottom).toBeLessThanOrEqual(Math.min(first, last))
          expect(top).toBeGreaterThanOrEqual(Math.max(first, last))
        })
      }),
    )
  })
})
