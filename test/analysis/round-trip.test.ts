import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RoundTrips } from '../../src/analysis/round-trip.ts'
import type { RoundTrip } from '../../src/analysis/round-trip.ts'
import type { Market } from '../../src/domain/market.ts'
import type { Side } from '../../src/domain/order.ts'
import type { Fill } from '../../src/domain/trade.ts'

/** Prices of 2 decimals, quantities of 1: a notional has 3. */
const MARKET: Market = {
  id: 'BTC_USD',
  name: 'Bitcoin',
  symbol: 'BTC_USD',
  baseAsset: 'BTC',
  quoteAsset: 'USD',
  pricePrecision: 2,
  qtyPrecision: 1,
}

/** Two digits more than the market needs, as another market may ask for. */
const SCALE = 5
const UNITS_PER_NOTIONAL = 100n

interface Step {
  readonly side: Side
  readonly price: number
  readonly qty: number
  readonly fee: bigint
}

const fillOf = ({ side, price, qty, fee }: Step, time: number): Fill => ({
  trade: {
    id: time,
    symbol: MARKET.symbol,
    price,
    qty,
    buyOrderId: 1,
    sellOrderId: 2,
    buyerId: 'a',
    sellerId: 'b',
    isBuyerMaker: false,
    createdAt: time,
  },
  side,
  orderId: 1,
  isMaker: false,
  fee,
})

const buy = (price: number, qty: number, fee = 0n): Step => ({ side: 'BUY', price, qty, fee })
const sell = (price: number, qty: number, fee = 0n): Step => ({ side: 'SELL', price, qty, fee })

/** The fold with all that it handed on. */
class KeptTrips extends RoundTrips {
  readonly closed: RoundTrip[]

  constructor() {
    const closed: RoundTrip[] = []
    super(MARKET, SCALE, (trip) => void closed.push(trip))
    this.closed = closed
  }
}

/** The n-th step happens at n seconds, counted from 1. */
function tripsOf(steps: readonly Step[]): KeptTrips {
  const trips = new KeptTrips()
  steps.forEach((step, index) => {
    trips.add(fillOf(step, (index + 1) * 1000))
  })
  return trips
}

const figures = ({ openedAt, closedAt, side, qty, entryNotional, exitNotional, fees, pnl }: RoundTrip): unknown[] => [
  openedAt,
  closedAt,
  side,
  qty,
  entryNotional,
  exitNotional,
  fees,
  pnl,
]

describe('round trips by hand', () => {
  it.each`
    steps                                                     | expected                                                                                                                                    | why
    ${[]}                                                     | ${[]}                                                                                                                                       | ${'nothing was traded'}
    ${[buy(100, 10)]}                                         | ${[]}                                                                                                                                       | ${'an open position is no round trip yet'}
    ${[buy(100, 10), sell(110, 4)]}                           | ${[]}                                                                                                                                       | ${'nor is one that is half closed'}
    ${[buy(100, 10, 7n), sell(110, 10, 8n)]}                  | ${[[1000, 2000, 'BUY', 10n, 1000n, 1100n, 15n, 9_985n]]}                                                                                    | ${'100 ticks x lots gained are 10 000 units, less both fees'}
    ${[sell(100, 10, 7n), buy(110, 10, 8n)]}                  | ${[[1000, 2000, 'SELL', 10n, 1000n, 1100n, 15n, -10_015n]]}                                                                                 | ${'sold first from initial inventory, bought back dearer'}
    ${[buy(100, 5), buy(120, 5), sell(130, 3), sell(90, 7)]}  | ${[[1000, 4000, 'BUY', 10n, 1100n, 1020n, 0n, -8_000n]]}                                                                                    | ${'built and closed in parts'}
    ${[buy(100, 5), sell(110, 3), buy(105, 3), sell(100, 5)]} | ${[[1000, 4000, 'BUY', 5n, 815n, 830n, 0n, 1_500n]]}                                                                                        | ${'the peak is 5 although 8 were bought in all'}
    ${[buy(100, 10), sell(110, 10), buy(90, 1), sell(95, 1)]} | ${[[1000, 2000, 'BUY', 10n, 1000n, 1100n, 0n, 10_000n], [3000, 4000, 'BUY', 1n, 90n, 95n, 0n, 500n]]}                                       | ${'one after the other'}
    ${[buy(100, 3, 1n), sell(110, 10, 7n), buy(100, 7, 3n)]}  | ${[[1000, 2000, 'BUY', 3n, 300n, 330n, 3n, 2_997n], [2000, 3000, 'SELL', 7n, 770n, 700n, 8n, 6_992n]]}                                      | ${'across zero: of the fee 7 the closing 3 of 10 bear floor(2.1), the opening 7 the rest'}
    ${[buy(100, 1), sell(100, 2), buy(100, 2), sell(100, 1)]} | ${[[1000, 2000, 'BUY', 1n, 100n, 100n, 0n, 0n], [2000, 3000, 'SELL', 1n, 100n, 100n, 0n, 0n], [3000, 4000, 'BUY', 1n, 100n, 100n, 0n, 0n]]} | ${'across zero twice'}
  `('$why', ({ steps, expected }: { steps: Step[]; expected: unknown[][] }) => {
    expect(tripsOf(steps).closed.map(figures)).toEqual(expected)
  })

  it('gives the return as pnl over the entry notional', () => {
    const [trip] = tripsOf([buy(100, 10, 7n), sell(110, 10, 8n)]).closed
    expect(trip?.return).toBe(9_985 / 100_000)
    expect(trip?.symbol).toBe('BTC_USD')
  })

  it('stays exact beyond 2^53', () => {
    const most = Number.MAX_SAFE_INTEGER
    const [trip] = tripsOf([buy(most - 1, most), sell(most, most)]).closed
    expect(trip?.pnl).toBe(BigInt(most) * UNITS_PER_NOTIONAL)
  })

  it.each`
    steps                                                                | expected                             | why
    ${[]}                                                                | ${undefined}                         | ${'nothing was traded'}
    ${[buy(100, 10), sell(110, 10)]}                                     | ${undefined}                         | ${'flat again'}
    ${[buy(100, 10, 7n)]}                                                | ${[1000, 'BUY', 10n, 10n, 4_993n]}   | ${'105 is 50 ticks x lots above what was paid: 5 000 units, less the fee'}
    ${[sell(100, 10, 7n)]}                                               | ${[1000, 'SELL', 10n, 10n, -5_007n]} | ${'sold first, and it would be bought back dearer'}
    ${[buy(100, 10), sell(110, 4)]}                                      | ${[1000, 'BUY', 6n, 10n, 7_000n]}    | ${'closed in part: 40 of the parts that were sold, 30 of what is left'}
    ${[buy(100, 2), buy(106, 6), sell(90, 4), sell(90, 3)]}              | ${[1000, 'BUY', 1n, 8n, -10_100n]}   | ${'the one that is left is worth more than it cost, and the trip is not'}
    ${[buy(100, 3, 1n), sell(110, 10, 7n)]}                              | ${[2000, 'SELL', 7n, 7n, 3_495n]}    | ${'across zero: only the part that opened it, with its part of the fee, 5'}
    ${[buy(100, 1), sell(120, 1), buy(104, 2), buy(104, 1), sell(9, 1)]} | ${[3000, 'BUY', 2n, 3n, -9_300n]}    | ${'a closed trip before it counts nowhere here'}
  `('$why: what is open', ({ steps, expected }: { steps: Step[]; expected: unknown }) => {
    const { open } = tripsOf(steps)
    expect(open && [open.openedAt, open.side, open.qty, open.entryQty, open.pnlAt(105)]).toEqual(expected)
  })

  it('reports what is open as it is when it is asked', () => {
    const trips = tripsOf([buy(100, 3)])
    const { open } = trips
    trips.add(fillOf(buy(200, 3), 9_000))
    expect(open).toMatchObject({ qty: 3n, entryNotional: 300n })
    expect(open?.pnlAt(100)).toBe(0n)
    expect(trips.open).toMatchObject({ qty: 6n, entryNotional: 900n })
  })

  it('reports the position, signed', () => {
    expect(tripsOf([]).position).toBe(0n)
    expect(tripsOf([buy(100, 3), sell(100, 1)]).position).toBe(2n)
    expect(tripsOf([buy(100, 3), sell(100, 7)]).position).toBe(-4n)
  })

  it('refuses a fill of another market, one without quantity, and a ledger that is too coarse', () => {
    const other = { ...fillOf(buy(100, 1), 1), trade: { ...fillOf(buy(100, 1), 1).trade, symbol: 'ETH_USD' } }
    expect(() => {
      new KeptTrips().add(other)
    }).toThrow('a fill of ETH_USD among those of BTC_USD')
    expect(() => tripsOf([buy(100, 0)])).toThrow('no quantity')
    expect(() => new RoundTrips(MARKET, 2, () => undefined)).toThrow('cannot hold a notional')
  })
})

/** Few prices and quantities, so that the position is often flat and often crosses zero. */
const steps = (): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      side: fc.constantFrom<Side>('BUY', 'SELL'),
      price: fc.integer({ min: 1, max: 9 }),
      qty: fc.integer({ min: 1, max: 6 }),
      fee: fc.bigInt({ min: 0n, max: 9n }),
    }),
    { maxLength: 30 },
  )

const signed = ({ side, qty }: Step): number => (side === 'BUY' ? qty : -qty)

const positionsOf = (list: readonly Step[]): number[] => {
  let position = 0
  return list.map((step) => (position += signed(step)))
}

/**
 * Cash of the quote asset that the fills moved, in ledger units: what was sold for less what was paid, less the fees.
 */
const cashOf = (list: readonly Step[]): bigint =>
  list.reduce((sum, step) => sum - BigInt(signed(step) * step.price) * UNITS_PER_NOTIONAL - step.fee, 0n)

/** The same fills lot by lot, so that none can cross zero; without fees, whose rounding depends on the cut. */
const lotByLot = (list: readonly Step[]): { step: Step; time: number }[] =>
  list.flatMap((step, index) =>
    Array.from({ length: step.qty }, () => ({ step: { ...step, qty: 1, fee: 0n }, time: (index + 1) * 1000 })),
  )

describe('round trips as a law', () => {
  it('the pnl of the trips adds up to the cash moved whenever the position is flat', () => {
    const reached = { flat: 0, crossed: 0, short: 0, splitFee: 0 }
    fc.assert(
      fc.property(steps(), (list) => {
        const positions = positionsOf(list)
        positions.forEach((position, index) => {
          const before = positions[index - 1] ?? 0
          const step = list[index]
          if (before * position < 0 && step !== undefined) {
            reached.crossed += 1
            if ((step.fee * BigInt(Math.abs(before))) % BigInt(step.qty) !== 0n) reached.splitFee += 1
          }
          if (position !== 0) return
          const head = list.slice(0, index + 1)
          const { closed } = tripsOf(head)
          reached.flat += 1
          if (closed.some(({ side }) => side === 'SELL')) reached.short += 1
          expect(closed.reduce((sum, { pnl }) => sum + pnl, 0n)).toBe(cashOf(head))
          expect(closed.reduce((sum, { fees }) => sum + fees, 0n)).toBe(head.reduce((sum, { fee }) => sum + fee, 0n))
        })
      }),
      { numRuns: 300 },
    )
    for (const [corner, count] of Object.entries(reached)) expect(count, corner).toBeGreaterThan(0)
  })

  it('the pnl of the trips, the open one at any price among them, adds up to the cash moved and the worth of the position', () => {
    const reached = { long: 0, short: 0, partlyClosed: 0 }
    fc.assert(
      fc.property(steps(), fc.integer({ min: 1, max: 9 }), (list, price) => {
        const { open, closed, position } = tripsOf(list)
        const worth = position * BigInt(price) * UNITS_PER_NOTIONAL
        const pnl = closed.reduce((sum, trip) => sum + trip.pnl, open?.pnlAt(price) ?? 0n)
        expect(pnl).toBe(cashOf(list) + worth)
        if (open === undefined) expect(position).toBe(0n)
        else expect(open.side === 'BUY' ? open.qty : -open.qty).toBe(position)
        if (open?.side === 'BUY') reached.long += 1
        if (open?.side === 'SELL') reached.short += 1
        if (open !== undefined && open.entryQty > open.qty) reached.partlyClosed += 1
      }),
      { numRuns: 300 },
    )
    for (const [corner, count] of Object.entries(reached)) expect(count, corner).toBeGreaterThan(0)
  })

  it('fills cut into single lots give the same trips', () => {
    let crossed = 0
    fc.assert(
      fc.property(steps(), (list) => {
        const free = list.map((step) => ({ ...step, fee: 0n }))
        const byLot = new KeptTrips()
        for (const { step, time } of lotByLot(free)) byLot.add(fillOf(step, time))
        const whole = tripsOf(free)
        const withoutCount = (trips: readonly RoundTrip[]): unknown => trips.map((trip) => ({ ...trip, fills: 0 }))
        expect(withoutCount(whole.closed)).toEqual(withoutCount(byLot.closed))
        expect(whole.position).toBe(byLot.position)
        crossed += positionsOf(list).filter((position, index, all) => position * (all[index - 1] ?? 0) < 0).length
      }),
      { numRuns: 300 },
    )
    expect(crossed).toBeGreaterThan(0)
  })

  it('a trip is flat outside and not inside, and its qty is the largest position between', () => {
    let trips = 0
    fc.assert(
      fc.property(steps(), (list) => {
        const positions = positionsOf(list)
        for (const trip of tripsOf(list).closed) {
          trips += 1
          const first = trip.openedAt / 1000 - 1
          const last = trip.closedAt / 1000 - 1
          const sign = trip.side === 'BUY' ? 1 : -1
          const inside = positions.slice(first, last).map((position) => position * sign)
          expect((positions[first - 1] ?? 0) * sign).toBeLessThanOrEqual(0)
          expect((positions[last] ?? 0) * sign).toBeLessThanOrEqual(0)
          expect(inside.every((position) => position > 0)).toBe(true)
          expect(trip.qty).toBe(BigInt(Math.max(...inside)))
        }
      }),
      { numRuns: 300 },
    )
    expect(trips).toBeGreaterThan(0)
  })
})
