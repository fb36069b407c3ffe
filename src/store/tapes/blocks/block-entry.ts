/**
 * One block in the index of a tape: where it lies, what it spans, and by what it is known to be whole.
 */
import { isCandleBlock, type RecordedBlock } from '../../../tape/tape.ts'
import type { EncodedBlock } from './block-codec.ts'

export interface BlockEntry {
  /** Rows: trades or candles. */
  readonly rows: number
  /** Unix milliseconds of the first row and of the last one, opening times for candles. */
  readonly first: number
  readonly last: number
  /** As recorded; null for a tape without ids. */
  readonly firstId: number | string | null
  readonly lastId: number | string | null
  /** Length of the encoded block in bytes. */
  readonly bytes: number
  /** CRC-32 of these bytes. */
  readonly checksum: number
}

export function entryOf(block: RecordedBlock, { bytes, checksum }: EncodedBlock): BlockEntry {
  const { length, time } = block
  const ids = isCandleBlock(block) ? undefined : block.ids
  return {
    rows: length,
    first: time[0] ?? 0,
    last: time[length - 1] ?? 0,
    firstId: ids?.[0] ?? null,
    lastId: ids?.[length - 1] ?? null,
    bytes: bytes.length,
    checksum,
  }
}
