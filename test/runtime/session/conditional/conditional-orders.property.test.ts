/**
 * Brackets, groups and stops on random tapes, of trades and of candles, with latency, limits of requests, small fills,
 * and cancels at any time.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Intent } from '../../../../src/strategy/intent.ts'
import { buyLimit, buyMarket, cancel, cancelAll, sellLimit } from '../../../../src/strategy/orders.ts'
import { bracket, oco, stopSell, takeProfit, trailingStop } from '../../../../src/strategy/waiting.ts'
import type { Tape } from '../../../../src/tape/tape.ts'
import { memoryCandles, type CandleRow } from '../../../simulation/rig/memory-candles.ts'
import { memoryTape, type RecordedRow } from '../../../simulation/rig/memory-tape.ts'
import { runStrategy, type JournalLine, type TestRun } from '../../rig/run-strategy.ts'
import { at } from '../../rig/scripted-orders.ts'
import { runs } from '../../../property/property.ts'

const BTC = 'BTC_USD'
const price = fc.integer({ min: 95, max: 105 })
const lots = fc.integer({ min: 1, max: 5 })

const exits = fc.record(
  {
    stop: fc.integer({ min: 95, max: 100 }),
    target: fc.integer({ min: 100, max: 105 }),
  },
  { requiredKeys: ['stop'] },
)
const trail = fc.record({ trail: fc.record({ distance: fc.integer({ min: 1, max: 3 }) }) })
const entry = fc.oneof(
  fc.tuple(price, lots).map(([at, qty]) => buyLimit(BTC, at, qty)),
  lots.map((qty) => buyMarket(BTC, qty)),
  fc
    .tuple(price, lots, fc.integer({ min: 1_000, max: 30_000 }))
    .map(([at, qty, expires]) => buyLimit(BTC, at, qty, { expires })),
)
const target = fc.record({ target: fc.integer({ min: 100, max: 105 }) })
const brackets: fc.Arbitrary<Intent> = fc
  .tuple(entry, fc.oneof(exits, trail, target))
  .map(([way, out]) => bracket(way, out))
const others: fc.Arbitrary<Intent> = fc.oneof(
  fc.tuple(price, lots).map(([at, qty]) => stopSell(BTC, at, qty)),
  fc.tuple(price, lots).map(([at, qty]) => takeProfit(BTC, at, qty)),
  fc.tuple(price, price, lots).map(([at, stop, qty]) => oco(sellLimit(BTC, at, qty), stopSell(BTC, stop, qty))),
  fc.tuple(price, lots).map(([at, qty]) => oco(takeProfit(BTC, at, qty), trailingStop(BTC, { percent: 2 }, qty))),
  fc.integer({ min: 1, max: 8 }).map((id) => cancel(`w${id}`)),
  fc.constant(cancelAll()),
)

const rows = fc
  .array(fc.tuple(price, fc.integer({ min: 1, max: 6 }), fc.constantFrom('buy' as const, 'sell' as const)), {
    minLength: 5,
    maxLength: 40,
    size: 'max',
  })
  .map((all) => all.map(([at, qty, side], second): RecordedRow => [second * 1_000, at, qty, side]))

/** Of a second each, with holes, at whose end a strategy that acts every second is as far as on a tape of trades. */
const candleRows = fc
  .array(fc.tuple(price, price, price, price, fc.constantFrom(0, 5, 40, 1_000), fc.integer({ min: 1, max: 3 })), {
    minLength: 5,
    maxLength: 40,
    size: 'max',
  })
  .map((all) => {
    let second = 0
    return all.map(([open, close, a, b, volume, step]): CandleRow => {
      const [high, low] = [Math.max(open, close, a, b), Math.min(open, close, a, b)]
      const row: CandleRow = [second * 1_000, open, high, low, close, volume]
      second += step
      return row
    })
  })

const tapes: fc.Arbitrary<() => Tape> = fc.oneof(
  rows.map((each) => () => memoryTape(each)),
  candleRows.map((each) => () => memoryCandles(each, { intervalMs: 1_000 })),
)

const settings = fc.record({
  liquidity: fc.constantFrom('tape' as const, 'touch' as const, 'through' as const, 'ideal' as const),
  orderLatencyMs: fc.constantFrom(0, 50, 1_500),
  responseLatencyMs: fc.constantFrom(0, 700),
  feedLatencyMs: fc.constantFrom(0, 300),
  limits: fc.constantFrom(null, { general: 600, mutations: 3, windowSeconds: 10 }),
  makerFeeBps: fc.constantFrom('0', '10'),
})

const play = (script: fc.Arbitrary<Intent>): fc.Arbitrary<{ readonly run: () => Promise<TestRun> }> =>
  fc
    .record({
      tape: tapes,
      acts: fc.array(fc.tuple(fc.integer({ min: 0, max: 35_000 }), script), {
        minLength: 1,
        maxLength: 8,
        size: 'max',
      }),
      settings,
      btc: fc.constantFrom('0', '20'),
    })
    .map((each) => ({
      ...each,
      run: () =>
        runStrategy(
          { run: () => at(each.acts.toSorted(([a], [b]) => a - b)) },
          { tapes: [each.tape()], settings: { credit: { USD: '2000', BTC: each.btc }, ...each.settings } },
        ),
    }))

const of = (journal: readonly JournalLine[], type: string): readonly JournalLine[] =>
  journal.filter((line) => line.type === type)

const sumOf = (run: TestRun, side: 'BUY' | 'SELL'): number =>
  run.fills.filter((fill) => fill.side === side).reduce((sum, { qty }) => sum + qty.toNumber(), 0)

it('brackets never sell more than they bought, nothing is reserved twice, and each wait ends once', async () => {
  const reached = { sold: 0, triggered: 0, retried: 0, excluded: 0, partly: 0, cancelled: 0 }
  await fc.assert(
    fc.asyncProperty(
      play(fc.oneof({ weight: 4, arbitrary: brackets }, { weight: 1, arbitrary: others })),
      async ({ run }) => {
        const played = await run()
        const { journal, result } = played
        expect(result.failure).toBeUndefined()
        const waits = of(journal, 'wait').map(({ id }) => String(id))
        expect(new Set(waits).size).toBe(waits.length)
        const ends = of(journal, 'wait-over').map(({ id }) => String(id))
        expect(new Set(ends).size).toBe(ends.length)
        for (const id of [...ends, ...of(journal, 'triggered').map((line) => String(line.id))])
          expect(waits).toContain(id)
        const perTrigger = new Map<unknown, number>()
        for (const { by } of of(journal, 'place')) perTrigger.set(by, (perTrigger.get(by) ?? 0) + 1)
        reached.retried += waits.filter((id) => (perTrigger.get(id) ?? 0) > 1).length
        reached.triggered += of(journal, 'triggered').length
        reached.excluded += of(journal, 'wait-over').filter(({ why }) => why === 'excluded').length
        reached.cancelled += of(journal, 'cancel').length
        if (sumOf(played, 'SELL') > 0) reached.sold += 1
        if (played.orders.some(({ order }) => order.status === 'CANCELLED' && order.filledQty.gt(0)))
          reached.partly += 1
      },
    ),
    { numRuns: runs(600) },
  )
  for (const [corner, times] of Object.entries(reached)) expect(times, corner).toBeGreaterThan(0)
})

it('what brackets alone sell is never more than what they bought', async () => {
  const reached = { all: 0, some: 0, held: 0 }
  await fc.assert(
    fc.asyncProperty(play(brackets), async ({ run }) => {
      const played = await run()
      const [bought, sold] = [sumOf(played, 'BUY'), sumOf(played, 'SELL')]
      expect(sold).toBeLessThanOrEqual(bought)
      if (bought > 0 && sold === bought) reached.all += 1
      if (sold > 0 && sold < bought) reached.some += 1
      // What is still held at the end has a way out that waits, rests, or is on its way.
      if (sold < bought) {
        const isOpen = played.orders.some(({ order }) => order.status === 'OPEN' || order.status === 'PARTIALLY_FILLED')
        const waiting = of(played.journal, 'wait').length - of(played.journal, 'wait-over').length
        const refused = of(played.journal, 'refused').length
        // What is reported at the last moment no one acts on.
        const isLast = of(played.journal, 'fill').at(-1)?.t === of(played.journal, 'end')[0]?.t
        expect(isOpen || isLast || waiting > 0 || played.result.unsent > 0 || refused > 0).toBe(true)
        reached.held += 1
      }
    }),
    { numRuns: runs(500), endOnFailure: true },
  )
  for (const [corner, times] of Object.entries(reached)) expect(times, corner).toBeGreaterThan(0)
})
