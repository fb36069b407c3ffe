/**
 * The tables that a query can read: those of tapes (`trades`, `candles`, `quotes`, `books`), written as CSV when a
 * query needs them, and those of runs, written as Parquet.
 */
import { closeSync, existsSync, openSync, readSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { lengthText } from '../../domain/candle-length.ts'
import { InputError } from '../../domain/errors.ts'
import type { TapeSource } from '../../import/tape-source.ts'
import { BookFile, isBookFile } from '../../store/tapes/blocks/book-file.ts'
import { TapeFile } from '../../store/tapes/blocks/tape-file.ts'
import { TapeDatabase } from '../../store/tapes/database/tape-database.ts'
import { exportTape } from '../../store/tapes/exports/export-tape.ts'
import { storedForm } from '../../store/tapes/inspect-stored.ts'
import { exportBook } from '../../store/transfers/export-book.ts'
import type { TapePrecisions } from '../../tape/tape-precisions.ts'
import type { TapeWindow } from '../../tape/tape.ts'
import { REPORT_FILE, type RunFileName } from '../../store/runs/run-file-names.ts'
import { RunStore, shownId } from '../../store/runs/run-store.ts'
import { csvTextTable, RUN_TABLES, runTextTable } from '../tables/run-tables.ts'
import { type TextTable, writeTextTable } from '../tables/text-table.ts'

/** A part of a table: the rows of one source. */
export interface TablePart {
  /** The file or directory of the user, with the market of a tape, for errors. */
  readonly source: string
  /** The only table that it can belong to; a recording shows it when it is read. */
  readonly tables: readonly string[]
  /**
   * @param path         file to write the rows to, without extension
   * @param isFirstOnly  true to write only the first rows of a stored tape
   * @returns the table, and SQL that reads the rows; undefined without rows, or for a run without the table
   */
  write(path: string, isFirstOnly: boolean): Promise<{ readonly table: string; readonly query: string } | undefined>
}

export interface QuerySource {
  /** A database, a `.tape` file, a recording, or the directory of a run. */
  readonly file: string
  readonly symbol?: string
}

/** @throws {InputError} for a source that cannot be read */
export async function tableParts(sources: readonly QuerySource[], window: TapeWindow): Promise<readonly TablePart[]> {
  const parts: TablePart[] = []
  for (const source of sources) {
    const { file } = source
    if (!existsSync(file)) throw new InputError(file, 'no such file')
    if (statSync(file).isDirectory()) parts.push(...directoryParts(file))
    else parts.push(...(await tapeParts(source, window)))
  }
  return parts
}

/** @param fileOf  path of a file of the run; undefined if the run has none */
function runParts(run: string, fileOf: (name: RunFileName, path: string) => string | undefined): readonly TablePart[] {
  const part = (
    table: string,
    name: RunFileName,
    open: (file: string) => TextTable | Promise<TextTable>,
  ): TablePart => ({
    source: run,
    tables: [table],
    write: async (path) => {
      const [file, written] = [fileOf(name, path), `${path}.parquet`]
      if (file === undefined) return undefined
      await writeTextTable(written, await open(file))
      return { table, query: `SELECT ${quoted(run)} AS run, * FROM read_parquet(${quoted(written)})` }
    },
  })
  return [
    part('runs', REPORT_FILE, runTextTable),
    ...Object.entries(RUN_TABLES).map(([table, name]) => part(table, name, csvTextTable)),
  ]
}

function directoryParts(directory: string): readonly TablePart[] {
  if (!existsSync(join(directory, REPORT_FILE)))
    throw new InputError(directory, 'expected the directory of a run: it has no run.json')
  return runParts(directory, (name) => {
    const file = join(directory, name)
    return existsSync(file) ? file : undefined
  })
}

/** Runs saved in a database, by their short ids. */
function savedParts(file: string): readonly TablePart[] {
  const runs = RunStore.read(file, (store) => store.list())
  return runs.flatMap(({ id }) =>
    runParts(shownId(id, runs), (name, path) => {
      const zipped = RunStore.read(file, (store) => store.files(id)).get(name)
      if (zipped === undefined) return undefined
      writeFileSync(path, gunzipSync(zipped))
      return path
    }),
  )
}

async function tapeParts({ file, symbol }: QuerySource, window: TapeWindow): Promise<readonly TablePart[]> {
  const form = await storedForm(file)
  if (form === undefined) return [tapePart({ file, ...(symbol !== undefined && { symbol }) }, window)]
  const opened = form === 'store' ? TapeDatabase.read(file) : isBookFile(file) ? new BookFile(file) : new TapeFile(file)
  try {
    const markets = opened instanceof TapeDatabase ? opened.markets() : opened instanceof TapeFile ? [opened] : []
    const books = opened instanceof TapeDatabase ? opened.books.list() : opened instanceof BookFile ? [opened] : []
    const isAsked = ({ head }: { readonly head: { readonly symbol: string } }): boolean =>
      symbol === undefined || head.symbol === symbol
    const parts = [
      ...markets.filter(isAsked).map(({ head, entries }) => {
        const { intervalMs } = head
        const source = { file, symbol: head.symbol, ...(intervalMs !== null && { candleInterval: intervalMs }) }
        return tapePart(source, window, { kind: head.kind, first: entries[0]?.first })
      }),
      ...books.filter(isAsked).map(({ head, entries }) => bookPart(file, head, window, entries[0]?.first)),
      ...(form === 'store' ? savedParts(file) : []),
    ]
    if (parts.length === 0)
      throw new InputError(file, symbol === undefined ? 'has no tapes and no runs' : `has no tape of ${symbol}`)
    return parts
  } finally {
    opened.close()
  }
}

/** @param stored  undefined for a recording */
function tapePart(
  source: TapeSource,
  window: TapeWindow,
  stored?: { readonly kind: string; readonly first: number | undefined },
): TablePart {
  return {
    source: shownSource(source),
    tables: stored === undefined ? ['trades', 'candles'] : [stored.kind],
    write: async (path, isFirstOnly) => {
      const [file, part] = [`${path}.csv`, isFirstOnly ? firstOf(stored?.first, window) : window]
      const exported = await exportTape({ source, window: part, file, isForced: false, mayBeEmpty: true })
      if (exported.rows === 0) return undefined
      const { kind, symbol, intervalMs } = exported
      const select =
        kind === 'trades'
          ? 'make_timestamp_ms(createdAt) AS time, * EXCLUDE (createdAt)'
          : `time, ${quoted(symbol)} AS symbol, ${quoted(lengthText(intervalMs ?? 0))} AS candle_interval, * EXCLUDE (time)`
      return { table: kind, query: `SELECT ${select} FROM ${csvRead(file, exported, { time: 'TIMESTAMP' })}` }
    },
  }
}

function bookPart(
  stored: string,
  { symbol, kind }: { readonly symbol: string; readonly kind: 'depth' | 'quotes' },
  window: TapeWindow,
  first: number | undefined,
): TablePart {
  const table = kind === 'depth' ? 'books' : 'quotes'
  const source = { file: stored, symbol }
  return {
    source: shownSource(source),
    tables: [table],
    write: async (path, isFirstOnly) => {
      const [file, part] = [`${path}.csv`, isFirstOnly ? firstOf(first, window) : window]
      const exported = await exportBook({ source, kind, window: part, file, isForced: false, mayBeEmpty: true })
      if (exported.rows === 0) return undefined
      const time = kind === 'depth' ? 'make_timestamp_ms(time)' : 'make_timestamp(timestamp)'
      const select = `${time} AS time, ${quoted(symbol)} AS symbol, * EXCLUDE (${kind === 'depth' ? 'time' : 'timestamp'})`
      return { table, query: `SELECT ${select} FROM ${csvRead(file, exported, { time: 'BIGINT' })}` }
    },
  }
}

const shownSource = ({ file, symbol }: QuerySource): string => (symbol === undefined ? file : `${symbol} of ${file}`)

/** A CSV file of a tape in SQL, with the types of its columns. A product of narrower decimals would overflow. */
function csvRead(
  file: string,
  { pricePrecision, qtyPrecision }: TapePrecisions,
  types: Record<string, string>,
): string {
  const header = headerOf(file).map((name) => {
    if (/^(?:open|high|low|close)$|price/.test(name)) return [name, `DECIMAL(38, ${pricePrecision})`]
    if (/qty|volume|amount/.test(name)) return [name, `DECIMAL(38, ${qtyPrecision})`]
    return [name, types[name] ?? COLUMN_TYPES[name] ?? 'VARCHAR']
  })
  const columns = header.map(([name = '', type = '']) => `${quoted(name)}: ${quoted(type)}`).join(', ')
  return `read_csv(${quoted(file)}, auto_detect = false, header = true, delim = ',', quote = '"', escape = '"', columns = {${columns}})`
}

const COLUMN_TYPES: Readonly<Record<string, string>> = {
  createdAt: 'BIGINT',
  timestamp: 'BIGINT',
  snapshot: 'BOOLEAN',
  since: 'BIGINT',
  traded: 'BOOLEAN',
  seen: 'BOOLEAN',
}

/** A header is shorter than this. */
const MAX_HEADER_BYTES = 256

function headerOf(file: string): readonly string[] {
  const descriptor = openSync(file, 'r')
  try {
    const start = Buffer.alloc(MAX_HEADER_BYTES)
    const length = readSync(descriptor, start, 0, start.length, 0)
    return start.toString('utf8', 0, length).split('\n', 1)[0]?.split(',') ?? []
  } finally {
    closeSync(descriptor)
  }
}

/** The first millisecond of a stored tape, if the window includes it. */
const firstOf = (first: number | undefined, window: TapeWindow): TapeWindow =>
  first === undefined || (window.from ?? first) > first ? window : { from: first, to: first + 1 }

/** Text as a literal of SQL. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
