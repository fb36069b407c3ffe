/**
 * Orders that are sent at given times, whatever the market does; also random ones.
 */
import fc from 'fast-check'
import { concatMap, from, map, timer, type Observable } from 'rxjs'
import type { BacktestSettings } from '../../../src/runtime/settings/backtest-settings.ts'
import type { Intent } from '../../../src/strategy/intent.ts'
import { buyLimit, buyMarket, cancelAll, sellLimit, sellMarket } from '../../../src/strategy/orders.ts'
import { memoryTape, type RecordedRow } from '../../simulation/rig/memory-tape.ts'
import { runStrategy, type TestRun } from './run-strategy.ts'

const BTC = 'BTC_USD'

/** What a strategy asks for, and when; in the order of time. */
export type Acts = readonly (readonly [ms: number, intent: Intent])[]

export const at = (acts: Acts): Observable<Intent> =>
  from(acts).pipe(concatMap(([ms, intent], index) => timer(ms - (acts[index - 1]?.[0] ?? 0)).pipe(map(() => intent))))

export interface Script {
  readonly rows: readonly RecordedRow[]
  readonly acts: Acts
  readonly settings: Partial<BacktestSettings>
}

/** Few, so that orders meet each other and the tape. */
const PRICES = { min: 98, max: 102 }

/** Random tapes of one trade a second, and random orders on them. */
export const scripts = (): fc.Arbitrary<Script> => {
  const row = fc.tuple(
    fc.integer(PRICES),
    fc.integer({ min: 1, max: 6 }),
    fc.constantFrom('buy' as const, 'sell' as const),
  )
  const limit = fc
    .tuple(fc.boolean(), fc.integer(PRICES), fc.integer({ min: 1, max: 4 }))
    .map(([isBuy, price, qty]) => (isBuy ? buyLimit(BTC, price, qty) : sellLimit(BTC, price, qty)))
  const intent = fc.oneof(
    { weight: 8, arbitrary: limit },
    { weight: 1, arbitrary: fc.constant(cancelAll()) },
    { weight: 1, arbitrary: fc.boolean().map((isBuy) => (isBuy ? buyMarket(BTC, 3) : sellMarket(BTC, 3))) },
  )
  const act = fc.tuple(fc.integer({ min: 0, max: 30_000 }), intent)
  return fc.record({
    // One trade a second at most, so that a time names a trade.
    rows: fc
      .array(row, { minLength: 2, maxLength: 25, size: 'max' })
      .map((rows) => rows.map(([price, qty, side], second): RecordedRow => [second * 1_000, price, qty, side])),
    acts: fc.array(act, { minLength: 1, maxLength: 20, size: 'max' }).map((acts) => acts.toSorted(([a], [b]) => a - b)),
    settings: fc.record({
      liquidity: fc.constantFrom('tape', 'tape', 'touch', 'through', 'ideal'),
      orderLatencyMs: fc.constantFrom(0, 50, 1_000),
      responseLatencyMs: fc.constantFrom(0, 700),
    }),
  })
}

/** Under liquidity `tape` and without rate limits unless given otherwise. */
export const playScript = ({ rows, acts, settings }: Script): Promise<TestRun> =>
  runStrategy(
    { run: () => at(acts) },
    {
      tapes: [memoryTape(rows)],
      settings: { liquidity: 'tape', credit: { USD: '10000', BTC: '100' }, limits: null, ...settings },
    },
  )
