/**
 * The service's limits in a backtest (the specification, section 8; decision 22).
 */
import * as rx from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { Intent } from '../../../src/strategy/intent.ts'
import { buyLimit, buyMarket, cancel, cancelAll } from '../../../src/strategy/orders.ts'
import type { IntentStream } from '../../../src/strategy/strategy.ts'
import { bracket } from '../../../src/strategy/waiting.ts'
import { memoryTape } from '../../simulation/rig/memory-tape.ts'
import { runStrategy, type TestRun } from '../rig/run-strategy.ts'

const BTC = 'BTC_USD'
const tapes = [
  memoryTape([
    [0, 100, 1],
    [300_000, 100, 1],
  ]),
]

const bids = (count: number): readonly Intent[] => Array.from({ length: count }, () => buyLimit(BTC, 1, 1))

/** How many lines of a type there are at each time, as `time x count`. */
function timesOf({ journal }: TestRun, type: string): readonly string[] {
  const counts = new Map<number, number>()
  for (const line of journal) if (line.type === type) counts.set(line.t, (counts.get(line.t) ?? 0) + 1)
  return [...counts].map(([time, count]) => `${time} x ${count}`)
}

describe('the default', () => {
  it('is the service’s: 30 orders and cancels a minute; what is over them is refused before it leaves', async () => {
    const run = await runStrategy({ run: () => rx.timer(1_000).pipe(rx.map(() => bids(35))) }, { tapes })
    expect(timesOf(run, 'place')).toEqual(['1000 x 35'])
    expect(timesOf(run, 'refused')).toEqual(['1000 x 5'])
    expect(timesOf(run, 'acknowledged')).toEqual(['1050 x 30'])
    expect(run.result.record.refusals).toEqual(new Map([['RATE_LIMITED', 5]]))
    expect(run.journal.find(({ code }) => code === 'RATE_LIMITED')).toMatchObject({
      message: 'the rate limit of this session is used up',
    })
  })

  it('gives a new allowance 60 s after the first of them', async () => {
    const run = await runStrategy(
      { run: () => rx.merge(...[1_000, 60_999, 61_000].map((time) => rx.timer(time).pipe(rx.map(() => bids(30))))) },
      { tapes },
    )
    expect(timesOf(run, 'refused')).toEqual(['60999 x 30'])
    expect(timesOf(run, 'acknowledged')).toEqual(['1050 x 30', '61050 x 30'])
  })
})

describe('under wait', () => {
  it('what is over the limits is sent when the next window opens', async () => {
    const run = await runStrategy(
      { run: () => rx.timer(1_000).pipe(rx.map(() => bids(70))) },
      { tapes, settings: { onLimit: 'wait' } },
    )
    expect(timesOf(run, 'place')).toEqual(['1000 x 70'])
    expect(timesOf(run, 'acknowledged')).toEqual(['1050 x 30', '61050 x 30', '121050 x 10'])
    expect(timesOf(run, 'refused')).toEqual([])
  })

  it('cancels go before creations that waited longer', async () => {
    const run = await runStrategy(
      {
        run: (): IntentStream =>
          rx.merge(rx.of(bids(32)), rx.timer(10_000).pipe(rx.map(() => [cancel('1'), cancel('999')]))),
      },
      { tapes, settings: { onLimit: 'wait' } },
    )
    const late = run.journal.filter(({ t, ref }) => t === 60_050 && ref !== undefined)
    expect(late.map(({ type, ref }) => `${type} ${String(ref)}`)).toEqual([
      ...['refused 33', 'refused 34', 'acknowledged 31', 'acknowledged 32'],
    ])
  })

  it('the target of a bracket goes before orders that waited longer', async () => {
    const run = await runStrategy(
      { run: (): IntentStream => rx.of([bracket(buyMarket(BTC, 1), { stop: 50, target: 200 }), ...bids(40)]) },
      { tapes, settings: { onLimit: 'wait' } },
    )
    const [first] = run.journal.filter(({ t, type }) => t === 60_050 && type === 'acknowledged')
    const target = run.journal.find(({ ref, type }) => type === 'place' && ref === first?.ref)
    expect(target).toMatchObject({ request: { side: 'SELL', price: '200' } })
  })

  it('a cancel-all costs a mutation an order', async () => {
    const run = await runStrategy(
      { run: () => rx.concat(rx.of(bids(20)), rx.timer(1_000).pipe(rx.map(() => cancelAll()))) },
      { tapes, settings: { onLimit: 'wait' } },
    )
    expect(timesOf(run, 'acknowledged')).toEqual(['50 x 20', '1050 x 10', '60050 x 10'])
  })
})

it('without limits everything is sent', async () => {
  const run = await runStrategy({ run: () => rx.of(bids(1_000)) }, { tapes, settings: { limits: null } })
  expect(timesOf(run, 'acknowledged')).toEqual(['50 x 1000'])
})
