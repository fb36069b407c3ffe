/** A recorded book, or recorded quotes, after validation, and the combined contents of one file. */
import type { BookTapeInfo } from '../../../tape/book-tape.ts'
import type { BookTapeSource } from '../../../import/tape-source.ts'
import type { InspectedTape } from '../../tapes/inspected-tape.ts'
import type { BookPlace } from './book-place.ts'

/** Plain data, as `InspectedTape` is: another thread of the process opens it as well. */
export interface InspectedBook {
  readonly source: BookTapeSource
  /** Its precisions are the given ones, otherwise the fewest that fit every row. */
  readonly info: BookTapeInfo
  readonly rows: BookPlace
}

/** Contents of a file: at least one of them. */
export interface InspectedBooks {
  /** Size of the file on disk. */
  readonly bytes: number
  readonly depth: InspectedBook | undefined
  readonly quotes: InspectedBook | undefined
  /** Played as any tape. */
  readonly trades: InspectedTape | undefined
}
