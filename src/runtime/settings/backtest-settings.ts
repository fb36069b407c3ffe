/**
 * A backtest as a user describes it, with every default filled in. Plain values: it goes into `run.json` and comes back
 * from it.
 */
import type { BookTapeSource, TapeSource } from '../../import/tape-source.ts'
import type { RunTerms } from './run-terms.ts'

export interface BacktestSettings extends RunTerms {
  /** Name of a ready strategy, or path of a file. */
  readonly strategy: string
  /** As text, from the command line; these win over the values below. */
  readonly paramTexts: Readonly<Record<string, string>>
  readonly params: Readonly<Record<string, unknown>>
  readonly tapes: readonly TapeSource[]
  /** Recordings of books and of quotes. */
  readonly books: readonly BookTapeSource[]
  /** Decimal strings by asset; empty for 10 000 of the first tape's quote asset. */
  readonly credit: Readonly<Record<string, string>>
}

export const DEFAULT_CREDIT = '10000'
