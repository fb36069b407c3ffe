/**
 * Orders that wait in the session, on tapes of trades: what they come to, and when.
 */
import { map, merge, timer, type Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { StrategyContext } from '../../../../src/strategy/context.ts'
import type { Intent } from '../../../../src/strategy/intent.ts'
import { buyLimit, buyMarket, cancel, cancelAll, sellLimit } from '../../../../src/strategy/orders.ts'
import { bracket, oco, stopBuy, stopSell, takeProfit, trailingStop } from '../../../../src/strategy/waiting.ts'
import { memoryTape, type RecordedRow } from '../../../simulation/rig/memory-tape.ts'
import { runStrategy, type JournalLine, type TestRun, type TestRunOptions } from '../../rig/run-strategy.ts'
import { at, type Acts } from '../../rig/scripted-orders.ts'

const BTC = 'BTC_USD'
type Context = StrategyContext<unknown>

/** A trade a second at each price; 100 lots each. */
const tapeOf = (...prices: readonly number[]): ReturnType<typeof memoryTape> =>
  memoryTape(prices.map((price, second): RecordedRow => [second * 1_000, price, 100]))

const WAITING = ['wait', 'triggered', 'wait-over']

/** What the journal reports of waiting orders and requests, a line a text: `3000 triggered w1 98`. */
const reported = ({ journal }: TestRun): readonly string[] => journal.flatMap((line) => reportedText(line) ?? [])

function reportedText(line: JournalLine): string | undefined {
  const { t, type, request } = line
  const field = (name: string): string | undefined => (typeof line[name] === 'string' ? line[name] : undefined)
  const by = field('by') === undefined ? '' : ` by ${field('by') ?? ''}`
  if (WAITING.includes(type)) {
    const fields = ['id', 'kind', 'qty', 'price', 'distance', 'percent', 'why', 'message'].map(field)
    const group = field('group')
    const all = [String(t), type, ...fields, group === undefined ? undefined : `of ${group}`]
    return all.filter((each) => each !== undefined).join(' ')
  }
  if (type === 'cancel') return `${t} cancel${by}`
  if (type !== 'place') return undefined
  const { side, qty, price } = request as Readonly<Record<string, string>>
  return `${t} ${side} ${qty}${price === undefined ? '' : ` at ${price}`}${by}`
}

const fillsOf = ({ fills }: TestRun): readonly string[] =>
  fills.map(({ createdAt, side, qty, price }) => `${createdAt} ${side} ${qty.toFixed()} at ${price.toFixed()}`)

const run = (
  intents: (context: Context) => Observable<Intent | readonly Intent[]>,
  prices: readonly number[],
  options: Partial<TestRunOptions> = {},
): Promise<TestRun> =>
  runStrategy(
    { run: intents },
    { tapes: [tapeOf(...prices)], ...options, settings: { limits: null, ...options.settings } },
  )

async function played(acts: Acts, prices: readonly number[], options: Partial<TestRunOptions> = {}): Promise<TestRun> {
  const all = await run(() => at(acts), prices, options)
  expect(all.result.failure).toBeUndefined()
  return all
}

const BOUGHT = [500, buyMarket(BTC, 4)] as const

describe('a stop', () => {
  it('becomes a market order when the price comes to it, and not before', async () => {
    const all = await played([BOUGHT, [1_500, stopSell(BTC, 98, 4)]], [100, 100, 99, 98, 97, 96])
    expect(reported(all).slice(1)).toEqual([
      ...['1500 wait w1 stop 4 98', '3000 triggered w1 98', '3000 SELL 4 by w1', '3050 wait-over w1 done'],
    ])
    expect(fillsOf(all).at(-1)).toBe('3050 SELL 4 at 98')
  })

  it.each`
    stop                                   | prices                  | fill                    | why
    ${stopSell(BTC, 98, 4)}                | ${[100, 100, 99, 97]}   | ${'3050 SELL 4 at 97'}  | ${'it jumps over the stop'}
    ${stopSell(BTC, 101, 4)}               | ${[100, 100, 99, 97]}   | ${'1550 SELL 4 at 100'} | ${'the price is behind it already'}
    ${stopBuy(BTC, 102, 4)}                | ${[100, 100, 101, 102]} | ${'3050 BUY 4 at 102'}  | ${'a buy acts above'}
    ${takeProfit(BTC, 102, 4)}             | ${[100, 100, 101, 103]} | ${'3050 SELL 4 at 103'} | ${'a profit is taken at its price or better'}
    ${stopSell(BTC, 98, 4, { limit: 97 })} | ${[100, 100, 98, 97]}   | ${'2050 SELL 4 at 98'}  | ${'by a limit order'}
  `('$why', async ({ stop, prices, fill }) => {
    const all = await played([BOUGHT, [1_500, stop as Intent]], [...(prices as number[]), 97, 97])
    expect(fillsOf(all).at(-1)).toBe(fill)
  })

  it('that trails follows the best price and never goes back', async () => {
    const prices = [100, 100, 104, 103, 108, 106, 105, 104, 100]
    const byDistance = await played([BOUGHT, [1_500, trailingStop(BTC, { distance: 3 }, 4)]], prices)
    expect(reported(byDistance).slice(1)).toEqual([
      '1500 wait w1 trailing-stop 4 3',
      '6000 triggered w1 105',
      '6000 SELL 4 by w1',
      '6050 wait-over w1 done',
    ])
    const byPercent = await played([BOUGHT, [1_500, trailingStop(BTC, { percent: '2.5' }, 4)]], prices)
    // 2.5 % behind 104 is 101.4, behind 108 it is 105.3.
    expect(reported(byPercent)).toContain('6000 triggered w1 105')
    const buying = await played(
      [[1_500, trailingStop(BTC, { distance: 3 }, 4, { side: 'BUY' })]],
      [100, 100, 96, 97, 99, 99],
    )
    expect(reported(buying)).toContain('4000 triggered w1 99')
  })

  it('is given up by the strategy, by a cancel of all, or by time, and is listed until then', async () => {
    const seen: string[] = []
    const stops = [stopSell(BTC, 90, 4), stopSell(BTC, 91, 4), stopSell(BTC, 92, 4, { expires: 3_500 })]
    const all = await run(
      ({ waitingOrders }) => {
        timer(0, 1_000).subscribe(() =>
          seen.push(
            waitingOrders(BTC)
              .map(({ id, qty, price }) => `${id} ${String(qty)} at ${String(price)}`)
              .join(', '),
          ),
        )
        return at([BOUGHT, ...stops.map((stop) => [1_500, stop] as const), [2_500, cancel('w1')], [4_500, cancelAll()]])
      },
      [100, 100, 99, 99, 99, 80, 80],
    )
    expect(seen.slice(1, 6)).toEqual([
      ...['', 'w1 4 at 90, w2 4 at 91, w3 4 at 92', 'w2 4 at 91, w3 4 at 92', 'w2 4 at 91', ''],
    ])
    expect(reported(all).slice(4)).toEqual([
      ...['2500 wait-over w1 cancelled', '3500 wait-over w3 expired', '4500 wait-over w2 cancelled'],
    ])
  })

  it('that finds no liquidity, too little of it, or no budget for its order asks again at the next price', async () => {
    // The crowd shows what was traded last, and 1 lot a level.
    const rows = [100, 100, 98, 97, 97, 97, 97, 97].map((price, second): RecordedRow => [second * 60_000, price, 1])
    const acts: Acts = [
      [30_000, buyMarket(BTC, 1)],
      [90_000, stopSell(BTC, 98, 1)],
    ]
    const one = { general: 600, mutations: 1, windowSeconds: 150 }
    const limited = await played(acts, [], { tapes: [memoryTape(rows)], settings: { limits: one } })
    expect(reported(limited).slice(1)).toEqual([
      '90000 wait w1 stop 1 98',
      '120000 triggered w1 98',
      '120000 SELL 1 by w1',
      '180000 SELL 1 by w1',
      '180050 wait-over w1 done',
    ])
  })

  it.each`
    intent                                                               | message
    ${stopSell(BTC, 98, '0.00001')}                                      | ${/qty/}
    ${stopSell(BTC, 98, 0)}                                              | ${/qty/}
    ${stopSell(BTC, 'low', 1)}                                           | ${/stop: expected a price above 0, got low/}
    ${stopSell(BTC, 98, 1, { limit: '97.123456789' })}                   | ${/price/}
    ${stopSell('XRP_USD', 98, 1)}                                        | ${/XRP_USD/}
    ${trailingStop(BTC, {}, 1)}                                          | ${/expected a distance or a percent/}
    ${trailingStop(BTC, { percent: 100 }, 1)}                            | ${/less than 100/}
    ${trailingStop(BTC, { distance: 0 }, 1)}                             | ${/above 0/}
    ${oco(stopSell(BTC, 98, 1))}                                         | ${/two orders or more/}
    ${oco(stopSell(BTC, 98, 1), stopBuy(BTC, 102, 1))}                   | ${/the same market and on the same side/}
    ${oco(sellLimit(BTC, 103, 1), sellLimit(BTC, 104, 1))}               | ${/at most one limit order/}
    ${bracket(buyLimit(BTC, 99, 1), {})}                                 | ${/a stop, a trail or a target/}
    ${bracket(buyLimit(BTC, 99, 1), { target: '1.123456789' })}          | ${/price/}
    ${bracket(buyLimit(BTC, 99, 1), { stop: 1, trail: { percent: 1 } })} | ${/got both/}
  `('that could not become an order is refused at once: $message', async ({ intent, message }) => {
    const heard: string[] = []
    const all = await run(
      ({ outcomes$ }) => {
        outcomes$.subscribe((outcome) => {
          if (outcome.type === 'refused') heard.push(`${outcome.intent.type} ${outcome.by} ${outcome.refusal.message}`)
        })
        return at([[500, intent as Intent]])
      },
      [100, 100],
    )
    expect(all.result.failure).toBeUndefined()
    expect(heard).toHaveLength(1)
    expect(heard[0]).toMatch(message as RegExp)
    expect(reported(all)).toHaveLength(1)
    expect([...all.result.record.refusals.keys()].length).toBe(1)
  })
})

describe('orders of which one ends the others', () => {
  const pair = [1_500, oco(sellLimit(BTC, 104, 4), stopSell(BTC, 97, 4))] as const

  it('the limit order is filled: the stop is over', async () => {
    const all = await played([BOUGHT, pair], [100, 100, 102, 105, 90, 90])
    expect(reported(all).slice(1)).toEqual([
      '1500 SELL 4 at 104 by w1',
      '1500 wait w2 stop 4 97 of w1',
      '3000 wait-over w2 excluded',
    ])
  })

  it('the stop is triggered: the limit order is cancelled first, then the stop sells', async () => {
    const all = await played([BOUGHT, pair], [100, 100, 102, 97, 90, 90])
    expect(reported(all).slice(3)).toEqual([
      ...['3000 triggered w2 97', '3000 cancel by w2', '3050 SELL 4 by w2', '3100 wait-over w2 done'],
    ])
    expect(fillsOf(all).at(-1)).toBe('3100 SELL 4 at 97')
  })

  it('what was filled of the limit order in part is taken off the stop, also while its cancel is on its way', async () => {
    const rows: readonly RecordedRow[] = [
      ...([
        [0, 100, 50],
        [1_000, 100, 50],
        [2_000, 105, 1],
        [3_000, 97, 50],
        [3_020, 105, 1],
        [4_000, 97, 50],
      ] as const),
      ...([[5_000, 97, 50]] as const),
    ]
    const all = await played([BOUGHT, pair], [], { tapes: [memoryTape(rows)], settings: { liquidity: 'through' } })
    expect(reported(all).slice(3)).toEqual([
      ...['3000 triggered w2 97', '3000 cancel by w2', '3050 SELL 2 by w2', '3100 wait-over w2 done'],
    ])
  })

  it('of two stops that one price triggers only the first sells; a stop counts before a profit', async () => {
    const all = await played(
      [BOUGHT, [1_500, oco(takeProfit(BTC, 95, 4), stopSell(BTC, 98, 4), trailingStop(BTC, { distance: 1 }, 4))]],
      [94, 94, 94, 93, 93],
    )
    expect(reported(all).filter((text) => text.includes('SELL'))).toEqual(['1500 SELL 4 by w3'])
  })
})

describe('a bracket', () => {
  const whole = [500, bracket(buyLimit(BTC, 99, 4, { tag: 'in' }), { stop: 97, target: 103 })] as const

  it('stops and aims for what was filled, and its target ends the stop', async () => {
    const all = await played([whole], [100, 100, 99, 101, 104, 90, 90])
    expect(reported(all)).toEqual([
      '500 BUY 4 at 99 by w1',
      '2000 wait w2 stop 97 of w1',
      '2000 SELL 4 at 103 by w1',
      '4000 wait-over w2 excluded',
    ])
    expect(all.journal.filter(({ type }) => type === 'place').map(({ tag }) => tag)).toEqual(['in', 'in'])
  })

  it('its stop cancels the target, then sells', async () => {
    const all = await played([whole], [100, 100, 99, 98, 97, 90, 90])
    expect(reported(all).slice(3)).toEqual([
      ...['4000 triggered w2 97', '4000 cancel by w2', '4050 SELL 4 by w2', '4100 wait-over w2 done'],
    ])
  })

  it('follows an entry that is filled in parts, and gives up the rest of it when the stop is triggered', async () => {
    const rows: readonly RecordedRow[] = [
      ...([
        [0, 100, 50],
        [1_000, 98, 1],
        [2_000, 98, 1],
        [3_000, 97, 1],
        [3_010, 97, 50],
        [4_000, 90, 50],
        [5_000, 90, 50],
      ] as const),
    ]
    const all = await played([whole], [], { tapes: [memoryTape(rows)], settings: { liquidity: 'through' } })
    expect(reported(all)).toEqual([
      '500 BUY 4 at 99 by w1',
      ...['1000 wait w2 stop 97 of w1', '1000 SELL 1 at 103 by w1', '2000 SELL 1 at 103 by w1'],
      ...['3000 triggered w2 97', '3000 cancel by w2', '3000 cancel by w2', '3000 cancel by w2'],
      // The entry was filled whole before its cancel came.
      ...['3050 SELL 4 by w2', '3100 wait-over w2 done'],
    ])
  })

  it('trails', async () => {
    const all = await played(
      [[500, bracket(buyMarket(BTC, 4), { trail: { distance: 2 } })]],
      [100, 100, 103, 105, 104, 103, 90],
    )
    expect(reported(all)).toEqual([
      ...['500 BUY 4 by w1', '550 wait w2 trailing-stop 2 of w1', '5000 triggered w2 103', '5000 SELL 4 by w2'],
      '5050 wait-over w2 done',
    ])
  })

  it('is over when its entry is refused, cancelled or expired; what was filled keeps its ways out', async () => {
    const refused = await played([[500, bracket(buyLimit(BTC, 99, 4_000), { stop: 97 })]], [100, 99, 90, 90])
    expect(reported(refused)).toEqual(['500 BUY 4000 at 99 by w1'])
    const cancelled = await played([whole, [1_500, cancel('w1')]], [100, 100, 99, 90, 90])
    expect(reported(cancelled)).toEqual(['500 BUY 4 at 99 by w1', '1500 cancel by w1'])
    const rows: readonly RecordedRow[] = [
      ...([
        [0, 100, 50],
        [1_000, 98, 1],
        [4_000, 98, 50],
        [5_000, 96, 50],
        [6_000, 90, 50],
      ] as const),
    ]
    const expired = await played([[500, bracket(buyLimit(BTC, 99, 4, { expires: 2_000 }), { stop: 97 })]], [], {
      tapes: [memoryTape(rows)],
      settings: { liquidity: 'through' },
    })
    expect(reported(expired)).toEqual([
      ...['500 BUY 4 at 99 by w1', '1000 wait w2 stop 97 of w1', '2000 cancel by w1', '5000 triggered w2 96'],
      ...['5000 SELL 1 by w2', '5050 wait-over w2 done'],
    ])
  })
})

describe('the target of a bracket that is refused for the rate limit', () => {
  const limits = { general: 600, mutations: 1, windowSeconds: 2.5 }
  const bought = [500, bracket(buyMarket(BTC, 4), { target: 103 })] as const

  it('is asked for again at the next price, also where nothing else waits', async () => {
    const all = await played([bought], [100, 100, 100, 100, 100, 104], { settings: { limits } })
    expect(reported(all)).toEqual([
      ...['500 BUY 4 by w1', '550 SELL 4 at 103 by w1', '1000 SELL 4 at 103 by w1', '2000 SELL 4 at 103 by w1'],
      '3000 SELL 4 at 103 by w1',
    ])
    expect(fillsOf(all)).toEqual(['550 BUY 4 at 100', '5000 SELL 4 at 103'])
  })

  it('is one with what of the entry was filled since', async () => {
    const rows: readonly RecordedRow[] = [
      ...([
        [0, 100, 50],
        [1_000, 98, 1],
        [1_200, 98, 1],
        [3_500, 99, 50],
        [4_000, 104, 50],
        [5_000, 104, 50],
      ] as const),
    ]
    const entry = [500, bracket(buyLimit(BTC, 99, 4), { target: 103 })] as const
    const all = await played([entry], [], {
      tapes: [memoryTape(rows)],
      settings: { limits, liquidity: 'through' },
    })
    expect(reported(all)).toEqual([
      ...['500 BUY 4 at 99 by w1', '1000 SELL 1 at 103 by w1', '1200 SELL 1 at 103 by w1', '1200 SELL 1 at 103 by w1'],
      '3500 SELL 2 at 103 by w1',
    ])
  })

  it('stays refused where the stop is triggered first, and the stop sells all', async () => {
    const whole = [500, bracket(buyMarket(BTC, 4), { stop: 98, target: 103 })] as const
    const all = await played([whole], [100, 100, 98, 98, 98, 104], { settings: { limits } })
    expect(reported(all)).toEqual([
      ...['500 BUY 4 by w1', '550 wait w2 stop 98 of w1', '550 SELL 4 at 103 by w1', '1000 SELL 4 at 103 by w1'],
      ...['2000 triggered w2 98', '2000 SELL 4 by w2', '3000 SELL 4 by w2', '3050 wait-over w2 done'],
    ])
  })

  it('is asked for no more when the bracket is given up', async () => {
    const all = await played([bought, [1_500, cancel('w1')]], [100, 100, 100, 100, 104], { settings: { limits } })
    expect(reported(all)).toEqual(['500 BUY 4 by w1', '550 SELL 4 at 103 by w1', '1000 SELL 4 at 103 by w1'])
  })

  it('is asked for also when the rest of the entry has expired', async () => {
    const rows: readonly RecordedRow[] = [
      ...([
        [0, 100, 50],
        [1_000, 98, 1],
        [4_000, 100, 50],
        [7_000, 100, 50],
        [8_000, 104, 50],
      ] as const),
    ]
    const entry = [500, bracket(buyLimit(BTC, 99, 4, { expires: 1_500 }), { target: 103 })] as const
    const all = await played([entry], [], { tapes: [memoryTape(rows)], settings: { limits, liquidity: 'through' } })
    expect(reported(all)).toEqual([
      ...['500 BUY 4 at 99 by w1', '1000 SELL 1 at 103 by w1', '1500 cancel by w1'],
      // The cancel comes first.
      ...['4000 cancel by w1', '4000 SELL 1 at 103 by w1', '7000 SELL 1 at 103 by w1'],
    ])
    expect(fillsOf(all)).toEqual(['1000 BUY 1 at 99', '8000 SELL 1 at 103'])
  })

  it('for another reason is gone', async () => {
    const heard: string[] = []
    const all = await run(
      ({ outcomes$ }) => {
        outcomes$.subscribe(({ type }) => heard.push(type))
        return at([
          [500, bracket(buyMarket(BTC, 4), { target: 103 })],
          [520, sellLimit(BTC, 110, 20)],
        ])
      },
      [100, 100, 100, 100],
      { settings: { credit: { USD: '2000', BTC: '18' }, limits: null } },
    )
    expect(all.result.failure).toBeUndefined()
    expect(reported(all)).toEqual(['500 BUY 4 by w1', '520 SELL 20 at 110', '550 SELL 4 at 103 by w1'])
  })
})

describe('a limit order that expires', () => {
  it('is cancelled at its time, and is left alone when it is over', async () => {
    const all = await played(
      [
        [500, buyLimit(BTC, 90, 1, { expires: 2_500 })],
        [500, buyLimit(BTC, 99, 1, { expires: 2_500 })],
      ],
      [100, 100, 99, 100, 100],
    )
    expect(reported(all)).toEqual(['500 BUY 1 at 90', '500 BUY 1 at 99', '2500 cancel by expires'])
    expect(all.orders.map(({ order }) => order.status)).toEqual(['FILLED', 'CANCELLED'])
  })
})

describe('a time at which an order is given up', () => {
  const THIRD = 1_000 + 1_000 / 3
  const ends = { limit: (expires: number) => buyLimit(BTC, 90, 1, { expires }), ...waitingUntil() }

  function waitingUntil(): Readonly<Record<string, (expires: number) => Intent>> {
    return {
      stop: (expires) => stopSell(BTC, 90, 1, { expires }),
      'trailing-stop': (expires) => trailingStop(BTC, { percent: 1 }, 1, { expires }),
      'take-profit': (expires) => takeProfit(BTC, 110, 1, { expires }),
      'limit of an oco': (expires) => oco(stopSell(BTC, 90, 1), sellLimit(BTC, 110, 1, { expires })),
      'limit of a bracket': (expires) => bracket(buyLimit(BTC, 90, 1, { expires }), { stop: 80 }),
    }
  }

  it.each(
    Object.entries(ends).flatMap(([what, intent]) =>
      [THIRD, Number.NaN, Infinity, -1, 2 ** 53].map((expires) => ({ what, expires, intent: intent(expires) })),
    ),
  )('of a $what that is $expires ends the strategy', async ({ what, expires, intent }) => {
    const { result } = await run(() => at([[500, intent]]), [100, 100, 100, 100])
    const [type] = what.split(' ')
    const reported = `${type ?? ''}: expected expires to be whole Unix milliseconds, such as Math.floor(now() + ms)`
    expect(result.failure?.message).toBe(`${reported}, got ${expires}`)
  })

  it.each(Object.entries(ends))('of a %s may be long ago, and as far away as a number goes', async (_what, intent) => {
    await played(
      [
        [500, intent(0)],
        [1_500, intent(Number.MAX_SAFE_INTEGER)],
      ],
      [100, 100, 100, 100],
    )
  })
})

it('a price that no one believes triggers nothing', async () => {
  const rows: readonly RecordedRow[] = [
    ...Array.from({ length: 40 }, (_, second): RecordedRow => [second * 100, 1_000 + (second % 2), 10]),
    [5_000, 500, 1],
    ...Array.from({ length: 5 }, (_, second): RecordedRow => [6_000 + second * 100, 1_000, 10]),
  ]
  const tape = memoryTape(rows, { pricePrecision: 0 })
  const all = await played(
    [
      [500, buyMarket(BTC, 1)],
      [1_500, stopSell(BTC, 900, 1)],
    ],
    [],
    {
      tapes: [tape],
      settings: { printFilter: 'auto' },
    },
  )
  expect(all.result.prints.get(BTC)).toMatchObject({ doubted: 1, late: 0 })
  expect(reported(all).filter((text) => text.includes('triggered'))).toEqual([])
})

it('the same run gives the same journal', async () => {
  const prices = Array.from({ length: 60 }, (_, second) => 100 + Math.round(8 * Math.sin(second / 4)))
  const strategy = (): Observable<Intent | readonly Intent[]> =>
    merge(
      timer(500, 7_000).pipe(map(() => bracket(buyMarket(BTC, 2), { trail: { percent: 3 }, target: 107 }))),
      timer(900, 9_000).pipe(map(() => oco(sellLimit(BTC, 106, 1), stopSell(BTC, 96, 1)))),
    )
  const [one, two] = [await run(strategy, prices), await run(strategy, prices)]
  expect(one.lines).toEqual(two.lines)
  expect(reported(one).filter((text) => text.includes('triggered')).length).toBeGreaterThan(5)
})
