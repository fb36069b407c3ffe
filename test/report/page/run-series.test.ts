import { expect, it } from 'vitest'
import { benchmarkOf, heldLine } from '../../../src/report/page/benchmark.ts'
import type { Line } from '../../../src/report/page/page-data.ts'
import { candleDetails, candlesBySymbol } from '../../../src/report/page/run-series.ts'
import { candleBlockRows } from '../../../src/report/run/candle-blocks.ts'
import { MarketCandles } from '../../../src/runtime/figures/market-candles.ts'
import { MONTH_MS } from '../../../src/domain/calendar.ts'

it('a month is one bar, and buying and holding changes when it is over', () => {
  const [january, february, march] = [0, 1, 2].map((month) => Date.UTC(2024, month))
  const text = [
    'symbol,interval_ms,time_ms,open,high,low,close,volume',
    `A_USD,${MONTH_MS},${january},100,110,100,110,5`,
    `A_USD,${MONTH_MS},${february},110,110,88,88,5`,
    '',
  ].join('\n')
  const candles = candlesBySymbol('candles.csv', text).get('A_USD')
  expect(candles).toMatchObject({ intervalMs: MONTH_MS, times: [january, february] })
  const whole = { times: [january ?? 0, march ?? 0], values: [1_000, 1_000] }
  expect(heldLine(whole, candles === undefined ? [] : [candles])).toEqual({
    times: [january, february, march],
    values: [1_000, 1_100, 880],
  })
})

it('another run is a benchmark from where both have begun, scaled to the same equity', () => {
  const own = { times: [0, 4, 10, 15], values: [1_000, 1_010, 1_020, 1_030] }
  const lineOf = (equity: Line): Line => benchmarkOf({ tapes: [] }, { name: 'b', equity }, own, new Map()).line
  expect(lineOf({ times: [0, 10, 20], values: [500, 550, 400] })).toEqual({ times: [0, 10], values: [1_000, 1_100] })
  expect(lineOf({ times: [5, 10, 15, 40], values: [2, 3, 4, 5] })).toEqual({
    times: [5, 10, 15],
    values: [1_010, 1_515, 2_020],
  })
  expect(lineOf({ times: [0, 9, 10], values: [2, 0, null] }).values).toEqual([1_000, 0, null])
  for (const equity of [
    { times: [16], values: [1] },
    { times: [-9, -1], values: [1, 2] },
  ]) {
    expect(() => lineOf(equity)).toThrow("benchmark: the run 'b' has no equity in the time of this run")
  }
})

const HEAD = 'symbol,interval_ms,from_ms,to_ms,candles,price_decimals,qty_decimals,block'

it.each`
  row                                            | why
  ${'A_USD,,0,60000,2,2,4,BLOCK'}                | ${'no interval'}
  ${'A_USD,0,0,60000,2,2,4,BLOCK'}               | ${'an interval of 0'}
  ${'A_USD,60000,a,60000,2,2,4,BLOCK'}           | ${'a time that is none'}
  ${'A_USD,60000,60000,0,2,2,4,BLOCK'}           | ${'an end before its start'}
  ${'A_USD,60000,0,60000,10000000000,2,4,BLOCK'} | ${'too many candles'}
  ${'A_USD,60000,0,60000,3000,2,4,BLOCK'}        | ${'more candles than the block has'}
  ${'A_USD,60000,0,60000,2,2,4,=A=='}            | ${'no base64'}
  ${'A_USD,60000,0,60000,2,2,4,AAAA'}            | ${'a block that is cut'}
`('candles in blocks that were damaged are refused by name: $why', ({ row }: { row: string }) => {
  const candles = new MarketCandles(60_000)
  for (const time of [0, 60_000]) candles.onCandle({ time, open: 2, high: 5, low: 1, close: 3, volume: 7 })
  const market = {
    id: 'm',
    name: 'A',
    symbol: 'A_USD',
    baseAsset: 'A',
    quoteAsset: 'USD',
    pricePrecision: 2,
    qtyPrecision: 4,
  }
  const [good = ''] = candleBlockRows(candles, market)
  const block = good.trimEnd().split(',').at(-1) ?? ''
  const details: string[] = []
  expect(candleDetails('run/candle-blocks.csv', `${HEAD}\n${good}`, details).get('A_USD')).toMatchObject({
    counts: [2],
  })
  expect(details).toEqual([block])
  const text = `${HEAD}\n${row.replace('BLOCK', block)}\n`
  expect(() => candleDetails('run/candle-blocks.csv', text, [])).toThrow(/run\/candle-blocks\.csv.*A_USD is damaged/)
})
