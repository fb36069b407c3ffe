/**
 * What is reported of an order of ours, whatever order answers and fills come in.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import type { Intent } from '../../../../src/adapter/live/orders/intent.ts'
import { AssumedFees } from '../../../../src/adapter/live/orders/order-fees.ts'
import { OwnOrders } from '../../../../src/adapter/live/orders/own-orders.ts'
import type { WireOrder } from '../../../../src/wire/wire-order.ts'
import type { WireFill } from '../../../../src/wire/wire-trade.ts'
import { market } from '../../../exchange/rig/configs.ts'
import { savedIntent } from '../../../store/rig/saved-intents.ts'

const BTC = market('BTC_USD', { pricePrecision: 0, qtyPrecision: 0 })

const answer = (changes: Partial<WireOrder> = {}): WireOrder => ({
  id: 'o1',
  userId: 'u1',
  symbol: 'BTC_USD',
  side: 'BUY',
  type: 'LIMIT',
  status: 'OPEN',
  price: 100,
  qty: 3,
  filledQty: 0,
  averagePrice: undefined,
  createdAt: 1,
  ...changes,
})
const partly = (filledQty: number): WireOrder =>
  answer({ status: filledQty < 3 ? 'PARTIALLY_FILLED' : 'FILLED', filledQty, averagePrice: '100' })
const fill = (id: string, changes: Partial<WireFill> = {}): WireFill => ({
  id,
  symbol: 'BTC_USD',
  price: 100,
  qty: 1,
  buyOrderId: 'o1',
  sellOrderId: 'x',
  buyerId: 'u1',
  sellerId: 'u2',
  isBuyerMaker: true,
  createdAt: 2,
  side: 'BUY',
  orderId: 'o1',
  isMaker: true,
  ...changes,
})

let own: OwnOrders
let reported: string[]
let finished: string[]
let endings: string[]
let earlier: Intent[]
const intent = (id = 1): Intent => savedIntent(id, { owner: 'a' })

function begin(order = answer()): void {
  own.reportFirst(own.track(intent(), order))
}

beforeEach(() => {
  reported = []
  finished = []
  endings = []
  earlier = []
  own = new OwnOrders({
    marketOf: () => BTC,
    fees: new AssumedFees([BTC], () => ({ makerFeeBps: '0', takerFeeBps: '0' })),
    lastPrice: () => undefined,
    report: (_, updates) => {
      for (const update of updates) {
        if (update.type === 'fill') reported.push(`${update.fill.tradeId} ${update.fill.qty.toFixed()}`)
        if (update.type === 'order') reported.push(`${update.order.status} ${update.order.filledQty.toFixed()}`)
      }
    },
    onEnding: () => endings.push(''),
    isReporting: (owner) => owner === 'a',
    intentOf: (orderId) => earlier.find((each) => each.orderId === orderId),
    onFinished: ({ intentId, order }) => finished.push(`${intentId} ${order.seenFilledQty}`),
    onLate: ({ intentId, order }) => finished.push(`late ${intentId} ${order.filledQty}`),
  })
})

describe('an order of ours', () => {
  it('is reported with each fill once, oldest first, and its state behind each', () => {
    begin()
    own.takeFills([fill('t2'), fill('t1')])
    own.takeFills([fill('t3'), fill('t2'), fill('t1')])
    own.takeFills([fill('t3'), fill('t2'), fill('t1')])
    expect(reported).toEqual(['OPEN 0', 't1 1', 'PARTIALLY_FILLED 1', 't2 1', 'PARTIALLY_FILLED 2', 't3 1', 'FILLED 3'])
    expect([finished, own.all]).toEqual([['1 3'], []])
  })

  it('ends when every fill of it was reported', () => {
    begin()
    own.see([answer({ status: 'CANCELLED', filledQty: 2, averagePrice: '100' })])
    expect([reported, own.isMissingFills]).toEqual([['OPEN 0'], true])
    own.takeFills([fill('t1')])
    expect(finished).toEqual([])
    own.takeFills([fill('t2'), fill('t1')])
    expect([reported.at(-1), finished, own.isMissingFills]).toEqual(['CANCELLED 2', ['1 2'], false])
  })

  it('ends after a read of the fills that began when its end was known, and no earlier', () => {
    begin()
    const read = own.beginRead()
    own.see([answer({ status: 'CANCELLED' })])
    expect([endings.length, own.isEnding]).toEqual([1, true])
    own.takeFills([], read)
    expect([reported, finished]).toEqual([['OPEN 0'], []])
    own.takeFills([fill('t1')])
    expect([reported, finished]).toEqual([['OPEN 0', 't1 1', 'PARTIALLY_FILLED 1', 'CANCELLED 1'], ['1 1']])
  })

  it('has its fill, and its end again, when every answer was older than the fill', () => {
    begin()
    own.see([answer({ status: 'CANCELLED' })])
    own.takeFills([])
    own.takeFills([fill('t1')])
    own.takeFills([fill('t2', { qty: 2 }), fill('t1')])
    own.takeFills([fill('t2', { qty: 2 }), fill('t1')])
    expect(reported).toEqual(['OPEN 0', 'CANCELLED 0', 't1 1', 'CANCELLED 1', 't2 2', 'FILLED 3'])
    expect(finished).toEqual(['1 0', 'late 1 1', 'late 1 3'])
  })

  it('is over by an answer that counts less than its fills', () => {
    begin()
    own.takeFills([fill('t2'), fill('t1')])
    own.see([answer({ status: 'CANCELLED', filledQty: 1, averagePrice: '100' })])
    own.takeFills([fill('t2'), fill('t1')])
    expect([reported.at(-1), finished]).toEqual(['CANCELLED 2', ['1 2']])
  })

  it('heeds no answer that is older than another', () => {
    begin()
    own.see([partly(2)])
    own.see([partly(1), answer()])
    expect(own.all[0]?.order.missingQty).toBe(2)
    own.see([answer({ status: 'CANCELLED', filledQty: 2, averagePrice: '100' })])
    own.see([partly(2)])
    own.takeFills([fill('t2'), fill('t1')])
    expect([reported.at(-1), finished]).toEqual(['CANCELLED 2', ['1 2']])
  })

  it('is reported with the fills that came before its own answer', () => {
    own.takeFills([fill('t1')])
    begin(partly(1))
    expect(reported).toEqual(['OPEN 0', 't1 1', 'PARTIALLY_FILLED 1'])
  })

  it('that trades with another of ours is filled by both sides of the trade', () => {
    begin()
    own.reportFirst(own.track(intent(2), answer({ id: 'o2', side: 'SELL' })))
    own.takeFills([fill('t1')])
    own.takeFills([fill('t1', { orderId: 'o2', side: 'SELL', isMaker: false }), fill('t1')])
    expect(reported.filter((text) => text === 't1 1')).toHaveLength(2)
  })

  it('at the market is finished by a later answer that adds nothing, whatever its status says (decision 8)', () => {
    const market = { type: 'MARKET', price: undefined } as const
    begin(answer(market))
    own.takeFills([])
    own.see([answer(market)])
    expect([own.hasOpenMarket, finished]).toEqual([true, []])
    own.see([{ ...partly(1), ...market }], true)
    own.takeFills([fill('t1')])
    expect([own.hasOpenMarket, finished]).toEqual([true, []])
    own.see([{ ...partly(1), ...market }], true)
    own.takeFills([fill('t1')])
    expect([reported.at(-1), finished]).toEqual(['CANCELLED 1', ['1 1']])
  })

  it('of a version that saved no reports: no fill of that time is reported', () => {
    const fills = [fill('t1')]
    own.recover(intent(2), partly(1), fills)
    own.takeFills(fills)
    expect(reported).toEqual([])
    own.takeFills([fill('t2'), ...fills])
    expect(reported).toEqual(['t2 1', 'PARTIALLY_FILLED 2'])
  })

  it('of an earlier session: the fills that no file has are reported', () => {
    const report = { qty: 1, notional: '100', inferredQty: 0, tradeIds: ['t1'] }
    const fills = [fill('t2'), fill('t1')]
    own.recover({ ...intent(2), report }, answer({ status: 'CANCELLED', filledQty: 2, averagePrice: '100' }), fills)
    own.takeFills(fills)
    expect([reported, finished]).toEqual([['t2 1', 'PARTIALLY_FILLED 2', 'CANCELLED 2'], ['2 2']])
  })

  it('of an earlier session, whose fills are in its files as a sum: what is beyond that is reported', () => {
    const report = { qty: 2, notional: '200', inferredQty: 2, tradeIds: ['inferred-o1-2'] }
    const fills = [fill('t3'), fill('t2'), fill('t1')]
    own.recover({ ...intent(2), report }, partly(3), fills)
    own.takeFills(fills)
    expect([reported, finished]).toEqual([['t3 1', 'FILLED 3'], ['2 3']])
  })

  it('that an earlier session finished has the fill that came after it', () => {
    const report = { qty: 1, notional: '100', inferredQty: 0, tradeIds: ['t1'] }
    earlier = [savedIntent(3, { owner: 'a', orderId: 'o1', qty: 3, filledQty: 1, isFinished: true, report })]
    own.takeFills([fill('t2'), fill('t1')])
    expect([reported, finished]).toEqual([['t2 1', 'CANCELLED 2'], ['late 3 2']])
  })

  it('whose owner does not run is shown nothing, and is finished with its fills unreported', () => {
    own.recover(
      savedIntent(4, { owner: 'b', report: { qty: 0, notional: '0', inferredQty: 0, tradeIds: [] } }),
      answer(),
      [],
    )
    own.takeFills([fill('t1')])
    own.see([partly(3)])
    expect([reported, finished, own.all]).toEqual([[], ['4 3'], []])
  })

  it('receives a sum for the fills that are lost, and not those as well when they come', () => {
    begin()
    own.see([partly(2)])
    own.reportInferred(9)
    own.takeFills([fill('t2'), fill('t1')])
    own.see([partly(3)])
    own.takeFills([fill('t3'), fill('t2'), fill('t1')])
    expect(reported).toEqual(['OPEN 0', 'inferred-o1-2 2', 'PARTIALLY_FILLED 2', 't3 1', 'FILLED 3'])
    expect(finished).toEqual(['1 3'])
  })

  it('that a person says is no more ends with what is known of it', () => {
    begin()
    own.see([partly(1)])
    own.end('o1', 9)
    own.end('o1', 9)
    expect(reported).toEqual(['OPEN 0', 'inferred-o1-1 1', 'PARTIALLY_FILLED 1', 'CANCELLED 1'])
    expect(finished).toEqual(['1 1'])
  })
})
