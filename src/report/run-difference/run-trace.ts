/**
 * A run in the form used for comparison: each request of its strategy with all reports about it.
 *
 * Invariant: a position is the number of a journal line, so the earlier of two events has the lower one.
 */
import type { Refuser } from '../../domain/refusal.ts'
import type { LineOf } from '../../runtime/journal/journal-line.ts'

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
