/** Sink for the rows of a file: checks them, and keeps them in columns until a block is full. */
import type { RecordedBlock, TapeInfo } from '../../tape/tape.ts'
import type { DecimalColumn, DecimalMark } from './decimal-column.ts'
import type { TimeMark } from './time-column.ts'

/** Rows of a block of a file. */
export const BLOCK_ROWS = 16_384

/** Part of a tape's description known from its rows, at the end of a pass. */
export type RowTotals = Omit<TapeInfo, 'symbol' | 'kind' | 'file' | 'sha256' | 'notices' | 'warnings' | 'statedVolume'>

export interface RowSink {
  /** Prices, and quantities or volumes. */
  readonly price: DecimalColumn
  readonly qty: DecimalColumn
  /** Rows so far, of all blocks. */
  readonly rows: number
  /** True when the block must be taken or dropped before another row comes in. */
  readonly isFull: boolean
  /** Takes the row that the cells hold. @throws {InputError} when it is wrong */
  addRow(): void
  /** The rows since the last block, and begins a new block. */
  takeBlock(): RecordedBlock
  /**
   * The rows since the last block, with times as the file has them, in the present precisions; good until the next row.
   */
  currentBlock(): RecordedBlock
  /** Forgets the rows since the last block. */
  dropBlock(): void
  /** Rows that repeated the one before, or one of the same millisecond with the same id, and were left out. */
  readonly duplicates: number
  /** The sink as it is, to which `restore` goes back after a row that was wrong. */
  mark(): SinkMark
  restore(mark: SinkMark): void
}

/** State that an invalid row may have changed before it was rejected. */
export interface SinkMark {
  readonly time: TimeMark
  readonly price: DecimalMark
  readonly qty: DecimalMark
}
