/** A recorded market after the first pass over its file. */
import { InputError } from '../../domain/errors.ts'
import type { TapeSource } from '../../import/tape-source.ts'
import type { MarkedGap } from '../../tape/gap-marks.ts'
import type { TapeInfo } from '../../tape/tape.ts'
import type { StoredMarket, TapeHead } from './blocks/stored-market.ts'
import { TapeFile } from './blocks/tape-file.ts'
import type { SeenMarket } from './database/market-reader.ts'
import { TapeDatabase } from './database/tape-database.ts'
import { SpooledMarket, type SpooledRows } from './row-spool.ts'

/** Location of the stored rows of an inspected tape: plain data that another thread can open too. */
export type RowsPlace =
  | {
      readonly form: 'spooled'
      readonly spooled: SpooledRows
      /** True if the file cannot be read again as a tape alone, because its other contents are read with the rows. */
      readonly isOnlyForm?: boolean
    }
  | { readonly form: 'tape-file'; readonly file: string; readonly sha256: string }
  | {
      readonly form: 'store'
      readonly file: string
      readonly sha256: string
      readonly head: TapeHead
      readonly seen: SeenMarket
    }

interface OpenRows {
  readonly market: StoredMarket
  readonly close: () => void
}

/** @throws {InputError} when the file is not the one that was inspected */
export function openRows(place: RowsPlace): OpenRows {
  if (place.form === 'spooled') return { market: new SpooledMarket(place.spooled), close: () => undefined }
  const { file, sha256 } = place
  const opened = place.form === 'tape-file' ? new TapeFile(file) : TapeDatabase.read(file)
  const market =
    opened instanceof TapeFile ? opened : place.form === 'store' ? opened.market(place.head, place.seen) : undefined
  const close = (): void => {
    opened.close()
  }
  if (market?.sha256 === sha256) return { market, close }
  close()
  throw new InputError(file, 'the file changed while it was being read')
}

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
