/**
 * depth.csv of a run: what a recorded book held at its moments, folded again from the rows of the recording by another
 * way.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { unfolded } from '../../src/report/folded-data.ts'
import { depthDetails, type DepthColumns } from '../../src/report/page/depth-series.ts'
import { backtest } from '../../src/run.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'
import { stepper } from './sweep/rig.ts'

const { folder, write } = temporaryFiles()
const T = 1_700_000_000_000
const params = { every: 5, hold: 2 }

interface BookRow {
  readonly time: number
  readonly side: 'bid' | 'ask'
  /** Ticks of 0.1. */
  readonly price: number
  /** Lots of 0.01. */
  readonly qty: number
}

/** A snapshot, and then changes of a level at a time; the middle rises by a tick or falls. */
function bookRows(levels: number, changes: number): readonly BookRow[] {
  let [middle, state] = [10_000, 7]
  const next = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below
  const rows: BookRow[] = []
  const add = (time: number, side: BookRow['side'], price: number, qty: number): void =>
    void rows.push({ time, side, price, qty })
  for (let away = 1; away <= levels; away += 1) add(T, 'bid', middle - away, 100 + next(900))
  for (let away = 1; away <= levels; away += 1) add(T, 'ask', middle + away, 100 + next(900))
  for (let at = 1; at <= changes; at += 1) {
    const time = T + at * 1_700
    const away = 1 + next(levels)
    if (next(8) === 0) {
      // The level that is in the way goes.
      middle += next(4) === 0 ? -1 : 1
      for (const side of ['bid', 'ask'] as const) add(time, side, middle, 0)
    } else {
      const [side, sign] = next(2) === 0 ? (['bid', -1] as const) : (['ask', 1] as const)
      add(time, side, middle + sign * away, next(3) === 0 ? 0 : 100 + next(900))
    }
  }
  return rows
}

const csvOf = (rows: readonly BookRow[]): string =>
  ['time,side,price,qty,snapshot', ...rows.map(({ time, side, price, qty }) => `${time},${side},${(price / 10).toFixed(1)},${(qty / 100).toFixed(2)},${time === T}`), ''].join('\n') // prettier-ignore

/** Rows of depth.csv by moment, as cells without symbol and time. */
function depthOf(out: string): ReadonlyMap<number, readonly string[]> {
  const moments = new Map<number, string[]>()
  for (const line of readFileSync(join(out, 'depth.csv'), 'utf8').trim().split('\n').slice(1)) {
    const [symbol, time = '', ...cells] = line.split(',')
    expect(symbol).toBe('A_USD')
    moments.set(Number(time), [...(moments.get(Number(time)) ?? []), cells.join(',')])
  }
  return moments
}

/** What the recording holds at a moment near the market, as rows of depth.csv. */
function expected(
  rows: readonly BookRow[],
  moment: number,
  step: number,
  [low, high]: readonly number[],
): readonly string[] {
  return (['bid', 'ask'] as const).flatMap((side) => {
    const levels = new Map<number, number>()
    for (const row of rows) if (row.side === side && row.time <= moment) levels.set(row.price, row.qty)
    const sums = new Map<number, number>()
    for (const [price, qty] of levels) {
      const from = price - (price % step)
      if (qty > 0 && price >= (low ?? 0) && price <= (high ?? 0)) sums.set(from, (sums.get(from) ?? 0) + qty)
    }
    return [...sums]
      .sort(([one], [other]) => (side === 'bid' ? other - one : one - other))
      .map(([price, qty]) => `${(step / 10).toFixed(1)},${side},${(price / 10).toFixed(1)},${(qty / 100).toFixed(2)}`)
  })
}

it.each([
  [8, 3_000, 1],
  [120, 2_000, 5],
])('has the book of %i levels after %i changes in steps of %i ticks', async (levels, changes, step) => {
  const rows = bookRows(levels, changes)
  const out = join(folder, `out-${levels}`)
  const book = write(csvOf(rows), `book-${levels}.csv`)
  const end = (rows.at(-1)?.time ?? T) + 1
  // With a tape, changes that no one looks at are applied in one step.
  const trades = `time,price,qty\n${T},1000.0,0.01\n${end},1000.0,0.01\n`
  const tapes = step === 1 ? { A_USD: write(trades, 'two-trades.csv') } : {}
  await backtest({ strategy: stepper, params, tapes, books: { A_USD: book }, out, bounds: false })
  const moments = depthOf(out)
  expect(moments.size).toBeGreaterThan(300)
  expect(moments.size).toBeLessThan(363)
  const all = [...moments.values()].flat()
  expect(all.length).toBeLessThanOrEqual(30_000)
  const prices = all.map((row) => Number(row.split(',')[2]) * 10)
  // The last step may begin within the range and end beyond it.
  const range = [Math.min(...prices), Math.max(...prices)]
  const inner = (row: string): boolean => {
    const price = Math.round(Number(row.split(',')[2]) * 10)
    return price > (range[0] ?? 0) && price < (range[1] ?? 0)
  }
  for (const [moment, found] of moments) {
    if (moment === end) continue
    expect(found.filter(inner), String(moment)).toEqual(expected(rows, moment, step, [0, Infinity]).filter(inner))
  }
})

it('takes off what was traded since', async () => {
  const book = write(`time,side,price,qty,snapshot\n${T},bid,100,5,true\n${T},ask,101,4,true\n${T + 3_000},ask,101,3,false\n`, 'small.csv') // prettier-ignore
  const trades = write(
    `time,price,qty,side\n${T},100,1,sell\n${T + 1_000},100,2,sell\n${T + 4_000},100,1,sell\n`,
    'small-trades.csv',
  )
  const out = join(folder, 'small')
  await backtest({ strategy: stepper, params, tapes: { A_USD: trades }, books: { A_USD: book }, out, bounds: false })
  const sizes = Array.from(depthOf(out), ([time, cells]) => [time - T, ...cells.map((cell) => cell.split(',').at(-1))])
  expect(sizes.slice(0, 2)).toEqual([
    [0, '5', '4'],
    [1_008, '3', '4'],
  ])
  expect(sizes.at(-1)).toEqual([4_000, '2', '3'])
})

it.each([
  [2, 100],
  [12, 50],
])('takes a bounded part of a page: quantities of %i digits, of 100 moments %i', (digits, left) => {
  const qty = (index: number): string => ((index * 48_271) % 2_147_483_647).toString().padStart(10, '7').slice(-digits) + ((index * 69_621) % 2_147_483_647).toString().padStart(10, '7').slice(0, digits - 2) // prettier-ignore
  const rows = Array.from({ length: 45_000 }, (_, index) => `A_USD,${T + Math.floor(index / 450)},0.1,bid,${index % 450},${qty(index)}`) // prettier-ignore
  const details: string[] = []
  const indices = depthDetails(
    'depth.csv',
    ['symbol,time_ms,price_step,side,price,qty', ...rows, ''].join('\n'),
    details,
  )
  expect(indices).toEqual(new Map([['A_USD', 0]]))
  expect(details[0]?.length).toBeLessThanOrEqual(300_000)
  const { times, bids, qtys } = unfolded(details[0] ?? '') as DepthColumns
  expect([times.length, bids.length, qtys.length]).toEqual([left, left, left * 450])
  expect(qtys.slice(450, 460)).toEqual(Array.from({ length: 10 }, (_, at) => qty((100 / left) * 450 + at)))
})
