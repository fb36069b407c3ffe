/**
 * A driftless market does not pay: no one who sees whole candles can foretell the fair price, so anyone who earns by
 * the fills has found a rule that is wrong.
 */
import { describe, expect, it } from 'vitest'
import { again, PROPERTY_SEED, runs } from '../../property/property.ts'
import { backtestPolicy } from './rig/driftless/backtest-policy.ts'
import { bestPolicies, MAX_LUCK } from './rig/driftless/driftless-fuzz.ts'
import { driftlessWalk, WALK_KINDS } from './rig/driftless/driftless-walk.ts'
import { playPolicy } from './rig/driftless/play-policy.ts'
import type { Policy, PolicyFill } from './rig/driftless/policy.ts'
import { candleProfitT, profitT, roundProfits } from './rig/driftless/policy-profit.ts'
import { quoteThrough } from './rig/driftless/quote-through.ts'
import { randomPolicy } from './rig/driftless/random-policy.ts'
import { statisticOf } from './rig/driftless/t-statistic.ts'
import { playTwoExtremes } from './rig/driftless/two-extremes.ts'

const POLICIES = 60
const CANDLES = 200
const COMPARED_POLICIES = 12
const SMALL_PART = 50
/** Standard errors; by far more than luck. */
const MUCH = 10
const TIMEOUT_MS = 120_000

describe('a driftless market', () => {
  it.each(WALK_KINDS)(
    'pays no policy twice: %s',
    async (kind) => {
      const best = await bestPolicies(kind, { seed: PROPERTY_SEED, policies: runs(POLICIES), candles: CANDLES })
      for (const { index, outOfSample } of best) {
        expect(outOfSample, `policy ${index}; ${again()}`).toBeLessThanOrEqual(MAX_LUCK)
      }
    },
    TIMEOUT_MS,
  )

  it.each(WALK_KINDS)('fills a policy by hand as it does in a backtest, to the last lot: %s', async (kind) => {
    let filled = 0
    for (let index = 0; index < COMPARED_POLICIES; index += 1) {
      const seed = PROPERTY_SEED + index
      const { candles } = driftlessWalk(kind, seed, CANDLES)
      const policy = (): Policy => plain(randomPolicy(seed, index % 2 === 1))
      const fills = await backtestPolicy(policy(), candles)
      expect(inTime(fills), again()).toEqual(inTime(playPolicy(policy(), candles)))
      if (fills.length > 0) filled += 1
    }
    expect(filled, again()).toBeGreaterThan(0)
  })

  it('is the same for the same seed, to the last digit', async () => {
    const options = { seed: PROPERTY_SEED, policies: 4, candles: 50 }
    expect(await bestPolicies('jumps', options), again()).toEqual(await bestPolicies('jumps', options))
  })

  it.each(WALK_KINDS)(
    'pays anyone who sees the first extreme of candles that are played as four trades: %s',
    async (kind) => {
      const walk = driftlessWalk(kind, PROPERTY_SEED, 5 * CANDLES)
      expect(profitT(await playTwoExtremes(walk.candles), walk), again()).toBeGreaterThan(MUCH)
    },
  )

  it('pays who takes only cheap opens where the spread is as wide as a candle: a known limit', () => {
    const walk = driftlessWalk('wide', 1, 5 * CANDLES)
    expect(candleProfitT(playPolicy(quoteThrough(8), walk.candles), walk)).toBeGreaterThan(MUCH)
  })
})

/**
 * Without stops that another order excludes, and with small ones: what is left of a group after a part of a fill, and
 * of a stop that did not find all, is for the session to say.
 */
const plain = (policy: Policy): Policy => ({
  canStop: policy.canStop,
  onCandle: (seen) =>
    policy
      .onCandle(seen)
      .filter((act) => act.type !== 'stop' || act.excludes === undefined)
      .map((act) => (act.type === 'stop' ? { ...act, qty: Math.max(1, Math.floor(act.qty / SMALL_PART)) } : act)),
})

const inTime = (fills: readonly PolicyFill[]): readonly Omit<PolicyFill, 'candle'>[] =>
  fills.map(({ time, side, price, qty }) => ({ time, side, price, qty }))

describe('the profit of a policy', () => {
  it('is measured at the fair price, round by round', () => {
    const fair = Array.from({ length: 20 }, (_, index) => 1_000_000 + index)
    const fills = [
      { candle: 3, time: 3, side: 'BUY', price: 1_000_001, qty: 5 },
      { candle: 12, time: 12, side: 'SELL', price: 1_000_020, qty: 5 },
    ] as const
    expect(roundProfits(fills, fair)).toEqual([5 * (9 - 1), 5 * (20 - 9)])
  })

  it.each`
    sample          | expected | why
    ${[1, 2, 3]}    | ${3.464} | ${'a mean of 2 and a standard error of 1 over the root of 3'}
    ${[-1, 1]}      | ${0}     | ${'nothing in the mean'}
    ${[0, 0, 0, 0]} | ${0}     | ${'never filled'}
  `('$why: $sample -> $expected', ({ sample, expected }) => {
    expect(statisticOf(sample)).toBeCloseTo(expected, 3)
  })
})
