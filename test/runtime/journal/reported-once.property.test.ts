import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decimalOf, toDecimal } from '../../../src/domain/decimal.ts'
import { Journal } from '../../../src/runtime/journal/journal.ts'
import { SessionJournal } from '../../../src/runtime/journal/session-journal.ts'
import type { OwnOrder } from '../../../src/strategy/own-order.ts'
import marketMaker from '../../../strategies/market-maker.ts'
import grid from '../../../strategies/grid.ts'
import { randomRun, runReady, type ReadyRun } from '../../strategies/rig/ready-run.ts'
import { readJournalLines } from '../rig/read-journal-lines.ts'
import { runs } from '../../property/property.ts'

/** All of an order or a fill as text, the tag aside, which stands on the line of the request. */
const textOf = (value: object): string => JSON.stringify({ ...JSON.parse(JSON.stringify(value)), tag: undefined })

function expectWhole({ lines, updates, fills }: ReadyRun): void {
  const read = readJournalLines(lines)
  expect(readJournalLines(lines, true)).toMatchObject(read)
  const [orderLines, fillLines] = [
    read.flatMap((line) => (line.type === 'order' ? [textOf(line.order)] : [])),
    read.flatMap((line) => (line.type === 'fill' ? [textOf(line.fill)] : [])),
  ]
  // What comes in when the strategy is over stands in the journal alone.
  expect(orderLines.slice(0, updates.length)).toEqual(updates.map(textOf))
  expect(fillLines).toEqual(fills.map(textOf))
}

it('what is read of a journal is all that the strategy received about its orders and fills', async () => {
  let filled = 0
  await fc.assert(
    fc.asyncProperty(randomRun, async (run) => {
      for (const ran of [
        await runReady(marketMaker, { qty: '0.5' }, run),
        await runReady(grid, { qty: '0.5', step: '0.05' }, run),
      ]) {
        expectWhole(ran)
        filled += ran.fills.length
      }
    }),
    { numRuns: runs(60) },
  )
  expect(filled).toBeGreaterThan(100)
})

it('an order of another exchange is reported whole once, and then what may change of it', () => {
  const lines: string[] = []
  const journal = new SessionJournal(new Journal((line) => lines.push(line)), () => 5)
  const order: OwnOrder = {
    id: 'a"1',
    symbol: 'BTC_USD',
    side: 'BUY',
    type: 'LIMIT',
    status: 'OPEN',
    createdAt: 4,
    price: decimalOf(10_050, 2),
    qty: toDecimal(2),
    filledQty: toDecimal(0),
  }
  const ended: OwnOrder = { ...order, status: 'FILLED', filledQty: order.qty, averagePrice: toDecimal('100.25') }
  const request = { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: '100.50', qty: '2' } as const
  const ref = journal.place(request, { ...request, type: 'limit', tag: '\ud800 "mine"\n' })
  journal.outcome(ref, { type: 'acknowledged', order }, true)
  for (const each of [order, ended, ended]) journal.update({ type: 'order', order: each })
  const whole = { id: 'a"1', symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', status: 'OPEN', price: '100.5', qty: '2' }
  const [reported, over] = [
    { ...whole, filledQty: '0', createdAt: 4 },
    { ...whole, status: 'FILLED', filledQty: '2', averagePrice: '100.25', createdAt: 4 },
  ]
  expect(readJournalLines(lines)).toEqual([
    { t: 5, type: 'place', ref: 1, request, tag: '\ud800 "mine"\n' },
    { t: 5, type: 'acknowledged', ref: 1, order: reported },
    { t: 5, type: 'order', order: reported },
    { t: 5, type: 'order', order: over },
    { t: 5, type: 'order', order: over },
  ])
  expect(lines[3]).toBe(
    String.raw`{"t":5,"type":"order","orderId":"a\"1","status":"FILLED","filledQty":"2","averagePrice":"100.25"}`,
  )
  // The end was reported, so one that comes behind it is reported whole.
  expect(lines[4]).toContain('"order":{')
})
