/**
 * The quote, clip size and step of `tape` after every 500th trade of a real tape, against figures that were computed apart.
 */
import { tradeBlocks } from '../tape/rig/trade-blocks.ts'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { formatUnits } from '../../src/domain/fixed-point.ts'
import { TapeLiquidity } from '../../src/simulation/liquidity/tape.ts'
import { TradeEstimates } from '../../src/simulation/liquidity/trade-estimates.ts'
import { inspectTape } from '../../src/store/tapes/inspect-tape.ts'
import { openTape } from '../../src/store/tapes/open-tape.ts'
import { SIDE_SELL } from '../../src/tape/tape.ts'

const DATA = fileURLToPath(new URL('../../../shared/data/', import.meta.url))
const FILE = `${DATA}tapes/binance_spot_btcusdt_trades_20240808T2354-20240809T0005.csv.gz`
const VECTORS = `${DATA}vectors/liquidity_btcusdt.csv`
const EVERY = 500

describe.skipIf(!existsSync(VECTORS))('liquidity on a real tape (skipped without ../shared/data)', () => {
  it('tape has the quote, clip size and step that were computed apart, in every row', async () => {
    const [header, ...expected] = readFileSync(VECTORS, 'utf8').trim().split('\n')
    expect(header).toBe('trade,bid,ask,clip_size,step,spread')
    const inspected = await inspectTape({ file: FILE, symbol: 'BTC_USDT' })
    const estimates = new TradeEstimates(undefined)
    const model = new TapeLiquidity(estimates, { queueClips: 1, depthClips: 1, staleAfterMs: Infinity })
    const rows: string[] = []
    let trades = 0
    for await (const block of tradeBlocks(openTape(inspected, inspected.info))) {
      for (let row = 0; row < block.length; row += 1) {
        const [time = 0, price = 0, qty = 0] = [block.time[row], block.price[row], block.qty[row]]
        model.learn({ time, price, qty, isBuyerMaker: block.side[row] === SIDE_SELL })
        trades += 1
        if (trades % EVERY > 0) continue
        const { bid = 0, ask = 0 } = model.quote ?? {}
        const prices = [bid, ask, estimates.step, estimates.spread].map((ticks) => formatUnits(ticks, 2))
        const [bidText, askText, step, spread] = prices
        rows.push([trades, bidText, askText, formatUnits(estimates.clip, 5), step, spread].join(','))
      }
    }
    expect(rows).toEqual(expected)
    expect(rows.length).toBeGreaterThan(30)
  })
})
