/** Summary of a run for lists: taken from its `run.json`, and stored in the database. */
import { z } from 'zod'
import { recordedSpans } from '../../runtime/backtest/recorded-spans.ts'

const RECORDED = { symbol: z.string(), file: z.string(), sha256: z.string(), from: z.number(), to: z.number() }

const SAVED_SUMMARY = z.object({
  version: z.string(),
  strategy: z.object({ name: z.string(), sha256: z.string().nullable() }),
  params: z.record(z.string(), z.unknown()),
  tapes: z.array(z.object(RECORDED)),
  /** Recorded books and quotes; absent if there are none. */
  books: z.array(z.object(RECORDED)).optional(),
  config: z.record(z.string(), z.unknown()),
  digest: z.string(),
  failure: z.object({ message: z.string() }).nullable(),
  finalEquity: z.string(),
  quoteAsset: z.string(),
  statistics: z.object({
    return: z.number().nullable(),
    maxDrawdown: z.number(),
    sharpe: z.number().nullable(),
    roundTrips: z.int(),
  }),
})

export type SavedSummary = z.output<typeof SAVED_SUMMARY>

/** List entry of a run. */
export interface ListedRun {
  /** Shortest unique prefix of its id. */
  readonly id: string
  /** Unix milliseconds. */
  readonly savedAt: number
  readonly summary: SavedSummary
}

/** @param json  a report or a stored summary @returns undefined for anything else */
export function savedSummaryOf(json: unknown): SavedSummary | undefined {
  const parsed = SAVED_SUMMARY.safeParse(json)
  return parsed.success ? parsed.data : undefined
}

/** Markets of a run without duplicates, in the order given. */
export const symbolsOf = (summary: SavedSummary): readonly string[] => [
  ...new Set(recordedSpans(summary).map(({ symbol }) => symbol)),
]

/** Recorded time of the run, Unix milliseconds. */
export function rangeOf(summary: SavedSummary): { readonly from: number; readonly to: number } | undefined {
  const { config } = summary
  const spans = recordedSpans(summary)
  if (spans.length === 0) return undefined
  return {
    from: typeof config.from === 'number' ? config.from : Math.min(...spans.map(({ from }) => from)),
    to: typeof config.to === 'number' ? config.to : Math.max(...spans.map(({ to }) => to)),
  }
}
