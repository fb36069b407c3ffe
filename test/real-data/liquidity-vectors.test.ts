/**
 * What `tape` says of a real tape after every 500th trade, against figures that were computed apart: the quote, clip
 * size and step of resting orders; and what takers meet, with impact skew and ladder 50 ms after the trade.
 */
import { tradeBlocks } from '../tape/rig/trade-blocks.ts'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { formatUnits } from '../../src/domain/fixed-point.ts'
import type { LadderLevel, TakingOrder } from '../../src/simulation/liquidity/liquidity-model.ts'
import { TapeLiquidity } from '../../src/simulation/liquidity/tape.ts'
import { TradeEstimates } from '../../src/simulation/liquidity/trade-estimates.ts'
import { inspectTape } from '../../src/store/tapes/inspect-tape.ts'
import { openTape } from '../../src/store/tapes/open-tape.ts'
import { SIDE_SELL } from '../../src/tape/tape.ts'

const DATA = fileURLToPath(new URL('../../../shared/data/', import.meta.url))
const FILE = `${DATA}tapes/binance_spot_btcusdt_trades_20240808T2354-20240809T0005.csv.gz`
const RESTING = `${DATA}vectors/liquidity_btcusdt.csv`
const TAKING = `${DATA}vectors/taker-btcusdt.csv`
const isAbsent = ![FILE, RESTING, TAKING].every((file) => existsSync(file))
const EVERY = 500

interface Learnt {
  readonly model: TapeLiquidity
  readonly estimates: TradeEstimates
  /** Number and time of the last trade. */
  readonly trades: number
  readonly time: number
}

/** A row after every 500th trade. */
async function rowsOf(row: (learnt: Learnt) => readonly (string | number)[]): Promise<readonly string[]> {
  const inspected = await inspectTape({ file: FILE, symbol: 'BTC_USDT' })
  const estimates = new TradeEstimates(undefined)
  const model = new TapeLiquidity(estimates, { queueSize: 1, levelSize: 1, staleAfterMs: Infinity })
  const rows: string[] = []
  let trades = 0
  for await (const block of tradeBlocks(openTape(inspected, inspected.info))) {
    for (let index = 0; index < block.length; index += 1) {
      const [time = 0, price = 0, qty = 0] = [block.time[index], block.price[index], block.qty[index]]
      model.learn({ time, price, qty, isBuyerMaker: block.side[index] === SIDE_SELL })
      trades += 1
      if (trades % EVERY === 0) rows.push(row({ model, estimates, trades, time }).join(','))
    }
  }
  return rows
}

const taking = (side: 'BUY' | 'SELL', time: number): TakingOrder => {
  return { side, qty: Number.MAX_SAFE_INTEGER, time, ownBest: undefined, queued: [] }
}

const levelText = (level: LadderLevel | undefined): string =>
  level === undefined ? 'none' : `${level.price}x${level.qty}`

/** As `took` has it, of a model of the same estimates, for this one learns on as if nothing had been taken. */
function missingAfterTenSeconds({ estimates, time }: Learnt): number {
  const other = new TapeLiquidity(estimates, { queueSize: 1, levelSize: 1, staleAfterMs: Infinity })
  other.took('BUY', 3 * estimates.averageTrade, time)
  return other.missing('BUY', time + 10_000)
}

const name = `liquidity on a real tape${isAbsent ? ' (skipped: ../shared/data is not there)' : ''}`

describe.skipIf(isAbsent)(name, () => {
  it('tape has the quote, clip size and step of every row that was computed apart', async () => {
    const [header, ...expected] = readFileSync(RESTING, 'utf8').trim().split('\n')
    expect(header).toBe('trade,bid,ask,clip_size,step,spread')
    const rows = await rowsOf(({ model, estimates, trades }) => {
      const { bid = 0, ask = 0 } = model.quote ?? {}
      const [bidText, askText, step, spread] = [bid, ask, estimates.step, estimates.spread].map((ticks) =>
        formatUnits(ticks, 2),
      )
      return [trades, bidText ?? '', askText ?? '', formatUnits(estimates.averageTrade, 5), step ?? '', spread ?? '']
    })
    expect(rows).toEqual(expected)
    expect(rows.length).toBeGreaterThan(30)
  })

  it('tape has what a taker meets in every row and column that was computed apart', async () => {
    const [header, ...expected] = readFileSync(TAKING, 'utf8').trim().split('\n')
    expect(header).toBe(
      'after_trades,time,bid,ask,clip,step,drift,dear_buy_50ms,dear_sell_50ms,buy_levels_0_4_9,missing_after_taking_3_clips_then_10s',
    )
    const rows = await rowsOf((learnt) => {
      const { model, estimates, trades, time } = learnt
      const { bid = 0, ask = 0 } = model.takerQuote ?? {}
      const skew = (['BUY', 'SELL'] as const).map((side) => estimates.impactSkew(side, time + 50).toFixed(9))
      const ladder = model.ladder(taking('BUY', time + 50))
      const levels = [0, 4, 9].map((level) => levelText(ladder[level])).join(' ')
      const known = [trades, time, bid, ask, estimates.averageTrade, estimates.step, estimates.drift]
      return [...known, ...skew, levels, missingAfterTenSeconds(learnt)]
    })
    expect(rows).toEqual(expected)
    expect(rows.length).toBeGreaterThan(30)
  })
})
