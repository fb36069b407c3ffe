import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RunReport } from '../../../src/report/run/run-report.ts'
import { expectInputError, jsonRun } from '../rig/cli-result.ts'
import { cliFolder } from '../rig/run-cli.ts'
import { BUY_AND_HOLD, START, strategySource } from '../rig/sample-files.ts'

const { folder, write, cli } = cliFolder()
const trades = Array.from({ length: 400 }, (_, row) => {
  const price = 100 + 5 * Math.sin(row / 20) + ((row * 7) % 5) / 10
  return `${row},${START + row * 60_000},${price.toFixed(2)},2,${row % 2 === 0 ? 'true' : 'false'}`
})
const tape = ['--tape', `A_USD=${write(`trade_id,time_ms,price,qty,is_buyer_maker\n${trades.join('\n')}\n`)}`]
const strategy = write(
  strategySource({
    run: `let before = 0
    return candles(params.symbol, '5m').pipe(map(({ closeNumber: close }) => {
      const isUp = close > before
      before = close
      if (isUp === balance('A').available.gt(0)) return []
      return isUp ? [buyMarket(params.symbol, '20')] : [sellMarket(params.symbol, '20')]
    }))`,
  }),
  'trend.js',
)
const BACKTEST = ['backtest', strategy, ...tape]

describe('a run with repeats', () => {
  it.concurrent(
    'has a p-value and the setting that matters most in summary, run.json and page, and verifies',
    async () => {
      const { code, stdout } = await cli(...BACKTEST, '--null', '19', '--robustness', '--out', 'run')
      expect(code).toBe(0)
      expect(stdout).toMatch(/^p-value {6}[\d.]+: \d+ of 19 shuffled tapes return as much$/m)
      expect(stdout).toMatch(/^sensitive to --[a-z-]+: [+-]/m)
      const report = JSON.parse(readFileSync(join(folder, 'run/run.json'), 'utf8')) as RunReport
      const { nullTest, robustness, statistics } = report
      const asGood = nullTest?.returns.filter((value) => (value ?? 1) >= (statistics.return ?? 0)).length ?? 0
      expect(nullTest?.pValue).toBe((asGood + 1) / 20)
      expect(robustness?.failed).toBe(0)
      for (const { values } of robustness?.settings ?? [])
        expect(values[0]).toMatchObject({ worlds: 1, median: statistics.return, worst: statistics.return })
      expect(robustness?.settings.map(({ setting }) => setting)).toEqual(
        expect.arrayContaining(['--taker-fee', '--seed']),
      )
      expect(await cli('verify', 'run')).toMatchObject({ code: 0 })
      // Other threads, the same numbers; without them the same run.
      const plain = await jsonRun(cli, ...BACKTEST)
      expect({ ...report, nullTest: undefined, robustness: undefined, filesDigest: undefined, files: undefined }).toEqual({ ...plain, nullTest: undefined, robustness: undefined, filesDigest: undefined, files: undefined }) // prettier-ignore
      const text = readFileSync(join(folder, 'run/run.json'), 'utf8')
      writeFileSync(join(folder, 'run/run.json'), text.replace(/"pValue": [\d.]+/, '"pValue": 0.001'))
      const changed = await cli('verify', 'run')
      expect(changed.code).toBe(1)
      expect(changed.stderr).toContain('"pValue": 0.001')
    },
  )

  it.concurrent.each([
    { window: [] },
    { window: ['--from', String(START + 100 * 60_000), '--to', String(START + 250 * 60_000)] },
  ])('gives one that only holds no significance: $window', async ({ window }) => {
    const { nullTest, statistics } = await jsonRun(cli, 'backtest', write(BUY_AND_HOLD, 'hold.js'), ...tape, '--liquidity', 'ideal', '--order-latency', '0', '--null', '9', ...window) // prettier-ignore
    expect(nullTest?.pValue).toBe(1)
    expect(nullTest?.returns).toEqual(Array.from({ length: 9 }, () => statistics.return))
  })
})

describe('errors', () => {
  it.concurrent.each`
    flags                                  | line
    ${['--null', '0']}                     | ${/^--null: expected a number of tapes from 1 to 10000$/}
    ${['--null', 'many']}                  | ${/^--null: .*'many'/}
    ${['--null', '9', '--vary', 'seed=1']} | ${/^--null: is about one run; it cannot be combined with --vary$/}
  `('$flags: $line', async ({ flags, line }) => {
    expectInputError(await cli(...BACKTEST, ...(flags as string[])), line as RegExp)
  })
})
