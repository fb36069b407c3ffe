/**
 * A run in the form used for comparison: each request of its strategy with all reports about it.
 *
 * Invariant: the earlier of two events in a journal has the lower position.
 */
import type { Refuser } from '../../domain/refusal.ts'
import type { LineOf } from '../../runtime/journal/journal-line.ts'

/** Values by name, from `run.json` or the first line of a journal. */
export type Fields = Readonly<Record<string, unknown>>

/** One of the two runs of a comparison, as far as its files exist. */
export interface ComparedRun {
  /** Path as passed by the user. */
  readonly directory: string
  /** Content of `run.json`; undefined for a session that was killed or is still running. */
  readonly report: Fields | undefined
  /** First line of the journal, with the settings; undefined if it has none. */
  readonly head: Fields | undefined
  readonly trace: RunTrace
  /** True if the last line of the journal is incomplete. */
  readonly isCut: boolean
  /** Files that changed since the run, according to the hashes in its report. */
  readonly changed: readonly string[]
}

/** One value per run. */
export interface Sides<Value> {
  readonly a: Value
  readonly b: Value
}

export const bothOf = <Value, Result>({ a, b }: Sides<Value>, of: (value: Value) => Result): Sides<Result> => ({
  a: of(a),
  b: of(b),
})

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object under a name; empty if there is none. */
export function fieldsAt(fields: Fields | undefined, name: string): Fields {
  const value = fields?.[name]
  return isFields(value) ? value : {}
}

/** The objects of a list; empty if there is none. */
export function listAt(fields: Fields | undefined, name: string): readonly Fields[] {
  const value: unknown = fields?.[name]
  return Array.isArray(value) ? value.filter(isFields) : []
}

/** True for a run on a live exchange. */
export const isLiveRun = ({ report, head }: ComparedRun): boolean =>
  report?.live !== undefined || head?.liquidity === 'live'

/** Error message of the strategy. */
export function failureOf({ report }: ComparedRun): string | undefined {
  const { message } = fieldsAt(report, 'failure')
  return typeof message === 'string' ? message : undefined
}

/** An event that was reported to the strategy. */
export interface Reported {
  readonly position: number
  /** Unix milliseconds. */
  readonly t: number
}

export interface ReportedAnswer extends Reported {
  readonly type: 'acknowledged' | 'refused' | 'withdrawn' | 'unknown'
  /** Only for refusals. */
  readonly code?: string
  readonly by?: Refuser
}

/** Resolution of an order whose answer was lost. */
export interface ReportedReconciliation extends Reported {
  readonly type: 'adopted' | 'absent' | 'ambiguous'
}

/** Decimal strings. */
export interface TracedFill extends Reported {
  readonly price: string
  readonly qty: string
  /** Fee in the quote asset; undefined if the journal does not record it. */
  readonly fee: string | undefined
  readonly isMaker: boolean
}

export interface TracedRequest extends Reported {
  readonly ref: number
  /** Text of the request without ids, times and tags; equal for equal requests. */
  readonly words: string
  /** Undefined for a cancel. */
  readonly placed: { readonly symbol: string; readonly side: string } | undefined
  answer: ReportedAnswer | undefined
  readonly settlements: ReportedReconciliation[]
  readonly fills: TracedFill[]
  /** Cancellation of the order that it placed. */
  cancelled: Reported | undefined
}

/** All balances as one text, equal for equal balances. */
export interface ReportedBalances extends Reported {
  readonly held: string
}

export interface RunTrace {
  /** Undefined for a journal without a first line. */
  readonly head: LineOf<'run'> | undefined
  /** Decimal strings by asset. */
  readonly credits: Readonly<Record<string, string>>
  /** Requests of the strategy, without those of the session itself. */
  readonly requests: readonly TracedRequest[]
  readonly balances: readonly ReportedBalances[]
  /** All fills, including those of orders that were open before the run. */
  readonly fillCount: number
  /** Decimal strings by quote asset. */
  readonly fees: Readonly<Record<string, string>>
  /** Counts by code and sender. */
  readonly refusals: Readonly<Record<string, number>>
  readonly takenOver: number
  /** Unix milliseconds of the first and the last line. */
  readonly startedAt: number
  readonly endedAt: number
  /** False for a run that was killed or is still running. */
  readonly isEnded: boolean
}
