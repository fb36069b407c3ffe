/**
 * `papertape report`: the page of a run made again, of runs of a store, and of runs that are not as they were written; and the command on a
 * page that repeats its run.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { repeatCommand } from '../../../src/report/page/repeat-command.ts'
import { InputError } from '../../../src/domain/errors.ts'
import type { RunReport } from '../../../src/report/run/run-report.ts'
import { reportPage } from '../../../src/run/report-page.ts'
import { expectInputError } from '../rig/cli-result.ts'
import { cliFolder, runCli } from '../rig/run-cli.ts'
import { BUY_AND_HOLD, TRADES } from '../rig/sample-files.ts'
import { dataIn } from './page-data-in.ts'

const { folder, write, cli } = cliFolder()
const TAPE = ['--tape', 'BTC_USD=tape.csv'] as const
const textOf = (...path: string[]): string => readFileSync(join(folder, ...path), 'utf8')
const reportOf = (run: string): RunReport => JSON.parse(textOf(run, 'run.json'))

/** A copy of a run that may be spoilt. */
function copyOf(run: string, name: string): string {
  cpSync(join(folder, run), join(folder, name), { recursive: true })
  return name
}

beforeAll(async () => {
  write(TRADES, 'tape.csv')
  write(BUY_AND_HOLD, 'hold.mjs')
  const runs = [
    cli('backtest', 'hold.mjs', ...TAPE, '--out', 'one', '--db', 'runs.db'),
    cli('backtest', 'hold.mjs', ...TAPE, '--param', 'qty=2', '--out', 'two'),
  ]
  for (const { code } of await Promise.all(runs)) expect(code).toBe(0)
})

describe('papertape report', () => {
  it('makes the page that the run left, to the byte', async () => {
    const left = textOf('one', 'report.html')
    rmSync(join(folder, 'one', 'report.html'))
    expect(await cli('report', 'one')).toEqual({ code: 0, stdout: 'one/report.html\n', stderr: '' })
    expect(textOf('one', 'report.html')).toBe(left)
    expect(await cli('report', 'one')).toMatchObject({ code: 0, stderr: '' })
    expect(textOf('one', 'report.html')).toBe(left)
  })

  it('refuses a sweep beside runs, and says why', async () => {
    mkdirSync(join(folder, 'swept'))
    write('{}', 'swept/sweep.json')
    expectInputError(
      await cli('report', 'one', 'swept', '--out', 'both.html'),
      'swept: is a sweep, which has a page of its own: pass it alone, or pass run directories',
    )
  })

  it('begins the position with what the account had', async () => {
    const credit = ['--credit', '10000:USD', '--credit', '2.5:BTC']
    expect(await cli('backtest', 'hold.mjs', ...TAPE, ...credit, '--out', 'rich')).toMatchObject({ code: 0 })
    const [rich, one] = ['rich', 'one'].map((run) => dataIn(textOf(run, 'report.html')).runs[0]?.markets[0]?.initialQty)
    expect([rich, one]).toEqual(['2.5', '0'])
  })

  it('has a definition of every figure', () => {
    const [run] = dataIn(textOf('one', 'report.html')).runs
    const figures = run?.figures.flatMap((group) => group.figures) ?? []
    expect(figures.length).toBeGreaterThan(50)
    expect(figures.filter(({ definition }) => definition.length < 10)).toEqual([])
  })

  it('makes the page of a run of a store, with the same figures', async () => {
    const id = /saved in runs\.db as (\w+)/.exec((await cli('backtest', 'hold.mjs', ...TAPE, '--db', 'runs.db')).stderr)
    const made = await cli('report', String(id?.[1]), '--db', 'runs.db', '--out', 'stored.html')
    expect(made).toEqual({ code: 0, stdout: 'stored.html\n', stderr: '' })
    const [stored, whole] = ['stored.html', 'one/report.html'].map((file) => dataIn(textOf(file)).runs[0])
    expect(stored?.figures).toEqual(whole?.figures)
    for (const table of ['trips', 'orders', 'holdings', 'fees', 'markouts'] as const)
      expect(stored?.[table]).toEqual(whole?.[table])
  })

  it('opens the page where it is asked to', async () => {
    mkdirSync(join(folder, 'bin'))
    write(`#!/bin/sh\necho "$1" > ${join(folder, 'opened')}\n`, 'bin/xdg-open')
    chmodSync(join(folder, 'bin', 'xdg-open'), 0o755)
    const PATH = `${join(folder, 'bin')}:${process.env.PATH}`
    const opened = await runCli(['report', 'one', '--open'], { cwd: folder, env: { PATH } })
    expect(opened).toEqual({ code: 0, stdout: 'one/report.html\n', stderr: '' })
    await expect.poll(() => textOf('opened').trim()).toBe(`file://${join(folder, 'one', 'report.html')}`)
    const alone = await runCli(['report', 'one', '--open'], { cwd: folder, env: { PATH: '/nowhere' } })
    expect(alone).toMatchObject({ code: 0, stderr: expect.stringMatching(/^xdg-open was not found: open file:/) })
  })

  it('lays no page over what is none of its own', async () => {
    for (const [name, text] of [
      ['mine.html', '<!doctype html><title>mine</title>'],
      ['mine.txt', 'mine'],
    ] as const) {
      write(text, name)
      const refused = await cli('report', 'one', '--out', name)
      expectInputError(refused, `${name}: exists already and is not a papertape report: use another file`)
      expect(textOf(name)).toBe(text)
    }
  })

  it.each([
    { args: ['one', 'two'], line: '--out: missing: pass --out FILE to report on several runs' },
    { args: ['nowhere'], line: /^nowhere\/run\.json: no such file/ },
    { args: ['tape.csv'], line: /^tape\.csv\/run\.json: no such file/ },
    { args: ['one', '--out', 'no/such/folder.html'], line: /^no\/such\/folder\.html: cannot be written/ },
    { args: ['ffff', '--db', 'runs.db', '--out', 'x.html'], line: /^runs\.db: / },
    {
      args: ['ffff', '--db', 'runs.db'],
      line: '--out: missing: pass --out FILE, because a run in a database has no directory',
    },
  ])('refuses $args in one line', async ({ args, line }) => {
    expectInputError(await cli('report', ...args), line)
  })

  it('says what is not as the run wrote it, and shows the rest', async () => {
    const run = copyOf('one', 'old')
    for (const name of ['candles.csv', 'periods.csv', 'journal.jsonl']) rmSync(join(folder, run, name))
    const made = await cli('report', run)
    expect(made).toMatchObject({ code: 0, stdout: 'old/report.html\n' })
    for (const name of ['candles.csv', 'periods.csv', 'journal.jsonl']) expect(made.stderr).toContain(`old/${name}: `)
    expect(dataIn(textOf('old', 'report.html')).runs[0]?.figures).toEqual(
      dataIn(textOf('one', 'report.html')).runs[0]?.figures,
    )
  })

  it('is in the way of no one where a kill has cut it off', async () => {
    const run = copyOf('two', 'cut-off')
    writeFileSync(join(folder, run, '.report.html.4194304.partial'), '<!doc')
    expect(await cli('verify', run)).toMatchObject({ code: 0, stderr: '' })
    const again = await cli('backtest', 'hold.mjs', ...TAPE, '--quiet', '--out', run, '--force')
    expect(again).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(readdirSync(join(folder, run))).toEqual(readdirSync(join(folder, 'two')))
  })

  it.each([
    { file: 'run.json', spoil: (text: string) => text.slice(0, 300) },
    { file: 'run.json', spoil: () => '{}' },
    { file: 'run.json', spoil: () => 'null' },
    { file: 'run.json', spoil: (text: string) => text.replace(/"statistics":\s*\{/, '"statistics": {}, "other": {') },
    { file: 'run.json', spoil: (text: string) => text.replace(/"config":\s*\{/, '"config": {}, "other": {') },
    { file: 'orders.csv', spoil: (text: string) => text.slice(0, -5) },
    { file: 'orders.csv', spoil: () => '' },
    { file: 'fills.csv', spoil: () => 'a,b\n"1' },
    { file: 'equity.csv', spoil: () => '\u0000\u0000' },
    { file: 'candles.csv', spoil: (text: string) => text.replaceAll('100', 'NaN') },
    { file: 'journal.jsonl', spoil: (text: string) => text.slice(0, text.length / 2) },
    { file: 'journal.jsonl', spoil: () => '[]\n{}\n"x"\n' },
  ])('says what is wrong with a spoilt $file, whether or not a page can be made', ({ file, spoil }) => {
    const run = copyOf('one', `spoilt-${(spoilt += 1)}`)
    writeFileSync(join(folder, run, file), spoil(textOf(run, file)))
    const reported = faultsOf(join(folder, run))
    expect(reported.length).toBeGreaterThan(0)
    for (const fault of reported) expect(fault).toMatch(new RegExp(`^[^\\n]*/${run}[^\\n]+$`))
  })
})

let spoilt = 0

/** Of a page that is made, or the error of one that is not. */
function faultsOf(run: string): readonly string[] {
  try {
    return reportPage({ runs: [run] }).faults
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return [error.message]
  }
}

describe('the command on a page', () => {
  const argsOf = (command: string): readonly string[] =>
    execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
      .split('\0')
      .slice(1, -1)

  it.each([
    { flags: [] },
    {
      flags: ['--param', 'qty=0.5', '--taker-fee', '7.5', '--maker-fee', '1.5', '--credit', '5000:USD', '--seed', '7'],
    },
    { flags: ['--order-latency', '250', '--liquidity', 'ideal', '--no-limits', '--stats-period', '1m', '--no-bounds'] },
    {
      flags: [
        '--from',
        '2023-11-14T22:13:21Z',
        '--to',
        '2023-11-14T22:15:00Z',
        '--credit',
        '1:BTC',
        '--credit',
        '9:USD',
      ],
    },
  ])('repeats a run of $flags to the digest', async ({ flags }) => {
    const name = `repeat-${flags.join('').length}`
    const made = await cli('backtest', 'hold.mjs', ...TAPE, ...flags, '--quiet', '--out', name)
    expect(made).toEqual({ code: 0, stdout: '', stderr: '' })
    const command = repeatCommand(reportOf(name)) ?? 'none'
    expect(dataIn(textOf(name, 'report.html')).runs[0]?.command).toBe(command)
    const again = await cli(...argsOf(command), '--out', `${name}-again`)
    expect({ command, ...again }).toMatchObject({ code: 0 })
    expect(reportOf(`${name}-again`).digest).toBe(reportOf(name).digest)
    expect(reportOf(`${name}-again`).config).toEqual(reportOf(name).config)
  })
})
