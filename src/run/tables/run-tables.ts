/** The tables in the directory of a run, and their columns by type. */
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { InputError } from '../../domain/errors.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import { wholeLines } from '../../import/csv/whole-lines.ts'
import { fileBytes } from '../../import/file-bytes.ts'
import type { CellKind, TextTable } from './text-table.ts'

/** Files of a run by the name of their table. A tape has trades, candles and depth of its own. */
export const RUN_TABLES = {
  orders: 'orders.csv',
  fills: 'fills.csv',
  round_trips: 'trades.csv',
  equity: 'equity.csv',
  periods: 'periods.csv',
  run_candles: 'candles.csv',
  run_depth: 'depth.csv',
  plots: 'plots.csv',
  notes: 'notes.csv',
} as const

/** Columns that are not decimals. Statistics are floats, as in run.json. */
const KINDS: Readonly<Record<string, CellKind>> = {
  ...kindOfAll('text', 'id symbol side type status tag reason trade_id order_id fee_asset name tags text run'),
  ...kindOfAll('text', 'strategy version digest params quote_asset'),
  ...kindOfAll('integer', 'interval_ms fills orders'),
  ...kindOfAll('time', 'time time_ms created_at opened_at closed_at'),
  ...kindOfAll('flag', 'is_maker'),
  ...kindOfAll('float', 'return mae mfe value factor'),
}

function kindOfAll(kind: CellKind, names: string): Readonly<Record<string, CellKind>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]))
}

/** A CSV file that papertape wrote; `time_ms` becomes the timestamp `time`. @throws {InputError} naming the file */
export async function csvTextTable(file: string): Promise<TextTable> {
  const rows = csvCells(file)
  const header = await rows.next()
  await rows.return(undefined)
  const columns = (header.value ?? []).map((name) => ({
    name: name === 'time_ms' ? 'time' : name,
    kind: KINDS[name] ?? ('decimal' as const),
  }))
  return { columns, rows: () => withoutFirst(csvCells(file)) }
}

async function* withoutFirst(rows: AsyncGenerator<readonly string[], undefined>): AsyncGenerator<readonly string[]> {
  await rows.next()
  yield* rows
}

async function* csvCells(file: string): AsyncGenerator<readonly string[], undefined> {
  let text = ''
  for await (const piece of wholeLines(file, fileBytes(file, { onBytes: () => undefined }))) {
    text += piece.toString()
    const quotes = text.split('"').length - 1
    // The line feed at the end may be inside of a quoted field.
    if (quotes % 2 === 1) continue
    if (quotes > 0) yield* parse(text)
    else for (const line of text.slice(0, -1).split('\n')) yield line.split(',')
    text = ''
  }
  if (text !== '') throw new InputError(file, 'has a quote that never ends')
  return undefined
}

/** One row about a run, from its run.json: its strategy, parameters, result, and every statistic that is a number. */
export function runTextTable(file: string): TextTable {
  const { strategy, version, digest, params, quoteAsset, initialEquity, finalEquity, orders, fills, statistics } =
    readRun(file)
  const facts = {
    strategy: strategy?.name,
    version,
    digest,
    params: JSON.stringify(params),
    quote_asset: quoteAsset,
    initial_equity: initialEquity,
    final_equity: finalEquity,
    orders,
    fills,
  }
  const figures = Object.entries(statistics ?? {}).flatMap(([name, value]) =>
    typeof value === 'number' ? [[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value] as const] : [],
  )
  const columns = [
    ...Object.keys(facts).map((name) => ({ name, kind: KINDS[name] ?? ('decimal' as const) })),
    ...figures.map(([name]) => ({ name, kind: 'float' as const })),
  ]
  const row = [...Object.values(facts), ...figures.map(([, value]) => value)].map((cell) => String(cell ?? ''))
  return { columns, rows: () => asyncRows([row]) }
}

// eslint-disable-next-line @typescript-eslint/require-await -- an iterable like those of files
async function* asyncRows(rows: readonly (readonly string[])[]): AsyncGenerator<readonly string[]> {
  yield* rows
}

interface RunJson {
  readonly strategy?: { readonly name?: string }
  readonly version?: string
  readonly digest?: string
  readonly params?: object
  readonly quoteAsset?: string
  readonly initialEquity?: string
  readonly finalEquity?: string
  readonly orders?: number
  readonly fills?: number
  readonly statistics?: Readonly<Record<string, unknown>>
}

function readRun(file: string): RunJson {
  try {
    const json: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof json === 'object' && json !== null) return json
    throw new Error('it is no object')
  } catch (error) {
    throw new InputError(file, `cannot be read as the report of a run (${thrownText(error)})`, { cause: error })
  }
}
