/**
 * What surprised authors of strategies: each case is done or reported, by name, as a user meets it.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { expectInputError, reportIn, type CliResult } from '../rig/cli-result.ts'
import { cliFolderHere } from '../rig/cli-here.ts'
import { IDEAL, START, strategySource } from '../rig/sample-files.ts'

const { cli, write } = cliFolderHere()

const MINUTE = 60_000
const HEAD = 'trade_id,time_ms,price,qty,is_buyer_maker'

/** A trade every 10 s for ten minutes, but in the minutes left out. */
function tradesWithout(...minutes: readonly number[]): string {
  const times = Array.from({ length: 60 }, (_, index) => START + 40_000 + index * 10_000)
  const kept = times.filter((time) => !minutes.includes(Math.floor((time - START - 40_000) / MINUTE)))
  const rows = kept.map((time, index) => `${index + 1},${time},${100 + (index % 5)}.00,1.5,${String(index % 2 === 0)}`)
  return [HEAD, ...rows, ''].join('\n')
}

const CANDLES = `time,open,high,low,close,volume
${START + 100_000},100,102,99,101,10
${START + 400_000},101,103,100,102,10
${START + 700_000},102,104,101,103,10
`

/** The market dips at the end of a minute, to the millisecond, and only then. */
const DIP = [
  HEAD,
  `1,${START + 41_000},100.00,9,false`,
  `2,${START + 100_000},98.00,9,true`,
  `3,${START + 300_000},100.00,9,false`,
  '',
]

beforeAll(() => {
  write(DIP.join('\n'), 'dip.csv')
  write(tradesWithout(), 'a.csv')
  write(tradesWithout(3, 4), 'b.csv')
  write(CANDLES, 'candles.csv')
})

const TAPES = ['--tape', 'A_USD=a.csv', '--tape', 'B_USD=b.csv', '--param', 'symbol=A_USD']
const CONTEXT = /run: \(\{(.*)\}\) => \{/
let files = 0

/** Runs the body as a strategy on both tapes. */
async function run(body: string, ...flags: readonly string[]): Promise<CliResult> {
  files += 1
  write(strategySource({ run: body }), `s${files}.js`)
  return cli('backtest', `s${files}.js`, ...(flags.includes('--tape') ? [] : TAPES), ...IDEAL, '--json', ...flags)
}

/** The whole context is there, too. */
const withContext = (body: string): string =>
  strategySource({ run: body }).replace(CONTEXT, 'run: (context) => { const {$1} = context;')

/** The lines that the strategy logged, without their times. */
const logged = ({ stderr }: CliResult): readonly string[] =>
  stderr
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^\S+ /, ''))

describe('what surprised authors once', () => {
  it.concurrent('undefined is no intent', async () => {
    const body = `let bought = false
      return trades('A_USD').pipe(map(() => {
        if (bought) return undefined
        bought = true
        return buyMarket('A_USD', '1')
      }))`
    const result = await run(body)
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(reportIn(result).orders).toBe(1)
  })

  it.concurrent('balance() counts the fill in fills$, orders$ and outcomes$ that report it', async () => {
    const tell = (stream: string): string =>
      `${stream}.pipe(tap(() => log('${stream} ' + context.balance('A').available.toFixed())), ignoreElements())`
    const body = `return merge(trades('A_USD').pipe(first(), map(() => buyMarket('A_USD', '1.5'))),
      ${['context.fills$', 'context.orders$', 'outcomes$'].map(tell).join(', ')})`
    write(withContext(body), 'fresh.js')
    const result = await cli('backtest', 'fresh.js', ...TAPES, ...IDEAL, '--json')
    const lines = logged(result)
    expect(new Set(lines.map((line) => line.split(' ')[0]))).toEqual(
      new Set(['context.fills$', 'context.orders$', 'outcomes$']),
    )
    const filled = lines.findIndex((line) => line.startsWith('context.fills$'))
    expect(lines.slice(filled).filter((line) => !line.endsWith(' 1.5'))).toEqual([])
  })

  it.concurrent(
    'a strategy that acts on a candle knows of a fill of that millisecond, and does not buy twice',
    async () => {
      const body = `return merge(
      trades('A_USD').pipe(first(), map(() => buyLimit('A_USD', '99', '1'))),
      context.candles('A_USD', '1m').pipe(map(() => context.position('A_USD').qty.isZero() ? buyMarket('A_USD', '1') : undefined)))`
      write(withContext(body), 'once.js')
      const tape = ['--tape', 'A_USD=dip.csv', '--param', 'symbol=A_USD', '--order-latency', '0']
      const result = await cli('backtest', 'once.js', ...tape, ...IDEAL, '--json')
      expect(reportIn(result)).toMatchObject({ orders: 1, fills: 1 })
    },
  )

  it.concurrent(
    'candles of two markets that are zipped by hand are asked to be out of step, with the word that aligns them',
    async () => {
      const pairs = "tap(([a, b]) => log(a.time === b.time ? 'same' : 'shifted')), ignoreElements()"
      const zipped = await run(`return zip(candles('A_USD', '1m'), candles('B_USD', '1m')).pipe(${pairs})`)
      expect(reportIn(zipped).notices).toContain(
        "The strategy received 9 candles of A_USD and 7 candles of B_USD (1m), so zip() pairs candles of different times; use candles(['A_USD', 'B_USD'], '1m') to align them.",
      )
      const body = `return candles(['A_USD', 'B_USD'], '1m').pipe(
      tap(({ candles: [a, b], missing }) => log(missing.length === 0 ? String(a.time - b.time) : 'without ' + missing)),
      ignoreElements())`
      const aligned = await run(body)
      expect(reportIn(aligned).notices.join()).not.toMatch(/zip/)
      expect(logged(aligned)).toEqual(['0', '0', '0', 'without B_USD', 'without B_USD', '0', '0', '0', '0'])
    },
  )

  it.concurrent('an interval that a tape of candles does not have is refused with those that it has', async () => {
    const tape = ['--tape', 'A_USD=candles.csv', '--param', 'symbol=A_USD']
    expectInputError(
      await run("return candles('A_USD', '1m').pipe(map(() => buyMarket('A_USD', '1')))", ...tape),
      /^candles\('A_USD', '1m'\): its tape has candles of 5m; ask for 5m, 15m, 30m, 1h, 4h, 1d, or a multiple \(s\d+\.js:10:\d+\)$/,
    )
  })

  it.concurrent('crypto.randomUUID() is refused with its place and what to use instead', async () => {
    const result = await run(
      "return trades('A_USD').pipe(map(() => buyMarket('A_USD', '1', { tag: crypto.randomUUID() })))",
    )
    expect(result.stderr).toMatch(
      /crypto\.randomUUID\(\) is not available in a strategy: use random\(\), which is seeded \([^ ]+\.js:10:\d+\)\n$/,
    )
    expect(result.code).toBe(1)
  })

  it.concurrent(
    'a circular import is refused where it would have given undefined, with its files, and works where it does not',
    async () => {
      const asks = "import { size } from './sizes.js'\n"
      const answers = (use: string): string => `import { lot } from './ring.js'\nexport const size = ${use}\n`
      const source = `${asks}${strategySource({ run: "return trades('A_USD').pipe(first(), map(() => buyMarket('A_USD', size())))" })}`
      write(`${source}\nexport const lot = 2`, 'ring.js')
      write(answers('String(lot)'), 'sizes.js')
      expectInputError(
        await cli('backtest', 'ring.js', ...TAPES, ...IDEAL),
        /^ring\.js: cannot be loaded: 'lot' of ring\.js is not defined yet, because sizes\.js imports ring\.js, which imports sizes\.js/,
      )
      write(source.replaceAll('sizes.js', 'later.js') + '\nexport const lot = 2', 'later-ring.js')
      write(answers('() => String(lot)').replace('ring.js', 'later-ring.js'), 'later.js')
      const result = await cli('backtest', 'later-ring.js', ...TAPES, ...IDEAL, '--json')
      expect(reportIn(result)).toMatchObject({ orders: 1, fills: 1 })
    },
  )

  it.concurrent.each([
    [
      'completes at once',
      'return take(0)(NEVER)',
      'subscribed to no market stream. Its stream of orders completed immediately',
    ],
    [
      'completes after a while',
      "return trades('A_USD').pipe(take(2), ignoreElements())",
      "received 2 values from trades('A_USD'). Its stream of orders completed at 2023-11-14T22:14:10.000Z: the stream ended, or catchError swallowed an error",
    ],
    [
      'has its error swallowed by catchError',
      "return trades('A_USD').pipe(map(() => { throw new Error('mine') }), catchError(() => EMPTY))",
      "received 1 value from trades('A_USD'). Its stream of orders completed at 2023-11-14T22:14:00.000Z: the stream ended, or catchError swallowed an error",
    ],
    [
      'has an error swallowed by catchError beside others',
      "return merge(NEVER, trades('A_USD').pipe(map(() => { throw new Error('mine') }), catchError(() => EMPTY)))",
      "received 1 value from trades('A_USD'). It no longer listened to trades('A_USD') at the end: the stream ended, or catchError swallowed an error",
    ],
    ['filters everything', "return candles('A_USD', '1m').pipe(ignoreElements())", 'received 9 candles of A_USD (1m)'],
  ])('a run without an order says what it saw: %s', async (_, body, saw) => {
    const result = await run(body)
    expect(result.code).toBe(0)
    expect(reportIn(result).notices[0]).toBe(`No order was placed: the strategy ${saw}.`)
  })
})

describe('what is emitted in the place of an intent is reported with what to write', () => {
  it.concurrent.each([
    ["trade.priceNumber > 1e9 && buyMarket('A_USD', '1')", 'got false: write `condition ? intent : undefined`'],
    ["Promise.resolve(buyMarket('A_USD', '1'))", 'got a Promise: leave out async, or use concatMap instead of map'],
    ["[[buyMarket('A_USD', '1')]]", 'got a nested array: emit a flat array of intents'],
    ["({ side: 'BUY' })", 'such as buyMarket(symbol, qty), got {"side":"BUY"}'],
  ])('%s', async (emitted, reported) => {
    const { code, stderr } = await run(`return trades('A_USD').pipe(map((trade) => ${emitted}))`)
    expect(stderr).toContain(`expected an intent, ${reported}`)
    expect(code).toBe(1)
  })
})
