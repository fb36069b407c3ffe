/** Recording of one market, in any format: a tape that grows, with its gaps. */
import type { TradeToRecord } from './recorded-row.ts'

/** The last trade that is stored. */
export interface LastStored {
  /** Id as reported by the exchange. */
  readonly id: string
  /** Unix milliseconds, as stored. */
  readonly createdAt: number
}

export interface RecordingCounts {
  /** Trades appended by this process. */
  readonly trades: number
  /** Gaps marked in the recording. */
  readonly gaps: number
  /** Trades with a time before that of the previous trade; they are stored with the previous time. */
  readonly moved: number
}

export interface Recording {
  /** Path of its file. */
  readonly file: string
  /** Undefined for a recording without rows. */
  readonly last: LastStored | undefined
  readonly counts: RecordingCounts
  /** Sets the trade id format of the exchange from examples, oldest first, if no row determines it. */
  learnIds(ids: readonly string[]): void
  /**
   * Appends the next trade. A trade that cannot follow the last one is dropped, and marked as a gap.
   *
   * @returns false if it was dropped
   * @throws {InputError} if it cannot be stored, or if the id format changed; the recording is unchanged
   */
  append(trade: TradeToRecord): boolean
  /**
   * Marks that trades may be missing between two times, before or after the next trade is stored.
   *
   * @throws {InputError} if it cannot be written
   */
  gap(from: number, to: number, why: string): void
  /**
   * Makes the appended rows durable, even against a power failure.
   *
   * @throws {InputError}
   */
  sync(): Promise<void>
  /** Stores the remaining rows. Idempotent. @throws {InputError} */
  close(): void
}
