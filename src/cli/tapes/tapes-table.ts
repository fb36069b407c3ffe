/** Tapes as a table of 80 columns with two lines per tape, or as JSON. */
import { InputError } from '../../domain/errors.ts'
import { isoTime } from '../../domain/time.ts'
import { lengthNameOf, lengthText } from '../../domain/candle-length.ts'
import { sparkline } from '../../report/summary/sparkline.ts'
import { alignedNumbers } from '../../report/aligned-numbers.ts'
import { cutToWidth, printable } from '../../report/terminal-text.ts'
import { isCandleBlock } from '../../tape/tape.ts'
import type { BookHead } from '../../store/tapes/blocks/book-entry.ts'
import type { StoredMarket } from '../../store/tapes/blocks/stored-market.ts'

const WIDTH = 80
/** Width of the price sparkline. */
const WIDE = 24

/** A tape, or a recorded book or quotes. */
export interface ListedTape {
  readonly file: string
  readonly market: ListedMarket
  /** Number of marked gaps, otherwise of those found by imports; null if unknown. */
  readonly gaps: number | null
}

interface ListedMarket {
  readonly head: Pick<StoredMarket['head'] | BookHead, 'symbol' | 'kind'> & { readonly intervalMs: number | null }
  readonly entries: readonly Pick<StoredMarket['entries'][number], 'rows' | 'first' | 'last' | 'bytes'>[]
}

/** A tape with its price sparkline. */
export interface DrawnTape extends ListedTape {
  readonly line: string
}

/** An object of the list that `--json` prints; times are Unix milliseconds. */
export function tapeJson({ market: { head, entries }, gaps }: ListedTape): object {
  const { symbol, kind, intervalMs } = head
  return {
    symbol,
    kind,
    interval: intervalMs === null ? null : (lengthNameOf(intervalMs) ?? `${intervalMs}ms`),
    rows: rowsOf(entries),
    first: entries[0]?.first ?? null,
    last: entries.at(-1)?.last ?? null,
    bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
    gaps,
  }
}

const rowsOf = (entries: ListedMarket['entries']): number => entries.reduce((sum, { rows }) => sum + rows, 0)

const SIZE = 3

/** @returns complete lines */
export function tapesTable(tapes: readonly DrawnTape[]): string {
  const rows = tapes.map(({ market: { head, entries }, gaps, line }) => [
    printable(head.symbol),
    head.intervalMs === null ? head.kind : lengthText(head.intervalMs),
    rowsOf(entries).toLocaleString('en-US'),
    sizeText(entries.reduce((sum, { bytes }) => sum + bytes, 0)),
    gaps === null ? '-' : String(gaps),
    line,
  ])
  const unaligned = [['market', 'rows of', 'rows', 'size', 'gaps', 'prices'], ...rows]
  const sizes = alignedNumbers(unaligned.map((row) => row[SIZE] ?? ''))
  const all = unaligned.map((row, index) => row.with(SIZE, sizes[index] ?? ''))
  const widths = [0, 1, 2, 3, 4, 5].map((column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  const isRight = (column: number): boolean => column >= 2 && column <= 4
  const lines = all.map((row) =>
    row
      .map((cell, column) => (isRight(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
  const indent = ' '.repeat((widths[0] ?? 0) + 2)
  const reported = lines.slice(1).flatMap((line, index) => [line, `${indent}${rangeOf(tapes[index], indent.length)}`])
  return [lines[0], ...reported].map((line) => `${line}\n`).join('')
}

function rangeOf(tape: ListedTape | undefined, room: number): string {
  const entries = tape?.market.entries ?? []
  const [from, to] = [entries[0]?.first ?? 0, entries.at(-1)?.last ?? 0]
  return cutToWidth(`${isoTime(from)} to ${isoTime(to)}`, WIDTH - room)
}

/** Tapes with fewer blocks are read row by row, which is fast enough. */
const MAX_READ = 24

/** Prices over the rows; for a long tape the maximum of each block, from the index only. */
export function priceLine(market: StoredMarket): string {
  try {
    return prices(market)
  } catch (error) {
    if (error instanceof InputError) return 'damaged: tapes check'
    throw error
  }
}

function prices(market: StoredMarket): string {
  const { entries } = market
  const finest = entries.reduce((most, { pricePrecision }) => Math.max(most, pricePrecision), 0)
  const scaled = (units: number, precision: number): number => units * 10 ** (finest - precision)
  if (entries.length > MAX_READ) {
    return sparkline(
      entries.map(({ largestPrice, pricePrecision }) => scaled(largestPrice, pricePrecision)),
      WIDE,
    )
  }
  const reported = entries.flatMap((_, index) => {
    const { block, pricePrecision } = market.read(index)
    const column = isCandleBlock(block) ? block.close : block.price
    return Array.from(column.subarray(0, block.length), (units) => scaled(units, pricePrecision))
  })
  return sparkline(reported, WIDE)
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

function sizeText(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return unit === 0 ? `${bytes} B` : `${(bytes / 1000 ** unit).toFixed(1)} ${UNITS[unit] ?? ''}`
}
