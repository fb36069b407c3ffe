/**
 * Runs in a database: their summaries and files. A repeated run is stored once, with the time of the last run.
 *
 * Invariant: a run is added or removed in one transaction.
 */
import type Database from 'better-sqlite3'
import { InputError } from '../../domain/errors.ts'
import { openForReading, openForWriting, type Patience } from '../database/database-file.ts'
import { withFaultsNamed } from '../database/sqlite-fault.ts'
import { isRunFileName, type RunFileName } from './run-file-names.ts'
import { TrialTable } from './trial-table.ts'

/** Digits shown of an id, if they are unique. */
const SHOWN_DIGITS = 8
const MIN_DIGITS = 4

/** Content as concatenated gzip members. */
export type ZippedFiles = ReadonlyMap<RunFileName, Uint8Array>

export interface StoredRun {
  /** Lower-case hex digest of all files of the run: the seal of its `run.json`. */
  readonly id: string
  /** Unix milliseconds. */
  readonly savedAt: number
  /** JSON of the caller. */
  readonly summary: string
}

interface FileRow {
  readonly name: string
  readonly bytes: Buffer
}

export class RunStore {
  readonly #file: string
  readonly #database: Database.Database

  private constructor(file: string, database: Database.Database) {
    this.#file = file
    this.#database = database
  }

  /**
   * Calls back with the database for reading.
   *
   * @throws {InputError} for a file that is not a papertape database, is damaged, or cannot be read
   */
  static read<T>(file: string, use: (store: RunStore) => T): T {
    return RunStore.#use(file, () => openForReading(file), use)
  }

  /** Calls back with the database for writing, and commits; rolls back if the callback throws. @throws {InputError} */
  static write<T>(file: string, patience: Patience | undefined, use: (store: RunStore) => T): T {
    return RunStore.#use(
      file,
      () => openForWriting(file, patience),
      (store) => {
        const result = use(store)
        store.#database.exec('COMMIT')
        return result
      },
    )
  }

  static #use<T>(file: string, open: () => Database.Database, use: (store: RunStore) => T): T {
    return withFaultsNamed(file, () => {
      const database = open()
      try {
        return use(new RunStore(file, database))
      } finally {
        if (database.inTransaction) database.exec('ROLLBACK')
        database.close()
      }
    })
  }

  get trials(): TrialTable {
    return new TrialTable(this.#database)
  }

  /** Newest first. */
  list(): readonly StoredRun[] {
    if (!this.#hasRuns()) return []
    const newestFirst = 'SELECT id, kept_at AS savedAt, summary FROM run ORDER BY kept_at DESC, id'
    return this.#database.prepare<[], StoredRun>(newestFirst).all()
  }

  /**
   * @param prefix  unique prefix of an id
   * @throws {InputError} if there is no such run, or more than one
   */
  find(prefix: string): StoredRun {
    const runs = this.list()
    const found = runs.filter(({ id }) => prefix.length >= MIN_DIGITS && id.startsWith(prefix.toLowerCase()))
    const [run] = found
    if (run !== undefined && found.length === 1) return run
    if (run !== undefined) {
      throw new InputError(this.#file, `'${prefix}' matches ${found.length} runs: ${shownIds(found, runs).join(', ')}`)
    }
    throw new InputError(this.#file, `has no run '${prefix}'${others(runs)}`)
  }

  files(id: string): ZippedFiles {
    const rows = this.#database.prepare<[string], FileRow>('SELECT name, bytes FROM run_file WHERE run = ?').all(id)
    return new Map(rows.flatMap(({ name, bytes }) => (isRunFileName(name) ? [[name, bytes] as const] : [])))
  }

  put({ id, savedAt, summary }: StoredRun, files: ZippedFiles): void {
    this.#database
      .prepare(
        'INSERT INTO run (id, kept_at, summary) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET kept_at = max(kept_at, excluded.kept_at)',
      )
      .run(id, savedAt, summary)
    const insert = this.#database.prepare('INSERT OR IGNORE INTO run_file (run, name, bytes) VALUES (?, ?, ?)')
    for (const [name, bytes] of files) insert.run(id, name, bytes)
  }

  remove(id: string): void {
    this.#database.prepare('DELETE FROM run_file WHERE run = ?').run(id)
    this.#database.prepare('DELETE FROM run WHERE id = ?').run(id)
  }

  /** Databases of earlier formats have no such table. */
  #hasRuns(): boolean {
    return this.#database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'run'").get() !== undefined
  }
}

/** Shortest unique prefix of an id. */
export function shownId(id: string, all: readonly Pick<StoredRun, 'id'>[]): string {
  const rivals = all.filter((other) => other.id !== id)
  let length = SHOWN_DIGITS
  while (rivals.some((other) => other.id.startsWith(id.slice(0, length)))) length += 1
  return id.slice(0, length)
}

const shownIds = (runs: readonly StoredRun[], all: readonly StoredRun[]): readonly string[] =>
  runs.map(({ id }) => shownId(id, all))

const NAMED = 5

function others(runs: readonly StoredRun[]): string {
  if (runs.length === 0) return ': the database has no runs'
  const names = shownIds(runs.slice(0, NAMED), runs).join(', ')
  return `; there ${runs.length === 1 ? 'is' : 'are'} ${names}${runs.length > NAMED ? ` and ${runs.length - NAMED} more` : ''}`
}
