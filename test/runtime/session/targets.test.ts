/**
 * Intents that name an aim, and the orders that they come to.
 */
import { from, map, merge, timer, type Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { StrategyContext } from '../../../src/strategy/context.ts'
import type { Intent } from '../../../src/strategy/intent.ts'
import { buyLimit, buyMarket, cancelAll } from '../../../src/strategy/orders.ts'
import { rebalance, replace, target } from '../../../src/strategy/targets.ts'
import { memoryTape, type RecordedRow } from '../../simulation/rig/memory-tape.ts'
import { runStrategy, type TestRun, type TestRunOptions } from '../rig/run-strategy.ts'
import { at, type Acts } from '../rig/scripted-orders.ts'

const [BTC, ETH] = ['BTC_USD', 'ETH_USD']
type Context = StrategyContext<unknown>

/** A trade each second for 30 seconds, all at 100. */
const flat = (symbol: string, price = 100): ReturnType<typeof memoryTape> =>
  memoryTape(
    Array.from({ length: 31 }, (_, second): RecordedRow => [second * 1_000, price, 500]),
    { symbol },
  )

const tapes = [flat(BTC)]

const run = (
  intents: (context: Context) => Observable<Intent | readonly Intent[]>,
  options: Partial<TestRunOptions> = {},
): Promise<TestRun> => runStrategy({ run: intents }, { tapes, ...options })

/** Requests with their time, as `1000 BUY 5`; cancels too. */
const requestsOf = ({ journal }: TestRun): readonly string[] =>
  journal.flatMap(({ t, type, request, orderId }) => {
    if (type === 'cancel') return [`${t} cancel ${String(orderId)}`]
    if (type !== 'place') return []
    const { side, qty, price, symbol } = request as Readonly<Record<string, string>>
    return [`${t} ${side} ${qty}${symbol === BTC ? '' : ` ${symbol}`}${price === undefined ? '' : ` at ${price}`}`]
  })

const asked = async (acts: Acts, options: Partial<TestRunOptions> = {}): Promise<readonly string[]> => {
  const reported = await run(() => at(acts), options)
  expect(reported.result.failure).toBeUndefined()
  return requestsOf(reported)
}

describe('a target', () => {
  it.each`
    acts                                                                    | requests                              | why
    ${[[1_000, target(BTC, { qty: 5 })]]}                                   | ${['1000 BUY 5']}                     | ${'all is missing'}
    ${[[1_000, target(BTC, 0.5)]]}                                          | ${['1000 BUY 50']}                    | ${'half of 10000 at 100'}
    ${[[1_000, target(BTC, '0.333')]]}                                      | ${['1000 BUY 33']}                    | ${'to the grid, never above'}
    ${[[1_000, buyMarket(BTC, 7)], [2_000, target(BTC, { qty: 5 })]]}       | ${['1000 BUY 7', '2000 SELL 2']}      | ${'what is too much is sold'}
    ${[[1_000, buyMarket(BTC, 7)], [2_000, target(BTC, 0)]]}                | ${['1000 BUY 7', '2000 SELL 7']}      | ${'nothing is to be left'}
    ${[[1_000, buyMarket(BTC, 7)], [2_000, target(BTC, { qty: 7 })]]}       | ${['1000 BUY 7']}                     | ${'it is there'}
    ${[[1_000, buyLimit(BTC, 90, 4)], [2_000, target(BTC, { qty: 5 })]]}    | ${['1000 BUY 4 at 90', '2000 BUY 1']} | ${'an open order counts as done'}
    ${[[1_000, target(BTC, { qty: 5 })], [1_000, target(BTC, { qty: 5 })]]} | ${['1000 BUY 5']}                     | ${'one that is on its way counts as done'}
    ${[[1_000, target(BTC, { qty: 5 })], [1_000, target(BTC, { qty: 2 })]]} | ${['1000 BUY 5', '1000 SELL 3']}      | ${'and is sold again when it is too much'}
    ${[[1_000, target(BTC, { qty: 5 }, { price: 99 })]]}                    | ${['1000 BUY 5 at 99']}               | ${'by a limit order'}
    ${[[1_000, target(BTC, 1)]]}                                            | ${['1000 BUY 99']}                    | ${'a market order keeps 1 % for the walk through the book'}
    ${[[1_000, target(BTC, 1, { price: 100 })]]}                            | ${['1000 BUY 100 at 100']}            | ${'a limit order needs nothing more'}
    ${[[1_000, target(BTC, { qty: 500 })]]}                                 | ${['1000 BUY 99']}                    | ${'more than can be paid is not ordered'}
  `('$acts.length intents come to $requests: $why', async ({ acts, requests }) => {
    expect(await asked(acts as Acts)).toEqual(requests)
  })

  it('does nothing before the first price, and says so', async () => {
    const reported = await run(() => from([target(BTC, 0.5), target(BTC, { qty: 0 })]))
    expect(requestsOf(reported)).toEqual([])
    expect(reported.logs).toEqual([[0, `target of ${BTC}: skipped because there was no price yet`]])
  })

  it.each`
    intent                               | message
    ${target(BTC, 2)}                    | ${`target of ${BTC}: expected a share of the equity from 0 to 1, got 2`}
    ${target(BTC, -0.1)}                 | ${`target of ${BTC}: expected a share of the equity from 0 to 1, got -0.1`}
    ${target(BTC, { qty: -1 })}          | ${`target of ${BTC}: expected a qty of 0 or more, got -1`}
    ${target(BTC, 'half')}               | ${`target of ${BTC}: expected a number, got half`}
    ${target(BTC, Number.NaN)}           | ${`target of ${BTC}: expected a number, got NaN`}
    ${target(BTC, 1, { price: 0 })}      | ${`target of ${BTC}: expected a price above 0, got 0`}
    ${target(BTC, 1, { price: NaN })}    | ${`target of ${BTC}: price: expected a number, got NaN`}
    ${target(BTC, 0, { price: -1 })}     | ${`target of ${BTC}: expected a price above 0, got -1`}
    ${target('XRP_USD', 1)}              | ${`no market 'XRP_USD'`}
    ${rebalance({ BTC: 0.7, XRP: 0.1 })} | ${`no market trades 'XRP' in USD; available: BTC`}
    ${rebalance({ BTC: 1.1 })}           | ${'rebalance: BTC: expected a share of the equity from 0 to 1, got 1.1'}
    ${replace('1', { price: 'high' })}   | ${'replace: price: expected a number, got high'}
  `('ends the strategy on what is none: $message', async ({ intent, message }) => {
    const { result } = await run(() => at([[1_000, intent as Intent]]))
    expect(result.failure?.message).toContain(message)
  })
})

describe('a rebalancing', () => {
  const both = { tapes: [flat(BTC), flat(ETH, 50)] }

  it('sells first, and buys when the sells are over with what they brought', async () => {
    const acts: Acts = [
      [1_000, rebalance({ BTC: 0.9 })],
      [5_000, rebalance({ BTC: 0.2, ETH: 0.8 })],
    ]
    const requests = await asked(acts, both)
    // 50 ms order latency; 8000 of 10000 at 50.50 each.
    expect(requests).toEqual(['1000 BUY 90', '5000 SELL 70', '5050 BUY 158 ETH_USD'])
  })

  it('leaves what is near to its share, and assets that it does not name', async () => {
    const acts: Acts = [
      [1_000, rebalance({ BTC: 0.5, ETH: 0.3 })],
      [5_000, rebalance({ BTC: 0.52, ETH: 0.4 }, { drift: 0.05 })],
      [9_000, rebalance({ BTC: 0.1 })],
    ]
    const requests = await asked(acts, both)
    expect(requests).toEqual([...['1000 BUY 50', '1000 BUY 60 ETH_USD', '5000 BUY 20 ETH_USD', '9000 SELL 40']])
  })

  it('buys also when a sell was refused, and does not when a newer one or a cancel of all came between', async () => {
    const start: Acts = [
      [1_000, rebalance({ BTC: 0.9 })],
      [5_000, rebalance({ BTC: 0.2, ETH: 0.8 })],
    ]
    const newer = await asked([...start, [5_020, rebalance({ ETH: 0.05 })]], both)
    expect(newer).toEqual(['1000 BUY 90', '5000 SELL 70', '5020 BUY 10 ETH_USD'])
    const ended = await asked([...start, [5_020, cancelAll()]], both)
    expect(ended).toEqual(['1000 BUY 90', '5000 SELL 70'])
    const limited = await asked(
      [
        [1_000, buyMarket(BTC, 90)],
        [5_000, rebalance({ BTC: 0.2, ETH: 0.05 })],
      ],
      {
        ...both,
        settings: { limits: { general: 600, mutations: 1, windowSeconds: 60 } },
      },
    )
    expect(limited).toEqual(['1000 BUY 90', '5000 SELL 70', '5000 BUY 10 ETH_USD'])
  })

  it('does nothing while a market has no price, and says so', async () => {
    const later = memoryTape([[20_000, 50, 10]], { symbol: ETH })
    const reported = await run(() => at([[1_000, rebalance({ BTC: 0.5, ETH: 0.5 })]]), { tapes: [flat(BTC), later] })
    expect(requestsOf(reported)).toEqual([])
    expect(reported.logs).toEqual([[1_000, 'rebalance: skipped until ETH_USD has a price']])
  })

  it('counts the turns in which nothing was done, instead of repeating itself', async () => {
    const later = memoryTape([[20_000, 50, 10]], { symbol: ETH })
    const times = [1_000, 2_000, 3_000, 25_000]
    const asks = times.map((time): [number, Intent] => [time, rebalance({ BTC: 0.5, ETH: 0.5 })])
    const { logs } = await run(() => at(asks), { tapes: [flat(BTC), later] })
    expect(logs).toEqual([
      [1_000, 'rebalance: skipped until ETH_USD has a price'],
      [25_000, 'rebalance: skipped 3 times because ETH_USD had no price'],
    ])
    const { logs: atEnd } = await run(() => at(asks.slice(0, 3)), { tapes: [flat(BTC), later] })
    expect(atEnd.map(([, text]) => text)).toEqual(logs.map(([, text]) => text))
  })
})

describe('a replacement', () => {
  const replaced = (change: Parameters<typeof replace>[1]) => (context: Context) =>
    merge(
      at([[1_000, buyLimit(BTC, 99, 4, { tag: 'mine' })]]),
      timer(5_000).pipe(map(() => context.openOrders().map((order) => replace(order, change)))),
    )

  it.each`
    change                   | placed           | why
    ${{ price: 98 }}         | ${'BUY 4 at 98'} | ${'elsewhere'}
    ${{ qty: 6 }}            | ${'BUY 6 at 99'} | ${'larger'}
    ${{ price: 97, qty: 2 }} | ${'BUY 2 at 97'} | ${'both'}
  `('stands $why once the cancel is known', async ({ change, placed }) => {
    const reported = await run(replaced(change as Parameters<typeof replace>[1]))
    const [, cancel, second] = requestsOf(reported)
    expect(cancel).toMatch(/^5000 cancel/)
    expect(second).toBe(`5050 ${String(placed)}`)
    expect(reported.journal.filter(({ type }) => type === 'place').map(({ tag }) => tag)).toEqual(['mine', 'mine'])
  })

  /** A trade of 1 lot behind 99, where 4 rest; of 10 at it, while the cancel is on its way. */
  const filling = [
    memoryTape([
      [0, 100, 5],
      [3_000, 98, 1, 'sell'],
      [6_000, 100, 5],
      [30_000, 100, 5],
    ]),
    memoryTape([
      [0, 100, 5],
      [5_020, 99, 10, 'sell'],
      [6_000, 100, 5],
      [30_000, 100, 5],
    ]),
  ]

  it('places what is left, with what was filled counted', async () => {
    const [partly] = filling
    const options = { tapes: partly === undefined ? [] : [partly], settings: { liquidity: 'through' } as const }
    expect((await run(replaced({ price: 98 }), options).then(requestsOf)).at(-1)).toBe('5050 BUY 3 at 98')
    expect((await run(replaced({ qty: 6 }), options).then(requestsOf)).at(-1)).toBe('5050 BUY 5 at 99')
    expect(await run(replaced({ qty: 1 }), options).then(requestsOf)).toHaveLength(2)
  })

  it('places nothing when the order was filled before the cancel came', async () => {
    const [, wholly] = filling
    const reported = await run(replaced({ price: 98 }), { tapes: wholly === undefined ? [] : [wholly] })
    expect(requestsOf(reported)).toHaveLength(2)
    expect(reported.journal.filter(({ type }) => type === 'refused').map(({ code }) => code)).toEqual([
      'ORDER_NOT_CANCELLABLE',
    ])
  })

  it('counts the last of several before the cancel is known, and none that the strategy or all cancels ended', async () => {
    const twice = await run((context) =>
      merge(
        at([[1_000, buyLimit(BTC, 99, 4)]]),
        timer(5_000).pipe(map(() => context.openOrders().map((order) => replace(order, { price: 98 })))),
        timer(5_020).pipe(map(() => context.openOrders().map((order) => replace(order, { price: 97 })))),
      ),
    )
    expect(requestsOf(twice)).toHaveLength(3)
    expect(requestsOf(twice).at(-1)).toBe('5050 BUY 4 at 97')
    const ended = await run((context) => merge(replaced({ price: 98 })(context), at([[5_020, cancelAll()]])))
    expect(requestsOf(ended).filter((text) => text.includes('BUY'))).toHaveLength(1)
  })

  it('of an order that is not open is a cancel that the exchange refuses', async () => {
    const reported = await run(() => at([[1_000, replace('77', { price: 98 })]]))
    expect(reported.journal.filter(({ type }) => type === 'refused').map(({ code }) => code)).toEqual([
      'ORDER_NOT_FOUND',
    ])
  })
})

describe('the quantity of a risk', () => {
  it.each`
    risk                                    | qty     | why
    ${{ stop: 90, share: 0.01 }}            | ${'10'} | ${'10 lots lose 100, 1 % of 10000'}
    ${{ stop: 93, share: 0.01 }}            | ${'14'} | ${'in whole lots, never more'}
    ${{ stop: 99, share: 0.5 }}             | ${'99'} | ${'no more than can be paid'}
    ${{ stop: 90, share: 0.01, entry: 95 }} | ${'20'} | ${'from another entry'}
    ${{ stop: 110, share: 0.01 }}           | ${'0'}  | ${'nothing is there to sell'}
  `('is $qty for $risk: $why', async ({ risk, qty }) => {
    const seen: string[] = []
    const { result } = await run(({ riskQty }) =>
      timer(1_500).pipe(
        map(() => {
          seen.push(riskQty(BTC, risk as Parameters<typeof riskQty>[1]).toFixed())
          return []
        }),
      ),
    )
    expect(result.failure).toBeUndefined()
    expect(seen).toEqual([qty])
  })
})
