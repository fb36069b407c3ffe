/**
 * Nothing that a strategy can reach shows the future: what comes after a moment changes nothing before it.
 */
import fc from 'fast-check'
import * as rx from 'rxjs'
import { expect, it } from 'vitest'
import type { StrategyContext } from '../../../src/strategy/context.ts'
import type { Intent } from '../../../src/strategy/intent.ts'
import type { IntentStream } from '../../../src/strategy/strategy.ts'
import { memoryTape, type RecordedRow } from '../../simulation/rig/memory-tape.ts'
import { runStrategy, type TestRun } from '../rig/run-strategy.ts'

const BTC = 'BTC_USD'

/** Listens to everything, and acts on most of it. */
const run = (context: StrategyContext<unknown>): IntentStream => {
  const { trades, tickers, candles, outcomes$, fills$, orders$, balances$, openOrders, random, log } = context
  rx.merge(outcomes$, fills$, orders$, balances$).subscribe((each) =>
    log(`${context.now()} ${JSON.stringify(each)} ${context.portfolio().equity.toFixed()}`),
  )
  const onTrade = (): readonly Intent[] => {
    const [newest] = openOrders()
    const price = 1 + Math.floor(random() * 5)
    if (random() < 0.3) return [context.buyMarket(BTC, 1)]
    if (newest !== undefined && random() < 0.3) return [context.cancel(newest)]
    return random() < 0.5 ? [context.buyLimit(BTC, price, 1)] : [context.sellLimit(BTC, price, 1)]
  }
  return rx.merge(
    trades(BTC).pipe(rx.map(onTrade)),
    tickers(BTC).pipe(
      rx.auditTime(700),
      rx.map(({ lastPrice }) => context.sellLimit(BTC, lastPrice, 1)),
    ),
    candles(BTC, '1s').pipe(rx.map(({ low }) => context.buyLimit(BTC, low, 2))),
    rx.interval(1_900).pipe(rx.map(() => context.cancelAll())),
  )
}

const rows = fc
  .array(
    fc.tuple(
      fc.constantFrom(0, 0, 1, 50, 300, 999, 1_000),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 3 }),
    ),
    {
      minLength: 2,
      maxLength: 30,
      size: 'max',
    },
  )
  .map((steps) => {
    let time = 0
    return steps.map(([step, price, qty]): RecordedRow => [(time += step), price, qty])
  })

it('a tape that is cut, or goes on otherwise, gives the same journal and the same log up to there', async () => {
  const reached = { fill: 0, refused: 0, acknowledged: 0, 'goes on': 0 }
  await fc.assert(
    fc.asyncProperty(
      rows,
      rows,
      fc.nat(1_000),
      fc.record({
        orderLatencyMs: fc.constantFrom(0, 50, 400),
        responseLatencyMs: fc.constantFrom(0, 30),
        feedLatencyMs: fc.constantFrom(0, 20),
      }),
      async (all, others, cut, latency) => {
        const kept = all.slice(0, 1 + (cut % all.length))
        const end = kept.at(-1)?.[0] ?? 0
        const otherwise = [
          ...kept,
          ...others.map(([time, price, qty]): RecordedRow => [end + 1 + time, 6 - price, qty]),
        ]
        const settings = { ...latency, credit: { USD: '20', BTC: '5' }, limits: null }
        const runs: TestRun[] = []
        for (const tape of [all, kept, otherwise])
          runs.push(await runStrategy({ run }, { tapes: [memoryTape(tape)], settings }))
        const [whole, ...parts] = runs.map(({ result, lines, journal, logs }) => {
          expect(result.failure).toBeUndefined()
          const before = lines.filter((_, index) => (journal[index]?.t ?? 0) < end)
          return [before, logs.filter(([time]) => time < end)]
        })
        for (const part of parts) expect(part).toEqual(whole)
        for (const { journal } of runs.slice(0, 1)) {
          for (const { type, t } of journal) if (t < end && type in reached) reached[type as keyof typeof reached] += 1
          if (all.length > kept.length) reached['goes on'] += 1
        }
      },
    ),
    { numRuns: 40 },
  )
  for (const [corner, times] of Object.entries(reached)) expect(times, corner).toBeGreaterThan(0)
})

/** Rows of several files of one market, in which prints are far from each other and stay there for a while. */
const files = fc
  .array(
    fc.tuple(
      fc.constantFrom(0, 0, 1, 50, 300, 999, 1_000, 9_000),
      fc.constantFrom(100, 100, 101, 99, 120, 120, 121, 80),
      fc.integer({ min: 1, max: 3 }),
      fc.constantFrom(0, 0, 0, 1),
    ),
    { minLength: 2, maxLength: 40, size: 'max' },
  )
  .map((steps) => {
    const all: RecordedRow[][] = [[], []]
    let [time, file] = [0, 0]
    for (const [step, price, qty, change] of steps) {
      time += step
      file = (file + change) % 2
      all[file]?.push([time, price, qty])
    }
    return all.filter(({ length }) => length > 0)
  })

/** Everything that is published. */
const listen = (context: StrategyContext<unknown>): IntentStream => {
  const { trades, tickers, candles, outcomes$, fills$, orders$, balances$, log } = context
  rx.merge(outcomes$, fills$, orders$, balances$).subscribe((each) => log(JSON.stringify(each)))
  trades(BTC).subscribe(({ id, price, qty, believed, isOwn }) =>
    log(`trade ${[id, price, qty, believed, isOwn].join(' ')}`),
  )
  tickers(BTC).subscribe(({ lastPrice, high, low, volume }) =>
    log(`ticker ${[lastPrice, high, low, volume].join(' ')}`),
  )
  candles(BTC, '1s').subscribe(({ open, high, low, close, volume }) =>
    log(`candle ${[open, high, low, close, volume].join(' ')}`),
  )
  return trades(BTC).pipe(
    rx.map(({ price }) => {
      const [newest] = context.openOrders()
      if (newest !== undefined && context.random() < 0.3) return [context.cancel(newest)]
      if (context.random() < 0.2) return [context.buyMarket(BTC, 1)]
      return context.random() < 0.5
        ? [context.buyLimit(BTC, price.minus(1), 1)]
        : [context.sellLimit(BTC, price.plus(1), 1)]
    }),
  )
}

it('files of one market that are cut at a moment report the same up to there, prints that are not believed among it', async () => {
  const reached = {
    'a print is not believed': 0,
    'a print is believed late': 0,
    'several files': 0,
    'a file is cut whole': 0,
    fill: 0,
  }
  await fc.assert(
    fc.asyncProperty(
      files,
      fc.nat(20_000),
      fc.constantFrom('tape', 'through', 'touch'),
      fc.record({ orderLatencyMs: fc.constantFrom(0, 50), feedLatencyMs: fc.constantFrom(0, 20) }),
      async (all, cut, liquidity, latency) => {
        const settings = {
          ...latency,
          liquidity,
          printFilter: 'auto' as const,
          credit: { USD: '900', BTC: '5' },
          limits: null,
          staleAfterMs: 5_000,
        }
        // How long a file is as a whole is known before it is played.
        const tapesOf = (upTo: number) =>
          all.map((rows) =>
            memoryTape(
              rows.filter(([time]) => time < upTo),
              { from: rows[0]?.[0] ?? 0, to: rows.at(-1)?.[0] ?? 0 },
            ),
          )
        const seen = async (upTo: number): Promise<[TestRun, unknown]> => {
          const test = await runStrategy({ run: listen }, { tapes: tapesOf(upTo), settings })
          expect(test.result.failure).toBeUndefined()
          return [test, test.logs.filter(([time]) => time < cut)]
        }
        const [whole, published] = await seen(Infinity)
        expect((await seen(cut))[1]).toEqual(published)
        const counts = whole.result.prints.get(BTC)
        if ((counts?.doubted ?? 0) > 0) reached['a print is not believed'] += 1
        if ((counts?.late ?? 0) > 0) reached['a print is believed late'] += 1
        if (all.length > 1) reached['several files'] += 1
        if (all.some(([first]) => (first?.[0] ?? 0) >= cut)) reached['a file is cut whole'] += 1
        if (whole.fills.length > 0) reached.fill += 1
      },
    ),
    { numRuns: 60 },
  )
  for (const [corner, times] of Object.entries(reached)) expect(times, corner).toBeGreaterThan(0)
})
