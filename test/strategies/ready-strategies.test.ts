/**
 * The ready strategies by their names and with their defaults, on the bundled tape and on recorded ones beside the
 * project.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { auditToJson } from '../../src/domain/audit.ts'
import type { Side } from '../../src/domain/order.ts'
import type { BacktestSettings } from '../../src/runtime/settings/backtest-settings.ts'
import { runBacktest } from '../../src/runtime/backtest/backtest.ts'
import { prepareBacktest } from '../../src/runtime/backtest/prepared-backtest.ts'
import { DEFAULT_LIQUIDITY } from '../../src/simulation/liquidity/liquidity-models.ts'
import type { OwnFill } from '../../src/strategy/own-order.ts'
import { SETTINGS } from '../runtime/rig/run-strategy.ts'

const RECORDED = fileURLToPath(new URL('../../../shared/data/tapes', import.meta.url))
const isAbsent = !existsSync(RECORDED)
const TWO_DAYS = { from: Date.UTC(2024, 0, 1), to: Date.UTC(2024, 0, 3) }

/** Runs under the default model of fills. A cancel of an order that was just filled is no fault, and is not counted. */
async function run(settings: Partial<BacktestSettings>) {
  const fills: OwnFill[] = []
  const prepared = await prepareBacktest({ ...SETTINGS, credit: {}, liquidity: DEFAULT_LIQUIDITY, ...settings })
  const { exchange, record, failure } = await runBacktest(prepared, {
    onLine: () => undefined,
    onOrder: () => undefined,
    onProgress: () => undefined,
    onLog: () => undefined,
    onFill: (fill) => void fills.push(fill),
  })
  const filled = (side: Side): number => fills.filter((fill) => fill.side === side).length
  const refusals = [...record.refusals.keys()].filter((code) => code !== 'ORDER_NOT_CANCELLABLE')
  const isSound = failure === undefined && auditToJson(exchange.audit()).ok
  return { bought: filled('BUY'), sold: filled('SELL'), refusals, isSound }
}

describe('on the bundled tape', () => {
  it.each(['market-maker', 'grid'])('%s buys and sells, and is refused nothing', async (strategy) => {
    const tapes = [{ file: 'data/btc_usd.csv.gz', symbol: 'BTC_USD' }]
    const { bought, sold, ...rest } = await run({ strategy, tapes, ...TWO_DAYS })
    expect(Math.min(bought, sold)).toBeGreaterThan(10)
    expect(rest).toEqual({ refusals: [], isSound: true })
  })
})

describe.skipIf(isAbsent)(`on recorded tapes${isAbsent ? ' (skipped: ../shared/data is not there)' : ''}`, () => {
  const cash = { USDT: '10000' }
  const both = { USDT: '5000', BTC: '0.1' }

  it.each`
    strategy          | symbol        | params                            | credit  | why
    ${'market-maker'} | ${'BTC_USDT'} | ${{}}                             | ${cash} | ${'its defaults and cash'}
    ${'market-maker'} | ${'BTC_USDT'} | ${{ halfSpreadBps: 3 }}           | ${both} | ${'narrow quotes, and both assets'}
    ${'market-maker'} | ${'ETH_USDT'} | ${{ halfSpreadBps: 3 }}           | ${cash} | ${'narrow quotes and cash'}
    ${'grid'}         | ${'BTC_USDT'} | ${{ interval: '1s', stepBps: 8 }} | ${cash} | ${'a step of 8, on seconds, and cash'}
    ${'grid'}         | ${'BTC_USDT'} | ${{ interval: '1s', stepBps: 4 }} | ${both} | ${'a narrow grid, and both assets'}
    ${'grid'}         | ${'ETH_USDT'} | ${{ interval: '1s', stepBps: 4 }} | ${cash} | ${'a narrow grid and cash'}
  `('$strategy buys and sells $symbol with $why', async ({ strategy, symbol, params, credit }) => {
    const name = String(symbol).replace('_', '').toLowerCase()
    const file = `${RECORDED}/binance_spot_${name}_trades_20240808T2354-20240809T0005.csv.gz`
    const { bought, sold, ...rest } = await run({ strategy, params, credit, tapes: [{ file, symbol }] })
    expect(Math.min(bought, sold)).toBeGreaterThan(0)
    expect(rest).toEqual({ refusals: [], isSound: true })
  })
})
