/**
 * Positions that a group protects and that are closed in another way: the group holds what is left of its own.
 */
import { describe, expect, it } from 'vitest'
import type { Intent } from '../../../../src/strategy/intent.ts'
import { buyLimit, buyMarket, cancel, sellLimit, sellMarket } from '../../../../src/strategy/orders.ts'
import { rebalance, target } from '../../../../src/strategy/targets.ts'
import { bracket, oco, stopSell, takeProfit } from '../../../../src/strategy/waiting.ts'
import { memoryCandles, type CandleRow } from '../../../simulation/rig/memory-candles.ts'
import { memoryTape, type RecordedRow } from '../../../simulation/rig/memory-tape.ts'
import { runStrategy, type TestRun } from '../../rig/run-strategy.ts'
import { at, type Acts } from '../../rig/scripted-orders.ts'

const BTC = 'BTC_USD'
const STOPPED = { stop: 95 }

/** Acts at 1, 2, 3 ... seconds, at 100; later the price falls to 90, where every stop acts. */
async function played(intents: readonly (Intent | readonly Intent[])[], btc = '0'): Promise<TestRun> {
  const acts: Acts = intents.flatMap((each, index) => {
    const all = Array.isArray(each) ? (each as readonly Intent[]) : [each as Intent]
    return all.map((intent) => [1_000 * (index + 1) + 500, intent] as const)
  })
  const rows = [100, 100, 100, 100, 100, 100, 100, 90, 90].map((price, second): RecordedRow => [
    second * 1_000,
    price,
    100,
  ])
  const all = await runStrategy(
    { run: () => at(acts) },
    { tapes: [memoryTape(rows)], settings: { limits: null, credit: { USD: '100000', BTC: btc } } },
  )
  expect(all.result.failure).toBeUndefined()
  return all
}

/** What was sold at 90, by stops. */
const stopped = ({ fills }: TestRun): number =>
  fills.filter(({ price }) => price.eq(90)).reduce((sum, { qty }) => sum + qty.toNumber(), 0)

const ends = ({ journal }: TestRun): readonly string[] =>
  journal.flatMap(({ type, id, why }) => (type === 'wait-over' ? [`${String(id)} ${String(why)}`] : []))

const bought = (qty: number): Intent => bracket(buyMarket(BTC, qty), STOPPED)

describe('a bracket whose position is closed in another way', () => {
  it.each`
    intents                                                                   | btc     | stop | why
    ${[bought(4), target(BTC, 0), buyMarket(BTC, 3)]}                         | ${'0'}  | ${0} | ${'by a target, and bought anew'}
    ${[bought(4), sellMarket(BTC, 4), buyMarket(BTC, 3)]}                     | ${'0'}  | ${0} | ${'by a plain sell'}
    ${[bought(4), sellLimit(BTC, 100, 4), buyMarket(BTC, 3)]}                 | ${'0'}  | ${0} | ${'by a limit order'}
    ${[bought(4), rebalance({ BTC: 0 }), buyMarket(BTC, 3)]}                  | ${'0'}  | ${0} | ${'by a rebalancing'}
    ${[bought(4), sellMarket(BTC, 1), buyMarket(BTC, 3)]}                     | ${'0'}  | ${3} | ${'in part: it holds the rest'}
    ${[bought(4), sellMarket(BTC, 4)]}                                        | ${'10'} | ${0} | ${'while others were held before: those are not its own'}
    ${[bought(4), sellMarket(BTC, 14), buyMarket(BTC, 3)]}                    | ${'10'} | ${0} | ${'with all that was held before'}
    ${[buyMarket(BTC, 2), bought(4), sellMarket(BTC, 2)]}                     | ${'0'}  | ${4} | ${'not at all: what nothing protects is sold first'}
    ${[bought(4), buyMarket(BTC, 2), sellMarket(BTC, 3)]}                     | ${'0'}  | ${3} | ${'in part, behind what nothing protects'}
    ${[bought(4), bought(2), sellMarket(BTC, 5)]}                             | ${'0'}  | ${1} | ${'of two the oldest first'}
    ${[bought(4), bought(2), cancel('w1'), sellMarket(BTC, 4)]}               | ${'0'}  | ${2} | ${'not, when another was given up before'}
    ${[sellMarket(BTC, 5), bought(4), buyMarket(BTC, 5), sellMarket(BTC, 5)]} | ${'10'} | ${4} | ${'not by what was sold and bought again'}
    ${[bought(4), [sellMarket(BTC, 4), bought(2)]]}                           | ${'0'}  | ${2} | ${'in the event that begins the next'}
    ${[bought(4), stopSell(BTC, 100, 4), buyMarket(BTC, 3)]}                  | ${'0'}  | ${0} | ${'by a stop of its own'}
  `('$why', async ({ intents, btc, stop }: { intents: readonly Intent[]; btc: string; stop: number }) => {
    expect(stopped(await played(intents, btc))).toBe(stop)
  })

  it('says so of its stop, and withdraws its target', async () => {
    const all = await played([bracket(buyMarket(BTC, 4), { stop: 95, target: 110 }), sellMarket(BTC, 4)], '10')
    expect(ends(all)).toEqual(['w2 closed'])
    expect(all.orders.at(-1)?.order).toMatchObject({ status: 'CANCELLED' })
    expect(stopped(all)).toBe(0)
  })

  it('offers the rest at its target', async () => {
    const all = await played([bracket(buyMarket(BTC, 4), { target: 110 }), sellMarket(BTC, 1)], '10')
    const open = all.orders.map(({ order }) => order).filter(({ status }) => status === 'OPEN')
    expect(open.map(({ qty, price }) => `${qty.toFixed()} at ${price?.toFixed() ?? ''}`)).toEqual(['3 at 110'])
  })

  it('goes on for what its entry buys later', async () => {
    const entry = bracket(buyLimit(BTC, 99, 4), STOPPED)
    const rows: readonly RecordedRow[] = [
      [0, 100, 5],
      [2_000, 99, 2],
      [4_000, 100, 5],
      [5_000, 99, 9],
      [6_000, 90, 9],
      [7_000, 90, 9],
    ]
    const all = await runStrategy(
      {
        run: () =>
          at([
            [1_000, entry],
            [3_000, sellMarket(BTC, 1)],
          ]),
      },
      { tapes: [memoryTape(rows)], settings: { limits: null, liquidity: 'touch', spread: '2' } },
    )
    const sum = (side: string): number =>
      all.fills.filter((fill) => fill.side === side).reduce((total, { qty }) => total + qty.toNumber(), 0)
    expect([sum('BUY'), sum('SELL')]).toEqual([4, 4])
  })

  it('is over on candles too', async () => {
    const rows = Array.from({ length: 12 }, (_, minute): CandleRow => {
      const price = minute < 9 ? 100 : 90
      return [minute * 60_000, price, price + 2, price - 2, price, 1_000_000]
    })
    const acts: Acts = [
      [300_001, bought(4)],
      [360_001, target(BTC, 0)],
      [420_001, buyMarket(BTC, 3)],
    ]
    const all = await runStrategy(
      { run: () => at(acts) },
      { tapes: [memoryCandles(rows)], settings: { limits: null, liquidity: 'tape', credit: { USD: '100000' } } },
    )
    expect(all.fills.map(({ side, qty }) => `${side} ${qty.toFixed()}`)).toEqual(['BUY 4', 'SELL 4', 'BUY 3'])
  })
})

describe('a group without an entry', () => {
  const pair = oco(takeProfit(BTC, 110, 4), stopSell(BTC, 95, 4))
  it.each`
    intents                                                         | btc    | stop | why
    ${[buyMarket(BTC, 4), pair, target(BTC, 0), buyMarket(BTC, 3)]} | ${'0'} | ${0} | ${'ends with the position'}
    ${[pair, sellMarket(BTC, 2)]}                                   | ${'9'} | ${4} | ${'stays as long as the rest covers it'}
    ${[pair, sellMarket(BTC, 7)]}                                   | ${'9'} | ${2} | ${'shrinks to what is left'}
    ${[stopSell(BTC, 95, 4), buyMarket(BTC, 4)]}                    | ${'0'} | ${4} | ${'may come before its position'}
  `('$why', async ({ intents, btc, stop }: { intents: readonly Intent[]; btc: string; stop: number }) => {
    expect(stopped(await played(intents, btc))).toBe(stop)
  })
})
