/**
 * A recorded market after the first pass over its file.
 */
import type { TapeSource } from '../../import/tape-source.ts'
import type { MarkedGap } from '../../tape/gap-marks.ts'
import type { TapeInfo } from '../../tape/tape.ts'
import type { RowsPlace } from './rows-place.ts'

/** A tape that was read once without errors. */
export interface InspectedTape {
  readonly source: TapeSource
  /** Precisions are those given, otherwise the fewest decimals that hold every row. */
  readonly info: TapeInfo
  /** Gaps from the file next to it; undefined without such a file. */
  readonly gaps?: readonly MarkedGap[] | undefined
  /**
   * The rows: as stored, or as cached and hashed by the first pass, independent of later changes to the file. Undefined
   * if there was no room.
   */
  readonly rows?: RowsPlace | undefined
}
