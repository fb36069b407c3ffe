/** In-memory series: rows of a test for a run, checked like those of a file. */
import { createHash } from 'node:crypto'
import { inspectedSeriesOf } from '../../store/series/inspect-series.ts'
import type { InspectedSeries } from '../../store/series/inspected-series.ts'

/** A row of a series: its time, and the cells of its other columns. */
export interface TestSeriesRow {
  /** Unix milliseconds, after the row before. */
  readonly timestamp: number
  /** Text of a cell, or a number that stands for its decimal text; undefined for an empty cell. */
  readonly [column: string]: string | number | undefined
}

/** @throws {InputError} at the first row that is wrong */
export function memorySeries(name: string, rows: readonly TestSeriesRow[]): InspectedSeries {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((column) => column !== 'timestamp')
  const file = `series.${name}`
  const sha256 = createHash('sha256').update(JSON.stringify(rows)).digest('hex')
  const cells = rows.map((row) => columns.map((column) => String(row[column] ?? '')))
  return inspectedSeriesOf({ name, file, sha256, columns }, rows, cells)
}
