import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ReplayedRun } from '../../../src/report/replay/replayed-run.ts'
import { journalLinesIn } from '../../../src/runtime/journal/journal-reader.ts'

const HEAD =
  '{"t":0,"type":"run","journal":2,"markets":[{"symbol":"A_USD","pricePrecision":2,"qtyPrecision":2}],"liquidity":"tape","orderLatencyMs":0,"responseLatencyMs":0,"staleAfterMs":null}\n' +
  '{"t":0,"type":"credit","asset":"USD","amount":"1000"}\n'

/** Of each order: placed and accepted, filled in some pieces, perhaps cancelled, with balances that count up. */
const journal = (orders: readonly { readonly fills: number; readonly isCancelled: boolean }[]): string => {
  let text = HEAD
  let t = 0
  let reported = 0
  const tell = (line: object): void => {
    t += 1
    text += `${JSON.stringify({ t, ...line })}\n`
  }
  orders.forEach(({ fills, isCancelled }, index) => {
    const [ref, orderId] = [index + 1, String(index + 10)]
    tell({ type: 'place', ref, request: { symbol: 'A_USD', side: 'BUY', type: 'LIMIT', price: '9.00', qty: '5.00' } })
    tell({ type: 'rested', orderId, crowdAhead: '2', oursAhead: '0' })
    tell({ type: 'acknowledged', ref, orderId })
    for (let fill = 0; fill < fills; fill += 1) {
      tell({ type: 'fill', orderId, tradeId: `${orderId}-${fill}`, price: '9', qty: '1', isMaker: true })
      tell({ type: 'order', orderId })
      reported += 1
      tell({ type: 'balances', balances: { A: { available: String(reported), locked: '0' } } })
    }
    if (isCancelled && fills < 5) tell({ type: 'order', orderId, status: 'CANCELLED' })
  })
  return text
}

const read = (text: string): ReplayedRun => new ReplayedRun(journalLinesIn('journal', text))

const orders = fc.array(fc.record({ fills: fc.integer({ min: 0, max: 5 }), isCancelled: fc.boolean() }), {
  minLength: 1,
  maxLength: 120,
})

describe('a finished run, replayed', () => {
  it('is at every moment the same backward as forward, and as a run that ended there', () => {
    fc.assert(
      fc.property(orders, fc.nat(), (script, seed) => {
        const text = journal(script)
        const run = read(text)
        const forward = Array.from({ length: run.length }, (_, at) => run.moment(at))
        for (let at = run.length - 1; at >= 0; at -= 1) expect(run.moment(at)).toEqual(forward[at])
        const at = seed % run.length
        const lines = text.split('\n').slice(0, at + 1)
        expect(read(`${lines.join('\n')}\n`).moment(at)).toEqual(forward[at])
      }),
      { numRuns: 20 },
    )
  })

  it('reports balances, what rests with the queue ahead of it, and fills, as they were', () => {
    const run = read(journal([{ fills: 5, isCancelled: false }, { fills: 1, isCancelled: true }, { fills: 0, isCancelled: false }])) // prettier-ignore
    const last = run.moment(1e9)
    expect(last).toMatchObject({ at: run.length - 1, fills: 6, lastFills: { A_USD: '9' } })
    expect(last.balances).toEqual({ A: { available: '6', locked: '0' } })
    expect(last.orders).toEqual([
      {
        id: '12',
        symbol: 'A_USD',
        side: 'BUY',
        price: '9',
        qty: '5',
        filledQty: '0',
        crowdAhead: '2',
        restedAt: expect.any(Number) as number,
      },
    ])
    expect(run.moment(1).balances).toEqual({ USD: { available: '1000', locked: '0' } })
    expect(run.fills.map((at) => run.events(at, at + 1)[0]?.type)).toEqual(Array(6).fill('fill'))
  })

  it('finds the moment of a time: the last event at or before it', () => {
    const run = read(journal([{ fills: 2, isCancelled: false }]))
    expect([run.atTime(-1), run.atTime(0), run.atTime(3), run.atTime(1e15)]).toEqual([0, 1, 4, run.length - 1])
  })
})
