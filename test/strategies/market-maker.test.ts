/**
 * The ready strategy `market-maker`, by marbles: a letter of the trades is a price, and a round is 10 seconds. At 100 a
 * half spread of 100 basis points is 1, a quote offers 5 of an equity of 100 BTC, and it holds between nothing and half
 * of that.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { toDecimal } from '../../src/domain/decimal.ts'
import type { Outcome } from '../../src/strategy/intent.ts'
import { buyLimit, cancel } from '../../src/strategy/orders.ts'
import marketMaker from '../../strategies/market-maker.ts'
import { expectIntents, order, SYMBOL, type MarbleRun } from './rig/marble-run.ts'

/** A quarter of the equity in the base asset: the target. */
const BALANCED = { USD: '7500', BTC: '25' }
const PRICES = { a: '100', n: '100.24', o: '100.26', c: '102' }

const refusal = { code: 'ORDER_NOT_CANCELLABLE', message: 'it was filled' } as const
const ANSWERS: Readonly<Record<string, Outcome>> = {
  k: { type: 'acknowledged', intent: cancel('1'), order: order('1', 'BUY', '99') },
  r: { type: 'refused', intent: cancel('1'), refusal, by: 'exchange' },
  K: { type: 'acknowledged', intent: buyLimit(SYMBOL, '99', '5'), order: order('1', 'BUY', '99') },
  R: { type: 'refused', intent: buyLimit(SYMBOL, '99', '5'), refusal, by: 'exchange' },
  u: { type: 'unknown', intent: buyLimit(SYMBOL, '99', '5'), reason: 'time-out' },
  n: { type: 'absent', intent: buyLimit(SYMBOL, '99', '5') },
  m: { type: 'ambiguous', intent: buyLimit(SYMBOL, '99', '5'), reason: 'two orders might be it' },
  x: { type: 'unknown', intent: cancel('1'), reason: 'time-out' },
}

const BID = order('1', 'BUY', '99')
const ASK = order('2', 'SELL', '101')
const OPEN = { '-': [], p: [BID, ASK], b: [BID], s: [ASK], n: [] }

const expectQuotes = ({ params, ...run }: Omit<MarbleRun, 'available'> & Partial<MarbleRun>): void =>
  expectIntents(marketMaker, { available: BALANCED, ...run, params: { halfSpreadBps: 100, ...params } })

describe('its quotes', () => {
  const intents = ['10s (bs)', { b: 'BUY 5 at 99', s: 'SELL 5 at 101' }] as const

  it('stand on both sides of the last trade', () => {
    expectQuotes({ trades: ['a', PRICES], intents })
  })

  it('stand around the last trade of the round, not the first', () => {
    expectQuotes({ trades: ['c 8s a', PRICES], intents })
  })

  it('stand around the middle of the best prices where these are reported, whatever is traded', () => {
    const prices = { p: '99.5 100.5', q: '99.99 100', r: '- 100' }
    const around = { b: 'BUY 5 at 99', s: 'SELL 5 at 101' }
    expectQuotes({ trades: ['c', PRICES], quotes: ['p', prices], intents: ['10s (bs)', around] })
    const between = { b: 'BUY 5 at 98.99', s: 'SELL 5 at 101' }
    expectQuotes({ trades: ['c', PRICES], quotes: ['q', prices], intents: ['10s (bs)', between] })
    expectQuotes({ trades: ['c', PRICES], quotes: ['r', prices], intents: ['', {}] })
  })

  it.each`
    available                        | quotes                                    | why
    ${{ USD: '10000' }}              | ${['BUY 5 at 99.5']}                      | ${'cash only: a bid that leans up'}
    ${{ BTC: '100' }}                | ${['SELL 5 at 100.5']}                    | ${'inventory only: an ask that leans down'}
    ${{ USD: '8750', BTC: '12.5' }}  | ${['BUY 5 at 99.25', 'SELL 5 at 101.25']} | ${'half a band below the target'}
    ${{ USD: '6250', BTC: '37.5' }}  | ${['BUY 5 at 98.75', 'SELL 5 at 100.75']} | ${'half a band above the target'}
    ${{ USD: '5000', BTC: '50' }}    | ${['SELL 5 at 100.5']}                    | ${'at the most it holds: no bid'}
    ${{ USD: '5200', BTC: '48' }}    | ${['BUY 2 at 98.54', 'SELL 5 at 100.54']} | ${'room for 2'}
    ${{ USD: '9900', BTC: '1' }}     | ${['BUY 5 at 99.48', 'SELL 1 at 101.48']} | ${'an ask for all there is'}
    ${{ USD: '9999', BTC: '0.009' }} | ${['BUY 4.99 at 99.49']}                  | ${'less than a lot to sell'}
    ${{}}                            | ${[]}                                     | ${'nothing at all'}
  `('with $available: $quotes, $why', ({ available, quotes }) => {
    const texts: readonly string[] = quotes
    const values = Object.fromEntries(texts.map((text, index) => [String(index), text]))
    expectQuotes({ available, trades: ['a', PRICES], intents: [`10s (${Object.keys(values).join('')})`, values] })
  })

  it.each`
    available                     | quotes                                    | why
    ${{ USD: '7300', BTC: '27' }} | ${['BUY 5 at 99.46', 'SELL 2 at 101.46']} | ${'2 above the least'}
    ${{ USD: '7500', BTC: '25' }} | ${['BUY 5 at 99.5']}                      | ${'at the least'}
    ${{ USD: '2500', BTC: '75' }} | ${['SELL 5 at 100.5']}                    | ${'at the most'}
  `('that hold half of the equity, give or take a quarter, are with $available: $quotes, $why', (row) => {
    const [first = '', second = ''] = row.quotes as readonly string[]
    expectQuotes({
      available: row.available,
      params: { target: 0.5 },
      trades: ['a', PRICES],
      intents: [second ? '10s (xy)' : '10s x', { x: first, y: second }],
    })
  })

  it('count what rests as held', () => {
    const [available, locked] = [{ USD: '7000' }, { USD: '500', BTC: '25' }]
    expectQuotes({ available, locked, trades: ['a', PRICES], intents })
  })

  it.each`
    params                      | config                    | quotes                  | why
    ${{ skew: 0 }}              | ${{}}                     | ${['BUY 5 at 99']}      | ${'no lean'}
    ${{ skew: 1 }}              | ${{}}                     | ${['BUY 5 at 100']}     | ${'leans up to the last trade, not over it'}
    ${{ size: 1, target: 0.9 }} | ${{}}                     | ${['BUY 100 at 99.5']}  | ${'as much as cash can buy'}
    ${{ size: 1, target: 0.9 }} | ${{ takerFeeBps: '100' }} | ${['BUY 99.5 at 99.5']} | ${'with room for the fee'}
    ${{ halfSpreadBps: 0.1 }}   | ${{}}                     | ${['BUY 5 at 99.99']}   | ${'away from the trade by a tick at least'}
    ${{ halfSpreadBps: 1 }}     | ${{ pricePrecision: 0 }}  | ${['BUY 5 at 99']}      | ${'on coarse ticks, rounded away from the trade'}
  `('with cash only, $params and $config: $quotes, $why', ({ params, config, quotes }) => {
    const [text] = quotes as readonly string[]
    const available = { USD: '10000' }
    expectQuotes({ available, params, config, trades: ['a', PRICES], intents: ['10s b', { b: String(text) }] })
  })
})

describe('a round', () => {
  const quotesAt102 = { b: 'BUY 4.92 at 100.97', s: 'SELL 4.92 at 103.02' }
  const texts = { ...quotesAt102, x: 'cancel 1', y: 'cancel 2', z: 'cancel-all' }

  it.each`
    trade  | intents       | why
    ${'a'} | ${''}         | ${'they are where they should be'}
    ${'n'} | ${''}         | ${'they are off by less than a quarter of the half spread'}
    ${'o'} | ${'10s (xy)'} | ${'they are off by more'}
  `('with both quotes in the market and a trade at $trade: "$intents", as $why', ({ trade, intents }) => {
    expectQuotes({ trades: [trade, PRICES], openOrders: ['p', OPEN], intents: [intents, texts] })
  })

  it('cancels, waits for every answer and a little longer, and places again', () => {
    expectQuotes({
      trades: ['c', PRICES],
      outcomes: ['10050ms k 49ms k', ANSWERS],
      openOrders: ['p 10099ms n', OPEN],
      intents: ['10s (xy) 596ms (bs)', texts],
    })
  })

  it('is the only one while an answer is missing, however many trades there are', () => {
    expectQuotes({
      trades: ['c 14999ms c 14999ms c', PRICES],
      outcomes: ['10050ms k 34949ms k', ANSWERS],
      openOrders: ['p 44999ms n', OPEN],
      intents: ['10s (xy) 35496ms (bs)', texts],
    })
  })

  it('places nothing on a side whose order is still there', () => {
    expectQuotes({
      trades: ['c', PRICES],
      outcomes: ['10050ms (rk)', ANSWERS],
      openOrders: ['p 10049ms b', OPEN],
      intents: ['10s (xy) 546ms s', texts],
    })
  })

  it('places what the one before could not', () => {
    expectQuotes({
      trades: ['c 14999ms c', PRICES],
      outcomes: ['10050ms (RK)', ANSWERS],
      openOrders: ['n 10049ms S', { n: [], S: [order('2', 'SELL', '103.02')] }],
      intents: ['10s (bs) 14996ms b', texts],
    })
  })

  it('renews an order that was filled in part', () => {
    const part = order('1', 'BUY', '99', { status: 'PARTIALLY_FILLED', filledQty: toDecimal(1) })
    expectQuotes({ trades: ['a', PRICES], openOrders: ['p', { p: [part, ASK] }], intents: ['10s x', texts] })
  })

  it('cancels the bid when there is no room for more', () => {
    const [available, params] = [{ USD: '5000', BTC: '50' }, { skew: 0 }]
    expectQuotes({ available, params, trades: ['a', PRICES], openOrders: ['p', OPEN], intents: ['10s x', texts] })
  })

  it('leaves the orders of other markets alone', () => {
    const other = order('9', 'BUY', '1', { symbol: 'ETH_USD' })
    expectQuotes({ trades: ['a', PRICES], openOrders: ['p', { p: [BID, ASK, other] }], intents: ['', texts] })
  })
})

describe('when no one knows what became of', () => {
  const texts = { b: 'BUY 5 at 99', s: 'SELL 5 at 101', x: 'cancel 1', z: 'cancel-all' }

  it.each`
    settled | why
    ${'K'}  | ${'it is found'}
    ${'n'}  | ${'it is assumed absent'}
  `('a quote, it cancels what rests, and goes on in the first round behind the answer: $why', ({ settled }) => {
    expectQuotes({
      // The second trade comes in the middle of the waiting, the third behind it.
      trades: ['a 19999ms a 19999ms a', PRICES],
      outcomes: [`10050ms (Ku) 29946ms ${String(settled)}`, ANSWERS],
      intents: ['10s (bs) 46ms z 39949ms (bs)', texts],
    })
  })

  it('a quote, the answers to the cancels of what rests do not end the waiting', () => {
    expectQuotes({
      trades: ['a 19999ms a', PRICES],
      outcomes: ['10050ms (Ku) 50ms k 9ms (kx)', ANSWERS],
      intents: ['10s (bs) 46ms z', texts],
    })
  })

  it('a quote, and nothing says which it is, it cancels what rests and waits on, for a person to say', () => {
    expectQuotes({
      trades: ['a 19999ms a 19999ms a', PRICES],
      outcomes: ['10050ms (Ku) 596ms m', ANSWERS],
      intents: ['10s (bs) 46ms z 599ms z', texts],
    })
  })

  it('a cancel, it cancels again in the next round', () => {
    const part = order('1', 'BUY', '99', { status: 'PARTIALLY_FILLED' })
    expectQuotes({
      trades: ['a 19999ms a', PRICES],
      outcomes: ['10050ms x', ANSWERS],
      openOrders: ['p', { p: [part, ASK] }],
      intents: ['10s x 19999ms x', texts],
    })
  })
})

describe('its parameters', () => {
  it('have defaults for all but the symbol', () => {
    expect(marketMaker.params.parse({ symbol: SYMBOL })).toEqual({
      symbol: SYMBOL,
      halfSpreadBps: 10,
      tolerance: 0.25,
      size: 0.05,
      target: 0.25,
      band: 0.25,
      skew: 0.5,
      roundSeconds: 10,
    })
  })

  it.each([
    { halfSpreadBps: 0 },
    { tolerance: -0.1 },
    { size: 0 },
    { target: 1.1 },
    { band: 0 },
    { skew: 1.1 },
    { roundSeconds: 0 },
  ])('refuse %j', (params) => {
    expect(marketMaker.params.safeParse({ symbol: SYMBOL, ...params }).success).toBe(false)
  })
})

it('is a file that a beginner can read: under 90 lines', () => {
  expect(readFileSync('strategies/market-maker.ts', 'utf8').split('\n').length).toBeLessThan(90)
})
