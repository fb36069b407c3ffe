/**
 * A line of a recording: `trade_id,time_ms,price,qty,is_buyer_maker,symbol`, which is read as a tape on its fast path.
 *
 * Invariant: a line that was cut anywhere is no row, because the symbol comes last.
 */
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

/** Name of the recording of a market; one that needs escapes is no usual symbol. */
export function recordingName(symbol: string): string {
  const escaped = symbol.toLowerCase().replaceAll(/[^a-z0-9_-]/gu, (char) => `%${char.codePointAt(0)?.toString(16)}`)
  return `${escaped}.csv`
}
