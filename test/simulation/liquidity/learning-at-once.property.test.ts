/**
 * A model that learns many trades at once knows what it would know from each in its order.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SIDES } from '../../../src/domain/order.ts'
import type { RecordedTrade } from '../../../src/simulation/liquidity/liquidity-model.ts'
import type { MarketEstimates } from '../../../src/simulation/liquidity/market-estimates.ts'
import { WrittenTrades } from '../../../src/simulation/crowd/crowd.ts'
import { TapeLiquidity } from '../../../src/simulation/liquidity/tape.ts'
import { TradeEstimates } from '../../../src/simulation/liquidity/trade-estimates.ts'
import { runs } from '../../property/property.ts'

/** Some silences are longer. */
const TERMS = { queueSize: 1, levelSize: 1, staleAfterMs: 5_000 }

/** Wide apart, so that every single flip moves the median of them. */
const trade = fc.record({
  /** Milliseconds after the one before. */
  time: fc.oneof(
    { weight: 60, arbitrary: fc.constantFrom(0, 0, 1, 2) },
    { weight: 1, arbitrary: fc.constantFrom(4_000, 6_000) },
  ),
  price: fc.integer({ min: 1, max: 1_000_000 }),
  qty: fc.integer({ min: 1, max: 1_000 }),
  isBuyerMaker: fc.boolean(),
})

const batches = fc.array(
  fc.record({
    trades: fc.array(trade, { minLength: 1, maxLength: 150, size: 'max' }),
    taken: fc.constantFrom(0, 0, 5_000),
    hasGap: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6 },
)

const column = (trades: readonly RecordedTrade[]): WrittenTrades => {
  const columns = new WrittenTrades()
  for (const { time, price, qty, isBuyerMaker } of trades) {
    columns.push(time, price, qty, isBuyerMaker)
  }
  return columns
}

const knows = (model: TapeLiquidity, time: number) => {
  const { spread, clip, step, drift } = model.estimates
  const asked = SIDES.map((side) => ({
    skew: model.estimates.impactSkew?.(side, time),
    missing: model.missing(side, time),
    ladder: model.ladder({ side, qty: 20_000, time, ownBest: undefined, queued: [] }),
  }))
  return { quote: model.quote, spread, clip, step, drift, asked }
}

it.each<[string, () => MarketEstimates]>([['trades', () => new TradeEstimates(undefined)]])(
  'of %s',
  (kind, estimates) => {
    let [full, dry] = [0, 0]
    fc.assert(
      fc.property(batches, (all) => {
        const each = new TapeLiquidity(estimates(), TERMS)
        const atOnce = new TapeLiquidity(estimates(), TERMS)
        let now = 0
        for (const { trades, taken, hasGap } of all) {
          const timed = trades.map(({ time, ...rest }): RecordedTrade => {
            now += time
            return { ...rest, time: now, ...(kind === 'candles' ? { candleTime: now - (now % 10) } : {}) }
          })
          for (const model of [each, atOnce]) {
            if (hasGap) model.gap()
            if (taken > 0) model.took('BUY', taken, now)
          }
          for (const recorded of timed) each.learn(recorded)
          atOnce.learnAll?.(column(timed))
          for (const later of [0, 200]) expect(knows(atOnce, now + later)).toEqual(knows(each, now + later))
          if (trades.length > 100) full += 1
          if (taken > 0) dry += 1
        }
      }),
      { numRuns: runs(150) },
    )
    expect(full, 'more flips at once than are remembered').toBeGreaterThan(0)
    expect(dry, 'something is missing from the ladder').toBeGreaterThan(0)
  },
)

it('asks a model that learns in its own way one by one', () => {
  class Own extends TapeLiquidity {
    override learn(recorded: RecordedTrade): void {
      super.learn(recorded)
    }
  }
  class OwnEstimates extends TradeEstimates {
    override learn(recorded: RecordedTrade): void {
      super.learn({ ...recorded, qty: 7 })
    }
  }
  expect(new Own(new TradeEstimates(undefined), TERMS).learnAll).toBeUndefined()
  const model = new TapeLiquidity(new OwnEstimates(undefined), TERMS)
  model.learnAll?.(column([{ time: 0, price: 5, qty: 1, isBuyerMaker: true }]))
  expect(model.estimates.averageTrade).toBe(7)
})
