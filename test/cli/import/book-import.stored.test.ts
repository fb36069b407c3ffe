/**
 * Recorded books from the command line into a store and out of it again: imported, listed, checked, played, exported,
 * removed.
 */
import { beforeAll, expect, it } from 'vitest'
import { jsonRun } from '../rig/cli-result.ts'
import { cliFolderHere } from '../rig/cli-here.ts'
import { START, strategySource, TRADES } from '../rig/sample-files.ts'

const { cli, write } = cliFolderHere()

const BOOK = ['time,side,price,qty,snapshot', `${START},bid,1,5,true`, `${START},ask,9,5,true`, `${START + 1},bid,1.25,5,false`, ''].join('\n') // prettier-ignore

beforeAll(() => {
  write(TRADES, 'tape.csv')
  write(BOOK, 'book.csv')
  write(strategySource({ name: 'noop', run: 'return NEVER' }), 'noop.js')
})

it('go all the way', async () => {
  const first = await cli('import', 'A_USD=tape.csv', 'A_USD=book.csv', '--db', 'x.db')
  expect(first.stderr).toBe('')
  expect(first.stdout).toContain('book.csv: recording of a book, A_USD depth\n')
  expect(first.stdout).toContain('next: papertape backtest sma-cross --tape x.db --symbol A_USD --depth A_USD=x.db')
  const listed = JSON.parse((await cli('tapes', '--db', 'x.db', '--json')).stdout) as unknown
  expect(listed).toMatchObject([{ kind: 'trades', rows: 6 }, { kind: 'depth', interval: null, rows: 3, gaps: 0 }]) // prettier-ignore
  expect((await cli('tapes', '--db', 'x.db')).stdout).toMatch(/A_USD +depth +3 +\d+ B +0\n/)
  expect((await cli('tapes', 'check', '--db', 'x.db')).stdout).toContain('x.db: A_USD depth: sound; 1 block, 3 rows')

  const flags = ['backtest', 'noop.js', '--tape', 'A_USD=x.db', '--depth', 'A_USD=x.db'] as const
  const { books = [], digest } = await jsonRun(cli, ...flags)
  expect(books).toMatchObject([{ kind: 'depth', rows: 3, pricePrecision: 2 }])
  const plain = await jsonRun(cli, 'backtest', 'noop.js', '--tape', 'A_USD=tape.csv', '--depth', 'A_USD=book.csv')
  expect(plain.digest).toBe(digest)

  const out = await cli('export', '--db', 'x.db', '--kind', 'depth', '--out', 'out.csv', '--json')
  expect(JSON.parse(out.stdout)).toMatchObject({ kind: 'depth', rows: 3, notices: [] })
  const again = await jsonRun(cli, 'backtest', 'noop.js', '--tape', 'A_USD=tape.csv', '--depth', 'A_USD=out.csv')
  expect(again.digest).toBe(digest)

  expect((await cli('tapes', 'rm', 'A_USD', '--db', 'x.db', '--yes')).code).toBe(0)
  expect((await cli('tapes', '--db', 'x.db')).stdout).toContain('no tapes')
})
