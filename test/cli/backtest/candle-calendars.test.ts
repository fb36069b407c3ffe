/**
 * Candles of any calendar from the command line: what a strategy sees of them, and when.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectInputError, type CliResult } from '../rig/cli-result.ts'
import { cliFolderHere } from '../rig/cli-here.ts'
import { strategySource } from '../rig/sample-files.ts'

const { cli, write, folder } = cliFolderHere()

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A file of candles whose closes count from 1. @param times  ISO 8601, or Unix milliseconds */
const candles = (...times: readonly (string | number)[]): string => {
  const rows = times.map((time, index) => {
    const at = typeof time === 'number' ? new Date(time).toISOString() : time
    return `${at},${index + 1},${index + 2},${index + 1},${index + 1},10`
  })
  return ['time,open,high,low,close,volume', ...rows, ''].join('\n')
}
const every = (first: string, count: number, stepMs: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => Date.parse(first) + index * stepMs)

/** Writes when each candle is emitted, where it opens, and its close. */
const shows = (ask: string, more = ''): string =>
  strategySource({
    more,
    params: "of: z.string().default('1d'), zone: z.string().optional()",
    run: `const time = (ms) => new Date(ms).toISOString().slice(5, 16)
    return ${ask}.pipe(tap((row) => console.log('SAW ' + time(now()) + ' ' + time(row.time) + ' ' +
      [row.candles ?? row].flat().map((candle) => candle?.close.toFixed() ?? '-'))), ignoreElements())`,
  })

const saw = ({ code, stdout, stderr }: CliResult): readonly string[] => {
  expect(code, stderr).toBe(0)
  return `${stdout}${stderr}`.match(/SAW .*/g)?.map((line) => line.slice(4)) ?? []
}

const show = async (file: string, ...more: readonly string[]): Promise<readonly string[]> =>
  saw(await cli('backtest', 'show.js', '--tape', `A_USD=${file}`, '--param', 'symbol=A_USD', ...more))
const of = (length: string, ...more: readonly string[]): readonly string[] => ['--param', `of=${length}`, ...more]

beforeAll(() => {
  write(shows('candles(params.symbol, params.of, { zone: params.zone })'), 'show.js')
  write(shows("candles(params.symbol, params.of, { empty: 'fill' })"), 'fill.js')
  write(shows("candles(['A_USD', 'B_USD'], params.of)"), 'both.js')
  write(candles('2024-01-01', '2024-02-01', '2024-03-01', '2024-04-01', '2024-05-01'), 'months.csv')
  write(candles('2024-01-07', '2024-01-14', '2024-01-28', '2024-02-04'), 'sundays.csv')
  const newYork = [
    '2024-03-08T05:00Z',
    '2024-03-09T05:00Z',
    '2024-03-10T05:00Z',
    '2024-03-11T04:00Z',
    '2024-03-12T04:00Z',
  ]
  write(candles(...newYork), 'new-york.csv')
  write(candles(...every('2024-03-08T00:00Z', 96, HOUR)), 'hours.csv')
  write(candles(...every('2024-01-02T14:30Z', 7, HOUR), ...every('2024-01-03T14:30Z', 7, HOUR)), 'session.csv')
  write(candles(...every('2024-05-10T13:30Z', 5, HOUR), '2024-05-10T17:47:23Z'), 'unfinished.csv')
  write(candles('2024-01-01T00:00:00Z', '2024-01-01T00:10:00Z', '2024-01-01T00:10:01Z', '2024-01-01T02:00:00Z', '2024-01-01T05:00:00Z'), 'bars.csv') // prettier-ignore
})

describe('the length of a candle is what the calendar says', () => {
  it.concurrent('of months, the shortest and the longest alike', async () => {
    expect(await show('months.csv', ...of('1M'))).toEqual([
      '02-01T00:00 01-01T00:00 1',
      '03-01T00:00 02-01T00:00 2',
      '04-01T00:00 03-01T00:00 3',
      '05-01T00:00 04-01T00:00 4',
      '06-01T00:00 05-01T00:00 5',
    ])
  })

  it.concurrent('of weeks from Sunday, over one that is missing', async () => {
    expect(await show('sundays.csv', ...of('1w'))).toEqual([
      '01-14T00:00 01-07T00:00 1',
      '01-21T00:00 01-14T00:00 2',
      '02-04T00:00 01-28T00:00 3',
      '02-11T00:00 02-04T00:00 4',
    ])
  })

  it.concurrent('of days of a zone where clocks go forward', async () => {
    expect(await show('new-york.csv')).toEqual([
      '03-09T05:00 03-08T05:00 1',
      '03-10T05:00 03-09T05:00 2',
      '03-11T04:00 03-10T05:00 3',
      '03-12T04:00 03-11T04:00 4',
      '03-13T04:00 03-12T04:00 5',
    ])
  })

  it.concurrent('of hours that are made into days of a zone', async () => {
    expect(await show('hours.csv', '--param', 'zone=America/New_York')).toEqual([
      '03-08T05:00 03-07T05:00 5',
      '03-09T05:00 03-08T05:00 29',
      '03-10T05:00 03-09T05:00 53',
      '03-11T04:00 03-10T05:00 76',
    ])
    const byFlag = ['--zone', 'America/New_York'] as const
    expect(await show('hours.csv', ...byFlag)).toEqual(await show('hours.csv', '--param', 'zone=America/New_York'))
    // Shorter ones stay on the grid of UTC, and days of the tape stay as they are.
    expect((await show('hours.csv', ...of('4h', ...byFlag)))[0]).toBe('03-08T04:00 03-08T00:00 4')
    expect(await show('new-york.csv', ...byFlag)).toEqual(await show('new-york.csv'))
    expect((await show('new-york.csv', ...of('1w', ...byFlag)))[0]).toBe('03-11T04:00 03-04T05:00 3')
  })

  it.concurrent('of session hours that are made into longer ones', async () => {
    expect(await show('session.csv', ...of('2h'))).toEqual([
      '01-02T16:30 01-02T14:30 2',
      '01-02T18:30 01-02T16:30 4',
      '01-02T20:30 01-02T18:30 6',
      '01-02T22:30 01-02T20:30 7',
      '01-03T16:30 01-03T14:30 9',
      '01-03T18:30 01-03T16:30 11',
      '01-03T20:30 01-03T18:30 13',
    ])
    expect(await show('session.csv', ...of('1d', '--param', 'zone=America/New_York'))).toEqual(['01-03T05:00 01-02T05:00 7']) // prettier-ignore
  })

  it.concurrent('of those that were recorded, when gaps are filled', async () => {
    const filled = saw(
      await cli('backtest', 'fill.js', '--tape', 'A_USD=session.csv', '--param', 'symbol=A_USD', ...of('1h')),
    )
    expect(filled).toHaveLength(31)
    expect(filled.filter((line) => line.startsWith('01-03T15:30'))).toEqual(['01-03T15:30 01-03T14:30 8'])
    expect(filled.at(-1)).toBe('01-03T21:30 01-03T20:30 14')
  })
})

describe('a file whose candles have no length to rely on', () => {
  const asked = ['--tape', 'A_USD=unfinished.csv', '--param', 'symbol=A_USD', ...of('1h')] as const

  it.concurrent('is refused at the candle that was not over', async () => {
    expectInputError(
      await cli('backtest', 'show.js', ...asked),
      "unfinished.csv:7:1: expected a candle at least 1h after that of the row before, in line 6, got '2024-05-10T17:47:23Z': it may have been incomplete when the file was written; remove it, or pass --candle-interval for other candles",
    )
    const sorted = await cli('backtest', 'show.js', ...asked, '--sort')
    expectInputError(sorted, /^unfinished\.csv:7: expected a candle at least 1h after the one before, got one at 2024-05-10T17:47:23\.000Z: it may/) // prettier-ignore
  })

  it.concurrent.each([[[]], [['--sort']]])('is imported without it by --skip-bad %s', async (flags) => {
    const file = `unfinished${flags.length}.csv`
    const out = `without${flags.length}.tape`
    write(candles(...every('2024-05-10T13:30Z', 5, HOUR), '2024-05-10T17:47:23Z'), file)
    const imported = await cli('import', `A_USD=${file}`, '--skip-bad', ...flags, '--out', out, '--json')
    expect(imported.code, imported.stderr).toBe(0)
    expect(JSON.parse(imported.stdout)).toMatchObject([{ rowsIn: 6, imported: 5, bad: 1, intervalMs: HOUR }])
    expect(readFileSync(join(folder, `${file}.rejects.csv`), 'utf8')).toContain('2024-05-10T17:47:23Z,6,7,6,6,10')
    expect(await show(out, ...of('1h'))).toHaveLength(5)
  })

  it.concurrent(
    'is refused when its candles open at irregular times, or read with candles that close at the next',
    async () => {
      const bars = ['backtest', 'show.js', '--tape', 'A_USD=bars.csv', '--param', 'symbol=A_USD'] as const
      expectInputError(
        await cli(...bars),
        /^bars\.csv: the candles open at irregular times.*; pass --candle-close next to/,
      )
      expect(saw(await cli(...bars, ...of('10m'), '--candle-close', 'next'))).toEqual([
        '01-01T00:10 01-01T00:00 1',
        '01-01T00:10 01-01T00:10 2',
        '01-01T02:00 01-01T00:10 3',
        '01-01T05:00 01-01T02:00 4',
        '01-01T05:10 01-01T05:00 5',
      ])
      expectInputError(
        await cli('import', 'A_USD=bars.csv', '--candle-close', 'next', '--out', 'bars.tape'),
        '--candle-close next: an imported tape has candles of one length; run the backtest on bars.csv directly',
      )
    },
  )
})

describe('local times', () => {
  const local = ['2024-11-03 00:00', '2024-11-03 01:00', '2024-11-03 01:00', '2024-11-03 02:00'] as const
  const reported = ['11-03T05:00 11-03T04:00', '11-03T06:00 11-03T05:00', '11-03T07:00 11-03T06:00', '11-03T08:00 11-03T07:00'] // prettier-ignore

  it.concurrent('are those of --zone, and the hour that comes twice comes twice', async () => {
    write(candles(...local), 'local.csv')
    write(candles(...local.toReversed()), 'local-newest.csv')
    const zone = ['--zone', 'America/New_York']
    expect(await show('local.csv', ...of('1h', ...zone))).toEqual(reported.map((line, index) => `${line} ${index + 1}`))
    expect(await show('local-newest.csv', ...of('1h', ...zone, '--sort'))).toEqual(
      reported.map((line, index) => `${line} ${4 - index}`),
    )
  })

  it.concurrent('may name their zone', async () => {
    write(candles('20240702 09:30:00 US/Eastern', '20240702 09:31:00 US/Eastern'), 'named.csv')
    expect(await show('named.csv', ...of('1m'))).toEqual(['07-02T13:31 07-02T13:30 1', '07-02T13:32 07-02T13:31 2'])
  })

  it.concurrent('that do not exist are refused, and so is a zone that does not', async () => {
    write(candles('2024-03-10 01:00', '2024-03-10 02:00'), 'none.csv')
    const none = ['backtest', 'show.js', '--tape', 'A_USD=none.csv', '--param', 'symbol=A_USD'] as const
    expectInputError(
      await cli(...none, '--zone', 'America/New_York'),
      "none.csv:3:1: expected a local time that exists in America/New_York, where clocks go forward then, got '2024-03-10 02:00'",
    )
    expectInputError(await cli(...none, '--zone', 'New York'), /^--zone: no zone 'New York'; expected one such as/)
  })
})

it('candles without volumes are played with a stated one, also when they were imported', async () => {
  write('time,open,high,low,close\n2024-01-01,13.2,13.5,12.9,13.1\n2024-01-02,13.1,14.2,13,13.2\n2024-01-03,13.2,14.1,13.1,14\n', 'index.csv') // prettier-ignore
  write(strategySource({ run: "return candles(params.symbol, '1d').pipe(first(), map(() => buyMarket(params.symbol, 10)))" }), 'buys.js') // prettier-ignore
  const run = ['backtest', 'buys.js', '--param', 'symbol=A_USD', '--tape'] as const
  const guessed = await cli(...run, 'A_USD=index.csv')
  expect(guessed.stdout).toContain('warning: The file has no volumes, so each candle is assumed to have a volume of')
  expect(guessed.stdout).toMatch(/fills +1:/)
  await cli('import', 'A_USD=index.csv', '--out', 'index.tape')
  const digestOf = ({ stdout }: CliResult): string | undefined => /digest .*/.exec(stdout)?.[0]
  expect(digestOf(await cli(...run, 'index.tape'))).toBe(digestOf(guessed))
  const thin = await cli(...run, 'A_USD=index.csv', '--volume', '50')
  expect(digestOf(thin)).not.toBe(digestOf(guessed))
  expectInputError(await cli(...run, 'A_USD=new-york.csv', '--volume', '50'), /^--volume: is for candles without volumes, and new-york\.csv has some$/) // prettier-ignore
})

it('a warm-up counts candles that were recorded, and says when there are fewer', async () => {
  const weekdays = every('2024-01-01T00:00Z', 60, DAY).filter((time) => ![0, 6].includes(new Date(time).getUTCDay()))
  write(candles(...weekdays), 'weekdays.csv')
  write(shows("candles(params.symbol, '1d')", "warmup: { '1d': 20 },"), 'warm.js')
  const run = (from: string): Promise<CliResult> =>
    cli('backtest', 'warm.js', '--tape', 'A_USD=weekdays.csv', '--param', 'symbol=A_USD', '--from', from)
  const enough = await run('2024-02-05')
  expect(saw(enough).filter((line) => line.slice(0, 5) <= '02-05')).toHaveLength(20)
  expect(`${enough.stdout}${enough.stderr}`).not.toContain('warm-up:')
  const fewer = await run('2024-01-15')
  expect(`${fewer.stdout}${fewer.stderr}`).toContain('warm-up: only 10 of 20 candles of 1d before 2024-01-15')
})
