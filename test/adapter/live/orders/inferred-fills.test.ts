/**
 * What is reported in the place of fills that a service reports no more: which quantities, at which prices.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inferredParts, TrackedOrder } from '../../../../src/adapter/live/orders/tracked-order.ts'
import { AssumedFees } from '../../../../src/adapter/live/orders/order-fees.ts'
import { toDecimal } from '../../../../src/domain/decimal.ts'
import { averagePrice } from '../../../../src/domain/order.ts'
import { NOTHING_REPORTED } from '../../../../src/store/state/live/persisted-intent.ts'
import type { WireOrder } from '../../../../src/wire/wire-order.ts'
import type { WireFill } from '../../../../src/wire/wire-trade.ts'
import { market } from '../../../exchange/rig/configs.ts'

const BTC = market('BTC_USD', { pricePrecision: 2, qtyPrecision: 0 })
const FEES = new AssumedFees([BTC], () => ({ makerFeeBps: '10', takerFeeBps: '10' }))

const answer = (changes: Partial<WireOrder> = {}): WireOrder => ({
  id: 'o1',
  userId: 'u1',
  symbol: 'BTC_USD',
  side: 'BUY',
  type: 'LIMIT',
  status: 'OPEN',
  price: 10_000,
  qty: 9,
  filledQty: 0,
  averagePrice: undefined,
  createdAt: 1,
  ...changes,
})
const fill = (price: number, qty: number): WireFill => ({
  id: 't1',
  symbol: 'BTC_USD',
  price,
  qty,
  buyOrderId: 'o1',
  sellOrderId: 'x',
  buyerId: 'u1',
  sellerId: 'u2',
  isBuyerMaker: true,
  createdAt: 2,
  side: 'BUY',
  orderId: 'o1',
  isMaker: true,
})

interface Sum {
  readonly order?: Partial<WireOrder>
  readonly seen: Partial<WireOrder>
  readonly fills?: readonly WireFill[]
  readonly last?: string
  readonly isRecovered?: boolean
}

/** The fills and states that are informed when an answer counts more than the fills. */
function reportedOf({ order = {}, seen, fills = [], last, isRecovered = false }: Sum): readonly string[] {
  const lastPrice = (): ReturnType<typeof toDecimal> | undefined => (last === undefined ? undefined : toDecimal(last))
  const parts = { market: BTC, tag: undefined, fees: FEES.ofOrder(BTC), lastPrice, order: answer(order) }
  const tracked = new TrackedOrder(parts, isRecovered ? undefined : NOTHING_REPORTED)
  tracked.reportFills(fills)
  tracked.see(answer({ ...order, ...seen }))
  return tracked.reportInferred(9).map((update) => {
    if (update.type === 'fill') {
      const { tradeId, qty, price, isInferred } = update.fill
      return `${tradeId} ${qty.toFixed()} at ${price.toFixed()}${isInferred === true ? '' : ', reported'}`
    }
    if (update.type !== 'order') return update.type
    const { status, filledQty, averagePrice: average } = update.order
    return `${status} ${filledQty.toFixed()} at ${average?.toFixed() ?? '-'}`
  })
}

const partly = (filledQty: number, average?: string): Partial<WireOrder> => ({
  status: 'PARTIALLY_FILLED',
  filledQty,
  averagePrice: average,
})
const MARKET = { type: 'MARKET', price: undefined } as const

describe('the fills that stand for a sum', () => {
  it.each`
    why                                              | sum                                                                        | expected
    ${'a mean of whole ticks is one fill'}           | ${{ seen: partly(3, '99.5') }}                                             | ${['inferred-o1-3 3 at 99.5', 'PARTIALLY_FILLED 3 at 99.5']}
    ${'another is two at neighbouring ticks'}        | ${{ seen: partly(3, '99.9933333333') }}                                    | ${['inferred-o1-2 2 at 99.99', 'PARTIALLY_FILLED 2 at 99.99', 'inferred-o1-3 1 at 100', 'PARTIALLY_FILLED 3 at 99.9933333333']}
    ${'what was reported is taken off the sum'}      | ${{ fills: [fill(10_000, 2)], seen: partly(5, '99.998') }}                 | ${['inferred-o1-3 1 at 99.99', 'PARTIALLY_FILLED 3 at 99.9966666667', 'inferred-o1-5 2 at 100', 'PARTIALLY_FILLED 5 at 99.998']}
    ${'a mean that was cut is the nearest sum'}      | ${{ seen: partly(3, '99.9933') }}                                          | ${['inferred-o1-2 2 at 99.99', 'PARTIALLY_FILLED 2 at 99.99', 'inferred-o1-3 1 at 100', 'PARTIALLY_FILLED 3 at 99.9933333333']}
    ${'without a mean it is the limit'}              | ${{ seen: partly(3) }}                                                     | ${['inferred-o1-3 3 at 100', 'PARTIALLY_FILLED 3 at 100']}
    ${'nor is a mean heeded that no price makes'}    | ${{ fills: [fill(10_000, 2)], seen: partly(3, '10') }}                     | ${['inferred-o1-3 1 at 100', 'PARTIALLY_FILLED 3 at 100']}
    ${'nor one beyond all prices'}                   | ${{ seen: partly(3, '1'.repeat(30)) }}                                     | ${['inferred-o1-3 3 at 100', 'PARTIALLY_FILLED 3 at 100']}
    ${'nor one that is worse than the limit'}        | ${{ fills: [fill(9_999, 4)], seen: partly(5, '100') }}                     | ${['inferred-o1-5 1 at 100', 'PARTIALLY_FILLED 5 at 99.992']}
    ${'at the market it is the mean of its fills'}   | ${{ order: MARKET, fills: [fill(9_000, 2)], seen: partly(3), last: '80' }} | ${['inferred-o1-3 1 at 90', 'PARTIALLY_FILLED 3 at 90']}
    ${'or the last price'}                           | ${{ order: MARKET, seen: partly(3), last: '80.01' }}                       | ${['inferred-o1-3 3 at 80.01', 'PARTIALLY_FILLED 3 at 80.01']}
    ${'and nothing while no price is known'}         | ${{ order: MARKET, seen: partly(3) }}                                      | ${[]}
    ${'an order found without a mean has its limit'} | ${{ isRecovered: true, order: partly(2), seen: partly(3, '99.98') }}       | ${['inferred-o1-3 1 at 99.98', 'PARTIALLY_FILLED 3 at 99.9933333333']}
    ${'nothing missing is nothing reported'}         | ${{ fills: [fill(10_000, 3)], seen: partly(3, '100') }}                    | ${[]}
  `('$why', ({ sum, expected }) => {
    expect(reportedOf(sum as Sum)).toEqual(expected)
  })

  it('are charged by their own prices', () => {
    const parts = { market: BTC, tag: undefined, fees: FEES.ofOrder(BTC), lastPrice: () => undefined, order: answer() }
    const tracked = new TrackedOrder(parts, NOTHING_REPORTED)
    tracked.see(answer(partly(3, '99.9933333333')))
    const fees = tracked
      .reportInferred(9)
      .flatMap((update) => (update.type === 'fill' ? [update.fill.fee.toFixed()] : []))
    expect(fees).toEqual(['0.2', '0.1'])
  })

  it('cost together what the missing ones did, at two neighbouring ticks at most', () =>
    fc.assert(
      fc.property(
        fc.array(fc.record({ price: fc.integer({ min: 1, max: 9 }), qty: fc.integer({ min: 1, max: 9 }) }), {
          minLength: 1,
          maxLength: 5,
        }),
        (matches) => {
          const qty = matches.reduce((sum, match) => sum + match.qty, 0)
          const notional = matches.reduce((sum, match) => sum + BigInt(match.price * match.qty), 0n)
          const parts = inferredParts(qty, notional)
          expect(parts.reduce((sum, part) => sum + part.qty, 0)).toBe(qty)
          expect(parts.reduce((sum, part) => sum + BigInt(part.price * part.qty), 0n)).toBe(notional)
          expect(parts.every((part) => part.qty > 0 && part.price > 0)).toBe(true)
          const [first, second] = parts
          expect(parts.length).toBeLessThanOrEqual(2)
          if (first !== undefined && second !== undefined) expect(second.price - first.price).toBe(1)
        },
      ),
    ))

  it('are the exact sum of a mean that the service reports with eight digits more', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 90_000 }), (qty, more) => {
        // No mean is above the limit.
        const mean = averagePrice(BigInt(Math.min(qty + more, qty * 10_000)), qty, 2)
        expect(reportedOf({ seen: partly(qty, mean) }).at(-1)).toContain(`${qty} at ${mean}`)
      }),
    ))
})
