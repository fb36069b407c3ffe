/**
 * Orders that wait in the session, on tapes of candles: the worse of what a candle may have been, at prices that
 * anyone who watched had.
 */
import { first, map, merge, mergeMap } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { StrategyContext } from '../../../../src/strategy/context.ts'
import type { Intent } from '../../../../src/strategy/intent.ts'
import { buyLimit, buyMarket, cancel, cancelAll, sellLimit, sellMarket } from '../../../../src/strategy/orders.ts'
import { bracket, oco, stopBuy, stopSell, takeProfit, trailingStop } from '../../../../src/strategy/waiting.ts'
import { memoryCandles, type CandleRow } from '../../../simulation/rig/memory-candles.ts'
import { memoryTape } from '../../../simulation/rig/memory-tape.ts'
import { runStrategy, type TestRun, type TestRunOptions } from '../../rig/run-strategy.ts'
import { at, type Acts } from '../../rig/scripted-orders.ts'

const BTC = 'BTC_USD'
const MINUTE = 60_000
/** Before the end of the quiet candles, so that what is asked then comes to the open at minute 5. */
const BEFORE = 5 * MINUTE - 1

/** Prices at the open and inside, then at the end. */
type Candle = readonly [open: number, high: number, low: number, close: number]

/**
 * Half a spread is 1 and no open jumps, so that a stop is filled 1 behind its price; the ladder begins 1 from the open.
 */
const QUIET = Array.from({ length: 5 }, (): Candle => [100, 102, 98, 100])

const tapeOf = (candles: readonly Candle[], volume = 1_000_000): ReturnType<typeof memoryCandles> =>
  memoryCandles(
    [...QUIET, ...candles, [100, 100, 100, 100] as const].map(([open, high, low, close], minute): CandleRow => {
      return [minute * MINUTE, open, high, low, close, volume]
    }),
  )

async function played(
  acts: Acts,
  candles: readonly Candle[],
  { tapes = [tapeOf(candles)], ...options }: Partial<TestRunOptions> = {},
): Promise<TestRun> {
  const settings = { liquidity: 'tape', limits: null, credit: { USD: '100000', BTC: '100' }, spread: '2' } as const
  const all = await runStrategy(
    { run: () => at(acts) },
    { tapes, ...options, settings: { ...settings, ...options.settings } },
  )
  expect(all.result.failure).toBeUndefined()
  return all
}

const fillsOf = ({ fills }: TestRun): readonly string[] =>
  fills.map(({ createdAt, side, qty, price }) => `${createdAt / MINUTE} ${side} ${qty.toFixed()} at ${price.toFixed()}`)

/** `6 triggered w1`, and the like. */
const reported = ({ journal }: TestRun): readonly string[] =>
  journal.flatMap(({ t, type, id, why }) => {
    if (type !== 'triggered' && type !== 'wait-over') return []
    return [[t / MINUTE, type, String(id), ...(typeof why === 'string' ? [why] : [])].join(' ')]
  })

describe('a stop on candles', () => {
  it.each`
    candles                                   | fill                | why
    ${[[100, 101, 94, 97]]}                   | ${'6 SELL 2 at 94'} | ${'inside of a candle at its price, less half the spread and the usual jump'}
    ${[[100, 101, 95, 97]]}                   | ${'6 SELL 2 at 94'} | ${'at the extreme too'}
    ${[[100, 101, 96, 96], [93, 94, 92, 93]]} | ${'6 SELL 2 at 92'} | ${'at the open when that is beyond it'}
    ${[[93, 99, 92, 93]]}                     | ${'5 SELL 2 at 92'} | ${'at the open to which it comes'}
    ${[[100, 105, 96, 96], [96, 99, 96, 97]]} | ${undefined}        | ${'not at all when no candle comes to it'}
  `('is filled $why', async ({ candles, fill }: { candles: Candle[]; fill: string | undefined }) => {
    const all = await played([[BEFORE, stopSell(BTC, 95, 2)]], candles)
    expect(fillsOf(all)).toEqual(fill === undefined ? [] : [fill])
  })

  it('that buys is filled above', async () => {
    const all = await played([[BEFORE, stopBuy(BTC, 105, 2)]], [[100, 107, 99, 100]])
    expect(fillsOf(all)).toEqual(['6 BUY 2 at 106'])
  })

  it('is behind by the usual jump from a close to the next open', async () => {
    // Each opens 3 above or below the close before.
    const jumps: Candle[] = [
      [100, 104, 96, 101],
      [104, 106, 98, 101],
      [98, 104, 96, 101],
      [104, 104, 90, 101],
    ]
    const all = await played([[BEFORE + 3 * MINUTE, stopSell(BTC, 95, 2)]], jumps)
    // d of 3, 3 and 3 and otherwise none and 1: g is 2.8 or more, rounded up to 3.
    expect(fillsOf(all)).toEqual(['9 SELL 2 at 91'])
  })

  it('comes to the next open, and so does its cancel: what a candle did before either counts', async () => {
    const stop = stopSell(BTC, 95, 2)
    const candles: Candle[] = [
      [100, 101, 94, 99],
      [99, 101, 94, 99],
      [99, 101, 94, 97],
    ]
    const late = await played([[5 * MINUTE + 1, stop]], candles)
    expect(fillsOf(late)).toEqual(['7 SELL 2 at 94'])
    const tooLate = await played(
      [
        [BEFORE, stop],
        [5 * MINUTE + 1, cancel('w1')],
      ],
      candles,
    )
    expect(fillsOf(tooLate)).toEqual(['6 SELL 2 at 94'])
    const allTooLate = await played(
      [
        [BEFORE, stop],
        [5 * MINUTE + 1, cancelAll()],
      ],
      candles,
    )
    expect(fillsOf(allTooLate)).toEqual(['6 SELL 2 at 94'])
    const quiet: Candle[] = [[100, 101, 96, 99], ...candles]
    const inTime = await played(
      [
        [BEFORE, stop],
        [5 * MINUTE + 1, cancel('w1')],
      ],
      quiet,
    )
    expect([fillsOf(inTime), reported(inTime)]).toEqual([[], ['6 wait-over w1 cancelled']])
    const expired = await played([[BEFORE, stopSell(BTC, 95, 2, { expires: 5 * MINUTE + 1 })]], quiet)
    expect([fillsOf(expired), reported(expired)]).toEqual([[], ['6 wait-over w1 expired']])
    const neverThere = await played(
      [
        [BEFORE, stop],
        [BEFORE, cancel('w1')],
      ],
      candles,
    )
    expect([fillsOf(neverThere), reported(neverThere)]).toEqual([[], ['5 wait-over w1 cancelled']])
  })

  it('with a limit becomes an order of the next open: no one knows what came behind its price', async () => {
    const all = await played(
      [[BEFORE, stopSell(BTC, 95, 2, { limit: 94 })]],
      [
        [100, 101, 94, 97],
        [97, 98, 96, 97],
      ],
    )
    expect([reported(all)[0], fillsOf(all)]).toEqual(['6 triggered w1', ['6 SELL 2 at 96']])
  })

  it('that trails follows what a candle that is over came to', async () => {
    const candles: Candle[] = [
      [100, 106, 99, 105],
      [105, 112, 103, 111],
      [111, 112, 106, 108],
    ]
    const all = await played([[BEFORE, trailingStop(BTC, { distance: 5 }, 2)]], candles)
    expect([reported(all)[0], fillsOf(all)]).toEqual(['8 triggered w1', ['8 SELL 2 at 106']])
    // The best of the first candle is 110: its own low says nothing of what came behind it, its close does.
    const closed = await played(
      [[BEFORE, trailingStop(BTC, { distance: 5 }, 2)]],
      [
        [100, 110, 99, 103],
        [103, 109, 102, 104],
      ],
    )
    expect(fillsOf(closed)).toEqual(['6 SELL 2 at 102'])
  })

  it('that finds not enough at the open asks again at the next', async () => {
    const thin = tapeOf(
      [
        [90, 92, 89, 90],
        [90, 92, 89, 90],
        [90, 92, 89, 90],
      ],
      10,
    )
    const all = await played([[BEFORE, stopSell(BTC, 95, 150)]], [], {
      tapes: [thin],
      settings: { credit: { BTC: '150' } },
    })
    expect(all.fills.map(({ createdAt }) => createdAt / MINUTE)).toContain(6)
    expect(reported(all)[0]).toBe('5 triggered w1')
  })

  it('reports nothing about an open before all markets of the moment have opened', async () => {
    const eth = tapeOf([
      [200, 200, 200, 200],
      [100, 100, 100, 100],
    ])
    const all = await runStrategy(
      {
        run: ({ fills$ }: StrategyContext<unknown>) => {
          const stop$ = at([[BEFORE, stopSell(BTC, 95, 2)]])
          return merge(stop$, fills$.pipe(map(({ symbol }) => (symbol === BTC ? buyMarket('ETH_USD', 1) : undefined))))
        },
      },
      {
        tapes: [tapeOf([[93, 99, 92, 93]]), { ...eth, info: { ...eth.info, symbol: 'ETH_USD' } }],
        settings: { liquidity: 'tape', limits: null, credit: { USD: '100000', BTC: '100' }, spread: '2' },
      },
    )
    expect(fillsOf(all)).toEqual(['5 SELL 2 at 92', '6 BUY 1 at 101'])
  })

  it('is filled at its price under `ideal`, for comparing with other tools', async () => {
    const all = await played([[BEFORE, stopSell(BTC, 95, 2)]], [[100, 101, 90, 97]], {
      settings: { liquidity: 'ideal' },
    })
    expect(fillsOf(all)).toEqual(['6 SELL 2 at 95'])
  })

  it('acts when its candle is reported, and no sooner, where candles are reported late', async () => {
    const settings = { feedLatencyMs: 2 * MINUTE, orderLatencyMs: MINUTE }
    const candles: Candle[] = [
      [100, 101, 94, 97],
      [97, 98, 96, 97],
      [97, 98, 96, 97],
      [90, 98, 88, 97],
      [97, 98, 96, 97],
    ]
    const all = await played([[BEFORE, stopSell(BTC, 95, 2)]], candles, { settings })
    expect([reported(all)[0], fillsOf(all)]).toEqual(['8 triggered w1', ['9 SELL 2 at 96']])
  })
})

describe('a group on candles', () => {
  it.each`
    candles                                     | fill                 | why
    ${[[100, 101, 99, 99], [99, 110, 90, 100]]} | ${'7 SELL 2 at 94'}  | ${'the stop, of two that one candle comes to'}
    ${[[100, 101, 99, 99], [99, 110, 96, 100]]} | ${'7 SELL 2 at 105'} | ${'the limit, when only that is passed'}
    ${[[94, 110, 93, 99]]}                      | ${'5 SELL 2 at 93'}  | ${'the stop, at the open to which both come'}
    ${[[100, 101, 99, 99], [90, 110, 89, 99]]}  | ${'6 SELL 2 at 89'}  | ${'the stop, at an open beyond it'}
  `('is closed by $why, and by nothing else', async ({ candles, fill }: { candles: Candle[]; fill: string }) => {
    const all = await played([[BEFORE, oco(sellLimit(BTC, 105, 2), stopSell(BTC, 95, 2))]], candles)
    expect(fillsOf(all)).toEqual([fill])
  })

  it('of a target that waits, and of one that trails, the worse counts', async () => {
    const group = oco(takeProfit(BTC, 105, 2), trailingStop(BTC, { distance: 5 }, 2))
    const all = await played([[BEFORE, group]], [[100, 106, 94, 99]])
    expect(fillsOf(all)).toEqual(['6 SELL 2 at 94'])
  })

  it('keeps its stop for what a limit order that was filled in part has left', async () => {
    // A tenth of the volume fills 50 of 60 lots.
    const tape = tapeOf(
      [
        [100, 101, 99, 99],
        [99, 140, 96, 100],
        [100, 101, 94, 100],
      ],
      500,
    )
    const all = await played([[BEFORE, oco(sellLimit(BTC, 105, 60), stopSell(BTC, 95, 60))]], [], { tapes: [tape] })
    expect(fillsOf(all)).toEqual(['7 SELL 50 at 105', '8 SELL 10 at 94'])
  })

  it('whose cancel may not be sent for the limit of requests waits for the next open', async () => {
    const group = oco(sellLimit(BTC, 105, 2), stopSell(BTC, 95, 2))
    const settings = { limits: { general: 600, mutations: 1, windowSeconds: 60 }, onLimit: 'wait' } as const
    const others = [[5 * MINUTE + 40_000, sellLimit(BTC, 200, 1)]] as const
    const candles: Candle[] = [
      [100, 101, 94, 97],
      [97, 98, 96, 97],
      [97, 98, 96, 97],
      [97, 98, 96, 97],
    ]
    const all = await played([[BEFORE, group], ...others], candles, { settings })
    expect(reported(all)[0]).toBe('6 triggered w2')
    expect(all.journal.filter(({ type }) => type === 'cancel')).toHaveLength(1)
    // The cancel is sent a minute later, and its order a minute behind that.
    expect(fillsOf(all)).toEqual(['8 SELL 2 at 96'])
  })
})

describe('a bracket on candles', () => {
  const bought = (exits: Parameters<typeof bracket>[1]): Intent => bracket(buyLimit(BTC, 97, 3), exits)

  it.each`
    candles                                    | fills                                   | why
    ${[[100, 101, 93, 99]]}                    | ${['6 BUY 3 at 97', '6 SELL 3 at 93']}  | ${'in the body in which it was entered: the price came by the entry first'}
    ${[[100, 120, 96, 99]]}                    | ${['6 BUY 3 at 97']}                    | ${'but not by a target in that body, which may have come before the entry'}
    ${[[100, 101, 96, 99], [99, 120, 93, 99]]} | ${['6 BUY 3 at 97', '7 SELL 3 at 93']}  | ${'before its target'}
    ${[[100, 101, 96, 99], [99, 120, 96, 99]]} | ${['6 BUY 3 at 97', '7 SELL 3 at 105']} | ${'by its target else'}
    ${[[100, 101, 96, 99], [90, 120, 89, 99]]} | ${['6 BUY 3 at 97', '6 SELL 3 at 89']}  | ${'at the open to which its target comes as well'}
  `('is closed $why', async ({ candles, fills }: { candles: Candle[]; fills: string[] }) => {
    const all = await played([[BEFORE, bought({ stop: 94, target: 105 })]], candles)
    expect(fillsOf(all)).toEqual(fills)
  })

  it('whose entry takes at the open is stopped in the same candle, and not above where that opened', async () => {
    const inside = await played([[BEFORE, bracket(buyMarket(BTC, 3), { stop: 94 })]], [[100, 101, 93, 99]])
    expect(fillsOf(inside)).toEqual(['5 BUY 3 at 101', '6 SELL 3 at 93'])
    // The stop is between the open and the price of the entry: it is passed, and sells at that open.
    const above = await played(
      [[BEFORE, bracket(buyMarket(BTC, 3), { stop: '100' })]],
      [
        [100, 101, 93, 99],
        [95, 96, 94, 95],
      ],
    )
    expect(fillsOf(above)).toEqual(['5 BUY 3 at 101', '5 SELL 3 at 99'])
  })

  it('whose entry opens beyond its stop sells at that open, also what of it was not filled there', async () => {
    const opened: Candle[] = [[90, 95, 60, 94]]
    const gap = await played(
      [[BEFORE, bracket(buyLimit(BTC, 99, 3), { stop: 95, target: 120 })]],
      [[100, 101, 100, 100], ...opened],
      { settings: { liquidity: 'ideal' } },
    )
    expect(fillsOf(gap)).toEqual(['6 BUY 3 at 90', '6 SELL 3 at 90'])
    const thin = tapeOf([[100, 100, 100, 100], ...opened, [94, 96, 92, 94]], 10)
    const partly = await played([[BEFORE, bracket(buyLimit(BTC, 99, 200), { stop: 95 })]], [], { tapes: [thin] })
    const sum = (side: string): number =>
      partly.fills.filter((fill) => fill.side === side).reduce((total, { qty }) => total + qty.toNumber(), 0)
    expect(sum('BUY')).toBeGreaterThan(0)
    expect(sum('BUY')).toBeLessThan(200)
    expect(sum('SELL')).toBe(sum('BUY'))
  })

  it('whose stop is above its entry sells at the next open', async () => {
    const all = await played(
      [[BEFORE, bought({ stop: 98 })]],
      [
        [100, 101, 93, 99],
        [95, 96, 94, 95],
      ],
    )
    expect(fillsOf(all)).toEqual(['6 BUY 3 at 97', '6 SELL 3 at 94'])
  })

  it('that trails begins at its entry, and follows from the end of that candle', async () => {
    const inside = await played([[BEFORE, bought({ trail: { distance: 2 } })]], [[100, 120, 95, 99]])
    expect(fillsOf(inside)).toEqual(['6 BUY 3 at 97', '6 SELL 3 at 94'])
    const later = await played(
      [[BEFORE, bought({ trail: { distance: 4 } })]],
      [
        [100, 120, 96, 99],
        [99, 101, 96, 99],
        [99, 100, 97, 97],
      ],
    )
    // From 97 it is at 93, from the close of 99 at 95, from the high of 101 at 97.
    expect(fillsOf(later)).toEqual(['6 BUY 3 at 97', '8 SELL 3 at 96'])
  })

  it('closes what of its entry was filled on the way to the stop', async () => {
    // A tenth of 300 lots in the first candle, the rest in the second, which goes on to the stop.
    const tape = tapeOf(
      [
        [100, 101, 91, 99],
        [99, 100, 92, 99],
      ],
      300,
    )
    const all = await played([[BEFORE, bracket(buyLimit(BTC, 97, 50), { stop: 92, target: 105 })]], [], {
      tapes: [tape],
    })
    const [bought, sold] = (['BUY', 'SELL'] as const).map((side) =>
      all.fills.filter((fill) => fill.side === side).reduce((sum, { qty }) => sum + qty.toNumber(), 0),
    )
    expect(sold).toBe(bought)
    expect(fillsOf(all)).toEqual(['6 BUY 30 at 97', '6 SELL 30 at 91'])
  })

  it('answers no candle by what it did inside: an order in answer to its fill comes to the next open', async () => {
    const tape = tapeOf([
      [100, 101, 93, 99],
      [80, 81, 79, 80],
    ])
    const all = await runStrategy(
      {
        run: ({ fills$ }: StrategyContext<unknown>) =>
          merge(
            at([[BEFORE, bought({ stop: 94 })]]),
            fills$.pipe(
              first(({ side }) => side === 'SELL'),
              mergeMap(() => [sellMarket(BTC, 1), stopBuy(BTC, 100, 1)]),
            ),
          ),
      },
      {
        tapes: [tape],
        settings: { liquidity: 'tape', limits: null, credit: { USD: '100000', BTC: '100' }, spread: '2' },
      },
    )
    expect(fillsOf(all)).toEqual(['6 BUY 3 at 97', '6 SELL 3 at 93', '6 SELL 1 at 79', '7 BUY 1 at 101'])
  })
})

it('waits for the trades of one market and the candles of another', async () => {
  const trades = memoryTape(
    [100, 99, 94, 93, 92].map((price, minute) => [(4 + minute) * MINUTE, price, 100] as const),
    { symbol: 'ETH_USD' },
  )
  const all = await played(
    [
      [BEFORE, stopSell(BTC, 95, 2)],
      [BEFORE, stopSell('ETH_USD', 95, 2)],
    ],
    [],
    {
      tapes: [tapeOf([[100, 101, 94, 97]]), trades],
      settings: { credit: { USD: '100000', BTC: '100', ETH: '100' } },
    },
  )
  expect(reported(all).filter((line) => line.includes('triggered'))).toEqual(['6 triggered w2', '6 triggered w1'])
})
