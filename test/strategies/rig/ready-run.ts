/**
 * Runs of the ready strategies on random tapes, and what the journal reports of them.
 *
 * Tight on purpose: prices of a few basis points around 100, trades about as large as a quote, latencies from nothing
 * to more than a round, money on one side, on both, or hardly any.
 */
import fc from 'fast-check'
import type { z } from 'zod'
import { LIQUIDITY_NAMES } from '../../../src/simulation/liquidity/liquidity-models.ts'
import { isOpen } from '../../../src/domain/order.ts'
import type { OwnOrder } from '../../../src/strategy/own-order.ts'
import type { Strategy } from '../../../src/strategy/strategy.ts'
import { runStrategy, type TestRun, type TestStrategy } from '../../runtime/rig/run-strategy.ts'
import { memoryTape, type RecordedRow } from '../../simulation/rig/memory-tape.ts'

const STEPS_MS = [0, 0, 100, 1_000, 3_000, 9_000, 25_000] as const
const LATENCIES_MS = [0, 50, 700, 4_000, 30_000] as const
const CREDITS = [{ USD: '10000' }, { USD: '5000', BTC: '50' }, { BTC: '100' }, { USD: '300', BTC: '0.5' }] as const

const step = fc.tuple(fc.constantFrom(...STEPS_MS), fc.integer({ min: -12, max: 12 }), fc.integer({ min: 1, max: 300 }))

const rows: fc.Arbitrary<readonly RecordedRow[]> = fc
  .array(step, { minLength: 20, maxLength: 120, size: 'max' })
  .map((steps) => {
    let [time, price] = [0, 10_000]
    return steps.map(([wait, move, qty]) => [(time += wait), (price += move), qty] as const)
  })

const latencyMs = fc.constantFrom(...LATENCIES_MS)

/** Everything of a run but the strategy. */
export const randomRun = fc.record({
  rows,
  credit: fc.constantFrom(...CREDITS),
  liquidity: fc.constantFrom(...LIQUIDITY_NAMES),
  orderLatencyMs: latencyMs,
  responseLatencyMs: latencyMs,
  feedLatencyMs: latencyMs,
  takerFeeBps: fc.constantFrom('0', '10'),
})

export type RandomRun = typeof randomRun extends fc.Arbitrary<infer Run> ? Run : never

export interface ReadyRun extends TestRun {
  /** Every change of an order, in the order in which they happened. */
  readonly updates: readonly OwnOrder[]
}

export async function runReady<Schema extends z.ZodObject>(
  strategy: Strategy<Schema>,
  params: Readonly<Record<string, unknown>>,
  { rows, ...settings }: RandomRun,
): Promise<ReadyRun> {
  const updates: OwnOrder[] = []
  const watched: TestStrategy = {
    run: (context) => {
      context.orders$.subscribe((order) => updates.push(order))
      return strategy.run({ ...context, params: strategy.params.parse({ symbol: 'BTC_USD', ...params }) })
    },
  }
  const tape = memoryTape(rows, { pricePrecision: 2, qtyPrecision: 2 })
  return { ...(await runStrategy(watched, { tapes: [tape], settings })), updates }
}

/** The most orders with the same key that were in the market together. */
export function mostTogether(updates: readonly OwnOrder[], keyOf: (order: OwnOrder) => string): number {
  const live = new Map<string, string>()
  let most = 0
  for (const order of updates) {
    if (isOpen(order.status)) live.set(order.id, keyOf(order))
    else live.delete(order.id)
    const together = [...live.values()].filter((key) => key === keyOf(order)).length
    most = Math.max(most, together)
  }
  return most
}

/** The most orders and cancels that were sent within any 60 seconds. */
export function mostRequestsAMinute({ journal }: TestRun): number {
  const times = journal.filter(({ type }) => type === 'place' || type === 'cancel').map(({ t }) => t)
  return Math.max(0, ...times.map((from, first) => times.slice(first).filter((t) => t < from + 60_000).length))
}

export const refusalCodes = ({ journal }: TestRun): readonly string[] =>
  journal.flatMap(({ type, code }) => (type === 'refused' && code !== undefined ? [code] : []))

/** True when a trade was between two orders of ours. */
export const tradedWithItself = ({ fills }: TestRun): boolean =>
  new Set(fills.map(({ tradeId }) => tradeId)).size < fills.length
