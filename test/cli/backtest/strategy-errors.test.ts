import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { reportIn, type CliResult } from '../rig/cli-result.ts'
import { cliFolderHere } from '../rig/cli-here.ts'
import { BODY_LINE, IDEAL, START, strategySource, TRADES, type SampleStrategy } from '../rig/sample-files.ts'

const { cli, write, folder } = cliFolderHere()

beforeAll(() => {
  write(TRADES, 'tape.csv')
})

let files = 0

/** Runs the strategy on the sample tape. */
async function runStrategy(
  strategy: SampleStrategy,
  ...flags: string[]
): Promise<CliResult & { readonly file: string }> {
  files += 1
  const file = `strategy-${files}.js`
  write(strategySource(strategy), file)
  return { ...(await cli('backtest', file, '--tape', 'A_USD=tape.csv', ...IDEAL, ...flags)), file: join(folder, file) }
}

const eachTrade = (body: string): string => `return trades(params.symbol).pipe(map((trade) => { ${body}; return [] }))`

describe('a strategy that throws ends the run with its message, place and virtual time, and exit code 1', () => {
  it.concurrent.each`
    run                                                                       | time       | message
    ${eachTrade("if (trade.priceNumber > 100.6) throw new Error('too high')")} | ${3000}    | ${'too high'}
    ${"throw new TypeError('at once')"}                                       | ${0}       | ${'at once'}
    ${"return timer(1500).pipe(map(() => { throw new RangeError('later') }))"} | ${1500}    | ${'later'}
    ${"return candles(params.symbol, '1m').pipe(map(() => { throw new Error('candle') }))"} | ${40_000} | ${'candle'}
    ${'return trades(params.symbol).pipe(map((trade) => trade.prize.times(2)))'} | ${0}      | ${"Cannot read properties of undefined (reading 'times')"}
    ${eachTrade('if (trade.price > trade.qty) return []')} | ${0} | ${'a Decimal has no + - * / < > or ==: use plus, minus, times, div, lessThan, greaterThan, equals; toNumber() for a double, a template for a text'}
    ${eachTrade("trades('B_USD')")}                                           | ${0}       | ${"symbol: no market 'B_USD'; there is A_USD"}
  `('$message', async ({ run, time, message }) => {
    const { code, stdout, stderr, file } = await runStrategy({ run }, '--quiet')
    const at = new Date(START + Number(time)).toISOString()
    expect(stderr).toMatch(/^[^\n]+\n$/)
    expect(stderr).toContain(`strategy 'sample' failed at ${at}: ${message} (${file}:${BODY_LINE}:`)
    expect(stderr).toMatch(/:\d+:\d+\)\n$/)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  })

  it.concurrent(
    'but what it asks for at the start and is not there is refused by name, as a wrong flag is',
    async () => {
      const { code, stdout, stderr } = await runStrategy({ run: "return trades('B_USD')" }, '--quiet')
      expect(stderr).toMatch(/^papertape: symbol: no market 'B_USD'; there is A_USD \(strategy-\d+\.js:10:\d+\)\n$/)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    },
  )

  it.concurrent('whatever it throws, though the place of what is no Error is not known', async () => {
    const { code, stderr } = await runStrategy({ run: eachTrade("throw 'a word'") }, '--quiet')
    expect(stderr).toBe("papertape: strategy 'sample' failed at 2023-11-14T22:13:20.000Z: a word\n")
    expect(code).toBe(1)
  })

  it.concurrent('and the report says so, up to that moment', async () => {
    const run = `return trades(params.symbol).pipe(map((trade) => {
      if (trade.priceNumber > 101.2) throw new Error('enough')
      return buyMarket(params.symbol, '1')
    }))`
    const result = await runStrategy({ run }, '--json')
    expect(result.code).toBe(1)
    const report = reportIn(result)
    expect(report.failure).toEqual({
      message: 'enough',
      time: START + 60_000,
      place: expect.stringContaining(`${result.file}:11:`),
    })
    expect(report.audit.ok).toBe(true)
    expect(report.orders).toBeGreaterThan(0)
  })
})

describe('the present, chance and timers of the machine are refused, with what to use instead', () => {
  it.concurrent.each`
    body                       | message
    ${'Date.now()'}            | ${'Date.now() is not available in a strategy: use now()'}
    ${'new Date()'}            | ${'new Date() is not available in a strategy: use new Date(now())'}
    ${'performance.now()'}     | ${'performance.now() is not available in a strategy: use now()'}
    ${'Math.random()'}         | ${'Math.random() is not available in a strategy: use random(), which is seeded'}
    ${'setTimeout(() => 1)'}   | ${'setTimeout() is not available in a strategy: use RxJS timer() or interval(), which follow the virtual clock'}
    ${'setInterval(() => 1)'}  | ${'setInterval() is not available in a strategy: use RxJS timer() or interval(), which follow the virtual clock'}
    ${'setImmediate(() => 1)'} | ${'setImmediate() is not available in a strategy: use RxJS timer() or interval(), which follow the virtual clock'}
  `('$body', async ({ body, message }) => {
    const { code, stderr, file } = await runStrategy({ run: eachTrade(body) }, '--quiet')
    expect(stderr).toContain(`strategy 'sample' failed at 2023-11-14T22:13:20.000Z: ${message} (${file}:${BODY_LINE}:`)
    expect(code).toBe(1)
  })

  it.concurrent('now(), random(), timer() and a given date are there', async () => {
    const run = `return timer(1000, 60_000).pipe(
      tap(() => log([new Date(now()).toISOString(), random() < 1].join(' '))), ignoreElements())`
    const { code, stderr } = await runStrategy({ run }, '--quiet')
    const reported = ['2023-11-14T22:13:21.000Z', '2023-11-14T22:14:21.000Z'].map((at) => `${at} ${at} true\n`)
    expect(stderr).toBe(reported.join(''))
    expect(code).toBe(0)
  })

  it.concurrent('--seed decides what random() gives', async () => {
    const run = 'log(String(random())); return NEVER'
    const drawn = async (seed: string): Promise<string> =>
      (await runStrategy({ run }, '--quiet', '--seed', seed)).stderr
    const [one, again, other] = [await drawn('1'), await drawn('1'), await drawn('2')]
    expect(one).toMatch(/ 0\.\d+\n$/)
    expect(again).toBe(one)
    expect(other).not.toBe(one)
  })

  it.concurrent('Math whose last digit differs between engines is allowed, and reported', async () => {
    const result = await runStrategy({ run: eachTrade('Math.exp(1), Math.sqrt(2)') }, '--json')
    expect(reportIn(result).notices).toContain(
      'The strategy uses Math.exp: the last digits may differ between versions of Node.',
    )
  })
})

describe('promises', () => {
  const AFTER_AWAIT = `return trades(params.symbol).pipe(first(), concatMap(async () => {
      await Promise.resolve()
      return buyMarket(params.symbol, '1')
    }))`

  it.concurrent('an intent after an await is refused with an explanation', async () => {
    const { code, stderr } = await runStrategy({ run: AFTER_AWAIT }, '--quiet')
    expect(stderr).toMatch(
      /^papertape: strategy 'sample' failed at [^ ]+: an intent was emitted outside an event, after an await or in a promise: emit it while the event is handled, or set `async: true` in the definition of 'sample'\n$/,
    )
    expect(code).toBe(1)
  })

  it.concurrent('with `async: true` it is sent at the time of its event', async () => {
    const result = await runStrategy({ run: AFTER_AWAIT, more: 'async: true,' }, '--json')
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(reportIn(result)).toMatchObject({ orders: 1, fills: 1, failure: null })
  })
})

it.concurrent('a strategy that completes early stops trading, not the run', async () => {
  const run = "return timer(0, 1000).pipe(take(2), map(() => buyMarket(params.symbol, '1')))"
  const result = await runStrategy({ run }, '--json')
  expect(result).toMatchObject({ code: 0, stderr: '' })
  // Bought at 100.00 and at 100.50, valued at the last price of the tape, 102.00.
  expect(reportIn(result)).toMatchObject({ orders: 2, fills: 2, finalEquity: '10003.5' })
})
