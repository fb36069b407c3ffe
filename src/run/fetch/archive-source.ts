/**
 * A public archive of market data: which files it has for a market, where they are, and how their rows are read.
 *
 * Everything else is done for it: downloads that resume, checksums, waits, gaps, the database.
 */
import type { TapeSource } from '../../import/tape-source.ts'
import type { TimeRange } from './fetch-world.ts'

export interface ArchiveRequest extends TimeRange {
  /** BASE_QUOTE. */
  readonly symbol: string
  /** Milliseconds of a candle; null for trades. */
  readonly intervalMs: number | null
}

export interface ArchiveFile {
  /** File name, without a directory; unique in a tape. */
  readonly name: string
  readonly url: string
  /** Address of a text with the SHA-256 of the file and its name, as `sha256sum` writes it. */
  readonly checksumUrl?: string
  /** Times of its rows, Unix milliseconds. */
  readonly range: TimeRange
  /** Options to read its rows, such as their symbol. */
  readonly reading: Omit<TapeSource, 'file'>
}

export interface ArchiveSource {
  /** Name on the command line. */
  readonly name: string
  /** Wait between two requests, milliseconds. */
  readonly pauseMs: number
  /** Longest download, bytes. */
  readonly maxFileBytes: number
  /**
   * Files of a range, oldest first, whether they exist or not.
   * @throws {InputError} if it has no such rows
   */
  list(request: ArchiveRequest): readonly ArchiveFile[]
  /**
   * Checks a downloaded file.
   *
   * @returns whether it has rows
   * @throws {InputError} naming a file that is damaged, which is then downloaded again
   */
  check(path: string): Promise<boolean>
}
