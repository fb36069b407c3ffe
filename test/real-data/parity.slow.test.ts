/**
 * The ready strategies on a real recorded market, in process and through the live adapter: the same orders, fills and
 * balances.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parity } from '../../src/server/parity/parity.ts'

const TAPES = fileURLToPath(new URL('../../../shared/data/tapes/', import.meta.url))
const BTC = `${TAPES}binance_spot_btcusdt_trades_20240808T2354-20240809T0005.csv.gz`
/** The tape that comes with papertape; its first hours are played. */
const BUNDLED = fileURLToPath(new URL('../../data/btc_usd.csv.gz', import.meta.url))
const FEES = { makerBps: '1', takerBps: '5' }

describe.skipIf(!existsSync(TAPES))('parity on BTC, eleven minutes (skipped without ../shared/data)', () => {
  it.each([
    ['sma-cross', { interval: '5s', fast: 5, slow: 12 }],
    ['grid', { interval: '5s' }],
    ['market-maker', {}],
  ])('%s', async (strategy, params) => {
    const result = await parity({ strategy, params, tapes: { BTC_USDT: BTC }, fees: FEES })
    expect(result.difference).toBeUndefined()
    expect(result.counts.fill).toBeGreaterThan(5)
  })
})

describe('parity on the bundled tape', () => {
  it.each([
    ['sma-cross', { fast: 5, slow: 12 }],
    ['grid', {}],
    ['market-maker', {}],
  ])('%s', async (strategy, params) => {
    const result = await parity({
      strategy,
      params,
      tapes: { BTC_USD: BUNDLED },
      to: '2024-01-01T03:00:00Z',
      fees: FEES,
    })
    expect(result.difference).toBeUndefined()
    expect(result.counts.fill).toBeGreaterThan(2)
  })
})
