/**
 * Stories of orders on a live exchange, above all of those whose answer was lost, reported from journals that are
 * written here.
 */
import { describe, expect, it } from 'vitest'
import { orderExplanation } from '../../../src/report/order-explanation/order-explanation.ts'
import type { JournalLine } from '../../../src/runtime/journal/journal-line.ts'
import { readJournalLines } from '../../runtime/rig/read-journal-lines.ts'

const HEAD = {
  t: 0,
  type: 'run',
  strategy: 'test',
  markets: [{ symbol: 'BTC_USD', pricePrecision: 2, qtyPrecision: 3 }],
  liquidity: 'live',
  orderLatencyMs: 50,
  responseLatencyMs: 0,
  staleAfterMs: null,
}
const REQUEST = { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: '100', qty: '3' }
const PLACE = { t: 1_000, type: 'place', ref: 1, request: REQUEST }
const LOST = { t: 11_000, type: 'unknown', ref: 1, reason: 'no answer within 10 s' }
const END = { t: 90_000, type: 'end', balances: {} }

const order = (status: string, filledQty = '0'): object => ({
  id: 'o-7',
  symbol: 'BTC_USD',
  side: 'BUY',
  type: 'LIMIT',
  status,
  price: '100',
  qty: '3',
  filledQty,
  ...(filledQty === '0' ? {} : { averagePrice: '100' }),
  createdAt: 1_100,
})

const fill = (t: number, qty: string, isMaker = true): object => ({
  t,
  type: 'fill',
  fill: { tradeId: `t-${t}`, orderId: 'o-7', symbol: 'BTC_USD', side: 'BUY', price: '100', qty, isMaker, createdAt: t },
})

const read = (lines: readonly object[]): readonly JournalLine[] =>
  readJournalLines([HEAD, PLACE, ...lines, END].map((line) => JSON.stringify(line)))

function explanationOf(lines: readonly object[], name = 'ref:1'): { verdict: string; facts: readonly string[] } {
  const { verdict, facts } = orderExplanation(read(lines), name)
  return { verdict, facts: facts.map(({ time, text }) => `${time} ${text}`) }
}

const ASKED = '1000 requested: buy 3 BTC_USD at 100'
const NO_ANSWER = '11000 no answer: no answer within 10 s'
const adopted = (t: number): object => ({ t, type: 'adopted', ref: 1, order: order('OPEN') })
const ABSENT = { t: 41_000, type: 'absent', ref: 1 }
const NEVER = 'its answer was lost (no answer within 10 s), and'

describe('an order whose answer was lost', () => {
  it.each`
    why                               | lines                                                                                                    | verdict                                                                                                                 | facts
    ${'nothing was found yet'}        | ${[LOST]}                                                                                                | ${'unknown whether it reached the exchange: no answer within 10 s'}                                                     | ${[]}
    ${'it is there, and fills later'} | ${[LOST, adopted(13_000), fill(20_000, '3'), { t: 20_000, type: 'order', order: order('FILLED', '3') }]} | ${`filled after 19 s: 3 at 100.00; ${NEVER} it was found 2 s later`}                                                    | ${['13000 found as order o-7, OPEN', '20000 filled: 3 at 100.00, as maker']}
    ${'it is there to the end'}       | ${[LOST, adopted(13_000)]}                                                                               | ${`not filled: still open when the session ended; ${NEVER} it was found 2 s later`}                                     | ${['13000 found as order o-7, OPEN']}
    ${'it is not there'}              | ${[LOST, ABSENT]}                                                                                        | ${`assumed not executed: ${NEVER} 30 s later the exchange did not have it`}                                             | ${['41000 not found, so assumed not executed']}
    ${'it comes after that'}          | ${[LOST, ABSENT, adopted(51_000)]}                                                                       | ${`not filled: still open when the session ended; ${NEVER} it was found 40 s later (it had been assumed not executed)`} | ${['41000 not found, so assumed not executed', '51000 found as order o-7, OPEN']}
    ${'several might be it'}          | ${[LOST, { t: 12_000, type: 'ambiguous', ref: 1, reason: 'two orders might be it' }]}                    | ${`unknown which order of the exchange it is: ${NEVER} two orders might be it`}                                         | ${['12000 ambiguous: two orders might be it']}
  `('$why', ({ lines, verdict, facts }) => {
    expect(explanationOf(lines as object[])).toEqual({ verdict, facts: [ASKED, NO_ANSWER, ...(facts as string[])] })
  })

  it('is found by the id that it was found under', () => {
    expect(explanationOf([LOST, adopted(13_000)], 'o-7')).toEqual(explanationOf([LOST, adopted(13_000)]))
  })
})

describe('an order that was answered', () => {
  const answered = { t: 1_200, type: 'acknowledged', ref: 1, order: order('OPEN') }

  it('and cancelled for a loss, partly filled, says both', () => {
    const lines = [
      answered,
      fill(5_000, '1', false),
      { t: 9_000, type: 'cancel', ref: 2, orderId: 'o-7', by: 'risk' },
      { t: 9_100, type: 'acknowledged', ref: 2, order: order('CANCELLED', '1') },
      { t: 9_200, type: 'order', order: order('CANCELLED', '1') },
    ]
    expect(explanationOf(lines)).toEqual({
      verdict: 'partly filled, 1 of 3: cancelled after 8 s 200 ms',
      facts: [
        ...[ASKED, '1200 answered after 200 ms: order o-7, OPEN', '5000 filled: 1 at 100.00, as taker'],
        ...['9000 cancel requested by a loss limit', '9200 cancelled with 2 open'],
      ],
    })
  })

  it('and is open at the end says what is left', () => {
    const { verdict, facts } = explanationOf([answered, { t: 1_200, type: 'order', order: order('OPEN') }])
    expect([verdict, facts.at(-1)]).toEqual([
      'not filled: still open when the session ended',
      '90000 the session ended with 3 open',
    ])
  })

  it('and was there before the session is another run’s to report', () => {
    expect(() => explanationOf([{ t: 0, type: 'taken-over', order: { ...order('OPEN'), id: 'o-1' } }], 'o-1')).toThrow(
      'was open before this session started',
    )
  })
})

it('an order without any answer says so', () => {
  expect(explanationOf([])).toEqual({
    verdict: 'there was no answer before the session ended',
    facts: [ASKED, '90000 the run ended'],
  })
})
