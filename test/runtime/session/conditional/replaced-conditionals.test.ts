/**
 * Orders of brackets, pairs and times that are replaced: what belongs to them stays theirs.
 */
import { map, merge, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { testStrategy, type StrategyTest } from '../../../../src/testing/test-strategy.ts'
import type { Intent } from '../../../../src/strategy/intent.ts'
import { defineStrategy } from '../../../../src/strategy/strategy.ts'
import type { StrategyContext } from '../../../../src/strategy/context.ts'
import { z } from 'zod'

type Act = (context: StrategyContext<unknown>) => Intent | undefined | readonly Intent[]

/** Acts at seconds of a tape of one trade a second; orders are filled whole at the last price, at once. */
const played = (
  trades: string,
  acts: Readonly<Record<string, Act>>,
  balances = { USD: '10000' },
): Promise<StrategyTest> =>
  testStrategy(
    defineStrategy({
      name: 'replacing',
      params: z.object({ symbol: z.string() }),
      run: (context) =>
        merge(...Object.entries(acts).map(([ms, act]) => timer(Number(ms)).pipe(map(() => act(context))))),
    }),
    { trades, balances, liquidity: 'touch', latency: { orderMs: 10 } },
  )

const first = (context: StrategyContext<unknown>, side: 'BUY' | 'SELL'): string =>
  context.openOrders().find((order) => order.side === side)?.id ?? 'none'
const filled = ({ fills }: StrategyTest): readonly string[] =>
  fills.map(({ side, qty, price }) => `${side} ${qty} at ${price}`)

describe('of a bracket', () => {
  const enter: Act = ({ bracket, buyLimit }) => bracket(buyLimit('BTC_USD', 95, 1), { stop: 90, target: 110 })

  it('the entry is replaced: the new one has the stop and the target of the old', async () => {
    const acts = {
      500: enter,
      1500: (context: StrategyContext<unknown>) => context.replace(first(context, 'BUY'), { price: 98 }),
    }
    const stopped = await played('100x9 100x9 97x9 97x9 89x9 89x9 89x9', acts)
    expect(filled(stopped)).toEqual(['BUY 1 at 98', 'SELL 1 at 89'])
    const won = await played('100x9 100x9 97x9 97x9 111x9 111x9', acts)
    expect(filled(won)).toEqual(['BUY 1 at 98', 'SELL 1 at 110'])
  })

  it('the target is replaced: the stop sells once, and nothing is left behind', async () => {
    const acts = {
      500: enter,
      2500: (context: StrategyContext<unknown>) => context.replace(first(context, 'SELL'), { price: 105 }),
    }
    const stopped = await played('100x9 94x9 94x9 94x9 89x9 89x9 106x9 112x9', acts)
    expect(filled(stopped)).toEqual(['BUY 1 at 95', 'SELL 1 at 89'])
    expect(stopped.balances.BTC).toBe('0')
    expect(stopped.orders.filter(({ status }) => status === 'OPEN')).toEqual([])
    const won = await played('100x9 94x9 94x9 94x9 106x9 106x9 89x9 89x9', acts)
    expect(filled(won)).toEqual(['BUY 1 at 95', 'SELL 1 at 105'])
    expect(won.refusals).toEqual([])
  })

  it('that is given up while its entry is being replaced, nothing is placed again', async () => {
    const given = await played('100x9 100x9 97x9 97x9 89x9 89x9', {
      500: enter,
      1500: (context) => [context.replace(first(context, 'BUY'), { price: 98 }), context.cancel('w1')],
    })
    expect(filled(given)).toEqual([])
    expect(given.orders).toHaveLength(1)
  })
})

it('a limit order of a pair that is replaced is still the other of its stop', async () => {
  const acts = {
    500: ({ oco, sellLimit, stopSell }: StrategyContext<unknown>) =>
      oco(sellLimit('BTC_USD', 110, 1), stopSell('BTC_USD', 90, 1)),
    1500: (context: StrategyContext<unknown>) => context.replace(first(context, 'SELL'), { price: 105 }),
  }
  const coins = { USD: '0', BTC: '1' }
  expect(filled(await played('100x9 100x9 100x9 106x9 89x9 89x9', acts, coins))).toEqual(['SELL 1 at 105'])
  expect(filled(await played('100x9 100x9 100x9 89x9 89x9 106x9', acts, coins))).toEqual(['SELL 1 at 89'])
})

it('an order that is replaced keeps the time at which it is given up', async () => {
  const expired = await played('100x9 100x9 100x9 100x9 100x9 80x9 80x9', {
    500: ({ buyLimit, now }) => buyLimit('BTC_USD', 90, 1, { expires: now() + 3_000 }),
    1500: (context) => context.replace(first(context, 'BUY'), { price: 95 }),
  })
  expect(filled(expired)).toEqual([])
  expect(expired.orders.map(({ status }) => status)).toEqual(['CANCELLED', 'CANCELLED'])
})

describe('a replacement', () => {
  const rest: Act = ({ buyLimit }) => buyLimit('BTC_USD', 90, 1)

  it('is forgotten when the order is cancelled behind it', async () => {
    const cancelled = await played('100x9 100x9 100x9 80x9 80x9', {
      500: rest,
      1500: (context) => context.replace(first(context, 'BUY'), { price: 95 }),
      1505: (context) => context.cancel(first(context, 'BUY')),
    })
    expect(filled(cancelled)).toEqual([])
    expect(cancelled.orders).toHaveLength(1)
  })

  it('is forgotten by a cancel of all of its market, and not of another', async () => {
    const of = (symbol: string) =>
      played('100x9 100x9 100x9 94x9 94x9', {
        500: rest,
        1500: (context) => context.replace(first(context, 'BUY'), { price: 95 }),
        1505: ({ cancelAll }) => cancelAll(symbol),
      })
    expect(filled(await of('BTC_USD'))).toEqual([])
  })

  it('of a replacement goes on from there', async () => {
    const moved = await played('100x9 100x9 100x9 97x9 97x9 89x9', {
      500: ({ bracket, buyLimit }) => bracket(buyLimit('BTC_USD', 90, 1), { stop: 92 }),
      1500: (context) => context.replace(first(context, 'BUY'), { price: 93 }),
      2500: (context) => context.replace(first(context, 'BUY'), { price: 98 }),
    })
    expect(filled(moved)).toEqual(['BUY 1 at 98', 'SELL 1 at 89'])
  })
})
