/** The time that a run covers, and whether it is long enough for figures per year. */
import { DAY_MS } from '../../domain/time.ts'
import { recordedSpans } from '../../runtime/backtest/recorded-spans.ts'
import type { RunReport } from './run-report.ts'

export interface RunSpan {
  /** Unix milliseconds. */
  readonly from: number
  readonly to: number
}

interface Session {
  readonly startedAt: number
  readonly endedAt: number
}

interface Spanned extends Pick<RunReport, 'tapes' | 'books' | 'failure'> {
  readonly config: Pick<RunReport['config'], 'from' | 'to'>
  readonly live?: Session | undefined
  readonly paper?: Session | undefined
}

/** From the first row to the last, or to the failure; of a session from its start to its end. */
export function runSpan(run: Spanned): RunSpan {
  const { config, failure } = run
  const session = run.live ?? run.paper
  if (session !== undefined) return { from: session.startedAt, to: session.endedAt }
  const spans = recordedSpans(run)
  const from = Math.max(Math.min(...spans.map((tape) => tape.from)), config.from ?? Number.NEGATIVE_INFINITY)
  const to = Math.min(Math.max(...spans.map((tape) => tape.to)), config.to ?? Number.POSITIVE_INFINITY)
  return { from, to: Math.max(from, Math.min(to, failure?.time ?? to)) }
}

/** Minimum length for annual figures: in a shorter run, one lucky day decides them. */
export const MIN_ANNUAL_DAYS = 7

export const isTooShortForYear = ({ from, to }: RunSpan): boolean => to - from < MIN_ANNUAL_DAYS * DAY_MS
