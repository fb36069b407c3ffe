/**
 * The account of one imported file: what became of every row.
 *
 * Invariant: `rowsIn` = `imported` + `duplicate` + `bad`.
 */
import type { BadReason } from '../../../import/csv/bad-rows.ts'
import type { TimeUnit } from '../../../import/tape-source.ts'

/** Rows that seem to be missing from a recording; nothing is filled. */
export interface RowGaps {
  /**
   * Places where ids that count by one jump, or updates of a book are missing; null where ids do not count, or there
   * are none.
   */
  readonly ids: number | null
  /** Ids that were jumped over. */
  readonly missingIds: number | null
  /** Times without a row: missing candles in a row, or more than an hour without a trade. */
  readonly times: number
  /** Unix milliseconds of the rows before and after the longest gap; null if there is none. */
  readonly longest: { readonly from: number; readonly to: number } | null
}

export interface ImportManifest {
  /** The file as the user named it. */
  readonly name: string
  /** Hash of its bytes on disk, lower-case hex. */
  readonly sha256: string
  readonly bytes: number
  /** Its format, for people. */
  readonly dialect: string
  readonly symbol: string
  readonly kind: 'trades' | 'candles' | 'depth' | 'quotes'
  /** Milliseconds of a candle; null for all others. */
  readonly intervalMs: number | null
  /** All rows of this market in the file. */
  readonly rowsIn: number
  readonly imported: number
  /** There already, to the last figure. */
  readonly duplicate: number
  /** Invalid rows, skipped on request. */
  readonly bad: number
  /** The bad ones by reason, the first five of each. */
  readonly reasons: readonly BadReason[]
  /** Counts of lines that are not rows of this market, by description. */
  readonly leftOut: Readonly<Record<string, number>>
  /** Unix milliseconds of the first and the last row that was not bad; opening times for candles. */
  readonly first: number
  readonly last: number
  /** Form of its times: a unit of integers, or `iso` for dates. */
  readonly unit: TimeUnit | 'iso'
  readonly gaps: RowGaps
  /** Gaps marked in the gap file next to it; null if there is none. */
  readonly markedGaps: number | null
  /** File of the rejected rows, if there are any. */
  readonly rejects: string | null
  /** Unix milliseconds. */
  readonly importedAt: number
  /** Notices for the user, in full sentences. */
  readonly notices: readonly string[]
}
