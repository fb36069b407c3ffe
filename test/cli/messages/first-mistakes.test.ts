/**
 * What a new author gets wrong first: each mistake is reported in one line, with its place, the nearest right name
 * where there is one, and what to write instead.
 */
import { copyFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectInputError } from '../rig/cli-result.ts'
import { cliFolderHere } from '../rig/cli-here.ts'
import { BODY_LINE, BUY_AND_HOLD, strategySource, TRADES } from '../rig/sample-files.ts'

const { cli, write, folder } = cliFolderHere()
const HEAD = "import { defineStrategy } from 'papertape'\nimport { NEVER } from 'rxjs'\nimport { z } from 'zod'\n"
const DEFINED = "defineStrategy({ name: 'mine', params: z.object({}), run: () => NEVER })"

beforeAll(() => {
  write(TRADES, 'tape.csv')
  write(BUY_AND_HOLD, 'hold.js')
  copyFileSync(join(folder, 'tape.csv'), join(folder, 'copy.csv'))
  symlinkSync('tape.csv', join(folder, 'link.csv'))
})

describe('what run returns', () => {
  it.concurrent.each`
    title                | run                                              | line
    ${'nothing'}         | ${'trades(params.symbol)'}                       | ${'run returned nothing: return the stream of its orders, as in `return candles(symbol, interval).pipe(...)`'}
    ${'a Promise'}       | ${'return Promise.reject(new Error("unheard"))'} | ${'run is async, or returned a Promise: remove `async`, await inside the stream (`concatMap`), and set `async: true` next to `name`'}
    ${'an array'}        | ${"return [buyMarket(params.symbol, '1')]"}      | ${'run returned an array: return a stream, as in `of(...orders)` or `merge(...streams)` of rxjs'}
    ${'a function'}      | ${'return () => NEVER'}                          | ${'run returned a function: call it and return its stream'}
    ${'a bare intent'}   | ${"return buyMarket(params.symbol, '1')"}        | ${'run returned an object, not a stream: return an RxJS Observable'}
    ${'a text'}          | ${"return 'BUY'"}                                | ${'run returned a string, not a stream: return an RxJS Observable'}
  `('$title', async ({ title, run, line }) => {
    const file = `run-${String(title).replaceAll(' ', '-')}.js`
    write(strategySource({ run }), file)
    expectInputError(await cli('backtest', file, '--tape', 'A_USD=tape.csv'), `${file}: ${String(line)}`)
  })

  it.concurrent('an async run', async () => {
    write(strategySource({ run: 'return NEVER' }).replace('run: (', 'run: async ('), 'async-run.js')
    expectInputError(
      await cli('backtest', 'async-run.js', '--tape', 'A_USD=tape.csv'),
      /^async-run\.js: run is async, or /,
    )
  })
})

describe('what a file exports', () => {
  it.concurrent.each`
    title              | source                                                  | line
    ${'a Promise'}     | ${`export default Promise.resolve(${DEFINED})`}         | ${'its default export is a Promise: write `export default await ...`'}
    ${'an array'}      | ${`export default [${DEFINED}]`}                        | ${'its default export is an array, but a file holds one strategy: write `export default defineStrategy({ ... })`'}
    ${'a function'}    | ${'export default () => NEVER'}                         | ${'its default export is a function; write `export default defineStrategy({ ... })`, with the function as its `run`'}
    ${'a name'}        | ${`export const dips = ${DEFINED}`}                     | ${"has no default export; 'dips' is a strategy: write `export default dips`"}
    ${'nothing'}       | ${'export const one = 1'}                               | ${'has no default export; write `export default defineStrategy({ ... })`'}
    ${'no params'}     | ${"export default { name: 'mine', run: () => NEVER }"}  | ${"the params of strategy 'mine' are not a z.object: if it has none, write `params: z.object({})`"}
    ${'no name'}       | ${'export default { run: () => NEVER }'}                | ${"its strategy has no name: add one, such as `name: 'mine'`"}
    ${'no run'}        | ${"export default { name: 'mine' }"}                    | ${"strategy 'mine' has no function run: give it one, `run: ({ candles }) => ...`"}
  `('$title', async ({ title, source, line }) => {
    const file = `export-${String(title).replaceAll(' ', '-')}.js`
    write(`${HEAD}${String(source)}\n`, file)
    expectInputError(await cli('backtest', file, '--tape', 'A_USD=tape.csv'), `${file}: ${String(line)}`)
  })
})

describe('a name that is not there', () => {
  it.concurrent.each`
    args                                                    | line
    ${'backtset hold.js --tape A_USD=tape.csv'}             | ${"unknown command 'backtset'; did you mean backtest?"}
    ${'backtest hold.js --tpae A_USD=tape.csv'}             | ${'unknown flag --tpae; did you mean --tape?'}
    ${'backtest hold.js --tape A_USD=tape.csv --param qyt=1'} | ${"--param qyt: strategy 'buy-and-hold' has no such parameter; did you mean 'qty'?"}
    ${'backtest hold.js --tape A_USD=tape.csv --param symbol=A_USDT'} | ${"--param symbol: no tape has the symbol 'A_USDT'; there is A_USD"}
    ${'backtest sma-corss --tape A_USD=tape.csv'}           | ${"sma-corss: no such file, and no ready strategy has this name; did you mean 'sma-cross'?"}
    ${'backtest sma-cross --tape A_USD=tape.csv --param interval=1min'} | ${"--param interval: expected one of 1s, 5s, 15s, 30s, 1m, 5m, 15m, 30m, 1h, 4h, 1d, 1w, 1M, got '1min'; did you mean '1m'?"}
  `('papertape $args', async ({ args, line }) => expectInputError(await cli(...String(args).split(' ')), line))

  it.concurrent('a command that is like none: where all of them are', async () => {
    expectInputError(await cli('zzzzzzzz', '--tape', 'x'), "unknown command 'zzzzzzzz'; see papertape --help")
  })

  it.concurrent.each`
    title         | run                                   | line
    ${'symbol'}   | ${"return trades('A_USDT')"}          | ${"symbol: no market 'A_USDT'; there is A_USD"}
    ${'interval'} | ${"return candles('A_USD', '1hour')"} | ${/^interval: no candles of '1hour'; there are 1s, .*; did you mean '1h'\?/}
  `('$title in a strategy, with the line that asks for it', async ({ title, run, line }) => {
    const file = `asks-${String(title)}.js`
    write(strategySource({ run }), file)
    const result = await cli('backtest', file, '--tape', 'A_USD=tape.csv')
    expectInputError(result, line instanceof RegExp ? line : new RegExp(`^${String(line)} `))
    expect(result.stderr).toContain(` (${file}:${BODY_LINE}:`)
  })

  it.concurrent('a symbol among several markets', async () => {
    write(strategySource({ run: "return trades('BB_USD')" }), 'asks-other.js')
    const result = await cli('backtest', 'asks-other.js', '--tape', 'A_USD=tape.csv', '--tape', 'B_USD=tape.csv')
    expectInputError(
      result,
      /^symbol: no market 'BB_USD'; there is A_USD, B_USD; did you mean 'B_USD'\? \(asks-other\.js:/,
    )
  })

  it.concurrent('a parameter that has to be given says what it is', async () => {
    write(strategySource({ run: 'return NEVER', params: "size: z.number().describe('lots an order')" }), 'needs.js')
    expectInputError(
      await cli('backtest', 'needs.js', '--tape', 'A_USD=tape.csv'),
      '--param size: is required because it has no default: lots an order (number)',
    )
  })
})

describe('fetch in a strategy', () => {
  it.concurrent('in its turn is refused, with what to do instead', async () => {
    write(
      strategySource({ run: "return trades(params.symbol).pipe(map(() => { fetch('http://x/'); return [] }))" }),
      'fetches.js',
    )
    const { code, stderr } = await cli('backtest', 'fetches.js', '--tape', 'A_USD=tape.csv', '--quiet')
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /: fetch\(\) is not available in a strategy: use a file that you fetch before the run and import in the strategy \(.*fetches\.js:10:\d+\)\n$/,
    )
  })

  it.concurrent('while it is loaded is reported, and nothing that fetch does on its own', async () => {
    const source = BUY_AND_HOLD.replace('\nexport', "\nawait fetch('http://127.0.0.1:1/').catch(() => 0)\nexport")
    write(source, 'fetched.mjs')
    const { code, stdout } = await cli('backtest', 'fetched.mjs', '--tape', 'A_USD=tape.csv')
    expect(code).toBe(0)
    expect(stdout.replaceAll('\n', ' ')).toContain(
      'depends on something outside of the run: fetch() at fetched.mjs:5:7. ',
    )
  })
})

describe('the same tape twice', () => {
  it.concurrent.each`
    tapes                                   | line
    ${['A_USD=tape.csv', 'A_USD=tape.csv']} | ${"--tape: 'tape.csv' is given twice: remove one"}
    ${['A_USD=tape.csv', 'A_USD=./link.csv']} | ${"--tape: 'tape.csv' and './link.csv' are the same tape: remove one"}
    ${['A_USD=tape.csv', 'A_USD=copy.csv']} | ${"--tape: 'tape.csv' and 'copy.csv' are the same tape: remove one"}
  `('$tapes', async ({ tapes, line }) => {
    const named = (tapes as readonly string[]).flatMap((tape) => ['--tape', tape])
    expectInputError(await cli('backtest', 'hold.js', ...named), line)
  })

  it.concurrent('one file as two markets is no mistake', async () => {
    const result = await cli('backtest', 'hold.js', '--tape', 'A_USD=tape.csv', '--tape', 'B_USD=tape.csv', '--json')
    expect(result).toMatchObject({ code: 0, stderr: '' })
  })
})
