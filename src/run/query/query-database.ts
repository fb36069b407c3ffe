/**
 * SQL over tapes and runs, in a DuckDB database in memory.
 *
 * Invariant: when the text of the user runs, the database reads files of its own temporary folder alone, loads no
 * extension and reaches no network, and its settings are locked. Only a statement that reads is accepted.
 */
import { join } from 'node:path'
import type * as DuckDb from '@duckdb/node-api'
import type { DuckDBConnection, DuckDBPreparedStatement, DuckDBResult } from '@duckdb/node-api'
import { InputError } from '../../domain/errors.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import { quoted, type TablePart } from './query-tables.ts'

/** Memory of the database; more is in files of the temporary folder. */
const MEMORY = '1GB'
/** A text that lists tables needs all of them. */
const LISTS_TABLES = /\b(?:show|describe|information_schema|sqlite_master|duckdb_\w+|pg_\w+)\b/i
/** Strings, quoted names, comments, and single characters of SQL. */
const SQL_TOKEN = /\be'(?:\\.|''|[^'\\])*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$.*?\$\1\$|--[^\n]*|\/\*.*?\*\/|./gis

type Api = typeof DuckDb

export interface QueryRequest {
  /** The query of the user; undefined to read the columns of every table. */
  readonly sql: string | undefined
  readonly parts: readonly TablePart[]
  /** An empty temporary folder, which the caller removes. */
  readonly folder: string
  /** Parquet file in the folder for the result, complete when the query returns; undefined to return rows. */
  readonly parquet?: string
  /** The most rows to return. */
  readonly maxRows?: number
}

/**
 * The whole result is computed before its first row is returned: the stream of a query ends in silence when the query
 * fails on the way.
 *
 * @throws {InputError} if the package is missing, or for a query that the database refuses
 */
export async function runQuery({ sql, parts, folder, parquet, maxRows }: QueryRequest): Promise<DuckDBResult> {
  const api = await loadDuckDb()
  const listsTables = sql === undefined || LISTS_TABLES.test(sql)
  const isNeeded = (table: string): boolean => listsTables || new RegExp(`\\b${table}\\b`, 'i').test(sql)
  const views = await writeTables(parts, folder, isNeeded, sql === undefined)
  const instance = await api.DuckDBInstance.create(':memory:', {
    memory_limit: MEMORY,
    temp_directory: join(folder, 'spill'),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  })
  const connection = await instance.connect()
  await connection.run("SET TimeZone = 'UTC'")
  for (const [table, selects] of views)
    await connection.run(`CREATE VIEW "${table}" AS ${selects.join(' UNION ALL BY NAME ')}`)
  await connection.run(`SET allowed_directories = [${quoted(folder)}]`)
  await connection.run('SET enable_external_access = false')
  await connection.run('SET lock_configuration = true')
  const text = withoutEnd(sql ?? COLUMNS)
  try {
    const statement = await readingStatement(api, connection, text, parts)
    const isPlan = statement.statementType === api.StatementType.EXPLAIN
    // A list of tables would have that of the result.
    if (parquet === undefined && (isPlan || listsTables)) return await statement.run()
    if (isPlan) throw new InputError('query', 'expected a query with rows for --parquet, got EXPLAIN')
    const rows = `FROM (${text}\n)`
    if (parquet !== undefined)
      return await connection.run(`COPY (${rows}) TO ${quoted(parquet)} (FORMAT parquet, COMPRESSION zstd)`)
    const limit = maxRows === undefined ? '' : ` LIMIT ${maxRows}`
    await connection.run(`CREATE TEMP TABLE result AS ${rows}${limit}`)
    return await connection.stream('FROM result')
  } catch (error) {
    throw asQueryFault(error)
  }
}

const COLUMNS =
  'SELECT table_name AS "table", column_name AS "column", lower(data_type) AS type FROM information_schema.columns ORDER BY table_name, ordinal_position'

/** The query without semicolons and comments at its end. */
function withoutEnd(sql: string): string {
  let end = 0
  for (const { 0: token, index } of sql.matchAll(SQL_TOKEN))
    if (!/^(?:[;\s]|--|\/\*.)/s.test(token)) end = index + token.length
  return sql.slice(0, end)
}

/** Writes the parts that are needed. @returns queries of the parts by table */
async function writeTables(
  parts: readonly TablePart[],
  folder: string,
  isNeeded: (table: string) => boolean,
  isFirstOnly: boolean,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const views = new Map<string, string[]>()
  for (const [index, part] of parts.entries()) {
    if (!part.tables.some(isNeeded)) continue
    const written = await part.write(join(folder, `part-${index}`), isFirstOnly)
    if (written === undefined) continue
    const { table, query } = written
    views.set(table, [...(views.get(table) ?? []), query])
  }
  return views
}

/** @throws {InputError} for several statements, or one that does not read */
async function readingStatement(
  { StatementType }: Api,
  connection: DuckDBConnection,
  sql: string,
  parts: readonly TablePart[],
): Promise<DuckDBPreparedStatement> {
  const statements = await connection.extractStatements(sql)
  // PIVOT becomes two statements; the first makes a type of the values in its columns.
  const isPivot = statements.count === 2 && /^\s*(?:with\b.*)?\b(?:from|pivot)\b/is.test(sql) && !sql.includes(';')
  if (statements.count !== 1 && !isPivot)
    throw new InputError('query', `expected one statement, got ${statements.count}`)
  if (isPivot) await (await statements.prepare(0)).run()
  const statement = await prepared()
  const { SELECT, EXPLAIN } = StatementType
  if (statement.statementType === SELECT || statement.statementType === EXPLAIN) return statement
  const type = StatementType[statement.statementType]
  throw new InputError('query', `expected a statement that reads, such as SELECT, got ${type}`)

  async function prepared(): Promise<DuckDBPreparedStatement> {
    try {
      return await statements.prepare(statements.count - 1)
    } catch (error) {
      const [, name] = /Table with name (\S+) does not exist/.exec(thrownText(error)) ?? []
      if (name === undefined) throw error
      const table = name.toLowerCase()
      const sources = parts.filter(({ tables }) => tables.includes(table)).map(({ source }) => source)
      if (sources.length > 0)
        throw new InputError(sources.join(', '), `no rows of ${table} there, or none in that time`, { cause: error })
      const there = [...new Set(parts.flatMap(({ tables }) => tables))].join(', ')
      throw new InputError('query', `there is no table ${name}; the sources can have ${there}`, { cause: error })
    }
  }
}

/** An error of the database as one line. */
function asQueryFault(error: unknown): unknown {
  if (error instanceof InputError) return error
  const [what = '', place = ''] = thrownText(error).split(/\n+(?=LINE \d+:)/)
  const [, line] = /^LINE (\d+):/.exec(place) ?? []
  const where = line === undefined ? 'query' : `query:${line}`
  return new InputError(
    where,
    what
      .replace(/^Failed to [^:]+: /, '')
      .trim()
      .replace(/\s*\n\s*/g, '; '),
    { cause: error },
  )
}

/** @throws {InputError} if it is not installed */
async function loadDuckDb(): Promise<Api> {
  try {
    const api = await import('@duckdb/node-api')
    // It would print times in the zone of the process.
    api.DuckDBTimestampTZValue.timezoneOffsetInMinutes = 0
    return api
  } catch (error) {
    const [why = ''] = thrownText(error).split('\n')
    const message = `needs the package @duckdb/node-api; run npm install @duckdb/node-api (${why})`
    throw new InputError('query', message, { cause: error })
  }
}
