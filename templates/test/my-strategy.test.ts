/**
 * Tests the strategy in memory on a market of a few candles: one close per minute, on one line.
 */
import { testStrategy } from 'papertape/testing'
import { expect, it } from 'vitest'
import strategy from '../strategies/my-strategy.ts'

it('buys when the price rises above its average, and sells when it falls below', async () => {
  const { timeline, balances, refusals } = await testStrategy(strategy, {
    candles: '100 100 101 103 99 99',
    params: { interval: '1m', length: 2 },
    balances: { USD: '1000' },
    // Orders fill completely and immediately at the last price, because this tests decisions, not fills.
    liquidity: 'ideal',
    latency: { orderMs: 0 },
  })
  expect(timeline).toBe('180s target 0.5 | 300s target 0')
  expect(balances.BTC).toBe('0')
  expect(refusals).toEqual([])
})

it('stays out of a market that falls', async () => {
  const { orders } = await testStrategy(strategy, {
    candles: '100 99 98 97 96',
    params: { interval: '1m', length: 2 },
  })
  expect(orders).toEqual([])
})
