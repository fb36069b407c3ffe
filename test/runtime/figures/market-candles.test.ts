import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MarketCandles, MAX_SHORT_CANDLES, type MarketCandle } from '../../../src/runtime/figures/market-candles.ts'

interface Trade {
  readonly time: number
  readonly price: number
  readonly qty: number
}

/** Of all trades at once, by another way. */
function naive(trades: readonly Trade[], intervalMs: number): readonly MarketCandle[] {
  const groups = new Map<number, Trade[]>()
  for (const trade of trades) {
    const start = trade.time - (trade.time % intervalMs)
    groups.set(start, [...(groups.get(start) ?? []), trade])
  }
  return [...groups].map(([time, of]) => ({
    time,
    open: of[0]?.price ?? 0,
    high: Math.max(...of.map(({ price }) => price)),
    low: Math.min(...of.map(({ price }) => price)),
    close: of.at(-1)?.price ?? 0,
    volume: of.reduce((sum, { qty }) => sum + qty, 0),
  }))
}

const collected = (trades: readonly Trade[]): MarketCandles => {
  const candles = new MarketCandles(undefined, MAX_SHORT_CANDLES)
  for (const { time, price, qty } of trades) candles.onTrade(time, price, qty)
  return candles
}

describe('candles of a market', () => {
  it('are those of all its trades in the interval that they ended in', () => {
    const gaps = fc.constantFrom(0, 1, 999, 1_000, 60_000, 86_400_000)
    const trade = fc.record({ gap: gaps, price: fc.integer({ min: 1, max: 9 }), qty: fc.integer({ min: 1, max: 9 }) })
    fc.assert(
      fc.property(fc.array(trade, { maxLength: 60 }), (rows) => {
        let time = 1_700_000_000_123
        const trades = rows.map(({ gap, price, qty }) => ({ time: (time += gap), price, qty }))
        const candles = collected(trades)
        expect([...candles.candles()]).toEqual(naive(trades, candles.intervalMs))
      }),
    )
  })

  it.each`
    everyMs       | intervalMs     | why
    ${1_000}      | ${5_000}       | ${'seconds are folded into five'}
    ${60_000}     | ${300_000}     | ${'minutes into five, where seconds would not do'}
    ${86_400_000} | ${172_800_000} | ${'days into two, where hours would not do'}
  `('are never too many: $why', ({ everyMs, intervalMs }: { everyMs: number; intervalMs: number }) => {
    const trades = Array.from({ length: MAX_SHORT_CANDLES + 1 }, (_, index) => ({
      time: index * everyMs,
      price: 100 + (index % 7),
      qty: 1 + (index % 3),
    }))
    const candles = collected(trades)
    expect(candles.intervalMs).toBe(intervalMs)
    expect([...candles.candles()]).toEqual(naive(trades, intervalMs))
  })

  it('of a tape of candles are its own, wherever in a day they begin', () => {
    const [hour, day] = [3_600_000, 86_400_000]
    const candles = new MarketCandles(day)
    const starts = [5 * hour, day + 5 * hour, 2 * day + 4 * hour]
    for (const time of starts) candles.onCandle({ time, open: 2, high: 5, low: 1, close: 3, volume: 7 })
    expect([...candles.candles()]).toEqual(
      starts.map((time) => ({ time, open: 2, high: 5, low: 1, close: 3, volume: 7 })),
    )
  })

  it('of too long a tape of candles are folded as trades are', () => {
    const minute = 60_000
    const candles = new MarketCandles(minute, MAX_SHORT_CANDLES)
    for (let index = 0; index <= MAX_SHORT_CANDLES; index += 1) {
      candles.onCandle({ time: index * minute, open: 10, high: 11 + (index % 5), low: 9, close: 10, volume: 1 })
    }
    const folded = [...candles.candles()]
    expect(candles.intervalMs).toBe(5 * minute)
    expect(folded).toHaveLength(Math.ceil((MAX_SHORT_CANDLES + 1) / 5))
    expect(folded[0]).toEqual({ time: 0, open: 10, high: 15, low: 9, close: 10, volume: 5 })
    expect(folded.reduce((sum, { volume = 0 }) => sum + volume, 0)).toBe(MAX_SHORT_CANDLES + 1)
  })

  it('in fewer are those of a longer interval, the first of few enough, and stay as they are', () => {
    const row = fc.record({
      gap: fc.constantFrom(0, 1_000, 1_000, 2_000, 60_000, 86_400_000),
      price: fc.integer({ min: 1, max: 9 }),
    })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 80 }), fc.integer({ min: 2, max: 30 }), (rows, limit) => {
        let time = 1_700_000_000_000
        const trades = rows.map(({ gap, price }) => ({ time: (time += gap), price, qty: 3 }))
        const all = new MarketCandles()
        for (const { time: at, price, qty } of trades) all.onTrade(at, price, qty)
        const before = [...all.candles()]
        const fewer = all.atMost(limit)
        const candles = [...fewer.candles()]
        expect(candles).toEqual(naive(trades, fewer.intervalMs))
        expect(candles.length).toBeLessThanOrEqual(limit)
        expect({ ms: all.intervalMs, candles: [...all.candles()] }).toEqual({ ms: 1_000, candles: before })
      }),
    )
  })

  it('do not distinguish a volume that is not exact', () => {
    const candles = collected([0, 1].map((time) => ({ time, price: 1, qty: Number.MAX_SAFE_INTEGER })))
    expect([...candles.candles()].map(({ volume }) => volume)).toEqual([undefined])
  })
})
