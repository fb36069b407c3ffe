/** The rows of a series, spooled by a first pass over its file, and a cursor over them. */
import { invariant } from '../../domain/errors.ts'
import type { SeriesRow } from '../../domain/series-row.ts'
import type { SeriesInfo } from '../../tape/series-info.ts'
import { spooledBytes, type SpooledBlocks } from '../tapes/block-spool.ts'

export interface SeriesEntry {
  readonly bytes: number
  /** Time of its first row, Unix milliseconds. */
  readonly from: number
}

export interface InspectedSeries {
  readonly info: SeriesInfo
  readonly spooled: SpooledBlocks<SeriesEntry>
}

/** Time and cells of a row; null for an empty cell. Columns that only later rows have are absent. */
export type SpooledSeriesRow = readonly [timestamp: number, ...cells: (string | null)[]]

/** A row as strategies receive it: frozen, because several subscribers must not change each other's rows. */
export function seriesRow([timestamp, ...cells]: SpooledSeriesRow, columns: readonly string[]): SeriesRow {
  const named = columns.map((name, index) => [name, cells[index] ?? undefined] as const)
  return Object.freeze({ ...Object.fromEntries(named), timestamp }) as SeriesRow
}

/** Reads a series from its first row on, one block in memory. */
export class SeriesCursor {
  readonly #series: InspectedSeries
  #block = 0
  #row = 0
  #rows: readonly SpooledSeriesRow[] | undefined

  constructor(series: InspectedSeries) {
    this.#series = series
  }

  /** Time of the next row, Unix milliseconds; Infinity after the last. */
  get nextTime(): number {
    return this.#next()?.[0] ?? Number.POSITIVE_INFINITY
  }

  take(): SeriesRow {
    const row = this.#next()
    invariant(row !== undefined, 'a row is taken while there is one')
    this.#row += 1
    return seriesRow(row, this.#series.info.columns)
  }

  /** Passes the rows before a time. @returns the last of them; undefined if there was none */
  passBefore(time: number): SeriesRow | undefined {
    const { blocks } = this.#series.spooled
    for (let next = blocks[this.#block + 1]; next !== undefined && next.entry.from < time;) {
      this.#enter(this.#block + 1)
      next = blocks[this.#block + 1]
    }
    let last: SeriesRow | undefined
    while (this.nextTime < time) last = this.take()
    return last
  }

  #next(): SpooledSeriesRow | undefined {
    const { spooled } = this.#series
    if (this.#rows !== undefined && this.#row >= this.#rows.length) this.#enter(this.#block + 1)
    if (this.#block >= spooled.blocks.length) return undefined
    this.#rows ??= JSON.parse(Buffer.from(spooledBytes(spooled, this.#block)).toString()) as SpooledSeriesRow[]
    return this.#rows[this.#row]
  }

  #enter(block: number): void {
    this.#block = block
    this.#row = 0
    this.#rows = undefined
  }
}
