/**
 * A recorded book, or recorded quotes, that were read once and found good, and what one file held beside each other.
 */
import type { BookTapeInfo } from '../../../tape/book-tape.ts'
import type { BookTapeSource, InspectedTape } from '../../tape-source.ts'
import type { BookPlace } from './book-place.ts'

/** Plain data, as `InspectedTape` is: another thread of the process opens it as well. */
export interface InspectedBook {
  readonly source: BookTapeSource
  /** Its precisions are the ones given, else the fewest that hold every row. */
  readonly info: BookTapeInfo
  readonly rows: BookPlace
}

/** What a file holds: at least one of them. */
export interface InspectedBooks {
  /** Of the file, as it lies on disk. */
  readonly bytes: number
  readonly depth: InspectedBook | undefined
  readonly quotes: InspectedBook | undefined
  /** Played as any tape. */
  readonly trades: InspectedTape | undefined
}
