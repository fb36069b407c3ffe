/** The valid end of an interrupted recording. */
import { fstatSync, readSync } from 'node:fs'
import { LINE_FEED } from '../../domain/ascii.ts'
import { InputError } from '../../domain/errors.ts'
import { decimalsOf, readRow, RECORDING_HEADER, type RecordedSymbol, type TradeToRecord } from './recorded-row.ts'

export interface RecordingTail {
  /** Bytes up to the end of the last complete row; 0 for a file without a complete header. */
  readonly soundBytes: number
  /** Bytes after them. */
  readonly tornBytes: number
  /** Id of the first row of the file; undefined without rows. */
  readonly firstId: string | undefined
  /** Last rows, oldest first, including all of the last millisecond. */
  readonly rows: readonly TradeToRecord[]
}

const HEADER_LINE = `${RECORDING_HEADER}\n`
const TAIL_BYTES = 1024 * 1024
const HEAD_BYTES = 4096

/** @throws {InputError} for a file that is not a recording of this market in these precisions */
export function readTail(file: string, descriptor: number, market: RecordedSymbol): RecordingTail {
  const { size } = fstatSync(descriptor)
  const head = bytesAt(descriptor, 0, Math.min(size, HEAD_BYTES)).toString('utf8')
  if (!head.startsWith(HEADER_LINE)) {
    // The process ended while writing the header.
    if (HEADER_LINE.startsWith(head)) return { soundBytes: 0, tornBytes: size, firstId: undefined, rows: [] }
    throw new InputError(
      `${file}:1`,
      `not a recording (expected the header '${RECORDING_HEADER}'); it was left unchanged`,
    )
  }
  const firstId = readRow(head.slice(HEADER_LINE.length).split('\n', 1)[0] ?? '')?.id
  const { soundBytes, rows } = soundRows(file, descriptor, size)
  for (const row of rows) checkRow(file, row, market)
  return { soundBytes, tornBytes: size - soundBytes, firstId: rows.length === 0 ? undefined : firstId, rows }
}

function soundRows(
  file: string,
  descriptor: number,
  size: number,
): Pick<RecordingTail, 'soundBytes'> & { readonly rows: readonly (TradeToRecord & { readonly symbol: string })[] } {
  const start = Math.max(HEADER_LINE.length, size - TAIL_BYTES)
  const bytes = bytesAt(descriptor, start, size - start)
  const isWhole = start === HEADER_LINE.length
  // A chunk from within the file starts in the middle of a line.
  let from = isWhole ? 0 : bytes.indexOf(LINE_FEED) + 1
  let sound = from
  const rows: (TradeToRecord & { readonly symbol: string })[] = []
  for (let end = bytes.indexOf(LINE_FEED, from); end >= 0; end = bytes.indexOf(LINE_FEED, from)) {
    const row = readRow(bytes.subarray(from, end).toString('utf8'))
    // After a damaged row nothing is trusted.
    if (row === undefined) break
    rows.push(row)
    from = end + 1
    sound = from
  }
  if (rows.length === 0 && !isWhole) throw new InputError(file, 'is damaged at its end: it has no complete row there')
  return { soundBytes: start + sound, rows }
}

function checkRow(
  file: string,
  { symbol, price, qty }: TradeToRecord & { readonly symbol: string },
  market: RecordedSymbol,
): void {
  if (symbol !== market.symbol)
    throw new InputError(file, `expected a recording of ${market.symbol}, got one of ${symbol}`)
  const [pricePrecision, qtyPrecision] = [decimalsOf(price), decimalsOf(qty)]
  if (pricePrecision === market.pricePrecision && qtyPrecision === market.qtyPrecision) return
  const recorded = `its prices have ${pricePrecision} decimals and its quantities ${qtyPrecision}`
  const now = `the market now has ${market.pricePrecision} and ${market.qtyPrecision}`
  throw new InputError(file, `${recorded}, ${now}: record into another directory`)
}

function bytesAt(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let read = 0
  while (read < length) {
    const count = readSync(descriptor, bytes, read, length - read, position + read)
    if (count === 0) break
    read += count
  }
  return bytes.subarray(0, read)
}
