/**
 * Computed quantities and prices of a strategy, which rarely fit a market, through the command line.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { jsonRun, reportIn } from '../rig/cli-result.ts'
import { cliFolderHere } from '../rig/cli-here.ts'
import { IDEAL, strategySource, TRADES } from '../rig/sample-files.ts'

const { write, cli } = cliFolderHere()
const TAPE = ['--tape', 'A_USD=tape.csv', ...IDEAL]

const buying = (qty: string): string =>
  strategySource({
    run: `return trades(params.symbol).pipe(take(3), map((trade) => buyMarket(params.symbol, ${qty})))`,
  })

beforeAll(() => {
  write(TRADES, 'tape.csv')
  write(buying('trade.price.pow(-1).times(123.456)'), 'computed.js')
  write(buying("'1.23'"), 'text.js')
  write(buying('0.04'), 'small.js')
  write(buying('12345.6789'), 'large.js')
})

describe('a quantity with too many digits', () => {
  it('is rounded down when it is computed, and counted once', async () => {
    const result = await cli('backtest', 'computed.js', ...TAPE, '--json')
    const { stderr } = result
    expect(stderr.match(/rounded/g)).toHaveLength(1)
    expect(stderr).toContain(
      '3 quantities were rounded down to a multiple of 0.1 A; pass --rounding refuse to refuse such orders',
    )
    expect(reportIn(result)).toMatchObject({ refusals: {}, fills: 3 })
  })

  it('is refused with --rounding refuse, and when it is text', async () => {
    const refused = await jsonRun(cli, 'backtest', 'computed.js', ...TAPE, '--rounding', 'refuse')
    expect(refused).toMatchObject({ refusals: { VALIDATION_ERROR: 3 }, fills: 0, config: { rounding: 'refuse' } })
    expect(await jsonRun(cli, 'backtest', 'text.js', ...TAPE)).toMatchObject({ refusals: { VALIDATION_ERROR: 3 } })
  })

  it('is shown as it was requested, where the exchange refuses the order', async () => {
    const { stdout } = await cli('backtest', 'large.js', ...TAPE)
    expect(stdout).toContain('BUY 12345.6 A_USD at market: not enough USD available')
  })

  it('is refused below one lot, with that reason', async () => {
    const { stdout } = await cli('backtest', 'small.js', ...TAPE)
    expect(stdout).toContain('qty: 0.04 is below one lot of A_USD, 0.1')
  })
})
