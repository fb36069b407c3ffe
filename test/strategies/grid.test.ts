/**
 * The ready strategy `grid`, by marbles: a letter of the trades is a close, and an order comes every 2.5 seconds. The
 * lines are 98, 99, 100, 101 and 102; 408 dollars at the first price of 100 make a cell trade 1 BTC.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { toDecimal } from '../../src/domain/decimal.ts'
import type { Outcome } from '../../src/strategy/intent.ts'
import { buyLimit } from '../../src/strategy/orders.ts'
import grid from '../../strategies/grid.ts'
import { expectIntents, order, SYMBOL, type MarbleRun } from './rig/marble-run.ts'

const CASH = { USD: '408' }
const PRICES = { a: '100', e: '97.5', d: '98.5', l: '101', u: '101.5', v: '110' }
const TEXTS = {
  h: 'BUY 1 at 98',
  i: 'BUY 1 at 99',
  j: 'BUY 1 at 100',
  k: 'BUY 1 at 101',
  q: 'SELL 1 at 99',
  r: 'SELL 1 at 100',
  s: 'SELL 1 at 101',
  t: 'SELL 1 at 102',
}

/** Orders of the cell that buys at 99 and sells at 100, and of the one below it. */
const upper = { tag: '-1', qty: toDecimal(1) }
const lower = { tag: '-2', qty: toDecimal(1) }
const ORDERS = {
  I: order('1', 'BUY', '99', upper),
  p: order('1', 'BUY', '99', { ...upper, status: 'PARTIALLY_FILLED' }),
  f: order('1', 'BUY', '99', { ...upper, status: 'FILLED' }),
  c: order('1', 'BUY', '99', { ...upper, status: 'CANCELLED' }),
  R: order('3', 'SELL', '100', upper),
  F: order('3', 'SELL', '100', { ...upper, status: 'FILLED' }),
  H: order('2', 'BUY', '98', lower),
  o: order('9', 'BUY', '99', { status: 'FILLED' }),
} as const

const intent = buyLimit(SYMBOL, '99', '1', { tag: '-1' })
const ANSWERS: Readonly<Record<string, Outcome>> = {
  k: { type: 'acknowledged', intent, order: ORDERS.I },
  r: { type: 'refused', intent, refusal: { code: 'INSUFFICIENT_BALANCE', message: 'not enough USD' }, by: 'exchange' },
  u: { type: 'unknown', intent, reason: 'time-out' },
}

const expectOrders = ({ params, ...run }: Omit<MarbleRun, 'available'> & Partial<MarbleRun>): void =>
  expectIntents(grid, { available: CASH, ...run, params: { levels: 2, stepBps: 100, share: 1, ...params } })

/** A close after another; the first is at 100 and begins the grid. */
const tradesAt = (letter: string, count: number): MarbleRun['trades'] => [
  `a${` 2999ms ${letter}`.repeat(count)}`,
  PRICES,
]

/** One order at 5.5 s, one at 8 s, and so on. */
const oneByOne = (letters: string): MarbleRun['intents'] => [
  letters && `5500ms ${letters.split('').join(' 2499ms ')}`,
  TEXTS,
]

describe('its first orders', () => {
  it.each`
    available                     | at     | orders    | why
    ${{ USD: '408' }}             | ${'a'} | ${'ih'}   | ${'with cash it buys below the price, the nearest first'}
    ${{ USD: '408' }}             | ${'u'} | ${'kjih'} | ${'and everywhere below a price that went up'}
    ${{ USD: '408' }}             | ${'l'} | ${'jih'}  | ${'but not on the line where the price is'}
    ${{ USD: '408' }}             | ${'d'} | ${'h'}    | ${'nor above it'}
    ${{ USD: '408' }}             | ${'v'} | ${'kjih'} | ${'and not outside of the grid'}
    ${{ USD: '208', BTC: '2' }}   | ${'a'} | ${'stih'} | ${'with both it sells above the price and buys below'}
    ${{ USD: '258', BTC: '1.5' }} | ${'a'} | ${'sih'}  | ${'what is less than a cell is not sold'}
    ${{ BTC: '4.08' }}            | ${'a'} | ${'st'}   | ${'without cash it sells above the price'}
  `('$orders with $available at $at: $why', ({ available, at, orders }) => {
    expectOrders({ available, trades: tradesAt(String(at), 6), intents: oneByOne(String(orders)) })
  })

  it('are never sent faster, however much happens', () => {
    expectOrders({
      trades: ['a 99ms a 99ms a 99ms a 99ms a', PRICES],
      orders: ['2640ms I 9ms I 9ms I', ORDERS],
      intents: ['2600ms i 2499ms h', TEXTS],
    })
  })

  it('are no more than the cash pays for', () => {
    expectOrders({
      trades: tradesAt('a', 3),
      balances: ['1s x 5s y', { x: { USD: '98.99' }, y: { USD: '97.99' } }],
      intents: ['3500ms h', TEXTS],
    })
  })

  it.each`
    params                         | config                    | first                  | second              | why
    ${{ share: 0.5 }}              | ${{}}                     | ${'BUY 0.5 at 99'}     | ${'BUY 0.5 at 98'}  | ${'a share of the money'}
    ${{ stepBps: 0.1, levels: 1 }} | ${{}}                     | ${'BUY 2.03 at 99.99'} | ${''}               | ${'a step is at least a tick'}
    ${{}}                          | ${{ takerFeeBps: '100' }} | ${'BUY 0.99 at 99'}    | ${'BUY 0.99 at 98'} | ${'room for the fee'}
  `('are $first with $params and $config: $why', ({ params, config, first, second }) => {
    const marbles = second === '' ? '5500ms b' : '5500ms b 2499ms c'
    const intents = [marbles, { b: String(first), c: String(second) }] as const
    expectOrders({ params, config, trades: tradesAt('a', 1), intents })
  })

  it('are none when the money is less than a lot a cell, and it says so', () => {
    const error = new Error('not enough money for a lot in each of 4 cells')
    expectOrders({ available: { USD: '4' }, trades: ['a', PRICES], intents: ['#', {}, error] })
  })
})

describe('a cell', () => {
  /** With a single cell below the price: it buys at 99 and sells at 100. */
  const expectOfOne = (run: Pick<MarbleRun, 'orders' | 'outcomes' | 'intents'>): void =>
    expectOrders({ available: { USD: '202' }, params: { levels: 1 }, trades: ['a 9ms a 19989ms a', PRICES], ...run })

  it.each`
    orders             | intents                         | why
    ${''}              | ${'2510ms i'}                   | ${'it has one order at most, also when nothing is heard of it'}
    ${'3s I'}          | ${'2510ms i'}                   | ${'an order that rests stays'}
    ${'3s p'}          | ${'2510ms i'}                   | ${'a part that was bought waits for the rest'}
    ${'3s f'}          | ${'2510ms i 2499ms r'}          | ${'what was bought is sold one line higher'}
    ${'3s f 4999ms R'} | ${'2510ms i 2499ms r'}          | ${'an order to sell stays, too'}
    ${'3s f 4999ms F'} | ${'2510ms i 2499ms r 5489ms i'} | ${'what was sold is bought again one line lower'}
    ${'3s c'}          | ${'2510ms i 2499ms i'}          | ${'an order that somebody cancelled comes back'}
    ${'3s o'}          | ${'2510ms i'}                   | ${'an order that is not of the grid changes nothing'}
  `('$why', ({ orders, intents }) => {
    expectOfOne({ orders: [orders, ORDERS], intents: [intents, TEXTS] })
  })

  it.each`
    outcomes  | orders    | intents                | why
    ${'3s k'} | ${''}     | ${'2510ms i'}          | ${'an acknowledgement changes nothing'}
    ${'3s r'} | ${''}     | ${'2510ms i'}          | ${'what was refused is not sent again while nothing changes'}
    ${'3s r'} | ${'6s c'} | ${'2510ms i 5989ms i'} | ${'and is sent again once an order of the grid is done'}
    ${'3s u'} | ${''}     | ${'2510ms i'}          | ${'what may exist is not placed a second time'}
    ${'3s u'} | ${'8s f'} | ${'2510ms i 7989ms r'} | ${'and is sold if it did exist'}
    ${'8s k'} | ${'3s f'} | ${'2510ms i 2499ms r'} | ${'an acknowledgement may come after the fill'}
  `('$why', ({ outcomes, orders, intents }) => {
    expectOfOne({ outcomes: [outcomes, ANSWERS], orders: [orders, ORDERS], intents: [intents, TEXTS] })
  })

  it('that was refused is sent again once the price has moved by a step', () => {
    expectOrders({
      available: { USD: '202' },
      params: { levels: 1 },
      trades: ['a 9ms a 2989ms l 9999ms l', PRICES],
      outcomes: ['2600ms r', ANSWERS],
      intents: ['2510ms i 2499ms j 2499ms i', TEXTS],
    })
  })

  it('that is not below all that sell waits, so that the grid never meets itself', () => {
    expectOrders({
      trades: ['a 9ms a 2989ms u 2999ms u 2999ms u 2999ms u', PRICES],
      orders: ['2600ms f', ORDERS],
      intents: ['2510ms i 2499ms r 2499ms h', TEXTS],
    })
  })

  it('buys below the price only, also when the price fell through it', () => {
    expectOrders({
      trades: ['a 9ms a 2989ms e 2999ms e 2999ms d', PRICES],
      orders: ['2600ms f', ORDERS],
      intents: ['2510ms i 2499ms r 6489ms h', TEXTS],
    })
  })

  it('writes its name on its orders', () => {
    const tags: (string | undefined)[] = []
    expectOrders({
      trades: ['a 2999ms a 2999ms a', PRICES],
      intents: ['5500ms i 2499ms h', TEXTS],
      onIntent: (intent) => tags.push('tag' in intent ? intent.tag : undefined),
    })
    expect(tags).toEqual(['-1', '-2'])
  })
})

it('cancels orders of an earlier session at every close until they are gone, and begins then', () => {
  expectOrders({
    trades: ['a 2999ms a 2999ms a 2999ms a', PRICES],
    openAtStart: [ORDERS.I],
    openOrders: ['5s n', { n: [] }],
    intents: ['(xx) 2996ms x 8499ms i 2499ms h', { ...TEXTS, x: 'cancel-all' }],
  })
})

describe('its parameters', () => {
  it('have defaults for all but the symbol', () => {
    expect(grid.params.parse({ symbol: SYMBOL })).toEqual({
      symbol: SYMBOL,
      interval: '1m',
      levels: 10,
      stepBps: 20,
      share: 0.9,
    })
  })

  it.each([
    { levels: 0 },
    { levels: 1.5 },
    { stepBps: 0 },
    { share: 0 },
    { share: 1.1 },
    { levels: 10, stepBps: 1_000 },
  ])('refuse %j', (params) => {
    expect(grid.params.safeParse({ symbol: SYMBOL, ...params }).success).toBe(false)
  })
})

it('is a file that a beginner can read: under 95 lines', () => {
  expect(readFileSync('strategies/grid.ts', 'utf8').split('\n').length).toBeLessThan(96)
})
