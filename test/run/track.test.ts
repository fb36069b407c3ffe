/** Sessions of a strategy as one record, in which money that moves between sessions is no profit. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cliHere } from '../cli/rig/cli-here.ts'
import { track } from '../../src/run/track.ts'
import { DAY_MS, isoTime } from '../../src/domain/time.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const { folder } = temporaryFiles()
const URL = 'http://x/v1'

interface Given {
  readonly days: readonly [from: string, to: string]
  readonly equity: readonly [initial: string, final: string]
  /** Quote asset at the start and the end; default: the equity. */
  readonly usd?: readonly [string, string]
  readonly btc?: string
  readonly periods?: string
  readonly url?: string
  /** Fields of the report that differ. */
  readonly report?: object
}

/** Files of a session as far as a track reads them. */
function session(
  place: string,
  { days, equity, usd = equity, btc = '0', periods = '', url = URL, report: other }: Given,
): void {
  const directory = join(folder, place)
  mkdirSync(directory, { recursive: true })
  const [startedAt, endedAt] = days.map((day) => Date.parse(day)) as [number, number]
  const [initialEquity, finalEquity] = equity
  const change = Number(finalEquity) / Number(initialEquity) - 1
  const report = {
    strategy: { name: 'trend' },
    config: { credit: { USD: usd[0], BTC: btc } },
    paper: { url, startedAt, endedAt, continued: {} },
    quoteAsset: 'USD',
    partial: false,
    fills: 2,
    initialEquity,
    finalEquity,
    balances: { USD: { available: usd[1], locked: '0' }, BTC: { available: btc, locked: '0' } },
    statistics: { return: change, maxDrawdown: 0.01, periods: 1 },
    ...other,
  }
  writeFileSync(join(directory, 'run.json'), JSON.stringify(report))
  writeFileSync(join(directory, 'journal.jsonl'), '')
  writeFileSync(join(directory, 'periods.csv'), `time_ms,equity\n${periods}${endedAt},${finalEquity}\n`)
}

/** A session without a report. */
function unreported(place: string, strategy: string): void {
  const head = { t: Date.parse('2026-01-20T10:00Z'), strategy, liquidity: 'tape' }
  mkdirSync(join(folder, place), { recursive: true })
  writeFileSync(join(folder, place, 'journal.jsonl'), `${JSON.stringify(head)}\n`)
}

const midnight = (day: string): number => Date.parse(`${day}T00:00:00Z`)

describe('a track', () => {
  it('joins sessions by their returns, and shows a deposit between them as moved', () => {
    session('grown/b', { days: ['2026-02-03T00:00Z', '2026-02-10T00:00Z'], equity: ['2200', '1980'] })
    session('grown/a', {
      days: ['2026-01-01T00:00Z', '2026-01-05T12:00Z'],
      equity: ['1000', '1100'],
      periods: `${midnight('2026-01-02')},1200\n`,
    })
    const result = track({ name: 'trend', directories: [join(folder, 'grown')] })
    expect(result.return).toBeCloseTo(1.1 * 0.9 - 1, 12)
    expect(result.sessions.map(({ moved, movedBy }) => [moved, movedBy])).toEqual([
      [null, null],
      ['1100', 'balances'],
    ])
    expect(result.maxDrawdown).toBeCloseTo(1 - 990 / 1200, 12)
    expect(result.months.map(({ month, value }) => [month, Number(value?.toFixed(9))])).toEqual([
      [1, 0.1],
      [2, -0.1],
    ])
    expect(
      result.curve.map(({ time, growth, isStart }) => [isoTime(time).slice(5, 10), Number(growth.toFixed(9)), isStart]),
    ).toEqual([
      ['01-01', 1, true],
      ['01-02', 1.2, false],
      ['01-05', 1.1, false],
      ['02-03', 1.1, true],
      ['02-10', 0.99, false],
    ])
  })

  it('says that prices moved if the balances are the same', () => {
    const usd = ['500', '500'] as const
    session('held/1', { days: ['2026-01-01T00:00Z', '2026-01-02T00:00Z'], equity: ['1000', '1010'], usd, btc: '1' })
    session('held/2', { days: ['2026-01-03T00:00Z', '2026-01-04T00:00Z'], equity: ['1050', '1050'], usd, btc: '1' })
    const { sessions, return: total } = track({ name: 'trend', directories: [join(folder, 'held')] })
    expect(sessions[1]).toMatchObject({ moved: '40', movedBy: 'prices' })
    expect(total).toBeCloseTo(0.01, 12)
  })

  it('refuses sessions that are no single account', () => {
    session('two/1', { days: ['2026-01-01T00:00Z', '2026-01-03T00:00Z'], equity: ['1', '1'] })
    session('two/2', { days: ['2026-01-02T00:00Z', '2026-01-04T00:00Z'], equity: ['1', '1'] })
    expect(() => track({ name: 'trend', directories: [join(folder, 'two')] })).toThrow(
      `${join(folder, 'two/2')}: ran at the same time as ${join(folder, 'two/1')}`,
    )
    session('urls/1', { days: ['2026-01-01T00:00Z', '2026-01-02T00:00Z'], equity: ['1', '1'] })
    session('urls/2', { days: ['2026-01-03T00:00Z', '2026-01-04T00:00Z'], equity: ['1', '2'], url: 'http://y/v1' })
    const urls = [join(folder, 'urls')]
    expect(() => track({ name: 'trend', directories: urls })).toThrow('--url: expected one of http://x/v1, http://y/v1')
    expect(track({ name: 'trend', directories: urls, url: 'http://y/v1' }).return).toBe(1)
    const live = { url: URL, owner: 'trend', startedAt: 3 * DAY_MS, endedAt: 4 * DAY_MS }
    session('kinds/1', { days: ['1970-01-01T00:00Z', '1970-01-02T00:00Z'], equity: ['1', '2'] })
    session('kinds/2', { days: ['1970-01-04', '1970-01-05'], equity: ['1', '3'], report: { live, paper: undefined } })
    const kinds = [join(folder, 'kinds')]
    expect(() => track({ name: 'trend', directories: kinds })).toThrow('--kind: expected live or paper')
    expect(track({ name: 'trend', directories: kinds, kind: 'live' }).return).toBe(2)
  })

  it('is of the name in the wallet, and only of that', () => {
    session('wallet/x', { days: ['2026-01-01', '2026-01-02'], equity: ['1', '2'], report: { partOf: 'alpha' } })
    expect(track({ name: 'alpha', directories: [join(folder, 'wallet')] }).return).toBe(1)
    expect(() => track({ name: 'trend', directories: [join(folder, 'wallet')] })).toThrow("no session of 'trend'")
  })

  it('leaves out what it cannot use, and skips other strategies whatever is in their files', () => {
    session('mixed/1', { days: ['2026-01-01', '2026-01-02'], equity: ['1', '2'] })
    session('mixed/empty', { days: ['2026-01-03', '2026-01-04'], equity: ['0', '1'] })
    session('mixed/partial', { days: ['2026-01-05', '2026-01-06'], equity: ['1', '1'], report: { partial: true } })
    session('mixed/old', { days: ['2026-01-05', '2026-01-06'], equity: ['1', '1'], report: { balances: 1 } })
    unreported('mixed/cut', 'trend')
    unreported('mixed/other', 'grid')
    for (const each of ['cut', 'other']) writeFileSync(join(folder, 'mixed', each, 'run.json'), '{"strategy":{')
    session('mixed/grid', { days: ['2026-01-05', '2026-01-06'], equity: ['1', '1'], report: { strategy: { name: 'g' }, balances: 1 } }) // prettier-ignore
    unreported('mixed/killed', 'trend')
    unreported('mixed/killed-grid', 'grid')
    unreported('mixed/.backtest.papertape/run', 'trend')
    const directories = [join(folder, 'mixed'), join(folder, 'mixed/1')]
    const { sessions, leftOut, unfinished } = track({ name: 'trend', directories })
    expect(sessions.map(({ directory }) => basename(directory))).toEqual(['1'])
    expect(leftOut.map(({ directory, why }) => `${basename(directory)}: ${why}`)).toEqual([
      'cut: run.json cannot be read',
      'empty: it began with no equity, so it has no return',
      expect.stringContaining('old: run.json balances: '),
      'partial: something that it held had no price, so its equity is not known',
    ])
    expect(unfinished.map(({ directory }) => basename(directory))).toEqual(['killed'])
    const killed = join(folder, 'mixed/killed')
    expect(() => track({ name: 'trend', directories: [killed] })).toThrow(`${killed} has no report`)
  })

  it('counts capital from other strategies as no profit without periods', () => {
    const report = { transfers: { count: 1 }, statistics: { return: 0.1, maxDrawdown: 0, periods: null } }
    session('moved/1', { days: ['2026-01-01', '2026-01-02'], equity: ['1000', '2200'], report })
    const { return: total, curve } = track({ name: 'trend', directories: [join(folder, 'moved')] })
    expect([total, curve.at(-1)?.growth]).toEqual([expect.closeTo(0.1, 12), expect.closeTo(1.1, 12)])
  })
})

it('prints the record, and names the sessions without a report', async () => {
  session('shown/1', { days: ['2026-01-01T00:00Z', '2026-01-05T00:00Z'], equity: ['1000', '1100'] })
  session('shown/2', { days: ['2026-03-03T00:00Z', '2026-03-10T00:00Z'], equity: ['2200', '1980'] })
  const wallet = { paper: { url: URL, startedAt: Date.parse('2026-03-11'), endedAt: Date.parse('2026-03-12') } }
  session('shown/3', { days: ['2026-03-11', '2026-03-12'], equity: ['1000', '1000'], report: wallet })
  unreported('shown/killed', 'trend')
  const { code, stdout, stderr } = await cliHere(['track', 'trend', join(folder, 'shown')], { cwd: folder })
  expect(code).toBe(0)
  expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual([
    'trend on http://x/v1, 3 sessions',
    'equity   1,000 → 1,000 USD',
    expect.stringMatching(/^curve {4}\S{60}$/),
    'figures  return -1.00 % (time-weighted), max drawdown 10.00 %, a year -5.11 %, Sharpe -0.00, volatility 33.73 %',
    '',
    'start (UTC)       end               equity at end     return  fills',
    '2026-01-01 00:00  2026-01-05 00:00          1,100   +10.00 %      2',
    '2026-01-20 10:00  a session was killed here',
    '  +1,100 USD between the sessions: other trades',
    '2026-03-03 00:00  2026-03-10 00:00          1,980   -10.00 %      2',
    '  -980 USD between the sessions: new paper wallet',
    '2026-03-11 00:00  2026-03-12 00:00          1,000     0.00 %      2',
    '',
    '% a month   Jan   Feb   Mar   Apr   May   Jun   Jul   Aug   Sep   Oct   Nov   Dec',
    '2026       10.0       -10.0',
    '',
  ])
  expect(stderr).toBe(
    `warning: left out ${join(folder, 'shown/killed')}, which has no report: that session runs, or was killed\n`,
  )
})
