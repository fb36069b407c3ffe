import { beforeAll, describe, expect, it } from 'vitest'
import { expectInputError, jsonRun } from '../rig/cli-result.ts'
import { cliFolderHere } from '../rig/cli-here.ts'
import { BUY_AND_HOLD, IDEAL, START, strategySource, TRADES } from '../rig/sample-files.ts'

const { cli, write } = cliFolderHere()
const TAPE = ['--tape', 'A_USD=tape.csv', ...IDEAL]

beforeAll(() => {
  write(TRADES, 'tape.csv')
  write(BUY_AND_HOLD, 'hold.js')
  const params = 'count: z.int().min(1).default(3), isOn: z.boolean().default(true), list: z.array(z.int()).default([])'
  write(strategySource({ run: 'return NEVER', params }), 'params.js')
})

describe('a bad value is refused in one line that names its flag', () => {
  it.concurrent.each`
    flag                                 | line
    ${'--param fast'}                    | ${"--param: expected NAME=VALUE, got 'fast'"}
    ${'--param fast=x'}                  | ${"--param fast: expected a number, got 'x'"}
    ${'--param fast=0'}                  | ${'--param fast: Too small: expected number to be >=1'}
    ${'--param fast=40'}                 | ${'--param fast: expected fast to be smaller than slow'}
    ${'--param fsat=5'}                  | ${"--param fsat: strategy 'sma-cross' has no such parameter; did you mean 'fast'?"}
    ${'--credit 5'}                      | ${"--credit: expected AMOUNT:ASSET such as 10000:USD, got '5'"}
    ${'--credit 1e5:USD'}                | ${"--credit USD: expected a decimal such as 12.5, got '1e5'"}
    ${'--credit 0.0001:USD'}             | ${"--credit USD: '0.0001' has more than 3 decimals"}
    ${'--credit 5:EUR'}                  | ${"--credit: no market has the asset 'EUR'; there is A, USD"}
    ${'--maker-fee -1'}                  | ${"--maker-fee: expected basis points from 0 to 10000 with up to 4 decimals, got '-1'"}
    ${'--taker-fee 0.00001'}             | ${"--taker-fee: expected basis points from 0 to 10000 with up to 4 decimals, got '0.00001'"}
    ${'--liquidity endless'}             | ${/^--liquidity: .*'endless'/}
    ${'--order-latency -1'}              | ${"--order-latency: expected an integer from 0 to 86400000, got '-1'"}
    ${'--response-latency 50ms'}         | ${"--response-latency: expected an integer from 0 to 86400000, got '50ms'"}
    ${'--feed-latency 1e3'}              | ${"--feed-latency: expected an integer from 0 to 86400000, got '1e3'"}
    ${'--on-limit retry'}                | ${"--on-limit: expected refuse or wait, got 'retry'"}
    ${'--seed 4294967296'}               | ${"--seed: expected an integer from -2147483648 to 2147483647, got '4294967296'"}
    ${'--from yesterday'}                | ${/^--from: expected a date such as 2024-08-09 .*, got 'yesterday'$/}
    ${'--to 2020-01-01'}                 | ${/^--to: nothing was recorded in that time; the tapes cover 2023-11-14T22:13:20.000Z to /}
    ${'--columns when=time'}             | ${/^--columns: expected one of id, time, .*, got 'when'/}
    ${'--candle-time middle'}            | ${"--candle-time: expected open or close, got 'middle'"}
    ${'--candle-interval 7x'}            | ${/^--candle-interval: expected a length such as 1m, .* or 1M, or milliseconds, got '7x'$/}
    ${'--price-precision 1'}             | ${/^tape\.csv:4:3: expected .* 1 decimals, got '100.25'$/}
    ${'--qty-precision 13'}              | ${"--qty-precision: expected an integer from 0 to 12, got '13'"}
    ${'--config none.json'}              | ${"--config: no such file 'none.json'"}
    ${'--out tape.csv'}                  | ${"--out: 'tape.csv' is not a directory"}
    ${'--out tape.csv/run'}              | ${/^--out: cannot write .*'tape\.csv\/run'/}
    ${'--out /proc/run'}                 | ${/^--out: cannot write .*'\/proc\/run'/}
  `('$flag', async ({ flag, line }) =>
    expectInputError(await cli('backtest', 'sma-cross', '--tape', 'A_USD=tape.csv', ...flag.split(' ')), line),
  )
})

it.concurrent(
  'parameters are read from text as the schema wants them, beside defaults and the symbol of the tape',
  async () => {
    const flags = ['--param', 'isOn=false', '--param', 'list=[1,2]']
    const { params } = await jsonRun(cli, 'backtest', 'params.js', ...TAPE, ...flags)
    expect(params).toEqual({ symbol: 'A_USD', count: 3, isOn: false, list: [1, 2] })
  },
)

describe('credit', () => {
  it.concurrent.each`
    flags                                 | credit                           | initialEquity           | why
    ${''}                                 | ${{ USD: '10000' }}              | ${'10000'}              | ${'10 000 of the quote asset by default'}
    ${'--credit 0.125:USD'}               | ${{ USD: '0.125' }}              | ${'0.125'}              | ${'to the last digit of the ledger'}
    ${'--credit 0:USD'}                   | ${{ USD: '0' }}                  | ${'0'}                  | ${'nothing is an amount'}
    ${'--credit 2.5:A --credit 0.50:USD'} | ${{ A: '2.5', USD: '0.5' }}      | ${'250.5'}              | ${'the base asset at its first price'}
    ${'--credit 123456789012345678:USD'}  | ${{ USD: '123456789012345678' }} | ${'123456789012345678'} | ${'beyond every double'}
  `('$flags: $why', async ({ flags, credit, initialEquity }) => {
    const report = await jsonRun(cli, 'backtest', 'params.js', ...TAPE, ...flags.split(' ').filter(Boolean))
    expect(report).toMatchObject({
      config: { credit },
      initialEquity,
      finalEquity: expect.any(String),
      audit: { ok: true },
    })
  })
})

it.concurrent('--from is inside and --to is outside of what a strategy sees', async () => {
  const run = 'return trades(params.symbol).pipe(tap((t) => log(String(t.createdAt))), ignoreElements())'
  write(strategySource({ run }), 'log-times.js')
  const window = ['--from', '2023-11-14T22:13:21Z', '--to', String(START + 60_000)]
  const { code, stderr } = await cli('backtest', 'log-times.js', ...TAPE, ...window, '--quiet')
  expect(code).toBe(0)
  const times = stderr
    .trim()
    .split('\n')
    .map((line) => Number(line.split(' ')[1]))
  expect(times).toEqual([START + 1000, START + 2000, START + 3000])
})

describe('latency', () => {
  const FIRST = strategySource({
    run: `return merge(
      outcomes$.pipe(tap(({ order }) => log(\`answer \${now()} for \${order.createdAt}\`)), ignoreElements()),
      trades(params.symbol).pipe(first(), tap(() => log(\`sent \${now()} for\`)), map(() => buyMarket(params.symbol, '1'))),
    )`,
  })

  it.concurrent.each`
    flags                       | sent   | arrived | answered | why
    ${''}                       | ${0}   | ${50}   | ${50}    | ${'50 ms of order latency by default'}
    ${'--order-latency 0'}      | ${0}   | ${0}    | ${0}     | ${'none'}
    ${'--order-latency 1500'}   | ${0}   | ${1500} | ${1500}  | ${'until an order arrives'}
    ${'--response-latency 300'} | ${0}   | ${50}   | ${350}   | ${'until its answer arrives'}
    ${'--feed-latency 700'}     | ${700} | ${750}  | ${750}   | ${'until market data arrives'}
  `('$flags: $why', async ({ flags, sent, arrived, answered }) => {
    write(FIRST, 'first.js')
    const { code, stderr } = await cli('backtest', 'first.js', ...TAPE, '--quiet', ...flags.split(' ').filter(Boolean))
    expect(code).toBe(0)
    const reported = stderr
      .trim()
      .split('\n')
      .map((line) => line.slice(line.indexOf(' ') + 1))
    expect(reported).toEqual([
      `sent ${START + Number(sent)} for`,
      `answer ${START + Number(answered)} for ${START + Number(arrived)}`,
    ])
  })
})
