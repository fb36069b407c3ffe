/**
 * A recorded book, or recorded quotes, that were read once and found good, and what one file held beside each other.
 */
import type { BookTapeInfo } from '../../../tape/book-tape.ts'
import type { BookTapeSource, InspectedTape } from '../../tape-source.ts'
import type { KeptBook } from '../../tapes/kept-book.ts'

/** Plain data, as `InspectedTape` is: another thread of the process opens it as well. */
export interface InspectedBook {
  readonly source: BookTapeSource
  /** Its precisions are the ones given, else the fewest that hold every row. */
  readonly info: BookTapeInfo
  readonly kept: KeptBook
}

/** What a file holds: at least one of them. */
export interface InspectedBooks {
  readonly depth: InspectedBook | undefined
  readonly quotes: InspectedBook | undefined
  /** Played as any tape. */
  readonly trades: InspectedTape | undefined
}
