/**
 * A recorded market after the first pass over its file.
 */
import type { TapeSource } from '../../import/tape-source.ts'
import type { MarkedGap } from '../../tape/gap-marks.ts'
import type { TapeInfo } from '../../tape/tape.ts'
import type { RowsPlace } from './rows-place.ts'

/** A tape that was read once and found good. */
export interface InspectedTape {
  readonly source: TapeSource
  /** Its precisions are the ones given, else the fewest that hold every row. */
  readonly info: TapeInfo
  /** Gaps that the file of gaps beside it marks; undefined without such a file. */
  readonly gaps?: readonly MarkedGap[] | undefined
  /**
   * Its rows: as they are stored, or as the first pass kept them, which was hashed whatever the file holds later.
   * Undefined where there was no room.
   */
  readonly rows?: RowsPlace | undefined
}
