/**
 * The figures of an account against a naive second way: every state is kept, and looked at again.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RoundTrip } from '../../../src/analysis/round-trip.ts'
import type { Balances } from '../../../src/domain/balances.ts'
import { AccountFigures } from '../../../src/runtime/figures/account-figures.ts'
import { market } from '../../exchange/rig/configs.ts'
import { runs, needed } from '../../property/property.ts'

const PERIOD = 60_000
const MARKETS = [market('BTC_USD'), market('ETH_USD', { pricePrecision: 1, qtyPrecision: 1 })] as const
const SCALES = new Map([
  ['USD', 2],
  ['BTC', 0],
  ['ETH', 1],
])
/** Digits of a value, and its units in a tick x lot of each market. */
const SCALE = 2
const UNITS = { BTC_USD: 100n, ETH_USD: 1n } as const
type Symbol = keyof typeof UNITS

const symbol = fc.constantFrom<Symbol>('BTC_USD', 'ETH_USD')
/** Often right on a boundary, and often over some of them. */
const step = fc.constantFrom(0, 0, 1, 999, 29_999, 30_000, 30_001, 60_000, 150_000)
const happening = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('mark' as const), symbol, step, price: fc.integer({ min: 90, max: 110 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('fill' as const),
      symbol,
      step,
      price: fc.integer({ min: 85, max: 115 }),
      side: fc.constantFrom('BUY' as const, 'SELL' as const),
      qty: fc.integer({ min: 1, max: 5 }),
      fee: fc.bigInt({ min: 0n, max: 30n }),
    }),
  },
)

const scene = fc.record({
  from: fc.constantFrom(0, 1, 59_999, 60_000, 90_000),
  held: fc.record({ BTC: fc.bigInt({ min: 0n, max: 20n }), ETH: fc.bigInt({ min: 0n, max: 200n }) }),
  happenings: fc.array(happening, { maxLength: 40 }),
  rest: step,
})

interface State {
  readonly time: number
  readonly equity: bigint
  readonly isPartial: boolean
  /** Something was bought or sold before its first price. */
  readonly hasUnpricedFill: boolean
}

const balancesOf = (held: ReadonlyMap<string, bigint>): Balances =>
  new Map([...held].map(([asset, available]) => [asset, { available, locked: 0n }]))

interface Played {
  readonly states: readonly State[]
  readonly figures: AccountFigures
  readonly trips: readonly RoundTrip[]
  /** Worked out one change at a time. */
  readonly profit: { price: bigint; spread: bigint; fees: bigint }
  readonly to: number
}

function play({ from, held, happenings, rest }: typeof scene extends fc.Arbitrary<infer T> ? T : never): Played {
  const amounts = new Map([['USD', 1_000_000n], ['BTC', held.BTC], ['ETH', held.ETH]]) // prettier-ignore
  const marks: Record<Symbol, number> = { BTC_USD: 0, ETH_USD: 0 }
  const unmarked: Record<Symbol, { lots: bigint }> = { BTC_USD: { lots: 0n }, ETH_USD: { lots: 0n } }
  const profit = { price: 0n, spread: 0n, fees: 0n }
  const trips: RoundTrip[] = []
  const setup = {
    markets: MARKETS,
    scales: SCALES,
    balances: balancesOf(amounts),
    quoteAsset: 'USD',
    from,
    to: undefined,
  }
  const figures = new AccountFigures({ ...setup, statsPeriodMs: PERIOD }, (trip) => void trips.push(trip))
  const listeners = { BTC_USD: figures.market('BTC_USD'), ETH_USD: figures.market('ETH_USD') }
  const baseOf = (each: Symbol): string => each.slice(0, 3)
  const lotsOf = (each: Symbol): bigint => amounts.get(baseOf(each)) ?? 0n
  const symbols: readonly Symbol[] = ['BTC_USD', 'ETH_USD']
  const stateAt = (time: number): State => ({
    time,
    equity: symbols.reduce(
      (sum, each) => sum + lotsOf(each) * BigInt(marks[each]) * UNITS[each],
      amounts.get('USD') ?? 0n,
    ),
    isPartial: symbols.some((each) => lotsOf(each) !== 0n && marks[each] === 0),
    hasUnpricedFill: symbols.some((each) => unmarked[each].lots !== 0n && marks[each] === 0),
  })
  let time = from
  const states = [stateAt(from)]
  for (const each of happenings) {
    time += each.step
    if (each.do === 'mark') {
      const before = marks[each.symbol]
      // Up to its first mark nothing was gained.
      if (before > 0) profit.price += lotsOf(each.symbol) * BigInt(each.price - before) * UNITS[each.symbol]
      else profit.spread += unmarked[each.symbol].lots * BigInt(each.price) * UNITS[each.symbol]
      listeners[each.symbol].onRecorded(time, each.price, 1)
      marks[each.symbol] = each.price
    } else {
      const signed = BigInt(each.side === 'BUY' ? each.qty : -each.qty)
      const cost = signed * BigInt(each.price) * UNITS[each.symbol] + each.fee
      amounts.set('USD', (amounts.get('USD') ?? 0n) - cost)
      amounts.set(baseOf(each.symbol), lotsOf(each.symbol) + signed)
      if (marks[each.symbol] === 0) unmarked[each.symbol].lots += signed
      profit.spread += signed * BigInt(marks[each.symbol] - each.price) * UNITS[each.symbol]
      profit.fees -= each.fee
      const trade = { symbol: each.symbol, price: each.price, qty: each.qty, createdAt: time }
      const { side, fee } = each
      figures.onFills([{ trade, side, fee, isMaker: false, isOwnMatch: false }], balancesOf(amounts))
    }
    states.push(stateAt(time))
  }
  const to = time + rest
  figures.finish(to)
  return { states, figures, trips, profit, to }
}

it('samples are the states before the boundaries, and the last is the end', () => {
  const reached = { 'a change on a boundary': 0, 'an end on a boundary': 0, 'a period without anything': 0, partial: 0 }
  fc.assert(
    fc.property(scene, (given) => {
      const { states, figures, to } = play(given)
      const boundaries: number[] = []
      for (let at = PERIOD; at < to; at += PERIOD) if (at > given.from) boundaries.push(at)
      const expected = [...boundaries.map((at) => ({ at, before: at })), { at: to, before: Infinity }].map(
        ({ at, before }) => {
          const state = states.findLast(({ time }) => time < before) ?? states[0]
          return { time: at, equity: state?.equity, isPartial: state?.isPartial }
        },
      )
      expect(figures.equity.periodSamples.map(({ time, equity, isPartial }) => ({ time, equity, isPartial }))).toEqual(
        expected,
      )
      if (states.some(({ time }) => time % PERIOD === 0 && time > given.from)) reached['a change on a boundary'] += 1
      if (to % PERIOD === 0) reached['an end on a boundary'] += 1
      if (boundaries.some((at) => !states.some(({ time }) => time >= at - PERIOD && time < at))) {
        reached['a period without anything'] += 1
      }
      if (expected.some(({ isPartial }) => isPartial === true)) reached.partial += 1
    }),
    { numRuns: runs(500) },
  )
  for (const [corner, times] of Object.entries(reached)) expect(times, corner).toBeGreaterThan(0)
})

it('price, spread and fees add up to the final less the initial equity, to the last unit', () => {
  let reported = 0
  fc.assert(
    fc.property(scene, (given) => {
      const { figures, profit } = play(given)
      const { equity } = figures
      if (equity.parts.profit === null || equity.isPartial || equity.isPartialAtStart) return
      reported += 1
      const { price, spread, fees } = equity.parts.profit
      expect({ price, spread, fees }).toEqual(profit)
      expect(price + spread + fees).toBe(equity.equity() - equity.initialEquity())
    }),
    { numRuns: runs(500) },
  )
  expect(reported).toBeGreaterThan(needed(100))
})

it('the largest drawdown has its peak, its trough and the first time at the peak again', () => {
  const reached = { recovered: 0, open: 0, none: 0 }
  fc.assert(
    fc.property(scene, (given) => {
      const { states, figures } = play(given)
      const max = { fraction: 0, peakAt: undefined as number | undefined, troughAt: undefined as number | undefined }
      let recoveredAt: number | undefined
      let [peak, peakAt, isDown] = [0n, 0, false]
      for (const { time, equity, hasUnpricedFill } of states) {
        // What was paid for something without a price is no fall.
        if (hasUnpricedFill) continue
        if (equity > peak) [peak, peakAt] = [equity, time]
        const fraction = peak === 0n ? 0 : equity <= 0n ? 1 : (Number(peak) - Number(equity)) / Number(peak)
        if (fraction > max.fraction) {
          Object.assign(max, { fraction, peakAt, troughAt: time })
          ;[recoveredAt, isDown] = [undefined, true]
        } else if (isDown && equity >= peak) [recoveredAt, isDown] = [time, false]
      }
      expect(figures.equity.drawdown.max).toEqual({ ...max, recoveredAt })
      reached[max.troughAt === undefined ? 'none' : recoveredAt === undefined ? 'open' : 'recovered'] += 1
    }),
    { numRuns: runs(500) },
  )
  for (const [corner, times] of Object.entries(reached)) expect(times, corner).toBeGreaterThan(0)
})

it('a trip went as far as any mark of its time was from its average entry', () => {
  let [closed, moved] = [0, 0]
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 60, size: 'max' }), (list) => {
      const happenings = list.map((each) => ({ ...each, symbol: 'BTC_USD' as const }))
      const { trips } = play({ from: 0, held: { BTC: 20n, ETH: 0n }, happenings, rest: 0 })
      const expected: { mae: number; mfe: number; fills: number }[] = []
      let [position, qty, notional, mark] = [0, 0, 0, 0]
      let trip = { mae: 0, mfe: 0, fills: 0 }
      const look = (): void => {
        if (position === 0 || mark === 0) return
        const move = ((mark - notional / qty) / (notional / qty)) * Math.sign(position)
        trip = { ...trip, mae: Math.max(trip.mae, -move), mfe: Math.max(trip.mfe, move) }
      }
      for (const each of happenings) {
        if (each.do === 'mark') mark = each.price
        look()
        if (each.do === 'mark') continue
        const signed = each.side === 'BUY' ? each.qty : -each.qty
        const closing = position * signed < 0 ? Math.min(Math.abs(position), each.qty) : 0
        if (closing > 0) {
          position += Math.sign(signed) * closing
          trip.fills += 1
          if (position === 0) {
            expected.push(trip)
            ;[qty, notional, trip] = [0, 0, { mae: 0, mfe: 0, fills: 0 }]
          }
        }
        if (closing < each.qty) {
          position += Math.sign(signed) * (each.qty - closing)
          qty += each.qty - closing
          notional += (each.qty - closing) * each.price
          trip.fills += 1
        }
        look()
      }
      expect(trips).toHaveLength(expected.length)
      for (const [index, { mae, mfe, fills }] of expected.entries()) {
        expect(trips[index]?.mae).toBeCloseTo(mae, 12)
        expect(trips[index]?.mfe).toBeCloseTo(mfe, 12)
        expect(trips[index]?.fills).toBe(fills)
        if (mae > 0 && mfe > 0) moved += 1
      }
      closed += expected.length
    }),
    { numRuns: runs(300) },
  )
  expect(closed).toBeGreaterThan(needed(100))
  expect(moved).toBeGreaterThan(needed(10))
})

it('the scale of the values is that of the test', () => {
  expect(play({ from: 0, held: { BTC: 0n, ETH: 0n }, happenings: [], rest: 1 }).figures.equity.scale).toBe(SCALE)
})
