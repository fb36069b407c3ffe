/**
 * Strategies on a few rows in memory: what the author of one reads in a test.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filter, ignoreElements, map, merge, NEVER, of, take, tap, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { backtest } from '../../src/run/backtest.ts'
import { defineStrategy } from '../../src/strategy/strategy.ts'
import { inspectTape } from '../../src/store/tapes/inspect-tape.ts'
import { csvOf } from '../../src/testing/tapes/csv-of.ts'
import { inspectedOf } from '../../src/testing/tapes/memory-tape.ts'
import { candlesOf, START, tradesOf } from '../../src/testing/tapes/tape-text.ts'
import { testStrategy } from '../../src/testing/test-strategy.ts'
import smaCross from '../../strategies/sma-cross.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const { folder } = temporaryFiles()
const SYMBOL = z.object({ symbol: z.string() })

const bidBelow = defineStrategy({
  name: 'bid-below',
  params: SYMBOL.extend({ qty: z.string().default('1') }),
  run: ({ params, trades, buyLimit }) =>
    trades(params.symbol).pipe(
      take(1),
      map(({ price }) => buyLimit(params.symbol, price.minus(1), params.qty)),
    ),
})

const quiet = defineStrategy({ name: 'quiet', params: z.object({}), run: () => NEVER })

describe('testStrategy', () => {
  it('gives intents, orders, fills and balances at once', async () => {
    const run = await testStrategy(bidBelow, { trades: '100 - 98x5', balances: { USD: '1000' } })
    expect(run.timeline).toBe('0s BUY 1 at 99')
    expect(run.intents).toMatchObject([{ at: 0, text: 'BUY 1 at 99', intent: { type: 'limit' } }])
    expect(run.orders).toMatchObject([{ status: 'FILLED', price: '99', qty: '1', filledQty: '1' }])
    expect(run.fills).toMatchObject([{ side: 'BUY', price: '99', isMaker: true }])
    expect(run.balances).toEqual({ BTC: '1', USD: '901' })
    expect(run.refusals).toEqual([])
    expect(run.failure).toBeUndefined()
  })

  it('reports refusals with the order', async () => {
    const run = await testStrategy(bidBelow, { trades: '100 100', balances: { USD: '50' } })
    expect(run.refusals).toMatchObject([{ at: 50, text: 'BUY 1 at 99', code: 'INSUFFICIENT_BALANCE', by: 'exchange' }])
    expect(run.balances).toEqual({ BTC: '0', USD: '50' })
  })

  it('runs on candles, and on several markets', async () => {
    const params = { fast: 1, slow: 2 }
    const run = await testStrategy(smaCross, { candles: '100 99 110 90 90', params })
    expect(run.intents.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^BUY [\d.]+ at market$/),
      expect.stringMatching(/^SELL [\d.]+ at market$/),
    ])
    const two = await testStrategy(bidBelow, {
      trades: { BTC_USD: '100 101', ETH_USD: '10 11' },
      params: { symbol: 'ETH_USD' },
    })
    expect(two.timeline).toBe('0s BUY 1 ETH_USD at 9')
  })

  it('keeps what the strategy logs and throws', async () => {
    const talker = defineStrategy({
      name: 'talker',
      params: z.object({}),
      run: ({ log, markets }) =>
        timer(1_500).pipe(
          map(() => {
            log(`${markets.length} market`)
            throw new Error('enough')
          }),
        ),
    })
    const run = await testStrategy(talker, { trades: '1 2 3' })
    expect(run.logs).toEqual([[1_500, '1 market']])
    expect(run.failure?.message).toBe('enough')
  })

  it.each`
    options                                  | message
    ${{}}                                    | ${/^trades: pass either trades or candles/}
    ${{ trades: '1', candles: '1' }}         | ${/^trades: pass either trades or candles/}
    ${{ trades: '' }}                        | ${/^trades: expected at least one row/}
    ${{ trades: '1 a' }}                     | ${/^tape: expected a price .* got 'a'/}
    ${{ trades: '(1 (2' }}                   | ${/^tape: unexpected '\(' in/}
    ${{ trades: '1 (2' }}                    | ${/^tape: expected \) behind \(/}
    ${{ trades: [{ time: 1.5 }] }}           | ${/^trades\[0\]\.time: expected whole Unix milliseconds/}
    ${{ trades: [{ time: 1, price: 5 }] }}   | ${/^trades\[0\]\.price: expected a decimal string/}
    ${{ trades: '0' }}                       | ${/^trades\[0\]\.price: expected a value above 0/}
    ${{ candles: '5/4/6/5' }}                | ${/^candles\[0\]: expected low <= open/}
    ${{ trades: '1', afterMs: 0.5 }}         | ${/^afterMs: expected a whole number of 0 or more, got 0.5/}
    ${{ trades: '1', pricePrecision: 1.5 }}  | ${/^pricePrecision: expected a whole number of 0 or more, got 1.5/}
    ${{ trades: '1', qtyPrecision: -1 }}     | ${/^qtyPrecision: expected a whole number of 0 or more, got -1/}
    ${{ trades: '1', latancy: {} }}          | ${/^latancy: no such option; did you mean 'latency'/}
    ${{ trades: '1', params: { qty: 1 } }}   | ${/^params.qty: /}
    ${{ trades: '1', balances: { X: '1' } }} | ${/^credits/}
  `('refuses $options', async ({ options, message }) => {
    const test = testStrategy(bidBelow, options as Parameters<typeof testStrategy<typeof bidBelow.params>>[1])
    await expect(test).rejects.toThrow(message as RegExp)
  })
})

it('gives what was plotted and noted, with its time since the first row', async () => {
  const drawing = defineStrategy({
    name: 'drawing',
    params: SYMBOL,
    run: ({ params, trades, plot, note }) =>
      trades(params.symbol).pipe(
        map(({ price }) => {
          plot('price', price)
          if (price.gt(100)) note('above')
          return undefined
        }),
      ),
  })
  const { plots, notes } = await testStrategy(drawing, { trades: '100 100.5' })
  expect(plots).toEqual([
    [0, 'price', '100'],
    [1_000, 'price', '100.5'],
  ])
  expect(notes).toEqual([[1_000, 'above']])
})

describe('faults of the exchange', () => {
  const outcomes = defineStrategy({
    name: 'outcomes',
    params: SYMBOL,
    run: ({ params, trades, outcomes$, fills$, buyLimit, log }) => {
      outcomes$.subscribe(({ type }) => log(type))
      fills$.subscribe(() => log('fill'))
      return trades(params.symbol).pipe(
        take(1),
        map(() => buyLimit(params.symbol, '99', '1')),
      )
    },
  })

  it.each`
    fault                                                        | reported                                                | open | why
    ${{ type: 'refuse', code: 'NO_LIQUIDITY' }}                  | ${['0 refused']}                                        | ${0} | ${'never reaches the exchange'}
    ${{ type: 'late', lateMs: 4_000 }}                           | ${['4050 acknowledged', '4050 fill']}                   | ${1} | ${'a fill waits behind the answer'}
    ${{ type: 'lost', isExecuted: true, unknownAfterMs: 1_000 }} | ${['1050 unknown', '21050 acknowledged', '21050 fill']} | ${1} | ${'it was done all the same'}
    ${{ type: 'lost', isExecuted: false }}                       | ${['10000 unknown', '30000 absent']}                    | ${0} | ${'it was not'}
    ${{ type: 'silence' }}                                       | ${['10000 unknown', '10000 ambiguous']}                 | ${0} | ${'nobody knows'}
  `('$fault: $why', async ({ fault, reported, open }) => {
    const run = await testStrategy(outcomes, { trades: '100 98x5 98', faults: [{ ...fault, request: 1 }] })
    expect(run.logs.map(([at, message]) => `${at} ${message}`)).toEqual(reported)
    expect(run.fills).toHaveLength(Number(open))
  })
})

describe('a tape on one line', () => {
  it.each`
    text            | rows
    ${'1 2 3'}      | ${[[0, '1'], [1, '2'], [2, '3']]}
    ${'1 - 3'}      | ${[[0, '1'], [2, '3']]}
    ${'(1 2) 3'}    | ${[[0, '1'], [0, '2'], [1, '3']]}
    ${'1 1m 3x2.5'} | ${[[0, '1'], [61, '3', '2.5']]}
    ${'b1 s2'}      | ${[[0, '1', undefined, 'BUY'], [1, '2', undefined, 'SELL']]}
  `('reads $text', ({ text, rows }) => {
    const expected = (rows as [number, string, string?, string?][]).map(([second, price, qty, side]) => ({
      time: START + second * 1_000,
      price,
      ...(qty !== undefined && { qty }),
      ...(side !== undefined && { side }),
    }))
    expect(tradesOf(String(text))).toEqual(expected)
  })

  it('reads candles by their closes, and whole', () => {
    expect(candlesOf('5 7 - 6/9/4/8x2').map(({ time, ...prices }) => [(time - START) / 60_000, prices])).toEqual([
      [0, { open: '5', high: '5', low: '5', close: '5' }],
      [1, { open: '5', high: '7', low: '5', close: '7' }],
      [3, { open: '6', high: '9', low: '4', close: '8', volume: '2' }],
    ])
  })
})

describe('a tape in memory', () => {
  const trades = tradesOf('b100 s99.5x2 (b101 s102.25) 1m b100x0.5')
  const rows = { kind: 'trades', trades } as const

  it('is described as its file is', async () => {
    const path = join(folder, 'btc.csv')
    writeFileSync(path, csvOf(rows))
    const { info } = await inspectTape({ file: path, symbol: 'BTC_USD' })
    const { rowsAtPricePrecision, rowsAtQtyPrecision, ...reported } = inspectedOf({
      where: path,
      symbol: 'BTC_USD',
      rows,
    }).info
    expect(info).toMatchObject(reported)
    expect(rowsAtPricePrecision + rowsAtQtyPrecision).toBe(2 * trades.length)
  })

  it('gives the run that its file gives', async () => {
    const file = join(folder, 'same.csv')
    writeFileSync(file, csvOf(rows))
    const params = { qty: '0.5' }
    const run = await testStrategy(bidBelow, { trades, params, afterMs: 0, qtyPrecision: 1 })
    const tapes = [{ file, symbol: 'BTC_USD' }]
    const again = await backtest({ strategy: bidBelow, tapes, params, believe: 'all', bounds: false })
    expect(run.digest).toBe(again.digest)
    expect(run.fills).toEqual(again.fills)
  })
})

it('a strategy that emits nothing has nothing to report', async () => {
  expect(await testStrategy(quiet, { trades: '1' })).toMatchObject({
    intents: [],
    timeline: '',
    story: '',
    orders: [],
    failure: undefined,
  })
})

it('what several streams emit is reported in its order', async () => {
  const two = defineStrategy({
    name: 'two',
    params: SYMBOL,
    run: ({ params: { symbol }, trades, buyMarket, sellMarket, cancelAll }) =>
      merge(
        of(cancelAll(symbol)),
        trades(symbol).pipe(
          filter(({ isOwn }) => !isOwn),
          map(() => [buyMarket(symbol, '1'), sellMarket(symbol, '1', { tag: 'out' })]),
        ),
      ),
  })
  const { timeline } = await testStrategy(two, { trades: '100', balances: { USD: '1000', BTC: '1' } })
  expect(timeline).toBe('0s cancel all | 0s BUY 1 at market | 0s SELL 1 at market [out]')
})

describe('a test with a recorded book', () => {
  const joiner = defineStrategy({
    name: 'joiner',
    params: z.object({}),
    run: ({ quotes, buyLimit, log }) =>
      quotes('BTC_USD').pipe(
        tap(({ bid, bidQty }) => log(`${String(bid)} x ${String(bidQty)}`)),
        take(1),
        map(({ bid }) => buyLimit('BTC_USD', bid ?? 0, 1)),
      ),
  })

  it('reports touch and levels, and puts the order behind what rests', async () => {
    const books = '99x5 98x4 / 101x3 | | 99x2 / 101x3'
    const { fills, logs } = await testStrategy(joiner, { trades: '- s99x2 - s99x3', books })
    expect(logs).toEqual([[0, '99 x 5']])
    expect(fills.map(({ price, qty, isMaker }) => [price, qty, isMaker])).toEqual([['99', '1', true]])
    // Two ahead by then, of whom no one is left after the second trade; without the last frame there would be three.
    expect((await testStrategy(joiner, { trades: '- s99x2 - s99x3', books: '99x5 98x4 / 101x3' })).fills).toEqual([])
  })

  it('takes changes as well, and refuses what is none', async () => {
    const [time, next] = [1_704_067_200_000, 1_704_067_201_000]
    const whole = { time, bids: [['99', '5']], asks: [['101', '3']] } as const
    const change = { time: next, bids: [['99', '0'], ['98.5', '1']], asks: [], isChange: true } as const // prettier-ignore
    const trades = '100 100 100'
    const { logs } = await testStrategy(
      defineStrategy({
        name: 'all',
        params: z.object({}),
        run: ({ depth, log }) =>
          depth('BTC_USD').pipe(
            map(({ bids }) => log(bids.map(({ price }) => String(price)).join(' '))),
            ignoreElements(),
          ),
      }),
      { trades, books: [whole, change] },
    )
    expect(logs.map(([, text]) => text)).toEqual(['99', '98.5'])
    await expect(testStrategy(joiner, { trades, books: '99 / 101x1' })).rejects.toThrow(
      "books: expected a level such as 99.5x2, got '99'",
    )
    await expect(testStrategy(joiner, { trades, books: '99x1' })).rejects.toThrow('books: expected bids / asks')
    await expect(testStrategy(joiner, { trades, books: [change, whole] })).rejects.toThrow(
      'books[1].time: expected whole',
    )
    await expect(testStrategy(joiner, { candles: '100', books: '99x1 / 101x1' })).rejects.toThrow(
      'the path inside a candle is unknown',
    )
  })
})
