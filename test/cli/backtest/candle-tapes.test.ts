/**
 * Tapes of candles, as a user meets them.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectInputError, type CliResult } from '../rig/cli-result.ts'
import { cliFolderHere } from '../rig/cli-here.ts'
import { START, strategySource, TRADES } from '../rig/sample-files.ts'

const { cli, write, folder } = cliFolderHere()

const MINUTE = 60_000
const OPENS = START - (START % MINUTE)

/** Minutes between 90 and 110, from one of them on; ten thousand a minute. */
const candles = (first: number, count: number, offsetMs = 0): string =>
  `time_ms,open,high,low,close,volume\n${Array.from(
    { length: count },
    (_, index) => `${OPENS + (first + index) * MINUTE + offsetMs},100.5,110.5,90.5,104.5,10000\n`,
  ).join('')}`

/** Takes at an open, and rests where half a candle is beyond. */
const TRADER = strategySource({
  name: 'trader',
  run: `return candles(params.symbol, '1m').pipe(take(2), concatMap((_, index) =>
    index === 0 ? [buyMarket(params.symbol, 3)] : [buyLimit(params.symbol, '95.5', 2)]))`,
})

beforeAll(() => {
  write(TRADER, 'trader.js')
  write(TRADES, 'trades.csv')
  write(candles(0, 6), 'minutes.csv')
  write(candles(6, 6), 'later.csv')
  write(candles(4, 6), 'over.csv')
  write(candles(0, 6, 7_000), 'odd.csv')
  for (const [name, ask] of [
    ['asks-trades', 'trades(params.symbol)'],
    ['asks-seconds', "candles(params.symbol, '5s')"],
    ['asks-part', "candles(params.symbol, '90s')"],
  ] as const) {
    write(strategySource({ name, run: `return ${ask}.pipe(ignoreElements())` }), `${name}.js`)
  }
})

describe('a tape of candles', () => {
  it.concurrent.each`
    strategy             | tapes                             | line
    ${'asks-trades.js'}  | ${['minutes.csv']}                | ${/^trades\('A_USD'\): its tape has candles of 1m, which contain no trades; use candles\('A_USD', '1m'\) \(asks-trades\.js:10:\d+\)$/}
    ${'asks-seconds.js'} | ${['minutes.csv']}                | ${/^candles\('A_USD', '5s'\): its tape has candles of 1m; ask for 1m, 5m/}
    ${'asks-part.js'}    | ${['odd.csv']}                    | ${/^candles\('A_USD', '90s'\): .*candles of 1m; ask for 1m, or a multiple \(asks-part\.js:10:\d+\)$/}
    ${'trader.js'}       | ${['minutes.csv', 'trades.csv']}  | ${/^--tape: A_USD has candles in minutes\.csv and trades in trades\.csv: use one kind per market$/}
    ${'trader.js'}       | ${['minutes.csv', 'over.csv']}    | ${/^over\.csv: expected a candle from .*Z on, where that of A_USD before it ends, got one at .*Z$/}
  `('$strategy on $tapes is informed what to mend, and leaves no files', async ({ strategy, tapes, line }) => {
    const out = `${strategy}-${(tapes as string[]).join('-')}`
    const named = (tapes as string[]).flatMap((tape) => ['--tape', `A_USD=${tape}`])
    expectInputError(await cli('backtest', strategy, ...named, '--out', out, '--quiet'), line)
    expect(existsSync(join(folder, out))).toBe(false)
  })

  it.concurrent('two of one market with different zones are refused, for its days begin in one', async () => {
    const zoned = { symbol: 'A_USD', file: 'minutes.csv', zone: 'America/New_York' }
    write(JSON.stringify({ tape: [zoned, { symbol: 'A_USD', file: 'later.csv' }] }), 'two-zones.json')
    const line =
      /^--tape: A_USD has the zone America\/New_York in .*minutes\.csv and UTC in .*later\.csv: use the same zone for both$/
    expectInputError(await cli('backtest', 'trader.js', '--config', 'two-zones.json', '--quiet'), line)
  })

  it.concurrent('is verified, balanced, and asked why', async () => {
    const fees = ['--maker-fee', '10', '--taker-fee', '25', '--spread', '0.2']
    const tapes = ['--tape', 'A_USD=minutes.csv', '--tape', 'A_USD=later.csv']
    const run = await cli('backtest', 'trader.js', ...tapes, ...fees, '--out', 'run')
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.stdout).toMatch(/audit USD: credited 10000 = held [0-9.]+ \+ fees [0-9.]+/)
    expect(await cli('verify', 'run')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^verified: sha256:/) })
    const { stdout } = await cli('why', 'run', '4')
    expect(stdout).toMatch(/^filled after /)
    // Sent when the second minute ended, filled in the third.
    expect(stdout).toContain('2 at 95.5')
  })
})

describe('candles that come in any order, of which two have one time', () => {
  const [one, two, three] = [
    '2024-01-01,100,101,99,100,10',
    '2024-01-02,101,102,100,101,10',
    '2024-01-03,102,103,101,102,10',
  ]
  const other = '2024-01-02,101,104,100,103,12'
  const file = (name: string, ...rows: readonly (string | undefined)[]): string => {
    write(['time,open,high,low,close,volume', ...rows, ''].join('\n'), name)
    return name
  }
  const run = (name: string): Promise<CliResult> =>
    cli('backtest', 'days.js', '--tape', `A_USD=${name}`, '--sort', '--param', 'symbol=A_USD')
  beforeAll(() => {
    const log = 'tap(({ close }) => console.log(`DAY ${close}`)), ignoreElements()'
    write(strategySource({ run: `return candles(params.symbol, '1d').pipe(${log})` }), 'days.js')
  })
  const days = ({ stderr }: CliResult): readonly string[] => stderr.match(/DAY \d+/g) ?? []

  it.concurrent('to the last figure: it is counted once', async () => {
    for (const rows of [
      [three, one, two, two],
      [two, one, two, three, two],
      [three, two, two, one],
    ]) {
      const result = await run(file(`same-${rows.length}-${rows.indexOf(two)}.csv`, ...rows))
      expect(result.code, result.stderr).toBe(0)
      expect(days(result)).toEqual(['DAY 100', 'DAY 101', 'DAY 102'])
    }
  })

  it.concurrent.each`
    name            | rows                              | line | before
    ${'mixed.csv'}  | ${[three, one, two, other]}       | ${5} | ${4}
    ${'newest.csv'} | ${[three, other, two, one]}       | ${4} | ${3}
    ${'again.csv'}  | ${[two, three, two, one, other]}  | ${6} | ${2}
  `('with other figures: an error names both lines of $name', async ({ name, rows, line, before }) => {
    expectInputError(
      await run(file(name, ...(rows as string[]))),
      `${name}:${line}: duplicate time; line ${before} has a different candle for 2024-01-02T00:00:00.000Z`,
    )
  })

  it.concurrent('with other figures: --skip-bad keeps the first of the file, and writes down the others', async () => {
    file('skipped.csv', three, two, other, two, one)
    const imported = await cli('import', 'A_USD=skipped.csv', '--sort', '--skip-bad', '--out', 'skipped.tape', '--json')
    expect(imported.code, imported.stderr).toBe(0)
    expect(JSON.parse(imported.stdout)).toMatchObject([{ bad: 1, duplicate: 1 }])
    expect(readFileSync(join(folder, 'skipped.csv.rejects.csv'), 'utf8')).toContain(`"${other}"`)
    expect(days(await cli('backtest', 'days.js', '--tape', 'skipped.tape', '--param', 'symbol=A_USD'))).toEqual([
      'DAY 100',
      'DAY 101',
      'DAY 102',
    ])
  })
})

describe('days that do not begin at midnight in UTC', () => {
  const days = (hour: string, ...of: readonly number[]): string =>
    `time,open,high,low,close,volume\n${of.map((day) => `2024-01-${String(day).padStart(2, '0')}T${hour}:00Z,${day},${day + 1},${day},${day},10\n`).join('')}`
  const log =
    "tap((reported) => console.log('TOLD ' + new Date(now()).toISOString().slice(5, 13) + ' ' + [reported.candles ?? reported].flat().map((candle) => candle?.close.toFixed() ?? '-'))), ignoreElements()"
  const asks = (words: string): string => strategySource({ run: `return ${words}.pipe(${log})` })
  const run = (file: string, ...tapes: readonly string[]): Promise<CliResult> =>
    cli('backtest', file, ...tapes.flatMap((tape) => ['--tape', tape]), '--param', 'symbol=A_USD')
  const reported = ({ stderr }: CliResult): readonly string[] =>
    (stderr.match(/TOLD .*/g) ?? []).map((line) => line.slice(5))
  beforeAll(() => {
    write(days('05:00', 4, 5, 8), 'five.csv')
    write(days('05:00', 4, 8, 9), 'five-too.csv')
    write(days('00:00', 4, 5, 8), 'zero.csv')
    write(days('14:30', 4, 5, 8), 'half.csv')
    write(days('22:00', 3, 4, 7), 'evening.csv')
    write(asks("candles('A_USD', '1d', { empty: 'fill' })"), 'filled.js')
    write(asks("candles(['A_USD', 'B_USD'], '1d')"), 'both.js')
  })

  it.concurrent.each([
    ['five.csv', '05'],
    ['half.csv', '14'],
    ['zero.csv', '00'],
  ])('%s: each is reported once at its end, and a flat one only where none was recorded', async (file, hour) => {
    const result = await run('filled.js', `A_USD=${file}`)
    expect(result.code, result.stderr).toBe(0)
    expect(reported(result)).toEqual([
      `01-05T${hour} 4`,
      `01-06T${hour} 5`,
      `01-07T${hour} 5`,
      `01-08T${hour} 5`,
      `01-09T${hour} 8`,
    ])
  })

  it.concurrent('two markets that begin at one hour stand beside each other', async () => {
    expect(reported(await run('both.js', 'A_USD=five.csv', 'B_USD=five-too.csv'))).toEqual([
      '01-05T05 4,4',
      '01-06T05 5,-',
      '01-09T05 8,8',
      '01-10T05 -,9',
    ])
  })

  it.concurrent('two that do not are those of the same date, when the later one is over', async () => {
    expect(reported(await run('both.js', 'A_USD=zero.csv', 'B_USD=five-too.csv'))).toEqual([
      '01-05T05 4,4',
      '01-06T00 5,-',
      '01-09T05 8,8',
      '01-10T05 -,9',
    ])
    expect(reported(await run('both.js', 'A_USD=five.csv', 'B_USD=half.csv'))).toEqual([
      '01-05T14 4,4',
      '01-06T14 5,5',
      '01-09T14 8,8',
    ])
  })

  it.concurrent('a day that opens in the evening is that of the next date', async () => {
    expect(reported(await run('both.js', 'A_USD=zero.csv', 'B_USD=evening.csv'))).toEqual([
      '01-05T00 4,3',
      '01-06T00 5,4',
      '01-09T00 8,7',
    ])
  })
})
