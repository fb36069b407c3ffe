import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { decimalOf, toDecimal } from '../../src/domain/decimal.ts'
import { balancesEntry, fillEntry, Journal, orderEntry } from '../../src/runtime/journal.ts'
import type { OwnOrder } from '../../src/strategy/own-order.ts'

const ORDER: OwnOrder = {
  id: '7',
  symbol: 'BTC_USD',
  side: 'BUY',
  type: 'LIMIT',
  status: 'OPEN',
  price: decimalOf(10_050, 2),
  qty: decimalOf(1, 8),
  filledQty: toDecimal(0),
  createdAt: 5,
}

describe('a line', () => {
  it('is a JSON object: the time, the type, and the rest in the order in which it was written', () => {
    const lines: string[] = []
    const journal = new Journal((line) => lines.push(line))
    journal.write(5, { type: 'cancel', orderId: '7', ref: 1 })
    journal.write(6, { type: 'place', tag: undefined, b: [1, null], a: { z: true } })
    expect(lines).toEqual([
      '{"t":5,"type":"cancel","orderId":"7","ref":1}',
      '{"t":6,"type":"place","b":[1,null],"a":{"z":true}}',
    ])
    expect(journal.lines).toBe(2)
  })
})

describe('the digest', () => {
  it('is the SHA-256 of all lines, each with a line feed', () => {
    const lines: string[] = []
    const journal = new Journal((line) => lines.push(line))
    for (const text of ['ä', '\n', '']) journal.write(1, { type: 'run', text })
    const whole = lines.map((line) => `${line}\n`).join('')
    expect(journal.digest()).toBe(`sha256:${createHash('sha256').update(whole, 'utf8').digest('hex')}`)
  })

  it('of nothing is that of nothing, and to ask for it changes nothing', () => {
    const journal = new Journal(() => undefined)
    expect(journal.digest()).toBe(`sha256:${createHash('sha256').digest('hex')}`)
    const asked = new Journal(() => undefined)
    asked.digest()
    for (const each of [journal, asked]) each.write(1, { type: 'end' })
    expect(asked.digest()).toBe(journal.digest())
  })
})

describe('quantities are strings, exact and without an exponent', () => {
  it('of an order', () => {
    const json =
      '{"id":"7","symbol":"BTC_USD","side":"BUY","type":"LIMIT","status":"OPEN","price":"100.5","qty":"0.00000001","filledQty":"0","createdAt":5}'
    expect(JSON.stringify(orderEntry(ORDER))).toBe(json)
    const filled = { ...ORDER, filledQty: ORDER.qty, averagePrice: decimalOf(1n, 20) }
    expect(orderEntry(filled)).toMatchObject({ averagePrice: '0.00000000000000000001' })
  })

  it('of a fill', () => {
    const fill = { tradeId: '1', orderId: '7', symbol: 'BTC_USD', side: 'SELL', isMaker: true, createdAt: 5 } as const
    const entry = fillEntry({
      ...fill,
      price: decimalOf(1, 2),
      qty: decimalOf(10n ** 30n, 0),
      fee: decimalOf(0, 8),
      tag: 'mine',
    })
    expect(entry).toEqual({ ...fill, price: '0.01', qty: `1${'0'.repeat(30)}`, fee: '0' })
  })

  it('of balances, assets in their order', () => {
    const balances = new Map([
      ['USD', { available: decimalOf(1n, 14), locked: decimalOf(100n, 2) }],
      ['BTC', { available: decimalOf(-5n, 0), locked: decimalOf(0n, 8) }],
    ])
    expect(JSON.stringify(balancesEntry(balances))).toBe(
      '{"USD":{"available":"0.00000000000001","locked":"1"},"BTC":{"available":"-5","locked":"0"}}',
    )
  })
})
