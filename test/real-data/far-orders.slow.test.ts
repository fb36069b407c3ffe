/**
 * Passive orders 3, 5 and 10 cents away from the market on a day of SPY: what they are filled by, and how the market
 * stands 5 s later.
 *
 * Held against the prices that are believed, whatever the run believed. The table is golden: write it again by
 * RENEW_GOLDEN=1, and say why it changed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { playFarOrders, type FarOrders } from './rig/far-orders.ts'
import { areTapesThere, believedTrades, realTape } from './rig/real-tapes.ts'

const GOLDEN = new URL('far-orders.txt', import.meta.url)
/** Cents that an order may earn by being filled far away from the market. */
const MAX_SHARE = 0.3

const lineOf = (printFilter: string, { cents, fills, won, markout }: FarOrders): string =>
  `${printFilter.padEnd(4)} ${String(cents).padStart(2)} cents away: ${fills} fills, ${won} won, markout ${markout.toFixed(2)} cents`

describe.skipIf(!areTapesThere)('far passive orders on SPY (skipped without ../shared/data)', () => {
  it('earn nothing by prints that no one could trade at, unless these are believed', async () => {
    const spy = realTape('SPY')
    const believed = await believedTrades(spy)
    const lines: string[] = []
    for (const printFilter of ['auto', 'off'] as const) {
      const orders = await playFarOrders(spy.file, believed, printFilter)
      lines.push(...orders.map((each) => lineOf(printFilter, each)))
      const best = Math.max(...orders.filter(({ fills }) => fills > 0).map(({ markout }) => markout))
      if (printFilter === 'auto') expect(best).toBeLessThanOrEqual(MAX_SHARE)
      // The control: a print far from the market is an order's gain.
      else expect(best).toBeGreaterThan(5)
    }
    const table = `${lines.join('\n')}\n`
    if (process.env.RENEW_GOLDEN !== undefined) writeFileSync(GOLDEN, table)
    expect(table).toBe(readFileSync(GOLDEN, 'utf8'))
  })
})
