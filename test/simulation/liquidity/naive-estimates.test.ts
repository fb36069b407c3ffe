/**
 * The naive estimates beside figures that were computed apart: in Python from the bundled tape
 * (vectors/make-estimates.py), and elsewhere from a recorded tape, read in place: `../shared/data`.
 */
import { tradeBlocks } from '../../tape/rig/trade-blocks.ts'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseUnits } from '../../../src/domain/fixed-point.ts'
import { inspectTape } from '../../../src/store/tapes/inspect-tape.ts'
import { openTape } from '../../../src/store/tapes/open-tape.ts'
import { SIDE_SELL } from '../../../src/tape/tape.ts'
import { clipOf, spreadOf, stepOf, type Learnt } from './rig/naive-estimates.ts'

const DATA = fileURLToPath(new URL('../../../../shared/data', import.meta.url))
const TAPE = `${DATA}/tapes/binance_spot_btcusdt_trades_20240808T2354-20240809T0005.csv.gz`
const VECTORS = `${DATA}/vectors/liquidity_btcusdt.csv`
const isAbsent = !existsSync(TAPE) || !existsSync(VECTORS)

async function recordedTrades(file: string, symbol: string): Promise<readonly Learnt[]> {
  const inspected = await inspectTape({ file, symbol })
  const trades: Learnt[] = []
  for await (const { length, time, price, qty, side } of tradeBlocks(openTape(inspected, inspected.info))) {
    for (let row = 0; row < length; row += 1) {
      const [at = 0, ticks = 0, lots = 0] = [time[row], price[row], qty[row]]
      trades.push({ time: at, price: ticks, qty: lots, isSell: side[row] === SIDE_SELL, afterGap: false })
    }
  }
  return trades
}

function unitsOf(text: string | undefined, decimals: number): number {
  const parsed = parseUnits(text ?? '', decimals)
  if (!parsed.ok) throw new Error(`cannot read '${text}'`)
  return parsed.value
}

it('the bundled tape has the quote, clip size and step that Python finds', async () => {
  const trades = await recordedTrades(
    fileURLToPath(new URL('../../../data/btc_usd.csv.gz', import.meta.url)),
    'BTC_USD',
  )
  const vectors = readFileSync(new URL('vectors/estimates.csv', import.meta.url), 'utf8')
  const rows = vectors.trim().split('\n').slice(1)
  expect(rows).toHaveLength(40)
  for (const row of rows) {
    const [count, bid, ask, ...figures] = row.split(',').map(Number)
    const past = trades.slice(0, count)
    const spread = spreadOf(past)
    const last = past.at(-1)
    expect(last?.price).toBe(last?.isSell === true ? bid : ask)
    expect([clipOf(past), stepOf(past, spread), spread]).toEqual(figures)
  }
})

describe.skipIf(isAbsent)(`a recorded tape${isAbsent ? ' (skipped: ../shared/data is not there)' : ''}`, () => {
  it('has the quote, clip size and step of every row of its vectors', async () => {
    const trades = await recordedTrades(TAPE, 'BTC_USDT')
    const rows = readFileSync(VECTORS, 'utf8').trim().split('\n').slice(1)
    expect(rows.length).toBeGreaterThan(30)
    for (const row of rows) {
      const [count, bid, ask, clip, step, spread] = row.split(',')
      const past = trades.slice(0, Number(count))
      const ticks = spreadOf(past)
      const last = past.at(-1)
      expect(ticks).toBe(unitsOf(spread, 2))
      expect(last?.price).toBe(unitsOf(last?.isSell === true ? bid : ask, 2))
      expect([clipOf(past), stepOf(past, ticks)]).toEqual([unitsOf(clip, 5), unitsOf(step, 2)])
    }
  })
})
