/**
 * `--depth`, and `depth` of a config file: recorded books beside tapes, on the command line.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { expectInputError, jsonRun } from '../rig/cli-result.ts'
import { cliFolderHere } from '../rig/cli-here.ts'
import { START, strategySource, TRADES } from '../rig/sample-files.ts'

const { cli, write } = cliFolderHere()

const HEADER = 'time,side,price,qty,snapshot'
const BOOK = [HEADER, `${START},bid,1,5,true`, `${START},ask,9,5,true`, `${START + 1},bid,1.25,5,false`, ''].join('\n')
const QUOTES = ['timestamp,ask_amount,ask_price,bid_price,bid_amount', `${START}000,5,9,1,5`, ''].join('\n')

beforeAll(() => {
  write(TRADES, 'tape.csv')
  write(BOOK, 'book.csv')
  write(QUOTES, 'quotes.csv')
  write('timestamp,percentage,depth,notional\n', 'bands.csv')
  write(strategySource({ name: 'noop', run: 'return NEVER' }), 'noop.js')
  write(JSON.stringify({ depth: [{ file: 'book.csv', symbol: 'A_USD' }, 'A_USD=quotes.csv'] }), 'books.json')
  write(JSON.stringify({ depth: { file: 'book.csv', symbol: 'A_USD', columns: 'a' } }), 'columns.json')
})

const TAPE = ['backtest', 'noop.js', '--tape', 'A_USD=tape.csv'] as const

describe('recorded books', () => {
  it.concurrent.each`
    flags                                                   | expected                                      | why
    ${'--depth A_USD=book.csv'}                             | ${['A_USD depth 3 2']}                        | ${'a book'}
    ${'--depth A_USD=book.csv --depth A_USD=quotes.csv'}    | ${['A_USD depth 3 2', 'A_USD quotes 1 0']}    | ${'and quotes'}
    ${'--depth A_USD=book.csv --price-precision 4'}         | ${['A_USD depth 3 4']}                        | ${'what is said of all is said of books'}
    ${'--config books.json'}                                | ${['A_USD depth 3 2', 'A_USD quotes 1 0']}    | ${'of a config file'}
    ${'--config books.json --depth A_USD=quotes.csv'}       | ${['A_USD quotes 1 0']}                       | ${'flags over the file'}
  `('$flags: $why', async ({ flags, expected }) => {
    const { books = [] } = await jsonRun(cli, ...TAPE, ...(flags as string).split(' '))
    expect(books.map(({ symbol, kind, rows, pricePrecision }) => [symbol, kind, rows, pricePrecision].join(' '))).toEqual(expected) // prettier-ignore
  })

  it.concurrent.each(['--level-size 2', '--ladder 2', '--depth 2'])(
    'are none of %s, which deepens the ladder',
    async (flags) => {
      const { config, books = [] } = await jsonRun(cli, ...TAPE, ...flags.split(' '))
      expect([config.levelSize, books]).toEqual([2, []])
    },
  )

  it.concurrent('do without a tape, whose market is then known by its book', async () => {
    const { tapes, books } = await jsonRun(cli, 'backtest', 'noop.js', '--depth', 'A_USD=book.csv')
    expect(tapes).toEqual([])
    expect(books).toMatchObject([{ symbol: 'A_USD', from: START, to: START + 1 }])
  })

  it.concurrent.each`
    flags                                                | line
    ${'--depth book.csv'}                                | ${'--depth: expected the symbol of book.csv: write SYMBOL=book.csv'}
    ${'--depth A_USD=tape.csv'}                          | ${/^tape\.csv:1: unknown header: expected a CSV of books or quotes \(/}
    ${'--depth A_USD=bands.csv'}                         | ${/^bands\.csv:1: is a Binance bookDepth file: /}
    ${'--depth A_USD=none.csv'}                          | ${'none.csv: no such file'}
    ${'--depth A_USD=book.csv --depth A_USD=book.csv'}   | ${"--depth: 'book.csv' is given twice: remove one"}
    ${'--depth 2 --level-size 2'}                        | ${'--depth: expected SYMBOL=FILE; a number is not allowed together with --level-size'}
    ${'--level-size 2 --ladder 2'}                       | ${'--level-size: given 2 times, expected once'}
    ${'--config columns.json'}                           | ${"columns.json:1 depth: unknown key 'columns'"}
  `('$flags is refused', async ({ flags, line }) => {
    expectInputError(await cli(...TAPE, ...(flags as string).split(' ')), line as string | RegExp)
  })
})
