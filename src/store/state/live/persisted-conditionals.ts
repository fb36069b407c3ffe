/**
 * Conditional orders of the live sessions, one row each, stored before they take effect.
 *
 * Invariant: a change is durable when its method returns.
 */
import type Database from 'better-sqlite3'
import { InputError } from '../../../domain/errors.ts'
import { withFaultsNamed } from '../../database/sqlite-fault.ts'
import { readBody, writtenBody, type CheckedBody } from './checked-body.ts'
import { PERSISTED_CONDITIONAL, type PersistedConditional } from './persisted-conditional.ts'

interface WaitRow extends CheckedBody {
  readonly id: string
}

const SAVE = 'INSERT OR REPLACE INTO wait (owner, id, body, crc) VALUES (?, ?, ?, ?)'
const DROP = 'DELETE FROM wait WHERE owner = ? AND id = ?'

export class ConditionalTable {
  readonly #file: string
  readonly #database: Database.Database
  readonly #save: Database.Statement<[string, string, string, number]>
  readonly #drop: Database.Statement<[string, string]>

  constructor(file: string, database: Database.Database) {
    this.#file = file
    this.#database = database
    this.#save = database.prepare(SAVE)
    this.#drop = database.prepare(DROP)
  }

  /** Strategies with conditional orders. */
  owners(): readonly string[] {
    return this.#named(() =>
      this.#database
        .prepare<[], { readonly owner: string }>('SELECT DISTINCT owner FROM wait ORDER BY owner')
        .all()
        .map(({ owner }) => owner),
    )
  }

  /** Conditional orders in order of creation. @throws {InputError} for a damaged row */
  of(owner: string): readonly PersistedConditional[] {
    return this.#named(() =>
      this.#database
        .prepare<[string], WaitRow>('SELECT id, body, crc FROM wait WHERE owner = ? ORDER BY length(id), id')
        .all(owner)
        .map((row) => this.#read(owner, row)),
    )
  }

  /** Inserts or replaces by id, all or none. */
  save(owner: string, waits: readonly PersistedConditional[], over: readonly string[] = []): void {
    this.#named(() => {
      this.#database
        .transaction(() => {
          for (const wait of waits) this.#save.run(owner, wait.id, ...writtenBody(PERSISTED_CONDITIONAL, wait))
          for (const id of over) this.#drop.run(owner, id)
        })
        .immediate()
    })
  }

  #read(owner: string, row: WaitRow): PersistedConditional {
    const what = `conditional order ${row.id} of '${owner}'`
    const wait = readBody(PERSISTED_CONDITIONAL, row, this.#file, what)
    if (wait.id === row.id) return wait
    throw new InputError(this.#file, `is damaged (${what} says ${wait.id})`)
  }

  #named<T>(action: () => T): T {
    return withFaultsNamed(this.#file, action)
  }
}
