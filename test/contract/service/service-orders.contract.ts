/**
 * Orders: sections 2 (Order, creation request), 3, and 4 (POST and DELETE), decisions 7, 8, 14, 15, 18, 28.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OrderJson } from '../../../src/domain/order.ts'
import type { ServiceStage } from './service-stage.ts'
import type { TestUser } from './test-user.ts'

const LIMIT = { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: '100', qty: '1' }
const MARKET = { symbol: 'BTC_USD', side: 'BUY', type: 'MARKET', qty: '1' }
const without = (body: object, field: string): object =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== field))

export function describeOrders(open: () => Promise<ServiceStage>): void {
  let service: ServiceStage
  let alice: TestUser
  let bob: TestUser

  beforeEach(async () => {
    service = await open()
    alice = await service.user({ credits: { USD: '100000', BTC: '100' } })
    bob = await service.user({ credits: { USD: '100000', BTC: '100' } })
  })
  afterEach(() => service.close())

  describe('section 2, Order; section 4, POST /orders', () => {
    it('a limit order that rests: 201 with exactly these fields', async () => {
      await service.pass(1234)
      expect(await alice.limit('BUY', 'BTC_USD', '100', '1')).toEqual({
        id: '1',
        userId: alice.id,
        symbol: 'BTC_USD',
        side: 'BUY',
        type: 'LIMIT',
        status: 'OPEN',
        price: '100.00',
        qty: '1.00000',
        filledQty: '0.00000',
        createdAt: '2025-01-01T00:00:01.234Z',
      })
    })

    it('a market order has no price; averagePrice is there after a fill', async () => {
      await bob.limit('SELL', 'BTC_USD', '100', '1')
      await bob.limit('SELL', 'BTC_USD', '101', '2')
      expect(await alice.market('BUY', 'BTC_USD', '3')).toEqual({
        id: '3',
        userId: alice.id,
        symbol: 'BTC_USD',
        side: 'BUY',
        type: 'MARKET',
        status: 'FILLED',
        qty: '3.00000',
        filledQty: '3.00000',
        // Decision 14: 2 + 8 decimals.
        averagePrice: '100.6666666667',
        createdAt: '2025-01-01T00:00:00.000Z',
      })
    })

    it('section 1, Idempotency: a repeated request creates another order', async () => {
      const [first, second] = [await alice.post(LIMIT), await alice.post(LIMIT)]
      expect([first.status, second.status]).toEqual([201, 201])
      expect((first.json as OrderJson).id).not.toBe((second.json as OrderJson).id)
    })

    it('decision 18: ids are increasing integers, and a refused order takes none', async () => {
      await alice.limit('BUY', 'BTC_USD', '100', '1')
      await alice.post({ ...LIMIT, qty: '0' })
      await alice.post({ ...LIMIT, qty: '99999' })
      await alice.post({ ...LIMIT, x: 1 })
      expect((await alice.limit('BUY', 'BTC_USD', '100', '1')).id).toBe('2')
    })
  })

  describe('section 2, Order creation request; section 4, POST /orders 2; decision 28: 400 VALIDATION_ERROR naming the field', () => {
    it.each([
      ['a limit order without a symbol', without(LIMIT, 'symbol'), ['symbol']],
      ['a limit order without a side', without(LIMIT, 'side'), ['side']],
      ['an order without a type', without(LIMIT, 'type'), ['type']],
      ['a limit order without a price', without(LIMIT, 'price'), ['price']],
      ['a limit order without a qty', without(LIMIT, 'qty'), ['qty']],
      ['a market order without a symbol', without(MARKET, 'symbol'), ['symbol']],
      ['a market order without a side', without(MARKET, 'side'), ['side']],
      ['a market order without a qty', without(MARKET, 'qty'), ['qty']],
      ['a market order with a price', { ...MARKET, price: '1' }, ['price']],
      ['a market order whose price is null', { ...MARKET, price: null }, ['price']],
      ['an unknown field', { ...LIMIT, clientOrderId: 'x' }, ['clientOrderId']],
      ['a field in other case', { ...without(LIMIT, 'qty'), Qty: '1' }, ['Qty', 'qty']],
      ['an empty object', {}, ['symbol', 'side', 'type', 'qty']],
      ['a side in lower case', { ...LIMIT, side: 'buy' }, ['side']],
      ['a side that is null', { ...LIMIT, side: null }, ['side']],
      ['a side in an array', { ...LIMIT, side: ['BUY'] }, ['side']],
      ['a type in lower case', { ...LIMIT, type: 'limit' }, ['type']],
      ['a type that is unknown', { ...LIMIT, type: 'STOP' }, ['type']],
      ['a symbol that is null', { ...LIMIT, symbol: null }, ['symbol']],
      ['a symbol that is a number', { ...LIMIT, symbol: 1 }, ['symbol']],
      ['a symbol in an array', { ...LIMIT, symbol: ['BTC_USD'] }, ['symbol']],
      ['a price that is a number', { ...LIMIT, price: 100 }, ['price']],
      ['a qty that is a number', { ...LIMIT, qty: 1 }, ['qty']],
      ['a qty that is true', { ...LIMIT, qty: true }, ['qty']],
      ['a qty that is null', { ...LIMIT, qty: null }, ['qty']],
      ['a qty that is an object', { ...LIMIT, qty: { value: '1' } }, ['qty']],
      ['everything wrong', { symbol: 1, side: 1, type: 'LIMIT', price: 1, qty: 1 }, ['symbol', 'side', 'price', 'qty']],
    ])('%s', async (_what, body, fields) => {
      const answer = await alice.post(body)
      expect([answer.status, answer.code, answer.fields]).toEqual([400, 'VALIDATION_ERROR', fields])
      expect((await alice.get('/orders')).json).toEqual([])
    })

    it.each([
      ['__proto__', '{"symbol":"BTC_USD","side":"BUY","type":"LIMIT","price":"100","qty":"1","__proto__":{"qty":"5"}}'],
      ['constructor', '{"symbol":"BTC_USD","side":"BUY","type":"LIMIT","price":"100","qty":"1","constructor":{}}'],
      ['toString', '{"symbol":"BTC_USD","side":"BUY","type":"LIMIT","price":"100","qty":"1","toString":"x"}'],
      ['', '{"symbol":"BTC_USD","side":"BUY","type":"LIMIT","price":"100","qty":"1","":"x"}'],
      ['qty', '{"symbol":"BTC_USD","side":"BUY","type":"LIMIT","price":"100","qty":"1","qty":"1"}'],
      ['qty', '{"symbol":"BTC_USD","side":"BUY","type":"LIMIT","price":"100","qty":"1","\\u0071ty":"2"}'],
      ['__proto__', '{"__proto__":null,"__proto__":null}'],
    ])('the key %j in %s', async (field, body) => {
      const { status, code, fields } = await alice.post(body)
      expect([status, code, fields]).toEqual([400, 'VALIDATION_ERROR', [field]])
    })

    it.each(['"text"', '1', 'null', 'true', '[]', '[{"symbol":"BTC_USD"}]'])('a body of %s', async (body) => {
      const { status, code, details } = await alice.post(body)
      expect([status, code, details.length]).toEqual([400, 'VALIDATION_ERROR', 1])
    })
  })

  describe('section 4, POST /orders 2: a body that is not valid JSON is 400 MALFORMED_JSON', () => {
    it.each([
      ['nothing', ''],
      ['blanks', '  \n'],
      ['an open object', '{"symbol":'],
      ['a comma too many', '{"symbol":"BTC_USD",}'],
      ['single quotes', "{'symbol':'BTC_USD'}"],
      ['a comment', '{} // order'],
      ['two objects', '{}{}'],
      ['NaN', '{"qty":NaN}'],
      ['a form', 'symbol=BTC_USD&side=BUY'],
      ['a raw line feed in a text', '{"symbol":"BTC\n_USD"}'],
      ['a byte order mark', '\ufeff{}'],
      ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
      ['UTF-16', Buffer.from('{"symbol":"BTC_USD"}', 'utf16le')],
      ['an open array of 16 000', '['.repeat(16_000)],
    ])('%s', async (_what, body) => {
      const { status, code } = await alice.post(body)
      expect([status, code]).toEqual([400, 'MALFORMED_JSON'])
    })

    it('deep nesting is JSON, and no order', async () => {
      const { status, code } = await alice.post('['.repeat(8_000) + ']'.repeat(8_000))
      expect([status, code]).toEqual([400, 'VALIDATION_ERROR'])
    })
  })

  describe('section 3: states', () => {
    it('OPEN to PARTIALLY_FILLED to FILLED by matches', async () => {
      const { id } = await alice.limit('BUY', 'BTC_USD', '100', '2')
      await bob.limit('SELL', 'BTC_USD', '100', '0.5')
      expect(await alice.order(id)).toMatchObject({
        status: 'PARTIALLY_FILLED',
        filledQty: '0.50000',
        averagePrice: '100',
      })
      await bob.limit('SELL', 'BTC_USD', '90', '1.5')
      expect(await alice.order(id)).toMatchObject({ status: 'FILLED', filledQty: '2.00000', averagePrice: '100' })
    })

    it('a limit order that crosses executes at once, at the price of the order that rested (decision 11)', async () => {
      await bob.limit('SELL', 'BTC_USD', '90.5', '1')
      expect(await alice.limit('BUY', 'BTC_USD', '100', '1')).toMatchObject({ status: 'FILLED', averagePrice: '90.5' })
      expect(await alice.has('USD')).toBe('99909.5 + 0')
    })

    it('a limit order that finds too little rests with what is left', async () => {
      await bob.limit('SELL', 'BTC_USD', '90', '1')
      const order = await alice.limit('BUY', 'BTC_USD', '100', '3')
      expect(order).toMatchObject({ status: 'PARTIALLY_FILLED', filledQty: '1.00000', averagePrice: '90' })
      expect(await alice.has('USD')).toBe('99710 + 200')
    })

    it('decision 8: what is left of a market order is removed, CANCELLED, and reserves nothing', async () => {
      await bob.limit('SELL', 'BTC_USD', '90', '1')
      const order = await alice.market('BUY', 'BTC_USD', '3')
      expect(order).toMatchObject({ status: 'CANCELLED', filledQty: '1.00000', averagePrice: '90' })
      expect(await alice.has('USD')).toBe('99910 + 0')
      expect((await alice.get('/orders/open')).json).toEqual([])
    })

    it('decision 7: DELETE of an OPEN order is 200 with the order CANCELLED, and releases what it reserved', async () => {
      const order = await alice.limit('BUY', 'BTC_USD', '100', '3')
      expect(await alice.has('USD')).toBe('99700 + 300')
      const { status, json } = await alice.cancel(order.id)
      expect([status, json]).toEqual([200, { ...order, status: 'CANCELLED' }])
      expect(await alice.has('USD')).toBe('100000 + 0')
      expect(await alice.order(order.id)).toEqual({ ...order, status: 'CANCELLED' })
    })

    it('DELETE of a PARTIALLY_FILLED order takes only what is not filled; the fills stay', async () => {
      const { id } = await alice.limit('SELL', 'BTC_USD', '100', '3')
      await bob.market('BUY', 'BTC_USD', '1')
      const { json } = await alice.cancel(id)
      expect(json).toMatchObject({ status: 'CANCELLED', qty: '3.00000', filledQty: '1.00000', averagePrice: '100' })
      expect(await alice.has('BTC')).toBe('99 + 0')
      expect(await alice.has('USD')).toBe('100100 + 0')
      expect((await alice.fills()).length).toBe(1)
    })

    it('DELETE of a FILLED or CANCELLED order is 409 ORDER_NOT_CANCELLABLE, however often', async () => {
      const filled = await alice.limit('SELL', 'BTC_USD', '100', '1')
      await bob.market('BUY', 'BTC_USD', '1')
      const cancelled = await alice.limit('SELL', 'BTC_USD', '100', '1')
      await alice.cancel(cancelled.id)
      for (const { id } of [filled, cancelled, cancelled]) {
        const { status, code } = await alice.cancel(id)
        expect([status, code]).toEqual([409, 'ORDER_NOT_CANCELLABLE'])
      }
      expect(await alice.order(filled.id)).toMatchObject({ status: 'FILLED' })
    })
  })
}
