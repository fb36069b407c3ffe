import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SweepReport } from '../../../src/run/sweep/sweep-report.ts'
import type { PointOutcome } from '../../../src/sweep/point-outcome.ts'
import { expectInputError, jsonRun } from '../rig/cli-result.ts'
import { cliFolder } from '../rig/run-cli.ts'
import { strategySource, TRADES } from '../rig/sample-files.ts'

const { folder, write, cli } = cliFolder()
const tape = ['--tape', `A_USD=${write(TRADES)}`]
/** Buys at a random price, so that seed, latency, fees and liquidity all matter. */
const strategy = write(
  strategySource({
    params: "qty: z.string().default('1')",
    run: `return trades(params.symbol).pipe(take(2), map((_, index) => index === 0
      ? buyLimit(params.symbol, params.qty, (100 + Math.floor(random() * 100) / 100).toFixed(2))
      : buyMarket(params.symbol, params.qty)))`,
  }),
  'random.js',
)
const BACKTEST = ['backtest', strategy, ...tape]
const VARY = [
  ...['--vary', 'order-latency=0,1500', '--vary', 'taker-fee=0,25', '--vary', 'seed=1..3'],
  ...['--vary', 'liquidity=ideal,touch'],
]

const pointsIn = (name: string): readonly PointOutcome[] =>
  readFileSync(join(folder, name, 'points.jsonl'), 'utf8').trim().split('\n').slice(1).map((line) => JSON.parse(line) as PointOutcome) // prettier-ignore

describe('a strategy in many worlds', () => {
  it.concurrent('has the digest of a plain backtest in each of them', async () => {
    const { code, stdout } = await cli(...BACKTEST, '--param', 'qty=1.5', ...VARY, '--out', 'worlds', '--json')
    expect(code).toBe(0)
    const report = JSON.parse(stdout) as SweepReport
    expect(report.robustness).toMatchObject({ worlds: 24, failed: 0 })
    const points = readFileSync(join(folder, 'worlds/points.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as PointOutcome).filter(({ digest }) => typeof digest === 'string') // prettier-ignore
    expect(points).toHaveLength(24)
    expect(new Set(points.map(({ digest }) => digest)).size).toBe(24)
    for (const { params, digest, statistics } of points.filter((_, index) => index % 5 === 0)) {
      const flags = Object.entries(params).flatMap(([name, text]) => name.startsWith('--') ? [name, text] : ['--param', `${name}=${text}`]) // prettier-ignore
      const run = await jsonRun(cli, ...BACKTEST, ...flags)
      expect([run.digest, run.statistics]).toEqual([digest, statistics])
    }
  })

  it.concurrent('resumes, has the same files on any number of threads, and the same page later', async () => {
    expect(await cli(...BACKTEST, ...VARY, '--out', 'a', '--workers', '1', '--quiet')).toMatchObject({ code: 0, stdout: '' }) // prettier-ignore
    expect(await cli(...BACKTEST, ...VARY, '--out', 'b', '--workers', '3')).toMatchObject({ code: 0 })
    const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8')
    for (const name of ['sweep.csv', 'sweep.json', 'report.html']) expect(textOf(`a/${name}`)).toBe(textOf(`b/${name}`))
    const before = textOf('a/points.jsonl')
    expect(pointsIn('a').length).toBeGreaterThan(20)
    expect(await cli(...BACKTEST, ...VARY, '--out', 'a')).toMatchObject({ code: 0 })
    expect(textOf('a/points.jsonl')).toBe(before)
    expect(await cli('report', 'a', '--out', 'later.html')).toMatchObject({ code: 0 })
    expect(textOf('later.html')).toBe(textOf('a/report.html'))
    expect(textOf('later.html')).toContain('<svg')
  })

  it.concurrent('prints a table, the sensitivity, and a worst world', async () => {
    const { code, stdout } = await cli(...BACKTEST, '--vary', 'taker-fee=0,10000')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^sample on A_USD: 2 worlds\n\n {2}setting {5}.*\n {2}--taker-fee {2}0 +1 +100 %/)
    expect(stdout).toMatch(/^Most sensitive to --taker-fee: /m)
    expect(stdout).toMatch(/^Worst world: --taker-fee 10000, return -/m)
  })
})

describe('errors', () => {
  it.concurrent.each`
    flags                                        | line
    ${['--vary', 'order-latncy=1,2']}            | ${/^--vary: no setting 'order-latncy' that can vary; did you mean 'order-latency'\?$/}
    ${['--vary', 'order-latency=1,x']}           | ${/^--vary order-latency: .*'x'/}
    ${['--vary', 'order-latency=1,1']}           | ${/^--vary order-latency: '1' is given twice$/}
    ${['--vary', 'liquidity=tape,./mine.ts']}    | ${/^--vary liquidity: expected book, .+, got '\.\/mine\.ts'$/}
    ${['--vary', 'taker-fee=a,b']}               | ${/^--vary taker-fee: expected basis points .*, got 'a'$/}
    ${['--vary', 'taker-fee=']}                  | ${/^--vary taker-fee: expected a value$/}
    ${['--vary', 'spread=0.01,0.0000000001']}    | ${/^--spread: .*0\.0000000001/}
    ${['--vary', 'taker-fee=0,5', '--taker-fee', '3']} | ${/^--taker-fee: is also varied by --vary: pass its value there$/}
    ${['--vary', 'limits=true,false']}           | ${/^--vary: no setting 'limits' that can vary/}
    ${['--vary', 'seed']}                        | ${/^--vary: expected NAME=VALUE/}
    ${['--vary', 'seed=1..3', '--db', 'x.db']}   | ${/^--db: is about one run/}
    ${['--workers', '2']}                        | ${/^--workers: runs the worlds of --vary: add it$/}
  `('$flags: $line', async ({ flags, line }) => {
    expectInputError(await cli(...BACKTEST, ...(flags as string[])), line as RegExp)
  })
})
