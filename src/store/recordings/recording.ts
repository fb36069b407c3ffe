/**
 * The recording of one market, wherever it is kept: a tape that grows, with its gaps.
 */
import type { TradeToRecord } from './recorded-row.ts'

/** The last trade that is stored. */
export interface LastStored {
  /** As the exchange told it. */
  readonly id: string
  /** Unix milliseconds, as stored. */
  readonly createdAt: number
}

export interface RecordingCounts {
  /** Appended by this process. */
  readonly trades: number
  /** Marked in the recording. */
  readonly gaps: number
  /** Trades whose time was before that of the trade before them, and is stored as that. */
  readonly moved: number
}

export interface Recording {
  /** The file that it is in. */
  readonly file: string
  /** Undefined for a recording without rows. */
  readonly last: LastStored | undefined
  readonly counts: RecordingCounts
  /** Says how the exchange names its trades, oldest first, where the recording has no rows that do. */
  learnIds(ids: readonly string[]): void
  /**
   * Takes the next trade. One that cannot follow the last is left out, and a gap says so.
   *
   * @returns false when it was left out
   * @throws {InputError} when it cannot be stored, or its id is of another form: the recording is as it was before
   */
  append(trade: TradeToRecord): boolean
  /**
   * Marks that trades may be missing between two times, before the trade behind them is stored or later.
   *
   * @throws {InputError} when it cannot be written
   */
  gap(from: number, to: number, why: string): void
  /**
   * Puts on the disk what was appended; a machine that loses its power from then on loses none of it.
   *
   * @throws {InputError}
   */
  sync(): Promise<void>
  /** Stores what is left. A second call changes nothing. @throws {InputError} */
  close(): void
}
