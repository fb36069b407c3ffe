import { expect, it } from 'vitest'
import { accountSeries } from '../../../src/report/page/account-series.ts'
import { candlesBySymbol } from '../../../src/report/page/run-series.ts'
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
  expect(candles).toMatchObject({ intervalMs: 604_800_000, lengthMs: MONTH_MS, times: [january, february] })
  const whole = { times: [january ?? 0, march ?? 0], values: [1_000, 1_000] }
  const { buyAndHold } = accountSeries('USD', whole, candles === undefined ? [] : [candles])
  expect(buyAndHold).toEqual({ times: [january, february, march], values: [1_000, 1_100, 880] })
})
