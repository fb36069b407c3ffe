/**
 * Tapes as a table of 80 columns, two lines a tape, or as JSON.
 */
import { isoTime } from '../../domain/time.ts'
import { lengthNameOf } from '../../domain/candle-length.ts'
import { sparkline } from '../../report/summary/sparkline.ts'
import { cutToWidth, printable } from '../../report/terminal-text.ts'
import type { StoredMarket } from '../../store/tapes/blocks/stored-market.ts'

const WIDTH = 80
const SLICES = 24

export interface ListedTape {
  readonly file: string
  readonly market: StoredMarket
  /** Gaps that are marked, or else those that its imports have told; null where neither is known. */
  readonly gaps: number | null
}

/** An object of the list that `--json` prints; times are Unix milliseconds. */
export function tapeJson({ market: { head, entries }, gaps }: ListedTape): object {
  const { symbol, kind, intervalMs } = head
  return {
    ...{ symbol, kind, interval: intervalMs === null ? null : (lengthNameOf(intervalMs) ?? `${intervalMs}ms`) },
    rows: rowsOf(entries),
    ...{ first: entries[0]?.first ?? null, last: entries.at(-1)?.last ?? null },
    bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
    gaps,
  }
}

const rowsOf = (entries: StoredMarket['entries']): number => entries.reduce((sum, { rows }) => sum + rows, 0)

/** @returns whole lines */
export function tapesTable(tapes: readonly ListedTape[]): string {
  const rows = tapes.map(({ market: { head, entries }, gaps }) => [
    printable(head.symbol),
    head.intervalMs === null ? 'trades' : (lengthNameOf(head.intervalMs) ?? `${head.intervalMs} ms`),
    rowsOf(entries).toLocaleString('en-US'),
    sizeText(entries.reduce((sum, { bytes }) => sum + bytes, 0)),
    gaps === null ? '-' : String(gaps),
    activity(entries),
  ])
  const all = [['market', 'rows of', 'rows', 'size', 'gaps', 'rows over time'], ...rows]
  const widths = [0, 1, 2, 3, 4, 5].map((column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  const isRight = (column: number): boolean => column >= 2 && column <= 4
  const lines = all.map((row) =>
    row
      .map((cell, column) => (isRight(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
  const indent = ' '.repeat((widths[0] ?? 0) + 2)
  const told = lines.slice(1).flatMap((line, index) => [line, `${indent}${rangeOf(tapes[index], indent.length)}`])
  return [lines[0], ...told].map((line) => `${line}\n`).join('')
}

function rangeOf(tape: ListedTape | undefined, room: number): string {
  const entries = tape?.market.entries ?? []
  const [from, to] = [entries[0]?.first ?? 0, entries.at(-1)?.last ?? 0]
  return cutToWidth(`${isoTime(from)} to ${isoTime(to)}`, WIDTH - room)
}

/** Rows in slices of time, as far as the index tells them. */
function activity(entries: StoredMarket['entries']): string {
  const from = entries[0]?.first ?? 0
  const span = Math.max(1, (entries.at(-1)?.last ?? 0) - from)
  const slices = new Array<number>(SLICES).fill(0)
  for (const { first, last, rows } of entries) {
    const [start, end] = [((first - from) / span) * SLICES, ((last - from) / span) * SLICES]
    for (let slice = Math.floor(start); slice <= Math.min(SLICES - 1, Math.floor(end)); slice += 1) {
      const share = end > start ? (Math.min(end, slice + 1) - Math.max(start, slice)) / (end - start) : 1
      slices[slice] = (slices[slice] ?? 0) + rows * Math.max(0, share)
    }
  }
  return sparkline(slices, SLICES)
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

function sizeText(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return unit === 0 ? `${bytes} B` : `${(bytes / 1000 ** unit).toFixed(1)} ${UNITS[unit] ?? ''}`
}
