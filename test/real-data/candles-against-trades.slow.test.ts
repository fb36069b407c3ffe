/**
 * Candles held against the trades that they were made of: the same random orders on both, on recorded markets.
 *
 * The table is in docs/liquidity.md. Rewrite it with RENEW_GOLDEN=1, and say why it changed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { RecordedRow } from '../simulation/rig/memory-tape.ts'
import { candlesAgainstTrades, type AgainstTrades } from './rig/candles-against-trades.ts'
import { candlesOfTrades } from './rig/candles-of-trades.ts'
import { onCandles } from './rig/drawn-orders-played.ts'
import { drawnLimits } from './rig/drawn-orders.ts'
import { limitFigures } from './rig/limits-against-trades.ts'
import { areTapesThere, believedTrades, REAL_TAPES } from './rig/real-tapes.ts'

const PAGE = new URL('../../docs/liquidity.md', import.meta.url)
const [START, END] = ['<!-- table: candles-against-trades -->', '<!-- end -->']
const PLACE = new RegExp(`^${START}\\n([^]*?)^${END}$`, 'm')

const CAPTION = `Table \`candles-against-trades\`: the same random orders on candles and on their trades. Orders of 0.001 BTC, 0.02 ETH
or 100 shares rest for 1 to 5 candles, up to 2 typical candle ranges away. *Phantom* orders filled on candles although
nothing traded at or beyond their price. *Missed* orders did not fill although something traded beyond it. *Lots*
compares the filled quantity on candles with that on trades. The last two columns are the extra cost of a market order
on candles.`

const HEAD = ['Tape', 'Candles', 'Orders', 'Filled on trades, %', 'On candles, %', 'Phantom, %', 'Missed, %', 'Lots, %']
const HEAD_OF_TAKES = ['Market orders', 'Extra cost, basis points', 'Half spreads']

const percent = (part: number, whole: number): string => ((100 * part) / whole).toFixed(1)

function rowOf({ tape, length, limits, takes, spread }: AgainstTrades): string {
  const { orders, onTrades, onCandles, phantom, missed, lotsOnCandles, lotsOnTrades } = limits
  const dearer = (takes.costOnCandles - takes.costOnTrades) / takes.takes
  const cells = [
    ...[tape, length, orders],
    ...[onTrades, onCandles, phantom, missed].map((count) => percent(count, orders)),
    ...[percent(lotsOnCandles, lotsOnTrades), takes.takes, dearer.toFixed(3), ((2 * dearer) / spread).toFixed(1)],
  ]
  return `| ${cells.join(' | ')} |`
}

function tableOf(rows: readonly AgainstTrades[]): string {
  const heads = [...HEAD, ...HEAD_OF_TAKES]
  const lines = [`| ${heads.join(' | ')} |`, `|${heads.map(() => '---').join('|')}|`, ...rows.map((row) => rowOf(row))]
  return `${CAPTION}\n\n${lines.join('\n')}\n`
}

describe.skipIf(!areTapesThere)('candles against trades (skipped without ../shared/data)', () => {
  const measured: AgainstTrades[] = []

  it.each(REAL_TAPES)('$name: fill nothing that could not be, and miss little that must be', async (tape) => {
    const figures = await candlesAgainstTrades(tape, await believedTrades(tape))
    for (const { length, limits } of figures) {
      const { orders, onCandles, phantom, missed } = limits
      expect.soft({ length, phantom }).toEqual({ length, phantom: 0 })
      expect.soft(missed / orders, length).toBeLessThan(0.04)
      expect.soft(onCandles, length).toBeGreaterThan(10)
    }
    measured.push(...figures)
  })

  it.each(REAL_TAPES.slice(0, 2))('$name: would be found out if their trades were a candle late', async (tape) => {
    const intervalMs = 5_000
    const rows = await believedTrades(tape)
    const candles = candlesOfTrades(rows, intervalMs)
    const orders = drawnLimits(1, candles, intervalMs, tape.lots)
    const late = rows.map(([time, ...row]): RecordedRow => [time + intervalMs, ...row])
    const { phantom, missed } = limitFigures(late, orders, new Map(), onCandles(candles, intervalMs, orders))
    expect(phantom).toBeGreaterThan(0)
    expect(missed).toBeGreaterThan(0)
  })

  it('are in docs/liquidity.md as they were measured', () => {
    const page = readFileSync(PAGE, 'utf8')
    const table = tableOf(measured)
    if (process.env.RENEW_GOLDEN !== undefined) {
      writeFileSync(PAGE, page.replace(PLACE, `${START}\n${table}${END}`))
    }
    expect(PLACE.exec(readFileSync(PAGE, 'utf8'))?.[1]).toBe(table)
  })
})
