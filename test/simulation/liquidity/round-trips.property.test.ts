/**
 * Round trips of market orders: anyone who buys and sells as much again at one instant, or slowly while the tape
 * stands, pays for it.
 *
 * A model whose other side follows by half alone is the control: there the same search finds trips that cost less.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { opposite, SIDES, type Side } from '../../../src/domain/order.ts'
import { LadderShape } from '../../../src/simulation/liquidity/estimated-liquidity.ts'
import { TapeLiquidity } from '../../../src/simulation/liquidity/tape.ts'
import { TradeEstimates } from '../../../src/simulation/liquidity/trade-estimates.ts'
import { runs } from '../../property/property.ts'

const RUNS = runs(5_000)
const TERMS = { queueSize: 1, levelSize: 1, staleAfterMs: Infinity }

interface Move {
  readonly wait: number
  readonly rise: number
  readonly qty: number
  readonly isSell: boolean
}

/** A market order of so many sixteenths of a clip and lots beside it, and what goes by until the next one. */
interface Leg {
  readonly side: Side
  readonly sixteenths: number
  readonly lots: number
  readonly wait: number
  /** Recorded lots while it waits, at the price where the tape stands. */
  readonly recorded: number
}

const tape = fc.integer({ min: 1, max: 100 }).chain((width) =>
  fc.array(
    fc.record({
      wait: fc.constantFrom(0, 0, 1, 40, 300),
      rise: fc.integer({ min: -width, max: width }),
      qty: fc.integer({ min: 1, max: 100 }),
      isSell: fc.boolean(),
    }),
    { minLength: 1, maxLength: 60, size: 'max' },
  ),
)

const leg: fc.Arbitrary<Leg> = fc.record({
  side: fc.constantFrom(...SIDES),
  sixteenths: fc.constantFrom(0, 4, 4, 8, 16, 64),
  lots: fc.integer({ min: 0, max: 9 }),
  wait: fc.constantFrom(0, 1, 300, 5_000, 25_000, 100_000),
  recorded: fc.constantFrom(0, 1, 20, 500),
})

const trips = fc.record({ moves: tape, legs: fc.array(leg, { minLength: 1, maxLength: 6 }), isSlow: fc.boolean() })

/** Follows as far as the first level that has lots says, whatever was paid. */
class FollowsByHalfAlone extends TapeLiquidity {
  protected override followed(side: Side, time: number): number {
    const missing = this.missing(side, time)
    const { averageTrade: clip, step } = this.estimates
    const shape = new LadderShape(clip, step, this.estimates.impactSkew?.(side, time) ?? 1)
    return missing === 0 ? 0 : Math.floor(shape.offset(shape.firstLevel(missing)) / 2)
  }
}

/** One who trades with the crowd alone. */
class Trader {
  readonly #model: TapeLiquidity
  #time = 0
  #price = 1_000_000
  #isSell = false
  /** Ticks x lots, and lots, that came in less those that went out. */
  cash = 0
  lots = 0
  bought = 0

  constructor(model: TapeLiquidity) {
    this.#model = model
  }

  record({ wait, rise, qty, isSell }: Move): void {
    this.#time += wait
    this.#price += rise
    this.#isSell = isSell
    this.#model.learn({ time: this.#time, price: this.#price, qty, isBuyerMaker: isSell })
  }

  /** The tape stands: what is recorded is at the last price and of the last side. */
  stand(wait: number, recorded: number): void {
    if (recorded > 0) this.record({ wait: wait / 2, rise: 0, qty: recorded, isSell: this.#isSell })
    this.#time += recorded > 0 ? wait / 2 : wait
  }

  take(side: Side, qty: number): void {
    let left = qty
    for (const level of this.#model.ladder({ side, qty, time: this.#time, ownBest: undefined, queued: [] })) {
      const lots = Math.min(left, level.qty)
      this.cash += side === 'BUY' ? -lots * level.price : lots * level.price
      left -= lots
    }
    const taken = qty - left
    if (taken > 0) this.#model.took(side, taken, this.#time)
    this.lots += side === 'BUY' ? taken : -taken
    if (side === 'BUY') this.bought += taken
  }
}

/** What a trip earned, in ticks x lots, beside the spread of what was bought. */
function earned(model: TapeLiquidity, moves: readonly Move[], legs: readonly Leg[], isSlow: boolean): number {
  const trader = new Trader(model)
  for (const move of moves) trader.record(move)
  const { bid = 0, ask = 0 } = model.takerQuote ?? {}
  for (const { side, sixteenths, lots, wait, recorded } of legs) {
    trader.take(side, Math.floor((model.estimates.averageTrade * sixteenths) / 16) + lots)
    if (isSlow) trader.stand(wait, recorded)
  }
  const side = trader.lots > 0 ? 'SELL' : 'BUY'
  for (const { sixteenths, wait, recorded } of isSlow ? legs : []) {
    const part = Math.floor((model.estimates.averageTrade * sixteenths) / 16)
    trader.take(side, Math.min(part, Math.abs(trader.lots)))
    trader.stand(wait, recorded)
  }
  trader.take(side, Math.abs(trader.lots))
  expect(trader.lots, `nothing is left to be bought or sold by an order to ${opposite(side)}`).toBe(0)
  return trader.cash + trader.bought * (ask - bid)
}

const best = (make: () => TapeLiquidity, isAsked: (isSlow: boolean) => boolean): number => {
  let most = -Infinity
  const law = fc.property(trips, ({ moves, legs, isSlow }) => {
    if (isAsked(isSlow)) most = Math.max(most, earned(make(), moves, legs, isSlow))
  })
  fc.assert(law, { numRuns: RUNS })
  return most
}

describe('a round trip', () => {
  it.each([
    { name: 'at one instant', isSlow: false },
    { name: 'on a tape that stands', isSlow: true },
  ])('costs at least the spread $name', ({ isSlow }) => {
    const make = (): TapeLiquidity => new TapeLiquidity(new TradeEstimates(undefined), TERMS)
    expect(best(make, (asked) => asked === isSlow)).toBeLessThanOrEqual(0)
  })

  it('costs less where the other side follows by half alone', () => {
    const make = (): TapeLiquidity => new FollowsByHalfAlone(new TradeEstimates(undefined), TERMS)
    expect(best(make, (isSlow) => !isSlow)).toBeGreaterThan(0)
    expect(best(make, (isSlow) => isSlow)).toBeGreaterThan(0)
  })
})
