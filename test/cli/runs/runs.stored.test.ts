/**
 * Runs that `backtest --db` keeps: listed, shown, laid beside each other, added and taken away.
 */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectInputError, type CliResult } from '../rig/cli-result.ts'
import { cliFolderHere } from '../rig/cli-here.ts'
import { BUY_AND_HOLD, IDEAL, strategySource, TRADES } from '../rig/sample-files.ts'

const { cli, write, folder } = cliFolderHere()
const TAPE = ['--tape', 'A_USD=tape.csv', ...IDEAL]

interface Listed {
  readonly id: string
  readonly keptAt: number
  readonly digest: string
}

async function listed(db = 'papertape.db'): Promise<readonly Listed[]> {
  const { code, stdout, stderr } = await cli('runs', '--db', db, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

const idIn = ({ stderr }: CliResult): string => /^saved in \S+ as ([0-9a-f]{8})(?:;.*)?\n$/.exec(stderr)?.[1] ?? stderr

/** Ids and times, which are of the machine, by their width. */
const plain = (text: string): string =>
  text.replaceAll(/\b[0-9a-f]{8}\b/g, 'IDIDIDID').replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d(?= {2})/g, 'yyyy-mm-dd hh:mm')

let [one, two] = ['', '']

beforeAll(async () => {
  write(TRADES, 'tape.csv')
  write(BUY_AND_HOLD, 'hold.js')
  one = idIn(await cli('backtest', 'hold.js', ...TAPE, '--db', 'papertape.db', '--out', 'one'))
  two = idIn(await cli('backtest', 'hold.js', ...TAPE, '--db', 'papertape.db', '--param', 'qty=2'))
})

describe('papertape runs', () => {
  it.concurrent('lists them, the newest first, in 80 columns', async () => {
    const { code, stdout, stderr } = await cli('runs')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(plain(stdout)).toBe(`id        when (UTC)        strategy       return  drawdown  Sharpe  trades
IDIDIDID  yyyy-mm-dd hh:mm  buy-and-hold  +0.04 %    0.00 %       -       0
          A_USD, 2023-11-14 22:13:20 to 22:15:20 UTC, qty=2
IDIDIDID  yyyy-mm-dd hh:mm  buy-and-hold  +0.02 %    0.00 %       -       0
          A_USD, 2023-11-14 22:13:20 to 22:15:20 UTC, qty=1
`)
    expect((await listed()).map(({ id }) => id)).toEqual([two, one])
  })

  it.concurrent('shows one as its backtest did, by the first digits of its id', async () => {
    const { stdout } = await cli('runs', 'show', one.slice(0, 6))
    const { stdout: first } = await cli('backtest', 'hold.js', ...TAPE)
    expect(stdout.split('\n').slice(0, 2).map(plain)).toEqual([
      'id        when (UTC)        strategy       return  drawdown  Sharpe  trades',
      'IDIDIDID  yyyy-mm-dd hh:mm  buy-and-hold  +0.02 %    0.00 %       -       0',
    ])
    expect(stdout.split('\n').slice(4).join('\n')).toBe(first)
    const { stdout: report } = await cli('runs', 'show', one, '--json')
    expect(report).toBe(readFileSync(join(folder, 'one', 'run.json'), 'utf8'))
  })

  it.concurrent('lays one beside another, with exit code 1 when they part', async () => {
    const { code, stdout, stderr } = await cli('runs', 'diff', one, two)
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(plain(stdout)).toContain(
      'the runs diverge at request 1 (1 difference): settings (params.qty)\n  a  IDIDIDID; buy',
    )
    expect((await cli('runs', 'diff', one, one)).code).toBe(0)
  })

  it.concurrent('names those there are where there is no such run', async () => {
    expectInputError(await cli('runs', 'show', 'zzzz'), `papertape.db: has no run 'zzzz'; there are ${two}, ${one}`)
    expectInputError(await cli('runs', 'show', one.slice(0, 2)), /^papertape\.db: has no run/)
    expectInputError(
      await cli('runs', '--db', 'none.db'),
      'none.db: no such file; create it with papertape import or backtest --db',
    )
    expect(existsSync(join(folder, 'none.db'))).toBe(false)
  })

  it.concurrent('are distinguished from markets, other files and other flags', async () => {
    expectInputError(await cli('runs', '--db', 'tape.csv'), /^tape\.csv: is not a papertape database/)
    expectInputError(
      await cli('backtest', 'hold.js', ...TAPE, '--db', 'tape.csv'),
      /^tape\.csv: is not a papertape database/,
    )
    expectInputError(
      await cli('backtest', 'hold.js', ...TAPE, '--db', 'no/such.db'),
      /^no\/such\.db: cannot be written \(ENOENT.*\): create its directory first, or choose another path$/,
    )
  })
})

describe('backtest --db', () => {
  it.concurrent('keeps the same run once, at the time at which it was run last', async () => {
    const again = ['backtest', 'hold.js', ...TAPE, '--db', 'again.db', '--quiet']
    expect(await cli(...again)).toEqual({ code: 0, stdout: '', stderr: '' })
    const [first] = await listed('again.db')
    expect((await cli(...again)).code).toBe(0)
    const runs = await listed('again.db')
    expect(runs).toEqual([{ ...first, keptAt: runs[0]?.keptAt }])
    expect(runs[0]?.keptAt).toBeGreaterThan(first?.keptAt ?? Infinity)
  })

  it.concurrent('marks a run whose strategy failed, and keeps nothing of one that could not begin', async () => {
    write(strategySource({ run: "throw new Error('no')" }), 'fails.js')
    const { code } = await cli('backtest', 'fails.js', ...TAPE, '--db', 'failed.db')
    expect(code).toBe(1)
    expect((await cli('runs', '--db', 'failed.db')).stdout).toContain('FAILED, A_USD')
    expect(await listed('failed.db')).toMatchObject([{ status: 'failed', failure: 'no' }])
    expect((await cli('backtest', 'hold.js', '--tape', 'none.csv', '--db', 'unmade.db')).code).toBe(2)
    expect(readdirSync(folder).filter((name) => name.startsWith('unmade'))).toEqual([])
  })

  it.concurrent('keeps what it was run with, which --out has too', async () => {
    expect((await cli('verify', 'one')).code).toBe(0)
    const added = await cli('runs', 'add', 'one', '--db', 'added.db')
    expect(idIn(added)).toBe(one)
    expect((await listed('added.db')).map(({ digest }) => digest)).toEqual([(await listed())[1]?.digest])
    const report = join(folder, 'changed', 'run.json')
    await cli('backtest', 'hold.js', ...TAPE, '--out', 'changed')
    writeFileSync(report, readFileSync(report, 'utf8').replace('"fills": 1', '"fills": 2'))
    expectInputError(
      await cli('runs', 'add', 'changed', '--db', 'added.db'),
      /^changed\/run\.json: was changed after the run/,
    )
  })

  it.concurrent('takes out what is named, all or nothing', async () => {
    await cli('backtest', 'hold.js', ...TAPE, '--db', 'fewer.db')
    await cli('backtest', 'hold.js', ...TAPE, '--db', 'fewer.db', '--param', 'qty=2')
    expectInputError(await cli('runs', 'rm', one, 'zzzz', '--db', 'fewer.db'), /^fewer\.db: has no run 'zzzz'/)
    expect(await listed('fewer.db')).toHaveLength(2)
    expect(await cli('runs', 'rm', one, two, '--db', 'fewer.db')).toEqual({
      code: 0,
      stdout: '',
      stderr: `removed ${one}, ${two}\n`,
    })
    expect((await cli('runs', '--db', 'fewer.db')).stdout).toBe(
      'fewer.db has no runs: save some with papertape backtest --db fewer.db\n',
    )
  })

  it.concurrent('counts a trial once, those that are left out never, and says so', async () => {
    const reported = async (...flags: readonly string[]): Promise<string> =>
      plain((await cli('backtest', 'hold.js', ...TAPE, '--db', 'ledger.db', ...flags)).stderr)
    const first = "saved in ledger.db as IDIDIDID; first trial of 'buy-and-hold' on this tape\n"
    expect(await reported()).toBe(first)
    expect(await reported()).toBe(first)
    expect(await reported('--param', 'qty=2', '--no-count-trials')).toBe(
      'saved in ledger.db as IDIDIDID; not counted as a trial\n',
    )
    expect(await reported('--param', 'qty=3')).toContain('; trial 2 of')
    expect(await listed('ledger.db')).toHaveLength(3)
    expectInputError(
      await cli('backtest', 'hold.js', ...TAPE, '--no-ledger'),
      /^--no-count-trials: needs --db FILE, because/,
    )
  })
})
