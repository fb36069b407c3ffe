/**
 * Decimals as they come in: section 1 (Decimal values, Precision), decisions 10 (zero), 28 and 29.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OrderJson } from '../../../src/domain/order.ts'
import type { ServiceStage } from './service-stage.ts'
import type { TestUser } from './test-user.ts'

/** Of price and qty alike. */
const NO_DECIMALS = [
  ['an exponent', '1e5'],
  ['an exponent in upper case', '1E5'],
  ['no digit before the point', '.5'],
  ['no digit behind the point', '5.'],
  ['a plus sign', '+1'],
  ['a minus sign', '-1'],
  ['minus zero', '-0'],
  ['a vulgar fraction', '½'],
  ['digits of another script', '١٢'],
  ['full-width digits', '１'],
  ['a comma', '1,5'],
  ['groups of thousands', '1,000'],
  ['underscores', '1_000'],
  ['a blank before', ' 1'],
  ['a blank behind', '1 '],
  ['a line feed behind', '1\n'],
  ['nothing', ''],
  ['a point', '.'],
  ['two points', '1.2.3'],
  ['hexadecimal', '0x10'],
  ['binary', '0b1'],
  ['a bigint literal', '1n'],
  ['NaN', 'NaN'],
  ['Infinity', 'Infinity'],
  ['a zero byte', '1\u0000'],
  ['a lone surrogate', '\ud800'],
  ['41 characters', '0'.repeat(40) + '1'],
  ['10 000 digits', '9'.repeat(10_000)],
  ['10 000 digits behind the point', `0.${'0'.repeat(10_000)}`],
] as const

export function describeDecimals(open: () => Promise<ServiceStage>): void {
  let service: ServiceStage
  let alice: TestUser

  beforeEach(async () => {
    service = await open()
    alice = await service.user({ credits: { USD: '9000000000000000000000000', BTC: '90000000000' } })
  })
  afterEach(() => service.close())

  describe('section 1, decision 29: what is no decimal is 400 VALIDATION_ERROR naming the field', () => {
    const order = { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: '1', qty: '1' }
    it.each(NO_DECIMALS.flatMap(([what, text]) => ['price', 'qty'].map((field) => [field, what, text] as const)))(
      '%s: %s',
      async (field, _what, text) => {
        const answer = await alice.post({ ...order, [field]: text })
        expect([answer.status, answer.code, answer.fields]).toEqual([400, 'VALIDATION_ERROR', [field]])
        expect(answer.text.length).toBeLessThan(1000)
      },
    )

    it('qty of a market order as well', async () => {
      for (const qty of ['1e5', '.5', '½', '1.000000']) {
        const { code, fields } = await alice.post({ symbol: 'BTC_USD', side: 'BUY', type: 'MARKET', qty })
        expect([code, fields]).toEqual(['VALIDATION_ERROR', ['qty']])
      }
    })
  })

  describe('section 1, Precision; decision 29', () => {
    const sell = (price: string, qty: string, symbol = 'BTC_USD'): Promise<Awaited<ReturnType<TestUser['post']>>> =>
      alice.post({ symbol, side: symbol === 'ONE_USD' ? 'BUY' : 'SELL', type: 'LIMIT', price, qty })
    const shown = async (price: string, qty: string, symbol?: string): Promise<string[]> => {
      const { price: shownPrice = '', qty: shownQty } = (await sell(price, qty, symbol)).json as OrderJson
      return [shownPrice, shownQty]
    }

    it.each([
      ['100', '1', '100.00', '1.00000', 'no decimals'],
      ['100.5', '1.5', '100.50', '1.50000', 'fewer decimals than the market has'],
      ['100.50', '1.00001', '100.50', '1.00001', 'as many'],
      ['0.01', '0.00001', '0.01', '0.00001', 'one tick, one lot'],
      ['007.5', '000.1', '7.50', '0.10000', 'leading zeros'],
      [`${'0'.repeat(37)}1.5`, '1', '1.50', '1.00000', '39 characters'],
      [`${'0'.repeat(38)}10`, `${'0'.repeat(38)}.1`, '10.00', '0.10000', '40 characters'],
      ['90071992547409.91', '0.00001', '90071992547409.91', '0.00001', '2^53 - 1 ticks'],
      ['0.01', '90071992547.40991', '0.01', '90071992547.40991', '2^53 - 1 lots'],
    ])('%s and %s are %s and %s: %s', async (price, qty, shownPrice, shownQty) => {
      await alice.credit('BTC', '900000000000')
      expect(await shown(price, qty)).toEqual([shownPrice, shownQty])
    })

    it.each([
      ['100.005', '1', 'price', 'a decimal too many'],
      ['100.000', '1', 'price', 'a decimal too many that is zero'],
      ['100', '0.000001', 'qty', 'a decimal too many'],
      ['100', '1.000000', 'qty', 'a decimal too many that is zero'],
      ['90071992547409.92', '0.00001', 'price', '2^53 ticks'],
      ['1', '90071992547.40992', 'qty', '2^53 lots'],
      ['9'.repeat(40), '1', 'price', '40 nines'],
      ['1', '9'.repeat(40), 'qty', '40 nines'],
    ])('price %s, qty %s: 400 naming %s: %s', async (price, qty, field) => {
      const answer = await sell(price, qty)
      expect([answer.status, answer.code, answer.fields]).toEqual([400, 'VALIDATION_ERROR', [field]])
    })

    it('both that do not fit are both named', async () => {
      expect((await sell('1.001', '1.000001')).fields).toEqual(['price', 'qty'])
    })

    it('a market without decimals takes none, and shows none', async () => {
      expect(await shown('5', '7', 'ONE_USD')).toEqual(['5', '7'])
      expect((await sell('5.0', '7', 'ONE_USD')).fields).toEqual(['price'])
      expect((await sell('5', '7.0', 'ONE_USD')).fields).toEqual(['qty'])
    })

    it('decision 10: a zero in any form is 422 ORDER_REJECTED', async () => {
      for (const [price, qty] of [
        ['0', '1'],
        ['0.00', '1'],
        ['1', '0'],
        ['1', '0.00000'],
        ['000', '000'],
      ] as const) {
        const { status, code } = await sell(price, qty)
        expect([price, qty, status, code]).toEqual([price, qty, 422, 'ORDER_REJECTED'])
      }
    })

    it('money is exact far beyond 2^53', async () => {
      await alice.limit('BUY', 'BTC_USD', '90071992547409.91', '12345.67891')
      expect(await alice.has('USD')).toBe('8999998888000101225764298.9880019 + 1111999898774235701.0119981')
    })
  })
}
