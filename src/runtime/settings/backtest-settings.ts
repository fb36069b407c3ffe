/** A backtest as the user describes it, with every default filled in. Plain values, as stored in `run.json`. */
import type { BookTapeSource, TapeSource } from '../../import/tape-source.ts'
import type { SeriesSource } from '../../tape/series-info.ts'
import type { RunTerms } from './run-terms.ts'

export interface BacktestSettings extends RunTerms {
  /** Name of a built-in strategy, or path of a file. */
  readonly strategy: string
  /** Parameters as text from the command line; they take precedence over the values below. */
  readonly paramTexts: Readonly<Record<string, string>>
  readonly params: Readonly<Record<string, unknown>>
  readonly tapes: readonly TapeSource[]
  /** Recordings of books and of quotes. */
  readonly books: readonly BookTapeSource[]
  /** The strategy's own data; default: none. */
  readonly series?: readonly SeriesSource[] | undefined
  /** Decimal strings by asset; empty for 10 000 of the first tape's quote asset. */
  readonly credit: Readonly<Record<string, string>>
}

export const DEFAULT_CREDIT = '10000'
