import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { candleTrades } from '../../src/tape/candle-trades.ts'
import { SIDE_UNKNOWN, type CandleBlock } from '../../src/tape/tape.ts'

/** time, open, high, low, close, volume */
type Candle = readonly [number, number, number, number, number, number]

const blockOf = (candles: readonly Candle[]): CandleBlock => {
  const column = (index: 0 | 1 | 2 | 3 | 4 | 5) => Float64Array.from(candles, (candle) => candle[index])
  return {
    length: candles.length,
    time: column(0),
    open: column(1),
    high: column(2),
    low: column(3),
    close: column(4),
    volume: column(5),
  }
}

/** Trades as `price x qty @ time`. */
function tradesOf(candles: readonly Candle[], intervalMs: number): string[] {
  const { length, time, price, qty } = candleTrades(blockOf(candles), intervalMs)
  return Array.from({ length }, (_, row) => `${price[row]}x${qty[row]}@${time[row]}`)
}

describe('candleTrades', () => {
  it.each`
    candle                     | interval | expected                                           | why
    ${[0, 10, 12, 5, 11, 40]}  | ${60}    | ${['10x10@0', '12x10@20', '5x10@40', '11x10@59']}  | ${'the high is nearer to the open'}
    ${[0, 10, 15, 9, 11, 40]}  | ${60}    | ${['10x10@0', '9x10@20', '15x10@40', '11x10@59']}  | ${'the low is nearer'}
    ${[0, 10, 12, 8, 11, 40]}  | ${60}    | ${['10x10@0', '8x10@20', '12x10@40', '11x10@59']}  | ${'a tie: the low comes first'}
    ${[0, 10, 10, 10, 10, 40]} | ${60}    | ${['10x10@0', '10x10@20', '10x10@40', '10x10@59']} | ${'a flat candle'}
    ${[7, 10, 12, 5, 11, 43]}  | ${100}   | ${['10x10@7', '12x10@40', '5x10@73', '11x13@106']} | ${'thirds and quarters are rounded down, the rest is at the close'}
    ${[0, 10, 12, 5, 11, 4]}   | ${4}     | ${['10x1@0', '12x1@1', '5x1@2', '11x1@3']}         | ${'the shortest candle, the smallest quarters'}
    ${[0, 10, 12, 5, 11, 3]}   | ${60}    | ${['11x3@59']}                                     | ${'fewer than four lots: only the close'}
    ${[0, 10, 12, 5, 11, 0]}   | ${60}    | ${[]}                                              | ${'no volume, no trade'}
  `('$why', ({ candle, interval, expected }: { candle: Candle; interval: number; expected: string[] }) => {
    expect(tradesOf([candle], interval)).toEqual(expected)
  })

  it('puts candles one after the other and leaves no room between them', () => {
    expect(
      tradesOf(
        [
          [0, 1, 1, 1, 1, 1],
          [60, 2, 2, 2, 2, 0],
          [120, 3, 3, 3, 3, 4],
        ],
        60,
      ),
    ).toEqual(['1x1@59', '3x1@120', '3x1@140', '3x1@160', '3x1@179'])
  })

  it('tells neither sides nor ids', () => {
    const block = candleTrades(blockOf([[0, 10, 12, 5, 11, 40]]), 60)
    expect([...block.side.subarray(0, block.length)]).toEqual([SIDE_UNKNOWN, SIDE_UNKNOWN, SIDE_UNKNOWN, SIDE_UNKNOWN])
    expect(block.ids).toBeUndefined()
  })

  it('keeps volume, open, high, low and close of every candle of four lots or more', () => {
    const units = fc.integer({ min: 1, max: 9 })
    const prices = fc.tuple(units, units, units, units).map((four) => {
      const [low = 0, first = 0, second = 0, high = 0] = [...four].sort((a, b) => a - b)
      return { open: four[0] % 2 === 0 ? first : second, high, low, close: four[1] % 2 === 0 ? first : second }
    })
    const volume = fc.oneof(fc.integer({ min: 4, max: 50 }), fc.integer({ min: 4, max: Number.MAX_SAFE_INTEGER }))
    fc.assert(
      fc.property(prices, volume, fc.integer({ min: 4, max: 100 }), ({ open, high, low, close }, lots, intervalMs) => {
        const block = candleTrades(blockOf([[1000, open, high, low, close, lots]]), intervalMs)
        const price = [...block.price.subarray(0, block.length)]
        const time = [...block.time.subarray(0, block.length)]
        expect([price[0], Math.max(...price), Math.min(...price), price.at(-1)]).toEqual([open, high, low, close])
        expect([...block.qty].reduce((sum, qty) => sum + BigInt(qty), 0n)).toBe(BigInt(lots))
        expect(time[0]).toBe(1000)
        expect(time.at(-1)).toBe(1000 + intervalMs - 1)
        expect(new Set(time).size).toBe(4)
      }),
    )
  })

  it('refuses a candle that is too short for its trades: our bug', () => {
    expect(() => candleTrades(blockOf([]), 3)).toThrow('3 ms')
  })
})
