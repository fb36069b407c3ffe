import { describe, expect, it } from 'vitest'
import { readJournalLines } from '../rig/read-journal-lines.ts'

const MARKETS = '[{"symbol":"BTC_USD","pricePrecision":2,"qtyPrecision":1}]'
const head = (version: string): string =>
  `{"t":0,"type":"run"${version},"markets":${MARKETS},"liquidity":"tape","orderLatencyMs":0,"responseLatencyMs":0,"staleAfterMs":null}`
const HEAD = head(',"journal":2')
const PLACE =
  '{"t":1,"type":"place","ref":1,"request":{"symbol":"BTC_USD","side":"SELL","type":"LIMIT","price":"100.10","qty":"2.0"}}'
const TAKEN = '{"t":2,"type":"acknowledged","ref":1,"orderId":"7"}'
const ORDER = { id: '7', symbol: 'BTC_USD', side: 'SELL', type: 'LIMIT', status: 'OPEN', price: '100.1', qty: '2' }

describe('a line that leaves out what was reported', () => {
  it('of an order has its request, and what its fills come to', () => {
    const fill = (id: number, price: string): string =>
      `{"t":3,"type":"fill","orderId":"7","tradeId":"${id}","price":"${price}","qty":"1"}`
    const change = '{"t":3,"type":"order","orderId":"7"}'
    const read = readJournalLines([HEAD, PLACE, TAKEN, fill(1, '100.1'), change, fill(2, '100.2'), change])
    const orders = read.flatMap((line) => ('order' in line ? [line.order] : []))
    expect(orders).toEqual([
      { ...ORDER, filledQty: '0', createdAt: 2 },
      { ...ORDER, status: 'PARTIALLY_FILLED', filledQty: '1', averagePrice: '100.1', createdAt: 2 },
      { ...ORDER, status: 'FILLED', filledQty: '2', averagePrice: '100.15', createdAt: 2 },
    ])
    expect(read[3]).toMatchObject({ fill: { symbol: 'BTC_USD', side: 'SELL', fee: '0', isMaker: false, createdAt: 3 } })
  })

  it('of balances has those that did not change', () => {
    const balances = (text: string): string => `{"t":1,"type":"balances","balances":${text}}`
    const [usd, btc] = ['"USD":{"available":"1","locked":"0"}', '"BTC":{"available":"2","locked":"0"}']
    const read = readJournalLines([
      HEAD,
      balances(`{${usd},${btc}}`),
      balances('{"USD":{"available":"3","locked":"4"}}'),
    ])
    const held = { BTC: { available: '2', locked: '0' }, USD: { available: '3', locked: '4' } }
    expect(read.at(-1)).toMatchObject({ balances: held })
  })

  it('of a resting order has zeros', () => {
    const read = readJournalLines([
      HEAD,
      '{"t":1,"type":"rested","orderId":"7"}',
      '{"t":2,"type":"left","orderId":"7","status":"CANCELLED"}',
    ])
    expect(read[1]).toMatchObject({ crowdAhead: '0', oursAhead: '0' })
    expect(read[2]).toMatchObject({ crowdAhead: '0', tradesAt: 0, qtyThrough: '0', qtyToOurs: '0', gaps: 0 })
  })
})

it.each([
  { why: 'a request that is missing', lines: [HEAD, TAKEN], message: 'answers request 1, which no line before it has' },
  {
    why: 'an order that is missing',
    lines: [HEAD, '{"t":3,"type":"order","orderId":"7"}'],
    message: 'refers to an order that no earlier line has',
  },
  {
    why: 'a fill of an order that is missing',
    lines: [HEAD, '{"t":3,"type":"fill","orderId":"7","tradeId":"1","price":"1","qty":"1"}'],
    message: 'refers to an order that no earlier line has',
  },
  {
    why: 'a cancel that is missing',
    lines: [HEAD, PLACE, TAKEN, '{"t":3,"type":"acknowledged","ref":2,"status":"CANCELLED"}'],
    message: 'refers to an order that no earlier line has',
  },
  { why: 'a first line that is missing', lines: [PLACE, TAKEN], message: "refers to market 'BTC_USD'" },
  {
    why: 'a price of more digits than its market has',
    lines: [HEAD, PLACE.replace('100.10', '1.001'), TAKEN],
    message: "has the value '1.001'",
  },
  { why: 'another side', lines: [HEAD, PLACE.replace('SELL', 'HOLD'), TAKEN], message: "whose side is 'HOLD'" },
  { why: 'another status', lines: [HEAD, PLACE, TAKEN.replace('}', ',"status":"?"}')], message: "'acknowledged' line" },
  { why: 'a later version', lines: [head(',"journal":3')], message: 'a journal of version 3, of a later papertape' },
])('$why is reported with its line', ({ lines, message }) => {
  expect(() => readJournalLines(lines)).toThrow(`journal:${lines.length}: `)
  expect(() => readJournalLines(lines)).toThrow(message)
})

it('a journal of the first version, whose lines are all whole, is read as it is', () => {
  const order = { ...ORDER, filledQty: '0', createdAt: 2 }
  const fill = { tradeId: '1', orderId: '7', symbol: 'BTC_USD', side: 'SELL', price: '100.1', qty: '2', fee: '0' }
  const written = [
    { t: 2, type: 'acknowledged', ref: 1, order },
    { t: 2, type: 'order', order },
    { t: 3, type: 'fill', fill: { ...fill, isMaker: true, createdAt: 3 } },
    { t: 3, type: 'order', order: { ...order, status: 'FILLED', filledQty: '2', averagePrice: '100.1' } },
  ]
  const lines = [head(''), PLACE, ...written.map((line) => JSON.stringify(line))]
  expect(readJournalLines(lines).slice(2)).toEqual(written)
})
