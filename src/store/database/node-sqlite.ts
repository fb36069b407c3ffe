/**
 * SQLite as Node itself has it (`node:sqlite`), with the part of better-sqlite3's interface that this project uses. So
 * nothing has to be installed for a store.
 *
 * Known limit: before Node 22.16 it cannot return rows as arrays, and is not used.
 */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type BetterSqlite from 'better-sqlite3'

type Value = null | number | bigint | string | Uint8Array
type Row = Value[] | Record<string, Value>

/** The types of Node 20 do not have this module. */
interface NodeStatement {
  setReturnArrays(isOn: boolean): void
  get(...values: unknown[]): Row | undefined
  all(...values: unknown[]): Row[]
  iterate(...values: unknown[]): Iterator<Row>
  run(...values: unknown[]): unknown
}
interface NodeDatabase {
  readonly isOpen: boolean
  readonly isTransaction: boolean
  prepare(sql: string): NodeStatement
  exec(sql: string): void
  close(): void
}
interface NodeSqlite {
  readonly DatabaseSync: new (file: string, options: object) => NodeDatabase
  readonly StatementSync: { readonly prototype: object }
}

/** Names of SQLite's result codes, without `SQLITE_`. */
const CODES =
  'OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB'.split(
    ' ',
  )

class SqliteError extends Error {
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.name = 'SqliteError'
    this.code = code
  }
}

/** The class of databases; undefined where this Node has no such module. */
export function nodeSqlite(): typeof BetterSqlite | undefined {
  const sqlite = loadQuietly()
  if (sqlite === undefined || !('setReturnArrays' in sqlite.StatementSync.prototype)) return undefined
  const { DatabaseSync } = sqlite
  class Database extends NodeBacked {
    constructor(file: string, options: BetterSqlite.Options = {}) {
      super(file, options, (path, settings) => new DatabaseSync(path, settings))
    }
  }
  return Database as unknown as typeof BetterSqlite
}

/** Node warns that the module is an experiment, on stderr of every command. */
function loadQuietly(): NodeSqlite | undefined {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- put back as it was
  const warn = process.emitWarning
  process.emitWarning = () => undefined
  try {
    return createRequire(import.meta.url)('node:sqlite') as NodeSqlite
  } catch {
    return undefined
  } finally {
    process.emitWarning = warn
  }
}

function named<T>(action: () => T): T {
  try {
    return action()
  } catch (error) {
    if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') throw error
    throw new SqliteError(error.message, `SQLITE_${CODES[error.errcode & 0xff] ?? 'ERROR'}`)
  }
}

const asBuffer = (value: Value): Value =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value

class Statement {
  readonly #statement: NodeStatement
  #isPlucked = false

  constructor(statement: NodeStatement) {
    this.#statement = statement
  }

  raw(): this {
    this.#statement.setReturnArrays(true)
    return this
  }

  pluck(): this {
    this.#isPlucked = true
    return this.raw()
  }

  get(...values: unknown[]): unknown {
    const row = named(() => this.#statement.get(...values))
    return row === undefined ? undefined : this.#shown(row)
  }

  all(...values: unknown[]): unknown[] {
    return named(() => this.#statement.all(...values)).map((row) => this.#shown(row))
  }

  *iterate(...values: unknown[]): Generator {
    const rows = named(() => this.#statement.iterate(...values))
    for (;;) {
      const next = named(() => rows.next())
      if (next.done === true) return
      yield this.#shown(next.value)
    }
  }

  run(...values: unknown[]): unknown {
    return named(() => this.#statement.run(...values))
  }

  #shown(row: Row): unknown {
    if (!Array.isArray(row))
      return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, asBuffer(value)]))
    return this.#isPlucked ? asBuffer(row[0] ?? null) : row.map(asBuffer)
  }
}

class NodeBacked {
  readonly name: string
  readonly #database: NodeDatabase

  constructor(
    file: string,
    { readonly = false, fileMustExist = false, timeout = 5000 }: BetterSqlite.Options,
    open: (file: string, options: object) => NodeDatabase,
  ) {
    this.name = file
    if (file !== ':memory:' && !existsSync(dirname(file))) {
      throw new TypeError('Cannot open database because the directory does not exist')
    }
    if ((fileMustExist || readonly) && !existsSync(file)) {
      throw new SqliteError('unable to open database file', 'SQLITE_CANTOPEN')
    }
    this.#database = named(() => open(file, { readOnly: readonly, timeout }))
  }

  get open(): boolean {
    return this.#database.isOpen
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction
  }

  prepare(sql: string): Statement {
    return new Statement(named(() => this.#database.prepare(sql)))
  }

  exec(sql: string): this {
    named(() => {
      this.#database.exec(sql)
    })
    return this
  }

  pragma(text: string, { simple = false } = {}): unknown {
    const statement = this.prepare(`PRAGMA ${text}`)
    return simple ? statement.pluck().get() : statement.all()
  }

  /** Within a transaction it is a savepoint. */
  transaction(action: (...values: unknown[]) => unknown): unknown {
    const beginning =
      (begin: string) =>
      (...values: unknown[]): unknown => {
        const isInner = this.inTransaction
        this.exec(isInner ? 'SAVEPOINT inner' : begin)
        try {
          const result = action(...values)
          this.exec(isInner ? 'RELEASE inner' : 'COMMIT')
          return result
        } catch (error) {
          // Some faults, such as a full disk, have rolled it back already.
          if (this.inTransaction) this.exec(isInner ? 'ROLLBACK TO inner; RELEASE inner' : 'ROLLBACK')
          throw error
        }
      }
    return Object.assign(beginning('BEGIN'), {
      immediate: beginning('BEGIN IMMEDIATE'),
      exclusive: beginning('BEGIN EXCLUSIVE'),
    })
  }

  close(): this {
    if (this.open) this.#database.close()
    return this
  }
}
