/**
 * Candles of a long run as blocks of candle-blocks.csv: what a chart decodes is what was kept.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { candleBlock, candleBlockRows, PackedBytes, PackedIntegers } from '../../../src/report/run/candle-blocks.ts'
import { MarketCandles } from '../../../src/runtime/figures/market-candles.ts'

const market = {
  ...{ id: 'm', name: 'A', symbol: 'A_USD', baseAsset: 'A', quoteAsset: 'USD' },
  ...{ pricePrecision: 2, qtyPrecision: 4 },
}

const step = fc.record({
  gap: fc.constantFrom(1, 1, 1, 1, 2, 1_000),
  jump: fc.constantFrom(0, 0, 0, -40, 40_000),
  body: fc.integer({ min: -300, max: 300 }),
  above: fc.nat(500),
  below: fc.nat(500),
  volume: fc.oneof(fc.nat(9), fc.nat(1e12)),
})

it('has the prices of every candle exactly, and its volume to a 127th of the largest', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), fc.integer({ min: 1, max: 200 }), (steps, times) => {
      const candles = new MarketCandles(60_000)
      let [minute, price] = [28_000_000, 5_000_000]
      const all = Array.from({ length: times }, () => steps).flat()
      for (const { gap, jump, body, above, below, volume } of all) {
        const open = Math.max(1_000, price + jump)
        const close = Math.max(600, open + body)
        const low = Math.max(1, Math.min(open, close) - below)
        candles.onCandle({
          time: (minute += gap) * 60_000,
          open,
          close,
          high: Math.max(open, close) + above,
          low,
          volume,
        })
        price = close > 1e9 ? 5_000_000 : close
      }
      const kept = [...candles.candles()]
      const blocks = [...candleBlockRows(candles, market)].map((row) => row.trimEnd().split(','))
      const read = blocks.flatMap(([symbol, interval, from, to, count, prices, qtys, text = '']) => {
        const rows = Number(count)
        const {
          times: opens,
          open,
          high,
          low,
          close,
          volume,
        } = candleBlock(text, {
          rows,
          intervalMs: Number(interval),
          priceDecimals: Number(prices),
          qtyDecimals: Number(qtys),
        })
        expect([symbol, interval]).toEqual([market.symbol, '60000'])
        expect([opens[0], opens[rows - 1]]).toEqual([Number(from), Number(to)])
        return Array.from(opens, (time, row) => ({
          time,
          ...{ open: open[row], high: high[row], low: low[row], close: close[row], volume: volume[row] ?? 0 },
        }))
      })
      expect(read.map(({ time, open, high, low, close }) => ({ time, open, high, low, close }))).toEqual(
        kept.map(({ time, open, high, low, close }) => ({
          time,
          ...{ open: open / 100, high: high / 100, low: low / 100, close: close / 100 },
        })),
      )
      const largest = Math.max(...kept.map(({ volume = 0 }) => volume)) / 1e4
      read.forEach(({ volume }, index) => {
        expect(Math.abs(volume - (kept[index]?.volume ?? 0) / 1e4)).toBeLessThanOrEqual(largest / 126)
      })
    }),
  )
})

it('columns of integers of any size are read as they were packed', () => {
  const value = fc.oneof(fc.nat(3), fc.nat(300), fc.integer({ min: 0, max: 2 ** 32 }), fc.maxSafeNat())
  const alike = fc.maxSafeNat().map((from) => Array.from({ length: 300 }, (_, index) => Math.max(0, from - index)))
  const column = fc.oneof(fc.array(value, { minLength: 300, maxLength: 300 }), alike)
  fc.assert(
    fc.property(fc.array(column, { maxLength: 3 }), (columns) => {
      const written = new PackedBytes()
      written.append(Uint8Array.of(7))
      for (const column of columns) written.appendColumn(Float64Array.from(column))
      const packed = new PackedIntegers(written.bytes, 1)
      expect(columns.map(({ length }) => [...packed.column(length)])).toEqual(columns)
    }),
  )
})

it('takes no room for what all candles of a group have in common', () => {
  const sizeWith = (above: number): number => {
    const candles = new MarketCandles(60_000)
    for (let minute = 1; minute <= 1_024; minute += 1) {
      const [open, close] = [5_000, 5_000 + (minute % 2)]
      candles.onCandle({ time: minute * 60_000, open, close, high: close + above, low: open, volume: 7 })
    }
    return [...candleBlockRows(candles, market)].join('').length
  }
  expect(sizeWith(1_000)).toBeLessThan(sizeWith(0) + 100)
})
