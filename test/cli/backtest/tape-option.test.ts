import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectInputError, jsonRun } from '../rig/cli-result.ts'
import { cliFolderHere } from '../rig/cli-here.ts'
import { START, strategySource, TRADES } from '../rig/sample-files.ts'

const { cli, write, folder } = cliFolderHere()

const WITH_SYMBOLS = TRADES.split('\n')
  .map((line, index) => (line === '' ? '' : `${line},${index === 0 ? 'symbol' : 'S_USD'}`))
  .join('\n')

const CANDLES = `time,open,high,low,close,volume
2024-01-01,10,12,9,11,8
2024-01-02,11,13,11,12,0
2024-01-03,12,14,11.5,13,6
`

beforeAll(() => {
  write(TRADES, 'tape.csv')
  write(gzipSync(TRADES), 'tape.csv.gz')
  write(TRADES.replaceAll(String(START).slice(0, 4), '1701'), 'later.csv')
  write(WITH_SYMBOLS, 'symbols.csv')
  write(CANDLES, 'candles.csv')
  write(`7;${START};1.5;2`.replaceAll(';', ','), 'bare.csv')
  write(strategySource({ name: 'noop', run: 'return NEVER' }), 'noop.js')
  // A line for each trade of every market, in the order in which they come.
  const each = 'trades(symbol).pipe(tap((trade) => log(`${symbol} ${trade.price}`)))'
  const run = `return merge(...markets.map(({ symbol }) => ${each})).pipe(ignoreElements())`
  write(strategySource({ run }).replace('params, market,', 'params, markets,'), 'all.js')
})

const tapesOf = async (...flags: string[]): Promise<unknown> =>
  (await jsonRun(cli, 'backtest', 'noop.js', ...flags)).tapes

describe('the market of a tape', () => {
  it.concurrent.each`
    flags                                     | symbol     | why
    ${'--tape A_USD=tape.csv'}                | ${'A_USD'} | ${'SYMBOL=FILE'}
    ${'--tape tape.csv --symbol A_USD'}       | ${'A_USD'} | ${'--symbol for a single tape'}
    ${'--tape symbols.csv'}                   | ${'S_USD'} | ${'the symbol column'}
    ${'--tape A_USD=symbols.csv'}             | ${'A_USD'} | ${'SYMBOL=FILE over the symbol column'}
    ${'--tape A_USD=tape.csv.gz'}             | ${'A_USD'} | ${'compressed'}
  `('$flags: $why', async ({ flags, symbol }) =>
    expect(await tapesOf(...flags.split(' '))).toMatchObject([{ symbol, kind: 'trades', rows: 6 }]),
  )

  it.concurrent.each`
    flags                                                | line
    ${'--tape tape.csv'}                                 | ${/^--tape: missing symbol of tape\.csv: write SYMBOL=tape\.csv or pass --symbol$/}
    ${'--tape tape.csv --tape later.csv --symbol A_USD'} | ${'--symbol: works with a single tape; with several, write --tape SYMBOL=FILE for each'}
    ${'--tape A_USD=tape.csv --symbol B_USD'}            | ${"--symbol: 'B_USD' contradicts the symbol of the tape, 'A_USD'"}
    ${'--tape BTCUSD=tape.csv'}                          | ${"--tape: expected a symbol of the form BASE_QUOTE such as BTC_USD, got 'BTCUSD'"}
    ${'--tape A_USD=none.csv'}                           | ${'none.csv: no such file'}
    ${'--tape A_USD=tape.csv --tape B_USD=none.csv'}     | ${'none.csv: no such file'}
  `('$flags is refused', async ({ flags, line }) =>
    expectInputError(await cli('backtest', 'noop.js', ...flags.split(' ')), line),
  )

  it.concurrent('a symbol column that says otherwise is reported', async () => {
    const { notices } = await jsonRun(cli, 'backtest', 'noop.js', '--tape', 'A_USD=symbols.csv')
    expect(notices).toContain("The symbol column says 'S_USD'; A_USD is used.")
  })
})

describe('several tapes', () => {
  it.concurrent('of two markets are merged by time, ties by the order in which they were named', async () => {
    const { code, stderr } = await cli(
      'backtest',
      'all.js',
      '--tape',
      'B_USD=tape.csv',
      '--tape',
      'A_USD=tape.csv',
      '--quiet',
    )
    expect(code).toBe(0)
    const reported = stderr
      .trim()
      .split('\n')
      .map((line) => line.slice(line.indexOf(' ') + 1))
    expect(reported.slice(0, 4)).toEqual(['B_USD 100', 'A_USD 100', 'B_USD 100.5', 'A_USD 100.5'])
    expect(reported).toHaveLength(12)
  })

  it.concurrent('of one market follow each other', async () => {
    expect(await tapesOf('--tape', 'A_USD=tape.csv', '--tape', 'A_USD=later.csv')).toMatchObject([
      { symbol: 'A_USD', file: 'tape.csv', rows: 6 },
      { symbol: 'A_USD', file: 'later.csv', rows: 6 },
    ])
  })

  it.concurrent('are valued in the first one’s quote asset, and credited in it', async () => {
    const report = await jsonRun(cli, 'backtest', 'noop.js', '--tape', 'A_EUR=tape.csv', '--tape', 'B_USD=tape.csv')
    expect(report).toMatchObject({ quoteAsset: 'EUR', config: { credit: { EUR: '10000' } }, initialEquity: '10000' })
    expect(Object.keys(report.balances).sort()).toEqual(['A', 'B', 'EUR', 'USD'])
  })
})

describe('how a tape is read', () => {
  it.concurrent('columns by position, for a file without a header', async () => {
    expect(await tapesOf('--tape', 'A_USD=bare.csv', '--columns', 'id,time,price,qty')).toMatchObject([
      { rows: 1, from: START, pricePrecision: 1, qtyPrecision: 0, reading: { columns: 'id,time,price,qty' } },
    ])
  })

  it.concurrent('columns by header', async () => {
    const columns = 'time=time_ms,price=price,qty=qty'
    expect(await tapesOf('--tape', 'A_USD=tape.csv', '--columns', columns)).toMatchObject([
      { rows: 6, reading: { columns } },
    ])
  })

  it.concurrent('precisions finer than the rows need', async () => {
    expect(await tapesOf('--tape', 'A_USD=tape.csv', '--price-precision', '4', '--qty-precision', '8')).toMatchObject([
      { pricePrecision: 4, qtyPrecision: 8, reading: { pricePrecision: 4, qtyPrecision: 8 } },
    ])
  })

  it.concurrent.each`
    flags                     | from                          | to                            | why
    ${''}                     | ${Date.UTC(2024, 0, 1)}       | ${Date.UTC(2024, 0, 4)}       | ${'a date is the opening, in UTC'}
    ${'--candle-time close'}  | ${Date.UTC(2023, 11, 31)}     | ${Date.UTC(2024, 0, 3)}       | ${'or the close'}
    ${'--candle-interval 1h'} | ${Date.UTC(2024, 0, 1)}       | ${Date.UTC(2024, 0, 3, 1)}    | ${'candles shorter than their distance'}
  `('candles $flags: $why', async ({ flags, from, to }) =>
    expect(await tapesOf('--tape', 'A_USD=candles.csv', ...flags.split(' ').filter(Boolean))).toMatchObject([
      { kind: 'candles', rows: 3, emptyCandles: 1, from, to, pricePrecision: 1 },
    ]),
  )
})

it('paths in the report are absolute beside what was given', async () => {
  expect(await tapesOf('--tape', 'A_USD=./tape.csv')).toMatchObject([
    { file: './tape.csv', path: `${folder}/tape.csv` },
  ])
})
