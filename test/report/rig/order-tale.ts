/**
 * An order on a small tape, and the story that has to be reported of it.
 */
import { expect } from 'vitest'
import type { JournalLine } from '../../../src/runtime/journal/journal-line.ts'
import { orderExplanation, type OrderExplanation } from '../../../src/report/order-explanation/order-explanation.ts'
import type { BacktestSettings } from '../../../src/runtime/settings/backtest-settings.ts'
import { readJournalLines } from '../../runtime/rig/read-journal-lines.ts'
import { runStrategy, type TestStrategy } from '../../runtime/rig/run-strategy.ts'
import { at, type Acts } from '../../runtime/rig/scripted-orders.ts'
import { memoryTape, type RecordedRow } from '../../simulation/rig/memory-tape.ts'

export interface Tale {
  readonly why: string
  /** Time in ms, price in hundredths, quantity in tenths. */
  readonly rows: readonly RecordedRow[]
  readonly acts: Acts
  readonly settings?: Partial<BacktestSettings>
  /** Number of the request that is asked about; 1 unless given otherwise. */
  readonly ref?: number
  readonly verdict: string
  /** What happened, behind its time in ms. */
  readonly facts: readonly string[]
}

/** Makes a bid of 100.00, an ask of 100.01 and a clip of 2. */
export const OPENING: RecordedRow = [0, 10_000, 20, 'sell']
/** So that the run goes on. */
export const until = (ms: number): RecordedRow => [ms, 10_000, 1, 'buy']
export const above = (ms: number): RecordedRow => [ms, 10_030, 10, 'buy']

export const BLANK: Tale = { why: '', rows: [OPENING], acts: [], verdict: '', facts: [] }

/** One order a minute. */
export const LIMITED = { general: 600, mutations: 1, windowSeconds: 60 }

/** @param strategy  what is run instead of the tale's orders */
export async function journalOf(
  { rows, acts, settings = {} }: Tale,
  strategy: TestStrategy = { run: () => at(acts) },
): Promise<readonly JournalLine[]> {
  const tape = memoryTape(rows, { pricePrecision: 2, qtyPrecision: 1 })
  const run = await runStrategy(strategy, {
    tapes: [tape],
    settings: { liquidity: 'tape', credit: { USD: '10000', BTC: '100' }, ...settings },
  })
  expect(run.result.failure).toBeUndefined()
  return readJournalLines(run.lines)
}

export async function explanationOf(tale: Tale): Promise<OrderExplanation> {
  return orderExplanation(await journalOf(tale), `ref:${tale.ref ?? 1}`)
}
