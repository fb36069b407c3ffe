/**
 * The stories of orders that waited in the session, and of the orders that they became.
 */
import { describe, expect, it } from 'vitest'
import { orderExplanation, explanationText } from '../../../src/report/order-explanation/order-explanation.ts'
import { readWholeLine, type JournalLine } from '../../../src/runtime/journal/journal-line.ts'
import { conditionalExplanation } from '../../../src/report/order-explanation/conditional-explanation.ts'
import { buyLimit, buyMarket, cancel } from '../../../src/strategy/orders.ts'
import { bracket, stopSell, trailingStop } from '../../../src/strategy/waiting.ts'
import type { Acts } from '../../runtime/rig/scripted-orders.ts'
import { BLANK, journalOf } from '../rig/order-tale.ts'

const BTC = 'BTC_USD'

/** 100, 101, 99 and 97, a minute apart. */
const ROWS = [100, 101, 99, 97, 97].map((price, minute) => [minute * 60_000, price * 100, 50] as const)

const journal = (acts: Acts): Promise<readonly JournalLine[]> =>
  journalOf({ ...BLANK, rows: ROWS, acts, settings: { liquidity: 'ideal' } })

const BOUGHT = [1_000, buyMarket(BTC, 2)] as const

describe('an order that waits', () => {
  it('reports what it waited for, when the price came, and what it asked for', async () => {
    const { verdict, facts } = orderExplanation(
      await journal([BOUGHT, [2_000, stopSell(BTC, 98, 2, { tag: 'guard' })]]),
      'w1',
    )
    expect(verdict).toBe('triggered at 97')
    expect(facts.map(({ time, text }) => `${time} ${text}`)).toEqual([
      '2000 waiting as w1: stop at 98, sell 2 BTC_USD, tag guard',
      '180000 w1 is triggered at a price of 97',
      '180000 order to sell 2 at market (ref:2)',
      '180050 done',
    ])
  })

  it.each`
    acts                                                                | id      | verdict
    ${[BOUGHT, [2_000, stopSell(BTC, 90, 2)]]}                          | ${'w1'} | ${'still waiting: the price never reached it'}
    ${[BOUGHT, [2_000, stopSell(BTC, 90, 2)], [3_000, cancel('w1')]]}   | ${'w1'} | ${'cancelled by the strategy before the price reached it'}
    ${[BOUGHT, [2_000, stopSell(BTC, 90, 2, { expires: 9_000 })]]}      | ${'w1'} | ${'expired before the price reached it'}
    ${[[2_000, stopSell(BTC, 98, 200)]]}                                | ${'w1'} | ${'triggered at 97, and its order was refused'}
    ${[[1_000, bracket(buyMarket(BTC, 2), { stop: 90, target: 101 })]]} | ${'w2'} | ${'cancelled because another order of its group closed the position'}
    ${[[1_000, bracket(buyMarket(BTC, 2), { stop: 90, target: 101 })]]} | ${'w1'} | ${'w1 is a bracket of 2 orders: bought 2, sold 2'}
  `('$verdict', async ({ acts, id, verdict }) => {
    expect(orderExplanation(await journal(acts as Acts), id as string).verdict).toBe(verdict)
  })

  it('that is not there is refused, with those that are', async () => {
    const lines = await journal([BOUGHT, [2_000, stopSell(BTC, 90, 2)]])
    expect(() => orderExplanation(lines, 'w7')).toThrow(`waiting order 'w7': the run has no such order; known: w1`)
    expect(() =>
      orderExplanation(
        [...lines].filter(({ type }) => type !== 'wait'),
        'w7',
      ),
    ).toThrow('this run had no waiting orders')
  })
})

describe('an order that waited', () => {
  it('reports from which conditional order it came', async () => {
    const lines = await journal([BOUGHT, [2_000, trailingStop(BTC, { percent: 2 }, 2)]])
    const text = explanationText(orderExplanation(lines, 'ref:2')).replace(/\n +/g, ' ')
    expect(text).toMatch(/waiting as w1: trailing stop 2 % from the best price, sell 2 BTC_USD/)
    expect(text).toMatch(/requested: sell 2 BTC_USD at market, sent by w1, a trailing stop 2 % from the best price/)
  })

  it('of a bracket is explained as a whole: entry, stop, target, trigger, cancel, exit', async () => {
    const lines = await journal([[1_000, bracket(buyLimit(BTC, 100, 2), { stop: 98, target: 105 })]])
    const { facts } = orderExplanation(lines, 'w1')
    expect(facts.map(({ text }) => text.replace(/order \d+/g, 'order N'))).toEqual([
      'entry: order to buy 2 at 100 (ref:1)',
      ...['ref:1 is order N, FILLED', 'bought 2 at 100 (order N)'],
      'waiting as w2: stop at 98, sell the whole position in BTC_USD of w1',
      ...['target: order to sell 2 at 105 (ref:2)', 'ref:2 is order N, OPEN'],
      ...['w2 is triggered at a price of 97', 'cancel of order N requested', 'ref:3 is order N, CANCELLED'],
      ...['order N is cancelled, 0 of 2 filled', 'w2: order to sell 2 at market (ref:4)'],
      ...['ref:4 is order N, FILLED', 'sold 2 at 97 (order N)', 'w2 has ended: done', 'the run ended'],
    ])
  })

  it('of a bracket names the bracket', async () => {
    const lines = await journal([[1_000, bracket(buyLimit(BTC, 100, 2), { stop: 98, target: 105 })]])
    expect(explanationText(orderExplanation(lines, 'ref:1'))).toMatch(
      /requested: buy 2 BTC_USD at 100, part of bracket w1/,
    )
    const exit = orderExplanation(lines, 'ref:4')
    expect(exit.facts.map(({ text }) => text)).toContain('w2 is triggered at a price of 97')
  })
})

describe('one that waits since an earlier session', () => {
  const lines = [
    {
      ...{ t: 1_000, type: 'taken-up', id: 'w1', symbol: 'BTC_USD', open: '2' },
      orders: [{ by: 'w1', orderId: '77' }, { by: 'w3' }],
    },
    {
      t: 1_000,
      type: 'wait',
      id: 'w2',
      group: 'w1',
      kind: 'trailing-stop',
      symbol: 'BTC_USD',
      side: 'SELL',
      distance: '3',
      isKept: true,
      at: '97',
    },
    { t: 2_000, type: 'triggered', id: 'w2', price: '96' },
    { t: 3_000, type: 'wait-over', id: 'w2', why: 'ended' },
    { t: 4_000, type: 'end' },
  ].flatMap((line) => readWholeLine('test', line) ?? [])
  const textOf = (id: string): readonly string[] => {
    const { verdict, facts } = conditionalExplanation(lines, id)
    return [verdict, ...facts.map(({ text }) => text)]
  }

  it('says so, with what it had at the exchange', () => {
    expect(textOf('w1')).toEqual([
      'w1 is a bracket of an earlier session: nothing was filled',
      'resumed from an earlier session (see its journal): 2 to be closed, with order 77',
      'waiting as w2 again: trailing stop 3 from the best price, sell the whole position in BTC_USD active from 97 of w1',
      'w2 is triggered at a price of 96',
      'w2 has ended: ended',
      'the run ended',
    ])
    expect(textOf('w3')).toEqual([
      'triggered in an earlier session',
      'resumed from an earlier session (see its journal), with an order without an answer',
      'the run ended',
    ])
  })

  it('reports from where a trailing stop goes on, and that the session gave it up', () => {
    expect(textOf('w2')).toEqual([
      'cancelled at the end of the session',
      'waiting as w2 again: trailing stop 3 from the best price, sell the whole position in BTC_USD active from 97 of w1',
      'w2 is triggered at a price of 96',
      'ended',
    ])
  })
})
