/**
 * A strategy's intents and what becomes of them, in a backtest on tapes in memory.
 */
import { concat, filter, from, map, merge, mergeMap, NEVER, of, scan, Observable, take, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { StrategyContext } from '../../../src/strategy/context.ts'
import type { Intent, Outcome } from '../../../src/strategy/intent.ts'
import { buyLimit, buyMarket, cancel, cancelAll, sellMarket } from '../../../src/strategy/orders.ts'
import { memoryTape, type RecordedRow } from '../../simulation/rig/memory-tape.ts'
import { runStrategy, type JournalLine, type TestRun } from '../rig/run-strategy.ts'

const BTC = 'BTC_USD'

/** A trade each second for ten seconds: 100, 101, ... */
const ROWS = Array.from({ length: 11 }, (_, second): RecordedRow => [second * 1_000, 100 + second, 5])
const tapes = [memoryTape(ROWS)]

type Context = StrategyContext<unknown>

/** What was reported in `outcomes$`, as `code or status`. */
const outcomeText = (outcome: Outcome): string =>
  outcome.type === 'acknowledged'
    ? outcome.order.status
    : outcome.type === 'refused'
      ? outcome.refusal.code
      : outcome.type === 'absent'
        ? outcome.type
        : outcome.reason

/** Runs intents, and what the strategy hears of them. */
async function outcomesOf(
  intents: (context: Context) => Observable<Intent | readonly Intent[]>,
): Promise<readonly string[]> {
  const heard: string[] = []
  const { result } = await runStrategy(
    {
      run: (context) => {
        context.outcomes$.subscribe((outcome) => heard.push(`${context.now()} ${outcomeText(outcome)}`))
        return intents(context)
      },
    },
    { tapes },
  )
  expect(result.failure).toBeUndefined()
  return heard
}

const journalOf = ({ journal }: TestRun, ...types: readonly string[]): readonly string[] =>
  journal.filter(({ type }) => types.includes(type)).map(({ t, type, ref }) => `${t} ${type} ${String(ref)}`)

describe('an order', () => {
  it('is journaled when it is sent, when it is answered, and with every update', async () => {
    const run = await runStrategy(
      { run: () => timer(1_000).pipe(map(() => buyMarket(BTC, 2, { tag: 'entry' }))) },
      { tapes },
    )
    expect(run.journal.map(({ t, type }) => `${t} ${type}`)).toEqual([
      ...[
        '0 run',
        '0 credit',
        '1000 place',
        '1050 acknowledged',
        '1050 order',
        '1050 fill',
        '1050 order',
        '1050 balances',
        '10000 end',
      ],
    ])
    expect(run.journal[2]).toEqual({
      t: 1_000,
      type: 'place',
      request: { symbol: BTC, side: 'BUY', type: 'MARKET', qty: '2' },
      tag: 'entry',
      ref: 1,
    })
    expect(run.journal[5]).toMatchObject({ fill: { side: 'BUY', price: '101', qty: '2', fee: '0', isMaker: false } })
    expect(run.journal[7]).toMatchObject({
      balances: { USD: { available: '9798', locked: '0' }, BTC: { available: '2' } },
    })
  })

  it('emitted before the first trade arrives in time', async () => {
    const run = await runStrategy({ run: () => of(buyMarket(BTC, 1)) }, { tapes })
    expect(run.fills.map(({ price }) => price.toFixed())).toEqual(['100'])
  })

  it('in a list is sent in the order of the list', async () => {
    expect(await outcomesOf(() => of([buyMarket(BTC, 1), sellMarket(BTC, 1), sellMarket(BTC, 1)]))).toEqual([
      ...['50 FILLED', '50 FILLED', '50 INSUFFICIENT_BALANCE'],
    ])
  })

  it('carries its tag on the outcome, on the order in each of its states, on its fills and among the open orders', async () => {
    const tags: unknown[] = []
    await runStrategy(
      {
        run: ({ orders$, fills$, outcomes$, openOrders }) => {
          outcomes$.subscribe((outcome) =>
            tags.push(outcome.type === 'acknowledged' ? outcome.order.tag : outcome.type),
          )
          orders$.subscribe(({ status, tag }) => tags.push(`${status} ${String(tag)} ${String(openOrders()[0]?.tag)}`))
          fills$.subscribe(({ tag }) => tags.push(`fill ${String(tag)}`))
          const placed = of([buyLimit(BTC, 99, 1, { tag: 'bid' })])
          return concat(placed, timer(1_000).pipe(map(() => cancelAll())), of(buyMarket(BTC, 1)))
        },
      },
      { tapes },
    )
    expect(tags).toEqual([
      ...['bid', 'OPEN bid bid', 'bid', 'CANCELLED bid undefined'],
      ...[undefined, 'OPEN undefined undefined', 'fill undefined', 'FILLED undefined undefined'],
    ])
  })
})

describe('an intent that cannot be sent', () => {
  it.each`
    intent                                          | code                  | why
    ${buyMarket(BTC, '0.5')}                        | ${'VALIDATION_ERROR'} | ${'more precise than the market'}
    ${buyLimit(BTC, '99.5', 1)}                     | ${'VALIDATION_ERROR'} | ${'a price between two ticks'}
    ${buyMarket(BTC, Number.NaN)}                   | ${'VALIDATION_ERROR'} | ${'no number'}
    ${buyMarket(BTC, Number('1e400'))}              | ${'VALIDATION_ERROR'} | ${'no finite number'}
    ${buyMarket(BTC, '1e5')}                        | ${'VALIDATION_ERROR'} | ${'an exponent'}
    ${{ type: 'market', symbol: BTC, side: 'BUY' }} | ${'VALIDATION_ERROR'} | ${'no quantity, from JavaScript'}
    ${buyMarket('DOGE_USD', 1)}                     | ${'MARKET_NOT_FOUND'} | ${'no such market'}
  `('is $code, later and at the same moment: $why', async ({ intent, code }) => {
    const log: string[] = []
    const run = await runStrategy(
      {
        run: ({ outcomes$, now }) => {
          outcomes$.subscribe((outcome) => log.push(`${now()} ${outcomeText(outcome)}`))
          return timer(1_000).pipe(
            mergeMap(() => [intent as Intent]),
            filter(() => log.push('emitted') > 0),
          )
        },
      },
      { tapes },
    )
    expect(log).toEqual(['emitted', `1000 ${String(code)}`])
    expect(journalOf(run, 'place', 'refused')).toEqual(['1000 place 1', '1000 refused 1'])
    expect(run.result.record.refusals).toEqual(new Map([[code, 1]]))
  })

  it.each`
    intent                   | code
    ${buyMarket(BTC, 0)}     | ${'ORDER_REJECTED'}
    ${buyMarket(BTC, 1_000)} | ${'INSUFFICIENT_BALANCE'}
    ${sellMarket(BTC, 1)}    | ${'INSUFFICIENT_BALANCE'}
    ${cancel('999')}         | ${'ORDER_NOT_FOUND'}
    ${cancel('nonsense')}    | ${'ORDER_NOT_FOUND'}
  `('but by the exchange is $code, after the latency of its order', async ({ intent, code }) => {
    expect(await outcomesOf(() => of(intent as Intent))).toEqual([`50 ${String(code)}`])
  })
})

describe('at the end of the tape', () => {
  it.each([0, 500])(
    'what is on its way does not arrive, and is counted; answers take %d ms',
    async (responseLatencyMs) => {
      const run = await runStrategy(
        { run: () => timer(9_960).pipe(map(() => [buyMarket(BTC, 1), cancel('1')])) },
        { tapes, settings: { responseLatencyMs } },
      )
      expect([run.fills, run.result.unsent]).toEqual([[], 2])
    },
  )

  it('what has arrived is answered, and stands in the journal', async () => {
    const run = await runStrategy(
      { run: () => timer(9_950).pipe(map(() => buyMarket(BTC, 1))) },
      { tapes, settings: { responseLatencyMs: 500 } },
    )
    expect([run.fills.length, run.result.unsent]).toEqual([1, 0])
    expect(journalOf(run, 'acknowledged')).toEqual(['10500 acknowledged 1'])
  })
})

describe('cancel-all', () => {
  const bids = (): readonly Intent[] => [buyLimit(BTC, 90, 1), buyLimit(BTC, 91, 1), buyLimit(BTC, 92, 1)]

  it('cancels every open order, newest first, each with an outcome of its own', async () => {
    const cancelled: string[] = []
    const run = await runStrategy(
      {
        run: ({ orders$ }) => {
          orders$
            .pipe(filter(({ status }) => status === 'CANCELLED'))
            .subscribe(({ price }) => cancelled.push(String(price)))
          return concat(of(bids()), timer(1_000).pipe(map(() => cancelAll())))
        },
      },
      { tapes },
    )
    expect(cancelled).toEqual(['92', '91', '90'])
    expect(journalOf(run, 'cancel', 'acknowledged').slice(3)).toEqual([
      ...['1000 cancel 4', '1000 cancel 5', '1000 cancel 6'],
      ...['1050 acknowledged 4', '1050 acknowledged 5', '1050 acknowledged 6'],
    ])
  })

  it('of one market leaves the orders of the others', async () => {
    const eth = memoryTape(ROWS, { symbol: 'ETH_USD' })
    const open: string[] = []
    await runStrategy(
      {
        run: ({ openOrders }) => {
          timer(2_000).subscribe(() => open.push(...openOrders().map(({ symbol }) => symbol)))
          return concat(
            of([buyLimit(BTC, 90, 1), buyLimit('ETH_USD', 90, 1)]),
            timer(1_000).pipe(map(() => cancelAll(BTC))),
          )
        },
      },
      { tapes: [...tapes, eth] },
    )
    expect(open).toEqual(['ETH_USD'])
  })

  it('with nothing open does nothing', async () => {
    expect(await outcomesOf(() => of(cancelAll()))).toEqual([])
  })
})

describe('the output', () => {
  it('that completes stops the trading and not the run: what is open is filled, and reported', async () => {
    const heard: string[] = []
    const run = await runStrategy(
      {
        run: ({ fills$, now }) => {
          fills$.subscribe(() => heard.push(`fill at ${now()}`))
          return of(buyLimit(BTC, 95, 1))
        },
      },
      { tapes: [memoryTape([...ROWS, [20_000, 95, 1], [30_000, 96, 1]])] },
    )
    expect(heard).toEqual(['fill at 20000'])
    expect(run.journal.at(-1)).toMatchObject({ t: 30_000, type: 'end' })
  })

  it('is subscribed to once, and left at the end', async () => {
    const log: string[] = []
    const run = (): Observable<never> =>
      new Observable(() => {
        log.push('subscribed')
        return () => log.push('left')
      })
    await runStrategy({ run }, { tapes })
    expect(log).toEqual(['subscribed', 'left'])
  })
})

describe('what a strategy sees', () => {
  it('is the present: prices, balances, orders and the portfolio at the last price it has seen', async () => {
    const seen: string[] = []
    await runStrategy(
      {
        run: ({ trades, portfolio, balance, now }) => {
          trades(BTC)
            .pipe(take(4))
            .subscribe(({ price }) => {
              const { equity, partial, quoteAsset } = portfolio()
              seen.push([now(), price, balance('BTC').available, equity, quoteAsset, partial].join(' '))
            })
          return of(buyMarket(BTC, 10))
        },
      },
      { tapes },
    )
    // The second is our own trade, seen before its fill is reported.
    expect(seen).toEqual([
      '0 100 0 10000 USD false',
      '50 100 0 10000 USD false',
      '1000 101 10 10010 USD false',
      '2000 102 10 10020 USD false',
    ])
  })

  it('is the same chance for the same seed, and another for another', async () => {
    const numbers = async (seed: number): Promise<readonly number[]> => {
      const drawn: number[] = []
      await runStrategy({ run: ({ random }) => (drawn.push(random(), random()), NEVER) }, { tapes, settings: { seed } })
      return drawn
    }
    expect(await numbers(1)).toEqual(await numbers(1))
    expect(await numbers(1)).not.toEqual(await numbers(2))
    for (const number of await numbers(3)) expect(number >= 0 && number < 1).toBe(true)
  })

  it('can be logged for the program that runs it', async () => {
    const { logs } = await runStrategy(
      { run: ({ log }) => timer(1_500).pipe(filter(() => (log('halfway'), false))) as never },
      { tapes },
    )
    expect(logs).toEqual([[1_500, 'halfway']])
  })
})

describe('every intent', () => {
  const isRequest = ({ type }: JournalLine): boolean => type === 'place' || type === 'cancel'
  const isOutcome = ({ type }: JournalLine): boolean => ['acknowledged', 'refused', 'unknown'].includes(type)

  it.each(['refuse', 'wait'] as const)(
    'has exactly one outcome, later than itself, unless it never arrived: %s',
    async (onLimit) => {
      const heard: Outcome[] = []
      const run = await runStrategy(
        {
          run: ({ trades, outcomes$, openOrders, random }) => {
            outcomes$.subscribe((outcome) => heard.push(outcome))
            const some = (): readonly Intent[] => {
              const chance = Math.floor(random() * 8)
              const known = openOrders()[0]
              if (chance < 2) return [buyMarket(BTC, Math.floor(random() * 3)), sellMarket(BTC, 1)]
              if (chance < 5) return [buyLimit(BTC, 90 + Math.floor(random() * 20), 1), buyLimit(BTC, '1.5', 1)]
              if (chance < 6) return [cancel(known ?? '999')]
              return chance < 7 ? [cancelAll()] : []
            }
            return trades(BTC).pipe(map(some))
          },
        },
        {
          tapes: [memoryTape(Array.from({ length: 400 }, (_, row): RecordedRow => [row * 487, 100 + (row % 7), 1]))],
          settings: { credit: { USD: '250' }, onLimit, orderLatencyMs: 130, responseLatencyMs: 70, feedLatencyMs: 10 },
        },
      )
      const requests = run.journal.filter(isRequest)
      const outcomes = run.journal.filter(isOutcome)
      expect(requests.length).toBeGreaterThan(200)
      for (const { ref } of requests) {
        const [sent, ...answers] = run.journal.filter((line) => line.ref === ref)
        expect([sent !== undefined && isRequest(sent), answers.length <= 1, answers.every(isOutcome)]).toEqual([
          true,
          true,
          true,
        ])
      }
      expect(outcomes.length + run.result.unsent).toBe(requests.length)
      expect(heard).toHaveLength(outcomes.length)
      const kinds = new Set(outcomes.map(({ type, code }) => code ?? type))
      const expected = [
        'acknowledged',
        'VALIDATION_ERROR',
        'ORDER_REJECTED',
        'ORDER_NOT_FOUND',
        'ORDER_NOT_CANCELLABLE',
        'INSUFFICIENT_BALANCE',
      ]
      expect([...kinds].sort()).toEqual([...expected, ...(onLimit === 'refuse' ? ['RATE_LIMITED'] : [])].sort())
      if (onLimit === 'wait') expect(run.result.unsent).toBeGreaterThan(0)
    },
  )
})

describe('several markets', () => {
  it('are merged: an order of one at the price of the other’s trade', async () => {
    const eth = memoryTape(
      [
        [500, 20, 1],
        [1_500, 21, 1],
      ],
      { symbol: 'ETH_USD' },
    )
    const run = await runStrategy(
      {
        run: ({ trades }) =>
          merge(trades(BTC), trades('ETH_USD')).pipe(
            scan((count) => count + 1, 0),
            filter((count) => count === 2),
            mergeMap(() => from([buyMarket(BTC, 1), buyMarket('ETH_USD', 1)])),
          ),
      },
      { tapes: [memoryTape(ROWS), eth] },
    )
    expect(run.fills.map(({ symbol, price }) => `${symbol} ${price.toFixed()}`)).toEqual(['BTC_USD 100', 'ETH_USD 20'])
  })
})
