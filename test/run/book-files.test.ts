/**
 * Recorded books in a run as its files have them: reported beside the tapes, run again from there, and carried to every
 * thread of a sweep.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type * as Run from '../../src/run.ts'
import { backtest, verify, type BacktestOptions, type RunReport } from '../../src/run.ts'
import { repeatCommand } from '../../src/report/page/repeat-command.ts'
import { setupLines } from '../../src/report/summary/summary.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'
import { stepper, STEPPER_FILE } from './sweep/rig.ts'

/** As it ships: threads run what is built. */
type Built = Pick<typeof Run, 'sweep'>
const { sweep } = (await import(new URL('../../bundle/run.js', import.meta.url).href)) as Built

const { folder, write } = temporaryFiles()
const T = 1_700_000_000_000
const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

/** Of an hour, a message of each kind in half a minute; the price wanders. */
const priceOf = (row: number): number => 100 + ((row * 7) % 11) / 10
const messages = Array.from({ length: 120 }, (_, row): readonly string[] => {
  const [time, id, price] = [T + row * 30_000, row + 2, priceOf(row)]
  return [
    JSON.stringify({
      e: 'depthUpdate',
      E: time,
      s: 'BTCUSDT',
      U: id,
      u: id,
      b: [[`${price - 1}`, `${row + 1}`]],
      a: [],
    }),
    JSON.stringify({
      e: 'trade',
      E: time,
      T: time,
      s: 'BTCUSDT',
      t: id,
      p: price.toFixed(1),
      q: '2',
      m: row % 2 === 0,
    }),
    JSON.stringify({ u: id, T: time, s: 'BTCUSDT', b: `${price - 1}`, B: '5', a: `${price + 1}`, A: '1' }),
  ]
}).flat()
const first = JSON.stringify({ e: 'depthUpdate', E: T - 1, s: 'BTCUSDT', U: 1, u: 1, b: [], a: [] })
const snapshot = JSON.stringify({ lastUpdateId: 1, bids: [['90', '5']], asks: [['110', '0.125']] })
const capture = write(text([first, snapshot, ...messages]), 'capture.jsonl')
const book = write(text([first, snapshot, ...messages.filter((line) => !line.includes('"trade"'))]), 'book.jsonl')
const trades = write(`time,price,qty\n${Array.from({ length: 120 }, (_, row) => `${T + row * 30_000},${priceOf(row).toFixed(1)},2\n`).join('')}`, 'trades.csv') // prettier-ignore
const file = write(STEPPER_FILE, 'stepper.ts')

const PARAMS = { every: 5, hold: 2 }
const SOURCES: Readonly<Record<string, Pick<BacktestOptions, 'tapes' | 'books'>>> = {
  beside: { tapes: { BTC_USDT: trades }, books: { BTC_USDT: book } },
  capture: { tapes: [capture] },
  alone: { books: [{ file: capture, symbol: 'BTC_USDT' }] },
  named: { tapes: { BTC_USDT: capture }, books: { BTC_USDT: { file: capture, market: 'BTCUSDT' } } },
}

const run = (name: string, more: Partial<BacktestOptions> = {}): ReturnType<typeof backtest> =>
  backtest({ strategy: file, params: PARAMS, ...SOURCES[name], ...more })

describe.each(Object.keys(SOURCES))('a run on recorded books: %s', (name) => {
  const out = join(folder, `out-${name}`)

  it('has them in its report and its files, and can be run again from there', async () => {
    const { report } = await run(name, { out })
    const reported = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')) as RunReport
    expect(reported.books).toEqual(report.books)
    expect(report.books?.map(({ kind, reach, rows, symbol, gapCount, levels }) => ({ kind, reach, rows, symbol, gapCount, levels }))).toEqual([
      { kind: 'depth', reach: 'changes', rows: 122, symbol: 'BTC_USDT', gapCount: 0, levels: 1 },
      { kind: 'quotes', reach: 'quotes', rows: 120, symbol: 'BTC_USDT', gapCount: 0, levels: 0 },
    ]) // prettier-ignore
    expect(report.tapes).toHaveLength(1)
    expect(report.orders).toBeGreaterThan(5)
    expect(await verify(out)).toMatchObject({ digest: report.digest, difference: undefined })
  })

  it('can be run again by a command, and says what it ran on', async () => {
    const { report } = await run(name, { bounds: false })
    const path = name === 'beside' ? book : capture
    // A command line says of all recordings what it says of one.
    const command = name === 'named' ? null : expect.stringContaining(` --depth BTC_USDT=${path} `)
    expect(repeatCommand(report)).toEqual(command)
    const lines = setupLines(report).map((line) => JSON.stringify(line))
    expect(lines.filter((line) => /122 updates|120 quotes/.test(line))).toHaveLength(2)
  })
})

it('a run without them says nothing of them', async () => {
  const { report } = await backtest({ strategy: stepper, params: PARAMS, tapes: { BTC_USDT: trades }, bounds: false })
  expect('books' in report).toBe(false)
})

it('a book that was changed cannot be run again', async () => {
  const changed = write(readFileSync(book), 'changed.jsonl')
  const out = join(folder, 'changed')
  await backtest({ strategy: file, params: PARAMS, tapes: { BTC_USDT: trades }, books: { BTC_USDT: changed }, out })
  write(`${readFileSync(book, 'utf8')}\n`, 'changed.jsonl')
  await expect(verify(out)).rejects.toThrow('changed.jsonl: has changed: expected sha256')
})

describe('a sweep', () => {
  const params = { every: [5, 7], hold: [2] } as const

  it('has points that are those of backtests, in its threads', async () => {
    const { points, report } = await sweep({ strategy: file, params, ...SOURCES.capture, workers: 2 })
    expect(report.identity.books?.map(({ kind, rows }) => [kind, rows])).toEqual([
      ['depth', 122],
      ['quotes', 120],
    ])
    for (const { params: given, digest } of points) {
      const again = await run('capture', { params: { every: Number(given.every), hold: 2 }, bounds: false })
      expect(digest).toBe(again.digest)
    }
  })

  it.each`
    more           | message
    ${{ null: 1 }} | ${'null: cannot be used with a recorded book, which cannot be shuffled'}
  `('is refused: $message', async ({ more, message }) => {
    await expect(sweep({ strategy: file, params, ...SOURCES.capture, ...(more as object) })).rejects.toThrow(message as string) // prettier-ignore
  })
})
