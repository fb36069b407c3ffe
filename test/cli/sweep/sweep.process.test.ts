/**
 * `papertape sweep` as a user meets it.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { candlesCsv, STEPPER_FILE } from '../../run/sweep/rig.ts'
import { type CliResult } from '../rig/cli-result.ts'
import { cliHere } from '../rig/cli-here.ts'
import { BIN, cliFolder } from '../rig/run-cli.ts'
import { strategySource, TRADES } from '../rig/sample-files.ts'

const { folder, write, cli } = cliFolder()
write(candlesCsv(300), 'candles.csv')
write(STEPPER_FILE, 'stepper.ts')

const COMMON = ['--tape', 'A_USD=candles.csv', '--objective', 'return']
const sweep = (...args: string[]): Promise<CliResult> => cli('sweep', 'stepper.ts', ...COMMON, ...args)

const filesIn = (out: string): readonly string[] =>
  ['sweep.csv', 'sweep.json'].map((name) => readFileSync(join(folder, out, name), 'utf8'))

const linesIn = (out: string): number => {
  const path = join(folder, out, 'points.jsonl')
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0
}

/** A sweep that goes on. */
function started(
  strategy: string,
  ...args: string[]
): { readonly child: ChildProcess; readonly ended: Promise<string> } {
  const child = spawn(process.execPath, [BIN, 'sweep', strategy, ...COMMON, ...args], { cwd: folder })
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text.toString()))
  const ended = new Promise<string>((resolve) =>
    child.once('exit', (code, signal) => resolve(`${signal ?? code} ${said}`)),
  )
  return { child, ended }
}

async function untilLines(out: string, count: number): Promise<void> {
  await expect.poll(() => linesIn(out), { interval: 5 }).toBeGreaterThanOrEqual(count)
}

it('shows its results, and ends with 2, where the database of trials cannot be written', () => {
  const args = ['sweep', 'stepper.ts', ...COMMON, '--param', 'every=5,7', '--param', 'hold=2', '--db', 'full.db']
  const command = ['-c', 'ulimit -f 2; exec "$0" "$@"', process.execPath, BIN, ...args]
  const { status, stdout, stderr } = spawnSync('bash', command, { cwd: folder, encoding: 'utf8' })
  expect([status, stdout, stderr]).toEqual([
    2,
    expect.stringMatching(/^stepper on A_USD: 2 points, ranked by return\n/),
    expect.stringMatching(/^the points could not be counted in the database: full\.db: cannot be /m),
  ])
})

describe('papertape sweep', () => {
  it('varies a strategy from the list of a config file, with its parameters and limits there', async () => {
    const strategies = [
      { use: './stepper.ts', name: 'first', params: { hold: 1 }, limits: { position: '77' } },
      { use: './stepper.ts', name: 'second', params: { hold: 2 } },
    ]
    write(JSON.stringify({ strategies, limits: { dayLoss: '500' }, backtest: { tapes: { A_USD: 'candles.csv' } } }), 'two.json') // prettier-ignore
    const swept = (...args: string[]): Promise<CliResult> =>
      cli('sweep', ...args, '--config', 'two.json', '--param', 'every=3,9', '--objective', 'return', '--json')
    const settingsOf = async (name: string): Promise<unknown> =>
      (JSON.parse((await swept(name)).stdout) as { identity: { settings: unknown } }).identity.settings
    expect(await settingsOf('first')).toMatchObject({ params: { hold: 1 }, maxPosition: '77', dayLoss: '500' })
    expect(await settingsOf('second')).toMatchObject({ params: { hold: 2 }, maxPosition: null, dayLoss: '500' })
    for (const args of [[], ['./stepper.ts']])
      expect((await swept(...args)).stderr).toMatch(
        /^papertape: sweep: varies one strategy, and the config file lists several: name one of first, second$/m,
      )
  })

  it('counts once what was rounded in all points', async () => {
    const run =
      'return trades(params.symbol).pipe(take(params.count), map(({ price }) => buyMarket(params.symbol, price.plus(1).pow(-1))))'
    write(strategySource({ params: 'count: z.int()', run }), 'computed.js')
    write(TRADES, 'trades.csv')
    const args = ['computed.js', '--tape', 'A_USD=trades.csv', '--objective', 'return', '--qty-precision', '4']
    const { stderr } = await cli('sweep', ...args, '--param', 'count=1..2')
    expect(stderr).toBe(
      '3 quantities and prices were rounded to the lot or tick, in 2 of 2 points; pass --rounding refuse to refuse such orders\n',
    )
  })

  it('shows the best, and writes a row a point with the digest that a backtest has', async () => {
    const { code, stdout, stderr } = await sweep('--param', 'every=3..9/3', '--param', 'hold=1,5', '--out', 'shown')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^stepper on A_USD: 6 points, ranked by return\n\n {2}every {2}hold .*digest\n/)
    expect(stdout).toContain('1 point failed. First error, at every=3 hold=5: params.hold: expected hold to be smaller')
    expect(stdout).toContain('\nPoints: shown/sweep.csv\nReport: shown/report.html\n')
    const [csv = '', json = ''] = filesIn('shown')
    const rows = csv.split('\n').map((line) => line.split(','))
    expect(rows[0]?.slice(0, 3)).toEqual(['every', 'hold', 'digest'])
    expect(rows[0]?.at(-1)).toBe('error')
    expect(rows).toHaveLength(8)
    expect(rows.slice(1, 7).map((row) => row.slice(0, 2).join(' '))).toEqual(['3 1', '3 5', '6 1', '6 5', '9 1', '9 5'])
    const flags = ['--param', 'every=6', '--param', 'hold=5', '--tape', 'A_USD=candles.csv', '--no-bounds', '--json']
    const run = JSON.parse((await cli('backtest', 'stepper.ts', ...flags)).stdout) as { digest: string }
    expect(rows[4]?.[2]).toBe(run.digest)
    expect(JSON.parse(json)).toMatchObject({ isComplete: true, points: 6, errors: 1, objective: ['return'] })
  })

  it('prints sweep.json with --json, and nothing with --quiet', async () => {
    const grid = ['--param', 'every=3,4', '--param', 'hold=1']
    const { stdout } = await sweep(...grid, '--json', '--out', 'json')
    expect(JSON.parse(stdout)).toEqual(JSON.parse(filesIn('json')[1] ?? ''))
    expect(await sweep(...grid, '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('draws by the seed, leaves out by a condition, and ranks by a file or by several', async () => {
    write('export default (statistics, params) => -Math.abs(Number(params.every) - 7)', 'near.ts')
    const grid = ['--param', 'every=3..20', '--param', 'hold=1..5', '--where', 'hold * 2 < every', '--random', '9']
    const mine = JSON.parse(
      (await cli('sweep', 'stepper.ts', '--tape', 'A_USD=candles.csv', ...grid, '--objective', './near.ts', '--json'))
        .stdout,
    )
    expect(mine).toMatchObject({ points: 9, errors: 0, random: 9, where: 'hold * 2 < every', objective: ['./near.ts'] })
    const { stdout } = await sweep(...grid, '--objective', 'maxDrawdown')
    expect(stdout).toMatch(/^stepper on A_USD: 9 points, \d on the Pareto front of return and maxDrawdown\n/)
  })

  it('takes the parameters that a config file has as those of every point', async () => {
    write(JSON.stringify({ params: { hold: 2, every: 99 }, tape: 'A_USD=candles.csv', out: 'elsewhere' }), 'mine.json')
    const { stdout } = await cli('sweep', 'stepper.ts', '--config', 'mine.json', '--param', 'every=3,4', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ points: 2, errors: 0, identity: { settings: { params: { hold: 2 } } } })
    expect(existsSync(join(folder, 'elsewhere'))).toBe(false)
  })

  it('ends with 1 when every point has an error', async () => {
    expect(await sweep('--param', 'every=3', '--param', 'hold=4,5')).toMatchObject({ code: 1, stderr: '' })
  })

  it.each`
    flags                                                                          | error
    ${[]}                                                                          | ${'--param: missing values to sweep'}
    ${['--param', 'evry=3']}                                                       | ${"--param evry: strategy 'stepper' has no such parameter; did you mean 'every'?"}
    ${['--param', 'every=3..1/2']}                                                 | ${"--param every: expected an ascending range, got '3..1/2'"}
    ${['--param', 'every=3', '--param', 'every=4']}                                | ${'--param every: given twice'}
    ${['--param', 'every=1..99999', '--param', 'hold=1..999']}                     | ${'--param: 99899001 combinations, more than 5000000; use larger steps, or draw a sample with --random 1000'}
    ${['--param', 'every=3', '--where', 'evry < 3']}                               | ${"--where: column 1: the sweep has no parameter 'evry'; did you mean 'every'?"}
    ${['--param', 'every=3', '--objective', 'sharp']}                              | ${"--objective: no statistic 'sharp'; did you mean 'sharpe'?"}
    ${['--param', 'every=3', '--objective', './no.ts']}                            | ${'./no.ts'}
    ${['--param', 'every=3', '--workers', '0']}                                    | ${"--workers: expected an integer from 1 to 256, got '0'"}
    ${['--param', 'every=3', '--random', 'x']}                                     | ${"--random: expected an integer from 1 to 100000, got 'x'"}
    ${['--param', 'every=3', '--search', 'bayes']}                                 | ${"--search: expected tpe or cma, got 'bayes'"}
    ${['--param', 'every=3', '--search', 'tpe']}                                   | ${'--trials: missing: the number of points that --search tpe runs'}
    ${['--param', 'every=3', '--trials', '9']}                                     | ${'--trials: needs --search'}
    ${['--param', 'every=3', '--search', 'tpe', '--trials', '0']}                  | ${"--trials: expected an integer from 1 to 10000, got '0'"}
    ${['--param', 'every=3', '--search', 'tpe', '--trials', '3', '--random', '3']} | ${'--random: cannot be combined with --search; pass one of them'}
    ${['--param', 'every=a,b', '--search', 'cma', '--trials', '3']}                | ${'--search: cma searches numbers only, and every has other values; use --search tpe, or give every one value'}
    ${['--param', 'every=3', '--bounds']}                                          | ${'unknown flag --bounds'}
    ${['--param', 'every=3', '--taker-fee', 'x']}                                  | ${'--taker-fee: '}
    ${['--param', 'every=3', '--out', 'candles.csv']}                              | ${"--out: 'candles.csv' is not a directory"}
  `('refuses $flags in one line: $error', async ({ flags, error }) => {
    const args = ['sweep', 'stepper.ts', ...COMMON, ...(flags as string[])]
    const { code, stdout, stderr } = await cliHere(args, { cwd: folder })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(error)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})

describe('a sweep that is broken off', () => {
  const grid = ['--param', 'every=3..40', '--param', 'hold=1,2', '--workers', '2']

  it('goes on after kill -9 at any moment, and ends in the same files', async () => {
    await sweep(...grid, '--out', 'whole')
    for (const lines of [1, 20, 45]) {
      const { child, ended } = started('stepper.ts', ...grid, '--out', 'killed')
      await untilLines('killed', lines)
      child.kill('SIGKILL')
      expect(await ended).toMatch(/^(SIGKILL|0) /)
    }
    expect(linesIn('killed')).toBeGreaterThanOrEqual(45)
    expect(await sweep(...grid, '--out', 'killed')).toMatchObject({ code: 0, stderr: '' })
    expect(filesIn('killed')).toEqual(filesIn('whole'))
    expect(linesIn('killed')).toBe(76)
  })

  it('keeps what is done at Ctrl-C, says how it goes on, and does', async () => {
    const { child, ended } = started('stepper.ts', ...grid, '--out', 'stopped')
    await untilLines('stopped', 5)
    child.kill('SIGINT')
    const said = await ended
    expect(said).toMatch(
      /^SIGINT sweep: interrupted after \d+ of 76 runs; their results are in stopped\/points\.jsonl, run the same command again to continue\n$/,
    )
    const done = linesIn('stopped')
    expect(done).toBeLessThan(76)
    expect(said).toContain(`after ${done} of 76`)
    await sweep(...grid, '--out', 'stopped')
    expect(filesIn('stopped')).toEqual(filesIn('whole'))
  })

  it('says that nothing is kept without --out', async () => {
    const inThread = `import { writeFileSync } from 'node:fs'
      import { isMainThread } from 'node:worker_threads'
      if (!isMainThread) writeFileSync('begun', '')`
    write(`${inThread}\n${STEPPER_FILE}`, 'marks.ts')
    const { child, ended } = started('marks.ts', '--param', 'every=3..2000', '--param', 'hold=1,2')
    await expect.poll(() => existsSync(join(folder, 'begun')), { interval: 20 }).toBe(true)
    child.kill('SIGTERM')
    expect(await ended).toMatch(
      /^SIGTERM sweep: interrupted (after \d+ of 3996 runs; their results are lost, pass --out DIR to keep them|before the first point)\n$/,
    )
  })
})
