/** A strategy's own data on the command line: what it receives, when, and which files are refused. */
import { rmSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectInputError } from '../rig/cli-result.ts'
import { cliFolderHere } from '../rig/cli-here.ts'
import { START, strategySource } from '../rig/sample-files.ts'

const { cli, write, folder } = cliFolderHere()

const at = (seconds: number): string => new Date(START + seconds * 1_000).toISOString()

/** A trade every 20 s for two minutes. */
const TRADES = `trade_id,time_ms,price,qty,is_buyer_maker\n${[0, 20, 40, 60, 80, 100, 120]
  .map((seconds, index) => `${index + 1},${START + seconds * 1_000},${100 + index}.00,1.0000,false\n`)
  .join('')}`

const ROWS = [
  [-600, '7', 'Fear'],
  [-60, '0.10', ''],
  [40, '30', 'Greed, "extreme"'],
  [60, '40', ''],
] as const

const CSV = `timestamp, value, class\n${ROWS.map(([seconds, value, text]) => `${at(seconds)},${value},"${text.replaceAll('"', '""')}"\n`).join('')}`
const JSON_ROWS = ROWS.map(([seconds, value, text]) => ({
  timestamp: START + seconds * 1_000,
  value: JSON.parse(`"${value}"`) as string,
  class: text === '' ? null : text,
}))

/** Logs everything that it receives, in order. */
const WATCHER = `
    const note = (what) => tap((value) => log(what(value)))
    return merge(
      series('mood', ['value', 'class']).pipe(note((row) => \`row \${row.value} \${row.class} of \${row.timestamp - ${START}} at \${now() - ${START}}\`)),
      trades(params.symbol).pipe(note((trade) => \`trade \${trade.price} at \${now() - ${START}}\`)),
      candles(params.symbol, '1m').pipe(note((candle) => \`candle \${candle.close} at \${now() - ${START}}\`)),
    ).pipe(ignoreElements())`

const tape = ['--tape', 'A_USD=trades.csv']

async function logsOf(...args: string[]): Promise<readonly string[]> {
  const { stderr, code } = await cli('backtest', 'watcher.js', ...tape, '--json', ...args)
  expect(code).toBe(0)
  return stderr.split('\n').flatMap((line) => / ((?:row|trade|candle) .*)$/.exec(line)?.[1] ?? [])
}

beforeAll(() => {
  write(TRADES, 'trades.csv')
  write(CSV, 'mood.csv')
  write(JSON_ROWS.map((row) => `${JSON.stringify(row)}\n`).join(''), 'mood.jsonl')
  write(JSON.stringify({ name: 'mood', data: JSON_ROWS }), 'mood.json')
  write(gzipSync(CSV), 'mood.csv.gz')
  write(strategySource({ name: 'watcher', run: WATCHER }), 'watcher.js')
  write(strategySource({ name: 'unaware', run: 'return NEVER' }), 'unaware.js')
})

describe('a series', () => {
  it('gives its latest row at the start, and each later one after the trades and before the candles of its moment', async () => {
    expect(await logsOf('--series', 'mood=mood.csv')).toEqual([
      'row 0.10 undefined of -60000 at 0',
      'trade 100 at 0',
      'trade 101 at 20000',
      'trade 102 at 40000',
      'row 30 Greed, "extreme" of 40000 at 40000',
      'candle 101 at 40000',
      'trade 103 at 60000',
      'row 40 undefined of 60000 at 60000',
      'trade 104 at 80000',
      'trade 105 at 100000',
      'candle 104 at 100000',
      'trade 106 at 120000',
    ])
  })

  it('gives who subscribes at the close of a candle the row of that moment, also if no one else does', async () => {
    const run = `
    const latest = () => series('mood', ['value']).pipe(take(1))
    return candles(params.symbol, '1m').pipe(concatMap(latest), tap((row) => log(\`row \${row.value}\`)), ignoreElements())`
    write(strategySource({ name: 'asks', run }), 'asks.js')
    const { stderr } = await cli('backtest', 'asks.js', ...tape, '--json', '--series', 'mood=mood.csv')
    expect(stderr.match(/ row \S+/g)).toEqual([' row 30', ' row 40'])
  })

  it('reads dates without a zone in the zone of the tape', async () => {
    write('date,value,class\n2023-11-14 17:00:00,1,\n', 'local.csv')
    const logs = await logsOf('--zone', 'America/New_York', '--series', 'mood=local.csv')
    expect(logs[0]).toBe(`row 1 undefined of ${Date.UTC(2023, 10, 14, 22) - START} at 0`)
  })

  it('has one digest in whatever order the flags are', async () => {
    const digestOf = async (...flags: string[]): Promise<unknown> =>
      (JSON.parse((await cli('backtest', 'watcher.js', ...tape, '--json', ...flags)).stdout) as { digest: unknown })
        .digest
    const [mood, other] = [
      ['--series', 'mood=mood.csv'],
      ['--series', 'a=mood.jsonl'],
    ] as const
    expect(await digestOf(...mood, ...other)).toBe(await digestOf(...other, ...mood))
  })

  it('arrives after the feed latency, and at the start gives only what had arrived by then', async () => {
    const rows = (await logsOf('--series', 'mood=mood.csv', '--feed-latency', '70000')).filter((each) =>
      each.startsWith('row'),
    )
    expect(rows).toEqual([
      'row 7 Fear of -600000 at 0',
      'row 0.10 undefined of -60000 at 10000',
      'row 30 Greed, "extreme" of 40000 at 110000',
    ])
  })

  it.each(['mood.jsonl', 'mood.json', 'mood.csv.gz'])('has the same rows in %s', async (file) => {
    expect(await logsOf('--series', `mood=${file}`)).toEqual(await logsOf('--series', 'mood=mood.csv'))
  })

  it('is part of the digest, of the report and of a later verify', async () => {
    const run = async (out: string, file: string): Promise<{ digest: string; series: unknown }> => {
      const { stdout } = await cli(
        'backtest',
        'watcher.js',
        ...tape,
        '--series',
        `mood=${file}`,
        '--out',
        out,
        '--json',
      )
      return JSON.parse(stdout) as { digest: string; series: unknown }
    }
    write(CSV, 'moving.csv')
    const [one, same, other] = [
      await run('one', 'mood.csv'),
      await run('same', 'moving.csv'),
      await run('other', 'mood.jsonl'),
    ]
    expect(same.digest).toBe(one.digest)
    expect(other.digest).not.toBe(one.digest)
    expect(one.series).toMatchObject([{ name: 'mood', file: 'mood.csv', rows: 4, columns: ['value', 'class'] }])
    expect((await cli('diff', 'one', 'other')).stdout).toContain('series.mood')
    expect((await cli('verify', 'same')).stdout).toContain(`verified: ${one.digest}`)
    write(`${CSV}${at(90)},50,\n`, 'moving.csv')
    expectInputError(
      await cli('verify', 'same'),
      /moving\.csv: has changed: expected sha256 [0-9a-f]{64}, got [0-9a-f]{64}$/,
    )
    rmSync(`${folder}/moving.csv`)
    expectInputError(await cli('verify', 'same'), /moving\.csv: no such file$/)
  })

  it('is checked on random markets with a strategy that asks for it', async () => {
    const given = ['check', 'watcher.js', '--runs', '3']
    expect((await cli(...given, '--series', 'mood=mood.csv')).stdout).toContain('no faults found')
    expectInputError(await cli(...given), /^series\('mood'\): the run has no such series: pass --series mood=FILE/)
  })

  it('that no strategy asks for is a warning', async () => {
    const { stdout } = await cli('backtest', 'unaware.js', ...tape, '--series', 'mood=mood.csv')
    expect(stdout).toContain("warning: The strategy did not use the series 'mood'.")
  })

  it('can come from the config file', async () => {
    write(
      JSON.stringify({ backtest: { tape: 'A_USD=trades.csv', series: { mood: 'mood.csv' } } }),
      'series.config.json',
    )
    const { code } = await cli('backtest', 'watcher.js', '--config', 'series.config.json', '--quiet')
    expect(code).toBe(0)
  })
})

describe('a series is not refused for its looks', () => {
  it.each(['__proto__', 'constructor'])('has the name %s', async (name) => {
    write(strategySource({ name: 'asker', run: `return series('${name}').pipe(ignoreElements())` }), 'asker.js')
    const { code, stderr } = await cli('backtest', 'asker.js', ...tape, '--json', '--series', `${name}=mood.csv`)
    expect([code, stderr]).toEqual([0, ''])
  })

  it.each(['1700000000000.0', '1700000000.0'])(
    'has times that a table of floats exported, such as %s',
    async (time) => {
      write(`timestamp,value,class\n${time},1,\n`, 'floats.csv')
      const logs = await logsOf('--series', 'mood=floats.csv')
      expect(logs.filter((each) => each.startsWith('row'))).toEqual([
        `row 1 undefined of ${1_700_000_000_000 - START} at ${Math.max(0, 1_700_000_000_000 - START)}`,
      ])
    },
  )
})

describe('a wrong series is refused by its place', () => {
  it.each`
    text                                             | line                                                                                              | why
    ${'timestamp,value\n2024-01-02,1\n2024-01-01,2'} | ${/:3:1: expected a time after that of the row before, 2024-01-02T00:00:00.000Z, got 2024-01-01/} | ${'unordered'}
    ${'timestamp,value\n2024-01-02,1\n2024-01-02,2'} | ${/:3:1: expected a time after that of the row before, 2024-01-02T00:00:00.000Z, got the same$/}  | ${'two rows of one time'}
    ${'value,timestamp\n1,soon'}                     | ${/:2:2: expected Unix seconds, .*, got 'soon'$/}                                                 | ${'no time'}
    ${'value,timestamp\n1'}                          | ${/:2:2: expected 2 columns, got 1$/}                                                             | ${'a cell is missing'}
    ${'when,value\n1,2'}                             | ${/:1: expected a header with a column 'timestamp', got when, value$/}                            | ${'no column of times'}
    ${'date,time,value\n2024-01-02,09:00,1'}         | ${/:1: expected one column of times, got 'date' and 'time': name the one to use 'timestamp'/}     | ${'a date without its time of day'}
    ${'timestamp,a,a\n1,2,3'}                        | ${/:1: expected a different name for each column, got 'a' in timestamp, a, a$/}                   | ${'two columns of one name'}
    ${'timestamp,value\n'}                           | ${/: expected at least one row, got none$/}                                                       | ${'no row'}
    ${''}                                            | ${/: expected CSV, got an empty file$/}                                                           | ${'no byte'}
    ${'{"timestamp":1,"value":[1]}'}                 | ${/:1:1: expected a text or a number under 'value', got an array$/}                               | ${'a list in a cell'}
    ${'{"timestamp":1}\n{"time":1}'}                 | ${/:2:1: expected a time after that of the row before/}                                           | ${'another name of the time'}
    ${'{"value":1}'}                                 | ${/:1:1: expected a key 'timestamp', got value$/}                                                 | ${'no key of the time'}
    ${'timestamp,value\n2024-01-02,1\n2024-01-03,"'} | ${/: expected a closing quote, got the end of the file$/}                                         | ${'an open quote'}
    ${'timestamp,mood\n2024-01-02,1'}                | ${/^series\('mood'\): has no column 'value'; there is mood \(watcher\.js:\d+:\d+\)$/}             | ${'the strategy needs another column'}
  `('$why', async ({ text, line, why }) => {
    const file = `${String(why).replaceAll(' ', '-')}.txt`
    write(String(text), file)
    expectInputError(await cli('backtest', 'watcher.js', ...tape, '--series', `mood=${file}`), line as RegExp)
  })

  it.each`
    flags                                            | line
    ${[]}                                            | ${/^series\('mood'\): the run has no such series: pass --series mood=FILE \(watcher\.js:\d+:\d+\)$/}
    ${['--series', 'mod=mood.csv']}                  | ${/pass --series mood=FILE; there is mod; did you mean 'mod'\? \(/}
    ${['--series', 'mood=none.csv']}                 | ${/^none\.csv: no such file$/}
    ${['--series', 'mood.csv']}                      | ${/^--series: expected NAME=VALUE, got 'mood\.csv'$/}
    ${['--series', 'a b=mood.csv']}                  | ${/^--series: expected NAME=FILE with a name of letters, .*, got 'a b'$/}
    ${['--series', 'a=mood.csv', '--series', 'a=b']} | ${/^--series a: given twice$/}
  `('$flags', async ({ flags, line }) => {
    expectInputError(await cli('backtest', 'watcher.js', ...tape, ...(flags as string[])), line as RegExp)
  })

  it('is refused by paper before it connects', async () => {
    const flags = ['--url', 'http://127.0.0.1:9/v1', '--series', 'mood=none.csv']
    const { code, stderr } = await cli('paper', 'watcher.js', ...flags)
    expect([code, stderr]).toEqual([2, expect.stringContaining('none.csv: no such file')])
  })
})
