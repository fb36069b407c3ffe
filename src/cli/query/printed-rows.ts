/**
 * The rows of a query on stdout. Decimals are text in JSON, so that no digit is lost, and times are ISO 8601 in UTC.
 */
import type { DuckDBResult, Json } from '@duckdb/node-api'
import { alignedNumbers } from '../../report/aligned-numbers.ts'
import { cutToWidth, printable, textWidth } from '../../report/terminal-text.ts'
import { csvRow } from '../../report/run/csv-row.ts'
import { io } from '../cli-io.ts'

export type RowsForm = 'table' | 'csv' | 'json'

/** A table for people has at most this many rows. */
export const MAX_TABLE_ROWS = 200
const MAX_CELL_WIDTH = 60
const TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(?:\+00)?$/
const INTEGERS: ReadonlySet<string> = new Set(['BIGINT', 'HUGEINT', 'UBIGINT', 'UHUGEINT'])
const NUMBER = /INT$|^(?:DECIMAL|DOUBLE|FLOAT|INTEGER)/

type Cell = Json | undefined

export async function printRows(result: DuckDBResult, form: RowsForm): Promise<void> {
  if (form === 'table' && result.columnName(0) === 'explain_key') await printPlan(result)
  else if (form === 'table') await printTable(result)
  else if (form === 'csv') await printCsv(result)
  else await printJson(result)
}

async function printCsv(result: DuckDBResult): Promise<void> {
  await write(csvRow(result.deduplicatedColumnNames()))
  for await (const rows of chunksOf(result)) await write(rows.map((row) => csvRow(row.map(textOf))).join(''))
}

async function printJson(result: DuckDBResult): Promise<void> {
  const names = result.deduplicatedColumnNames()
  let before = '['
  for await (const rows of chunksOf(result)) {
    const objects = rows.map((row) =>
      JSON.stringify(Object.fromEntries(names.map((name, at) => [name, row[at] ?? null]))),
    )
    if (objects.length > 0) await write(`${before}${objects.join(',\n')}`)
    before = ',\n'
  }
  await write(before === '[' ? '[]\n' : ']\n')
}

/** The plan of EXPLAIN, which is drawn over several lines. */
async function printPlan(result: DuckDBResult): Promise<void> {
  for await (const rows of chunksOf(result)) await write(rows.map(([, plan]) => textOf(plan)).join(''))
}

async function printTable(result: DuckDBResult): Promise<void> {
  const types = result.columnTypes().map(String)
  const rows: (readonly Cell[])[] = []
  for await (const chunk of chunksOf(result)) rows.push(...chunk)
  const columns = result.deduplicatedColumnNames().map((name, at) => {
    const cells = rows.slice(0, MAX_TABLE_ROWS).map((row) => cutToWidth(printable(textOf(row[at])), MAX_CELL_WIDTH))
    return NUMBER.test(types[at] ?? '')
      ? alignedNumbers([printable(name), ...cells])
      : padded([printable(name), ...cells])
  })
  const lines = (columns[0] ?? []).map((_, line) =>
    columns
      .map((column) => column[line] ?? '')
      .join('  ')
      .trimEnd(),
  )
  await write(`${lines.join('\n')}\n`)
  if (rows.length > MAX_TABLE_ROWS)
    io.stderr.write(`only the first ${MAX_TABLE_ROWS} rows: use LIMIT, --csv, --json or --parquet\n`)
}

function padded(cells: readonly string[]): readonly string[] {
  const width = Math.max(...cells.map(textWidth))
  return cells.map((cell) => cell + ' '.repeat(width - textWidth(cell)))
}

/** The rows, with times in ISO 8601, and integers as numbers where they are exact. */
async function* chunksOf(result: DuckDBResult): AsyncGenerator<readonly (readonly Cell[])[], void, undefined> {
  const types = result.columnTypes().map(String)
  for await (const rows of result.yieldRowsJson()) {
    // No one reads the rest, as after `| head`.
    if (!io.stdout.writable) return
    yield rows.map((row) => row.map((cell, at) => plainCell(cell, types[at] ?? '')))
  }
}

function plainCell(cell: Cell, type: string): Cell {
  if (typeof cell !== 'string') return cell
  if (type.startsWith('TIMESTAMP')) return cell.replace(TIME, '$1T$2Z')
  return INTEGERS.has(type) && Number.isSafeInteger(Number(cell)) ? Number(cell) : cell
}

function textOf(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
}

/** Waits while the reader is slower. A lost output ends the process elsewhere. */
async function write(text: string): Promise<void> {
  if (io.stdout.write(text)) return
  await new Promise<void>((resolve) => {
    const { stdout } = io
    const go = (): void => {
      stdout.off('drain', go).off('close', go)
      resolve()
    }
    stdout.once('drain', go).once('close', go)
  })
}
