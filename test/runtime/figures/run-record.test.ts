import { beforeEach, describe, expect, it } from 'vitest'
import { toDecimal } from '../../../src/domain/decimal.ts'
import type { OrderStatus } from '../../../src/domain/order.ts'
import type { RefusalCode, Refuser } from '../../../src/domain/refusal.ts'
import type { RefusedRequest } from '../../../src/runtime/session/refused-request.ts'
import { RunRecord } from '../../../src/runtime/figures/run-record.ts'
import type { OwnFill, OwnOrder } from '../../../src/strategy/own-order.ts'

const order = (id: string, status: OrderStatus): OwnOrder => ({
  id,
  symbol: 'BTC_USD',
  side: 'BUY',
  type: 'MARKET',
  status,
  createdAt: 0,
  qty: toDecimal(2),
  filledQty: toDecimal(0),
})

const fill = (orderId: string, fee: string): OwnFill => ({
  tradeId: '1',
  orderId,
  symbol: 'BTC_USD',
  side: 'BUY',
  isMaker: false,
  createdAt: 0,
  price: toDecimal(1),
  qty: toDecimal(1),
  fee: toDecimal(fee),
})

let references = 0

const refused = (code: RefusalCode, by: Refuser): RefusedRequest => {
  references += 1
  const intent = { type: 'cancel', orderId: '1' } as const
  return { reference: references, intent, refusal: { code, message: 'no' }, by, time: 5, available: undefined }
}

let rows: string[]
let record: RunRecord
beforeEach(() => {
  rows = []
  record = new RunRecord({
    onOrder: ({ id, status }, fee) => rows.push(`${id} ${status} ${fee.toFixed()}`),
    onFill: ({ orderId }) => rows.push(`fill of ${orderId}`),
  })
})

describe('an order', () => {
  it('is a row once, in its last state, with the fee of all its fills', () => {
    record.process({ type: 'order', order: order('1', 'OPEN') })
    record.process({ type: 'fill', fill: fill('1', '0.1') })
    record.process({ type: 'order', order: order('1', 'PARTIALLY_FILLED') })
    record.process({ type: 'fill', fill: fill('1', '0.2') })
    record.process({ type: 'order', order: order('1', 'FILLED') })
    expect(rows).toEqual(['fill of 1', 'fill of 1', '1 FILLED 0.3'])
    expect([record.orders, record.fills]).toEqual([1, 2])
  })

  it('that is still open at the end is a row then, the oldest first', () => {
    record.process({ type: 'order', order: order('1', 'OPEN') })
    record.process({ type: 'order', order: order('2', 'OPEN') })
    record.process({ type: 'order', order: order('1', 'PARTIALLY_FILLED') })
    record.finish()
    record.finish()
    expect(rows).toEqual(['1 PARTIALLY_FILLED 0', '2 OPEN 0'])
    expect(record.orders).toBe(2)
  })
})

it('counts orders that were there before apart, also when they change', () => {
  record.process({ type: 'taken-over', order: order('1', 'OPEN'), isStillOpen: true })
  record.process({ type: 'order', order: order('1', 'PARTIALLY_FILLED') })
  record.process({ type: 'order', order: order('1', 'FILLED') })
  record.process({ type: 'order', order: order('2', 'OPEN') })
  record.finish()
  expect([record.recovered, record.orders, rows]).toEqual([1, 1, ['1 FILLED 0', '2 OPEN 0']])
})

it('counts refusals by their code, and those of the risk apart', () => {
  for (const code of ['NO_LIQUIDITY', 'RATE_LIMITED', 'NO_LIQUIDITY'] as const)
    record.process({ type: 'refusal', refused: refused(code, 'exchange') })
  expect(record.riskRefusals).toBe(0)
  record.process({ type: 'refusal', refused: refused('ORDER_REJECTED', 'risk') })
  expect(record.riskRefusals).toBe(1)
  expect(record.refusals).toEqual(
    new Map([
      ['NO_LIQUIDITY', 2],
      ['RATE_LIMITED', 1],
      ['ORDER_REJECTED', 1],
    ]),
  )
})

describe('market orders that found less than they asked for', () => {
  const ended = (id: string, terms: Partial<OwnOrder>): OwnOrder => ({ ...order(id, 'CANCELLED'), ...terms })

  it('are counted by market, with what they asked for and what they found, exactly', () => {
    record.process({ type: 'order', order: ended('1', { qty: toDecimal('0.3'), filledQty: toDecimal('0.1') }) })
    record.process({ type: 'order', order: ended('2', { qty: toDecimal('0.6'), filledQty: toDecimal('0.2') }) })
    record.process({
      type: 'order',
      order: ended('3', { symbol: 'ETH_USD', qty: toDecimal('9007199254740993'), filledQty: toDecimal(1) }),
    })
    expect(record.shortOrders).toEqual({
      BTC_USD: { orders: 2, qtyAsked: '0.9', qtyFound: '0.3' },
      ETH_USD: { orders: 1, qtyAsked: '9007199254740993', qtyFound: '1' },
    })
  })

  it.each`
    status                | type        | why
    ${'FILLED'}           | ${'MARKET'} | ${'one that found all of it'}
    ${'CANCELLED'}        | ${'LIMIT'}  | ${'a limit order that was cancelled'}
    ${'PARTIALLY_FILLED'} | ${'MARKET'} | ${'one that is being matched'}
  `('are not $why', ({ status, type }) => {
    record.process({ type: 'order', order: ended('1', { status, type }) })
    expect(record.shortOrders).toEqual({})
  })
})
