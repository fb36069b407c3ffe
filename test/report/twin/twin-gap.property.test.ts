/** The parts of a gap add up to it, whatever two runs did. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toDecimal } from '../../../src/domain/decimal.ts'
import { pairedOrders } from '../../../src/report/twin/paired-orders.ts'
import { TWIN_PARTS } from '../../../src/report/twin/twin-part.ts'
import { type ReceivedTrade, TwinPrices } from '../../../src/report/twin/twin-prices.ts'
import { twinGap } from '../../../src/report/twin/twin-gap.ts'
import type { TwinFill, TwinOrder, TwinTrace } from '../../../src/report/twin/twin-trace.ts'

const SYMBOLS = ['A_USD', 'B_A'] as const
const side = fc.constantFrom('BUY' as const, 'SELL' as const)
const time = fc.integer({ min: 0, max: 40 })
const decimal = fc.integer({ min: 1, max: 99_999_999 }).map((units) => toDecimal(units).times('0.0000001'))

const fill = (symbol: string, of: 'BUY' | 'SELL'): fc.Arbitrary<TwinFill> =>
  fc.record({
    tradeId: fc.constantFrom('1', '2', '3'),
    symbol: fc.constant(symbol),
    side: fc.constant(of),
    t: time,
    at: time,
    price: decimal,
    qty: fc.constantFrom('0.5', '1', '1.25').map(toDecimal),
    fee: decimal,
    isMaker: fc.boolean(),
  })

const order: fc.Arbitrary<TwinOrder> = fc
  .tuple(fc.constantFrom(...SYMBOLS), side, fc.constantFrom('1', '2'), fc.boolean())
  .chain(([symbol, of, qty, isLimit]) =>
    fc.record({
      ref: fc.nat(),
      t: time,
      symbol: fc.constant(symbol),
      side: fc.constant(of),
      isLimit: fc.constant(isLimit),
      words: fc.constant(`${of} ${qty} ${symbol} ${isLimit}`),
      orderId: fc.constant(undefined),
      answeredAt: fc.option(time, { nil: undefined }),
      refusal: fc.option(fc.constantFrom('INSUFFICIENT_BALANCE: no', 'ORDER_REJECTED: no'), { nil: undefined }),
      stoppedBy: fc.option(fc.constant('flatten'), { nil: undefined }),
      fills: fc.array(fill(symbol, of), { maxLength: 3 }),
    }),
  )

const trace: fc.Arbitrary<TwinTrace> = fc.record({
  head: fc.constant(undefined),
  credits: fc.constant({}),
  orders: fc.array(order, { maxLength: 12 }).map((orders) => orders.toSorted((one, other) => one.t - other.t)),
  loose: fc.array(fill('A_USD', 'SELL'), { maxLength: 2 }),
  endedAt: fc.constant(40),
  continued: fc.constant([]),
})

const received: fc.Arbitrary<readonly ReceivedTrade[]> = fc
  .array(
    fc.record({
      symbol: fc.constantFrom(...SYMBOLS),
      id: fc.constantFrom('1', '2', '3', '4'),
      arrivedAt: time,
      createdAt: time,
      price: decimal.map((price) => price.toFixed()),
      qty: fc.constant('1'),
      isBuyerMaker: fc.boolean(),
    }),
    { maxLength: 30 },
  )
  .map((trades) => trades.toSorted((one, other) => one.arrivedAt - other.arrivedAt))

const actions = fc
  .array(fc.record({ t: time, words: fc.constant('halt'), isHeld: fc.constantFrom(true, false, undefined) }), {
    maxLength: 2,
  })
  .map((all) => all.toSorted((one, other) => one.t - other.t))

const marks = fc.record({ a: decimal, b: decimal, rate: decimal })

describe('the gap between a session and its twin', () => {
  it('is the sum of its parts to the last digit, and each fill counts once', () => {
    fc.assert(
      fc.property(
        fc.record({ session: trace, twin: trace, received, marks, operator: actions, isPaper: fc.boolean() }),
        fc.constantFrom(true, false, undefined),
        ({ session, twin, received: trades, marks: { a, b, rate }, operator, isPaper }, isRepeatable) => {
          const prices = new TwinPrices(trades, ({ id }) => id === '1', isPaper)
          const valuation = {
            markOf: (symbol: string) => (symbol === 'A_USD' ? a : b),
            rateOf: (symbol: string) => (symbol === 'A_USD' ? toDecimal(1) : rate),
          }
          const evidence = { session, twin, prices, valuation, operator, gaps: [7], isRepeatable }
          const { gap, parts, orders } = twinGap(evidence)
          const sum = TWIN_PARTS.reduce((total, part) => total.plus(parts[part]), toDecimal(0))
          expect(sum.toFixed()).toBe(gap.toFixed())
          const ofOrders = orders.flatMap(({ pieces }) => pieces).reduce((all, { amount }) => all.plus(amount), toDecimal(0)) // prettier-ignore
          expect(ofOrders.toFixed()).toBe(gap.toFixed())
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('is nothing between a run and itself', () => {
    fc.assert(
      fc.property(trace, received, (run, trades) => {
        const same = { ...run, loose: [] }
        const prices = new TwinPrices(trades, () => false, false)
        const valuation = { markOf: () => toDecimal(3), rateOf: () => toDecimal(1) }
        const evidence = { session: same, twin: same, prices, valuation, operator: [], gaps: [], isRepeatable: true }
        expect(twinGap(evidence)).toMatchObject({ orders: [], isDoubtful: false })
      }),
      { numRuns: 500 },
    )
  })

  it('pairs each order once, in the order of both runs', () => {
    fc.assert(
      fc.property(trace, trace, ({ orders: a }, { orders: b }) => {
        const pairs = pairedOrders(a, b)
        expect(pairs.flatMap(({ session }) => session ?? [])).toEqual(a)
        expect(pairs.flatMap(({ twin }) => twin ?? [])).toEqual(b)
      }),
      { numRuns: 1_000 },
    )
  })
})
