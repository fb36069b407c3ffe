/** Recording of one market, in any format: a tape that grows, with its gaps. */
import { InputError } from '../../domain/errors.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import type { Market } from '../../domain/market.ts'

export const RECORDING_HEADER = 'trade_id,time_ms,price,qty,is_buyer_maker,symbol'

/** A market, as far as its recording knows it. */
export type RecordedSymbol = Pick<Market, 'symbol' | 'pricePrecision' | 'qtyPrecision'>

/** A trade as reported by the exchange. */
export interface TradeToRecord {
  /** Opaque. */
  readonly id: string
  /** Unix milliseconds. */
  readonly createdAt: number
  /** Decimal strings in the precisions of the market. */
  readonly price: string
  readonly qty: string
  readonly isBuyerMaker: boolean
}

/**
 * Put before ids that are integers and do not increase, so that they are read as any text is. No exchange is known to
 * have such; its recording must be readable all the same.
 */
export const ID_PREFIX = 'id:'

const PLAIN_ID = /^[\x21\x23-\x2b\x2d-\x7e]+$/
const QUOTED_ID = /^[^\p{Cc}]+$/u

/** @throws {InputError} for an id that no line can hold */
export function rowText(file: string, trade: TradeToRecord, symbol: string): string {
  const { id, createdAt, price, qty, isBuyerMaker } = trade
  return `${idCell(file, id)},${createdAt},${price},${qty},${isBuyerMaker},${symbol}\n`
}

function idCell(file: string, id: string): string {
  if (PLAIN_ID.test(id)) return id
  checkId(file, id)
  return `"${id.replaceAll('"', '""')}"`
}

/** @throws {InputError} for an id that no line can hold */
export function checkId(file: string, id: string): void {
  if (QUOTED_ID.test(id)) return
  throw new InputError(file, `expected an id without control characters, got '${escapedExcerpt(id)}'`)
}

const ROW = /^("(?:[^"]|"")+"|[^",]+),(\d{1,16}),(\d+(?:\.\d+)?),(\d+(?:\.\d+)?),(true|false),(.+)$/

/** Undefined for an incomplete row. @param line  without its line end */
export function readRow(line: string): (TradeToRecord & { readonly symbol: string }) | undefined {
  const [, cell = '', time, price = '', qty = '', isBuyerMaker, symbol = ''] = ROW.exec(line) ?? []
  if (cell === '') return undefined
  const id = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
  return { id, createdAt: Number(time), price, qty, isBuyerMaker: isBuyerMaker === 'true', symbol }
}

/** Number of decimals. */
export const decimalsOf = (text: string): number => (text.includes('.') ? text.length - text.indexOf('.') - 1 : 0)

/**
 * Name of the recording of a market; one that needs escapes is no usual symbol.
 *
 * Invariant: a line that was cut anywhere is no row, because the symbol comes last.
 */
export function recordingName(symbol: string): string {
  const escaped = symbol.toLowerCase().replaceAll(/[^a-z0-9_-]/gu, (char) => `%${char.codePointAt(0)?.toString(16)}`)
  return `${escaped}.csv`
}

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
