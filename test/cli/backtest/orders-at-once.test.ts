/**
 * Many orders at one moment: what a strategy that reacts to itself does, and what some do on purpose.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { jsonRun } from '../rig/cli-result.ts'
import { cliFolderHere } from '../rig/cli-here.ts'
import { IDEAL, strategySource, TRADES } from '../rig/sample-files.ts'

const { write, cli } = cliFolderHere()
const RUN = ['many.js', '--tape', 'A_USD=tape.csv', '--no-limits', ...IDEAL]
const ORDERS = 10_001

beforeAll(() => {
  write(TRADES, 'tape.csv')
  const orders = `Array.from({ length: ${ORDERS} }, () => buyLimit(params.symbol, '1', '0.1'))`
  write(strategySource({ run: `return trades(params.symbol).pipe(take(1), concatMap(() => ${orders}))` }), 'many.js')
})

describe('more orders at one moment than a strategy usually means', () => {
  it('end the run, with the setting that allows them', async () => {
    const { stderr, code } = await cli('backtest', ...RUN)
    expect(stderr).toContain(
      'more than 10000 orders and cancels at the same moment, as in an endless loop: does the strategy react to itself? if they are intended, raise --max-orders-at-once',
    )
    expect(code).toBe(1)
  })

  it('are placed with --max-orders-at-once', async () => {
    const report = await jsonRun(cli, 'backtest', ...RUN, '--max-orders-at-once', String(ORDERS))
    expect(report).toMatchObject({ config: { maxOrdersAtOnce: ORDERS } })
    const { stderr, code } = await cli('backtest', ...RUN, '--max-orders-at-once', String(ORDERS - 1))
    expect([stderr.includes(`more than ${ORDERS - 1} orders`), code]).toEqual([true, 1])
  })
})
