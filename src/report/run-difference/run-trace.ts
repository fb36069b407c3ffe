/**
 * A run as far as it can be compared with another: each request of its strategy with all that was told of it.
 *
 * Invariant: a position is the number of a line, so that of two things of one run the earlier has the lower one.
 */
import type { Refuser } from '../../domain/refusal.ts'
import type { LineOf } from '../../runtime/journal/journal-line.ts'

/** Something that the strategy was told. */
export interface Reported {
  readonly position: number
  /** Unix milliseconds. */
  readonly t: number
}

export interface ReportedAnswer extends Reported {
  readonly type: 'acknowledged' | 'refused' | 'withdrawn' | 'unknown'
  /** Of a refusal. */
  readonly code?: string
  readonly by?: Refuser
}

/** What was found where the answer was lost. */
export interface ReportedReconciliation extends Reported {
  readonly type: 'adopted' | 'absent' | 'ambiguous'
}

/** Decimal strings. */
export interface TracedFill extends Reported {
  readonly price: string
  readonly qty: string
  /** In the quote asset; undefined in a journal that does not tell it. */
  readonly fee: string | undefined
  readonly isMaker: boolean
}

export interface TracedRequest extends Reported {
  readonly ref: number
  /** What was asked for, without ids, times and tags: equal for two requests that ask for the same. */
  readonly words: string
  /** Undefined for a cancel. */
  readonly placed: { readonly symbol: string; readonly side: string } | undefined
  answer: ReportedAnswer | undefined
  readonly settlements: ReportedReconciliation[]
  readonly fills: TracedFill[]
  /** When the order it placed was cancelled. */
  cancelled: Reported | undefined
}

/** All that is held, in one text that is equal for equal holdings. */
export interface ReportedBalances extends Reported {
  readonly held: string
}

export interface RunTrace {
  /** Undefined for a journal that ended before its first line. */
  readonly head: LineOf<'run'> | undefined
  /** Decimal strings by asset. */
  readonly credits: Readonly<Record<string, string>>
  /** Of the strategy; those of its session are not among them. */
  readonly requests: readonly TracedRequest[]
  readonly balances: readonly ReportedBalances[]
  /** All, also of orders that were open before the run began. */
  readonly fillCount: number
  /** Decimal strings by quote asset. */
  readonly fees: Readonly<Record<string, string>>
  /** By code, and whose it was. */
  readonly refusals: Readonly<Record<string, number>>
  readonly takenOver: number
  /** Unix milliseconds of the first and the last line. */
  readonly startedAt: number
  readonly endedAt: number
  /** False for a run that was killed, or that goes on. */
  readonly isEnded: boolean
}
