/**
 * The p-value of a run without skill is uniform: on random walks a strategy gets one below 5 % in 5 % of the cases,
 * whatever its rule. A rule that sees the future gets the lowest one.
 */
import { describe, expect, it } from 'vitest'
import { nullTest } from '../../src/sweep/null-test.ts'
import { nullSeeds } from '../../src/sweep/null-tapes.ts'
import { shuffledTrades } from '../../src/sweep/selection/shuffled-prices.ts'
import type { PointOutcome } from '../../src/sweep/point-outcome.ts'
import { seededRandom } from '../../src/runtime/strategies/seeded-random.ts'

const [WALKS, TAPES, ROWS] = [400, 99, 250]

/** Position from 0 to 1 for the next return, decided by the prices so far. */
type Rule = (prices: Float64Array, row: number) => number

const priceAt = (prices: Float64Array, row: number): number => prices[Math.max(0, row)] ?? 1

const RULES: Readonly<Record<string, Rule>> = {
  momentum: (prices, row) => (priceAt(prices, row) > priceAt(prices, row - 10) ? 1 : 0),
  reversion: (prices, row) => (priceAt(prices, row) < priceAt(prices, row - 3) ? 1 : 0),
  calendar: (_, row) => (row % 20 < 7 ? 1 : 0),
}

function returnOf(rule: Rule, prices: Float64Array): number {
  let equity = 1
  for (let row = 0; row + 1 < prices.length; row += 1)
    equity *= 1 + rule(prices, row) * (priceAt(prices, row + 1) / priceAt(prices, row) - 1)
  return equity - 1
}

/** Prices of a walk with a drift and fat tails. */
function walk(random: () => number): Float64Array {
  const prices = new Float64Array(ROWS)
  let path = 1e6
  for (let row = 0; row < ROWS; row += 1) {
    prices[row] = Math.round(path)
    const size = random() < 0.05 ? 0.05 : 0.01
    path *= 1 + 0.001 + (random() - 0.5) * 2 * size
  }
  return prices
}

const outcomeOf = (made: number): PointOutcome => ({ statistics: { return: made } }) as unknown as PointOutcome

function pValueOn(rule: Rule, price: Float64Array, seed: number): number {
  const columns = { price, qty: new Float64Array(ROWS).fill(1), side: new Uint8Array(ROWS) }
  const outcomes = nullSeeds(seed, TAPES).map((each) =>
    outcomeOf(returnOf(rule, shuffledTrades(columns, seededRandom(each), { isPermuted: true }).price)),
  )
  return nullTest(returnOf(rule, price), outcomes).pValue
}

describe('p-values without skill', () => {
  it.each(Object.keys(RULES))('are uniform for %s', (name) => {
    const random = seededRandom(7)
    const rule = RULES[name] ?? (() => 0)
    const values = Array.from({ length: WALKS }, (_, index) => pValueOn(rule, walk(random), index))
    for (const limit of [0.05, 0.1, 0.25, 0.5, 0.75, 0.9]) {
      const below = values.filter((value) => value <= limit).length
      // 3.3 standard deviations of a binomial distribution: missed by chance once in a thousand times.
      const room = 3.3 * Math.sqrt(WALKS * limit * (1 - limit))
      expect(Math.abs(below - WALKS * limit), `${name}: ${below} of ${WALKS} at most ${limit}`).toBeLessThan(room)
    }
  })

  it('are 1 for a rule that always holds, because every order of the returns has the same sum', () => {
    // Prices are rounded to the grid, so the last ones may differ by a tick.
    const price = Float64Array.from([100, 200, 100, 200, 400, 200, 100])
    const columns = { price, qty: new Float64Array(7).fill(1), side: new Uint8Array(7) }
    for (let seed = 0; seed < 50; seed += 1) {
      const { price: shuffled } = shuffledTrades(columns, seededRandom(seed), { isPermuted: true })
      expect(shuffled.at(-1)).toBe(100)
    }
  })

  it('are the lowest for a rule that knows the recorded order', () => {
    const prices = walk(seededRandom(3))
    const known: Rule = (_, row) => (priceAt(prices, row + 1) > priceAt(prices, row) ? 1 : 0)
    expect(pValueOn(known, prices, 1)).toBe(1 / (TAPES + 1))
  })
})

describe('a null test', () => {
  it('counts ties and failed runs as at least as good', () => {
    const failed = { statistics: null } as unknown as PointOutcome
    expect(nullTest(0.1, [outcomeOf(0.1), outcomeOf(0.2), outcomeOf(0), failed])).toEqual({
      tapes: 4,
      returns: [0.1, 0.2, 0, null],
      pValue: 4 / 5,
    })
  })
})
