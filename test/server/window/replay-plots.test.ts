/**
 * Plots of a strategy in the replay of its run: at any moment, the last value in each candle, and none of later.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ignoreElements, tap } from 'rxjs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { backtest } from '../../../src/run.ts'
import { readReplayedFiles } from '../../../src/run/replayed-files.ts'
import { marketAt } from '../../../src/server/window/replay-market.ts'
import { defineStrategy } from '../../../src/strategy/strategy.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'

const { folder, write } = temporaryFiles()
const START = 1_700_000_000_000
const LENGTH = 60_000

const plotting = defineStrategy({
  name: 'plotting',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, trades, plot }) =>
    trades(symbol).pipe(
      tap(({ price, qty }) => {
        plot('last', price)
        if (qty.gt(1)) plot('small', qty.div(1_000))
      }),
      ignoreElements(),
    ),
})

it('shows the last value of each candle of the window, up to the moment', async () => {
  const row = (at: number): string => `${START + at * 7_000},${100 + ((at * 7) % 13)},${1 + (at % 2)}`
  const tape = write(`time,price,qty\n${Array.from({ length: 3_000 }, (_, at) => row(at)).join('\n')}\n`, 'tape.csv')
  const out = join(folder, 'out')
  await backtest({ strategy: plotting, tapes: { A_USD: tape }, out, bounds: false, limits: false })
  const rows = readFileSync(join(out, 'plots.csv'), 'utf8').trim().split('\n').slice(1)
  // A session that was killed may leave a line of which only the beginning is written.
  appendFileSync(join(out, 'plots.csv'), '17000')
  const files = readReplayedFiles(out)
  for (const clock of [START - 1, START, START + 59_999, START + 500_500, START + 21_000_000]) {
    const look = { symbol: 'A_USD', length: LENGTH, since: undefined, at: 0, clock, orders: [] }
    const market = await marketAt(files, look)
    const [first] = market?.candles ?? []
    const expected = (name: string): readonly unknown[] => {
      const points = new Map<number, readonly [number, number]>()
      for (const text of rows) {
        const [time = '', of, value] = text.split(',')
        if (of !== name || Number(time) < (first?.time ?? Infinity) || Number(time) > clock) continue
        points.set(Math.floor(Number(time) / LENGTH), [Number(time), Number(value)])
      }
      return [...points.values()]
    }
    expect(market?.plots).toEqual([
      { name: 'last', isPrice: true, points: expected('last') },
      { name: 'small', isPrice: false, points: expected('small') },
    ])
    expect(market?.plots[0]?.points.length ?? 0).toBeLessThanOrEqual(301)
    if (clock > START + LENGTH) expect(market?.plots[0]?.points.length).toBeGreaterThan(5)
  }
})
