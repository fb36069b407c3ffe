/** Sessions of a strategy as one record, in which money that moves between sessions is no profit. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cliHere } from '../cli/rig/cli-here.ts'
import { track } from '../../src/run/track.ts'
import { isoTime } from '../../src/domain/time.ts'
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
}

/** Files of a session as far as a track reads them. */
function session(place: string, { days, equity, usd = equity, btc = '0', periods = '', url = URL }: Given): void {
  const directory = join(folder, place)
  mkdirSync(directory, { recursive: true })
  const [startedAt, endedAt] = days.map((day) => Date.parse(day)) as [number, number]
  const [initialEquity, finalEquity] = equity
  const change = Number(finalEquity) / Number(initialEquity) - 1
  const report = {
    strategy: { name: 'trend' },
    config: { credit: { USD: usd[0], BTC: btc } },
    paper: { url, startedAt, endedAt },
    quoteAsset: 'USD',
    partial: false,
    fills: 2,
    initialEquity,
    finalEquity,
    balances: { USD: { available: usd[1], locked: '0' }, BTC: { available: btc, locked: '0' } },
    statistics: { return: change, maxDrawdown: 0.01, periods: 1 },
  }
  writeFileSync(join(directory, 'run.json'), JSON.stringify(report))
  writeFileSync(join(directory, 'journal.jsonl'), '')
  writeFileSync(join(directory, 'periods.csv'), `time_ms,equity\n${periods}${endedAt},${finalEquity}\n`)
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
    expect(result.months.map(({ month, value }) => [month, Number(value.toFixed(9))])).toEqual([
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
    expect(() => track({ name: 'trend', directories: urls })).toThrow('--url: expected one of http://x/v1 and')
    expect(track({ name: 'trend', directories: urls, url: 'http://y/v1' }).return).toBe(1)
  })
})

it('prints the record, and names the sessions without a report', async () => {
  session('shown/1', { days: ['2026-01-01T00:00Z', '2026-01-05T00:00Z'], equity: ['1000', '1100'] })
  session('shown/2', { days: ['2026-02-03T00:00Z', '2026-02-10T00:00Z'], equity: ['2200', '1980'] })
  mkdirSync(join(folder, 'shown/killed'))
  writeFileSync(join(folder, 'shown/killed/journal.jsonl'), '')
  const { code, stdout, stderr } = await cliHere(['track', 'trend', join(folder, 'shown')], { cwd: folder })
  expect(code).toBe(0)
  expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual([
    'trend on http://x/v1, 2 sessions',
    'equity   1,000 → 1,980 USD',
    expect.stringMatching(/^curve {4}\S{60}$/),
    'figures  return -1.00 % (time-weighted), max drawdown 10.00 %, a year -8.76 %, Sharpe -0.00, volatility 44.81 %',
    '',
    'start (UTC)       end               equity at end     return  fills',
    '2026-01-01 00:00  2026-01-05 00:00          1,100   +10.00 %      2',
    '  +1,100 USD while no session ran: deposit, withdrawal or other trades',
    '2026-02-03 00:00  2026-02-10 00:00          1,980   -10.00 %      2',
    '',
    '% a month   Jan   Feb   Mar   Apr   May   Jun   Jul   Aug   Sep   Oct   Nov   Dec',
    '2026       10.0 -10.0',
    '',
  ])
  expect(stderr).toBe(
    `warning: left out 1 directory without a report, of sessions that run or were killed: ${join(folder, 'shown/killed')}\n`,
  )
})
