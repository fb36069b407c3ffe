/**
 * Strategies that ask for a book that no one recorded, as a user meets it.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectInputError } from '../rig/cli-result.ts'
import { cliFolderHere } from '../rig/cli-here.ts'
import { START, strategySource, TRADES } from '../rig/sample-files.ts'

const { cli, write, folder } = cliFolderHere()

const OPENS = START - (START % 60_000)
const MINUTES = `time_ms,open,high,low,close,volume\n${[0, 60_000]
  .map((after) => `${OPENS + after},100.5,110.5,90.5,104.5,10000\n`)
  .join('')}`

beforeAll(() => {
  write(TRADES, 'trades.csv')
  write(MINUTES, 'minutes.csv')
  for (const [name, run] of [
    ['quotes', 'return quotes(params.symbol).pipe(ignoreElements())'],
    ['depth', "return depth(params.symbol, { levels: 5, every: '1s' }).pipe(ignoreElements())"],
    ['book', 'book(params.symbol); return NEVER'],
    ['no-levels', 'return depth(params.symbol, { levels: 0 }).pipe(ignoreElements())'],
    ['no-span', "return depth(params.symbol, { every: 'often' }).pipe(ignoreElements())"],
  ] as const) {
    write(strategySource({ name, run }), `${name}.js`)
  }
})

describe('a word for a book that is not there', () => {
  it.concurrent.each`
    strategy          | tape             | line
    ${'quotes.js'}    | ${'trades.csv'}  | ${/^quotes\('A_USD'\): its tape has trades, which contain neither quotes nor a book; pass its recorded book or quotes with --depth \(quotes\.js:10:\d+\)$/}
    ${'depth.js'}     | ${'trades.csv'}  | ${/^depth\('A_USD'\): its tape has trades, which contain no book; pass its recorded book or quotes with --depth \(depth\.js:10:\d+\)$/}
    ${'book.js'}      | ${'trades.csv'}  | ${/^book\('A_USD'\): its tape has trades, which contain no book; pass its recorded book or quotes with --depth \(book\.js:10:\d+\)$/}
    ${'quotes.js'}    | ${'minutes.csv'} | ${/^quotes\('A_USD'\): its tape has candles of 1m, which contain neither quotes nor a book \(quotes\.js:10:\d+\)$/}
    ${'depth.js'}     | ${'minutes.csv'} | ${/^depth\('A_USD'\): its tape has candles of 1m, which contain no book \(depth\.js:10:\d+\)$/}
    ${'no-levels.js'} | ${'trades.csv'}  | ${/^depth\('A_USD'\): expected levels of 1 to 1000, a whole number, got 0 \(no-levels\.js:10:\d+\)$/}
    ${'no-span.js'}   | ${'trades.csv'}  | ${/^depth\('A_USD'\): expected every to be a length such as '1s', or whole milliseconds up to 366 days, got 'often' \(no-span\.js:10:\d+\)$/}
  `('$strategy on $tape is refused at the start, by name', async ({ strategy, tape, line }) => {
    const out = `${strategy}-${tape}`
    const args = ['backtest', strategy, '--tape', `A_USD=${tape}`, '--out', out, '--quiet']
    expectInputError(await cli(...(args as string[])), line as RegExp)
    expect(existsSync(join(folder, out))).toBe(false)
  })
})
