/**
 * The intents, known order ids and blocked markets of a live account on disk, and small named values.
 *
 * Invariant: a change is durable when its method returns, and normally absent if it throws. Ids of intents are never
 * reused, even after an intent was dropped, and a known id keeps its position. Known limit: known ids are never
 * dropped, because any listing of the service may still contain them.
 */
import { crc32 } from 'node:zlib'
import type Database from 'better-sqlite3'
import type { z } from 'zod'
import { InputError, invariant } from '../../../domain/errors.ts'
import { withFaultsNamed } from '../../database/sqlite-fault.ts'
import { openLiveFile, openOrMakeLiveFile } from './live-file.ts'
import { OperatorCommands } from './operator-commands.ts'
import {
  linksOf,
  PERSISTED_CONDITIONAL,
  type PersistedConditional,
  type PersistedLink,
} from './persisted-conditional.ts'
import {
  isReported,
  PERSISTED_INTENT,
  type PersistedIntent,
  BLOCKED_MARKET,
  type BlockedMarket,
} from './persisted-intent.ts'
import { droppedLots, saveDroppedLots, type SessionLots } from './session-lots.ts'
import { writtenIntent } from './written-intent.ts'

/** A value as text with its checksum, as stored in the rows of a live account's database. */
export interface CheckedBody {
  readonly body: string
  readonly crc: number
}

/**
 * JSON, with null for undefined. Validated before writing, because an unreadable row would make the whole file
 * unusable.
 */
export function writtenBody<T>(schema: z.ZodType<T>, value: T): [body: string, crc: number] {
  const body = JSON.stringify(value, (_, part: unknown) => (part === undefined ? null : part))
  invariant(schema.safeParse(JSON.parse(body)).success, `a row can be read again: ${body}`)
  return [body, crc32(body)]
}

/**
 * @param file  for the error
 * @param what  name of the row
 * @throws {InputError} for a damaged row
 */
export function readBody<T>(schema: z.ZodType<T>, { body, crc }: CheckedBody, file: string, what: string): T {
  if (crc32(body) !== crc) throw new InputError(file, `is damaged (${what} is not as it was written)`)
  const read = schema.safeParse(JSON.parse(body))
  if (!read.success) throw new InputError(file, `is damaged (${what}: ${read.error.issues[0]?.message ?? ''})`)
  return read.data
}

interface WaitRow extends CheckedBody {
  readonly id: string
}

const SAVE = 'INSERT OR REPLACE INTO wait (owner, id, body, crc) VALUES (?, ?, ?, ?)'
const DROP = 'DELETE FROM wait WHERE owner = ? AND id = ?'

/**
 * Conditional orders of the live sessions, one row each, stored before they take effect.
 *
 * Invariant: a change is durable when its method returns.
 */
class ConditionalTable {
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

const SAVE_INTENT = `
  INSERT INTO intent (id, body, crc, finished_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET body = excluded.body, crc = excluded.crc, finished_at = excluded.finished_at`
const INTENT_OF = `
  SELECT id, body, crc FROM intent
  WHERE body ->> '$.owner' = ? AND body ->> '$.session' = ? AND body ->> '$.reference' = ? ORDER BY id DESC LIMIT 1`
const FINISHED = 'finished_at < ? AND id NOT IN (SELECT value FROM json_each(?))'
const UNDER = 'WHERE substr(name, 1, ?) = ?'
const INTENT_OF_ORDER = `SELECT id, body, crc FROM intent WHERE body ->> '$.orderId' = ? ORDER BY id DESC LIMIT 1`
const LAST_INTENT = `SELECT seq FROM sqlite_sequence WHERE name = 'intent'`

interface KnownIdRow {
  readonly place: number
  /** JSON. */
  readonly id: string
  readonly crc: number
}

export class LiveState {
  readonly commands: OperatorCommands
  readonly waits: ConditionalTable
  readonly #file: string
  readonly #database: Database.Database
  readonly #saveIntent: Database.Statement<[number, string, number, number | null]>
  readonly #lastIntent: Database.Statement<[], { readonly seq: number }>
  readonly #addKnownId: Database.Statement<[string, number]>
  readonly #putValue: Database.Statement<[string, string, number]>
  readonly #getValue: Database.Statement<[string], CheckedBody>
  readonly #transaction: Database.Transaction<(action: () => unknown) => unknown>

  private constructor(file: string, database: Database.Database) {
    this.#file = file
    this.#database = database
    this.commands = new OperatorCommands(file, database)
    this.waits = new ConditionalTable(file, database)
    this.#saveIntent = database.prepare(SAVE_INTENT)
    this.#lastIntent = database.prepare(LAST_INTENT)
    this.#addKnownId = database.prepare('INSERT INTO known_id (id, crc) VALUES (?, ?) ON CONFLICT (id) DO NOTHING')
    this.#putValue = database.prepare('INSERT OR REPLACE INTO kept (name, body, crc) VALUES (?, ?, ?)')
    this.#getValue = database.prepare('SELECT body, crc FROM kept WHERE name = ?')
    // Created once: creating it takes longer than running it.
    this.#transaction = database.transaction((action: () => unknown) => action())
  }

  /** Creates the file if missing; only for the holder of the account lock. @throws {InputError} */
  static openOrMake(file: string): LiveState {
    return withFaultsNamed(file, () => new LiveState(file, openOrMakeLiveFile(file)))
  }

  /** Opens an existing file, even while another process holds the lock. @throws {InputError} */
  static open(file: string): LiveState {
    return withFaultsNamed(file, () => new LiveState(file, openLiveFile(file)))
  }

  get file(): string {
    return this.#file
  }

  /** The first unused intent id. */
  get nextId(): number {
    return this.#named(() => (this.#lastIntent.get()?.seq ?? 0) + 1)
  }

  /** All stored intents, oldest first. */
  intents(): readonly PersistedIntent[] {
    return this.#named(() =>
      this.#database
        .prepare<[], CheckedBody & { readonly id: number }>('SELECT id, body, crc FROM intent ORDER BY id')
        .all()
        .map((row) => this.#readIntent(row)),
    )
  }

  /** Inserts the intent, or replaces the one with the same id. */
  save(intent: PersistedIntent): void {
    this.#named(() =>
      this.#saveIntent.run(
        intent.id,
        ...writtenIntent(intent),
        intent.isFinished && isReported(intent) ? Math.floor(intent.changedAt) : null,
      ),
    )
  }

  /** Intent of a request; undefined if it was never sent. */
  intentOf(owner: string, { session, reference }: PersistedLink): PersistedIntent | undefined {
    return this.#named(() => {
      const find = this.#database.prepare<[string, string, number], CheckedBody & { readonly id: number }>(INTENT_OF)
      const row = find.get(owner, session, reference)
      return row === undefined ? undefined : this.#readIntent(row)
    })
  }

  /** Intent of an order, even if finished. */
  intentOfOrder(orderId: string): PersistedIntent | undefined {
    return this.#named(() => {
      const find = this.#database.prepare<[string], CheckedBody & { readonly id: number }>(INTENT_OF_ORDER)
      const row = find.get(orderId)
      return row === undefined ? undefined : this.#readIntent(row)
    })
  }

  /**
   * Drops finished intents whose last change is older, except those that conditional orders refer to.
   *
   * @param before  Unix milliseconds
   * @returns the number of dropped intents
   */
  dropFinished(before: number): number {
    return this.#named(() => {
      const linked = this.waits
        .owners()
        .flatMap((owner) =>
          this.waits.of(owner).flatMap((wait) => linksOf(wait).flatMap((link) => this.intentOf(owner, link)?.id ?? [])),
        )
      return this.#dropCounted(before, JSON.stringify(linked))
    })
  }

  /** Lots bought and sold by dropped intents. */
  get droppedLots(): readonly SessionLots[] {
    return droppedLots(this)
  }

  /** @param linked  ids to keep, as JSON */
  #dropCounted(before: number, linked: string): number {
    const select = `SELECT id, body, crc FROM intent WHERE ${FINISHED} ORDER BY id`
    return this.together(() => {
      const rows = this.#database
        .prepare<[number, string], CheckedBody & { readonly id: number }>(select)
        .all(before, linked)
      if (rows.length === 0) return 0
      saveDroppedLots(
        this,
        rows.map((row) => this.#readIntent(row)),
      )
      return this.#database.prepare<[number, string]>(`DELETE FROM intent WHERE ${FINISHED}`).run(before, linked)
        .changes
    })
  }

  /** All order ids of the account ever seen, in order of insertion. */
  knownIds(): readonly string[] {
    return this.#named(() =>
      this.#database
        .prepare<[], KnownIdRow>('SELECT place, id, crc FROM known_id ORDER BY place')
        .all()
        .map(({ place, id, crc }, index) => {
          // A missing row would shift the positions after it.
          if (place === index + 1 && crc32(id) === crc) return JSON.parse(id) as string
          throw new InputError(this.#file, `is damaged (known id ${index + 1} is not as it was written)`)
        }),
    )
  }

  /** Ids that are already known keep their positions. */
  addKnownIds(ids: readonly string[]): void {
    if (ids.length === 0) return
    this.together(() => {
      for (const id of ids) {
        // JSON, because a service may send strings that are not valid Unicode.
        const written = JSON.stringify(id)
        this.#addKnownId.run(written, crc32(written))
      }
    })
  }

  blockedMarkets(): readonly BlockedMarket[] {
    return this.#named(() =>
      this.#database
        .prepare<[], CheckedBody & { readonly symbol: string }>('SELECT symbol, body, crc FROM halt ORDER BY symbol')
        .all()
        .map((row) => this.#read(BLOCKED_MARKET, row, `the halt of ${row.symbol}`)),
    )
  }

  block(market: BlockedMarket): void {
    this.#named(() =>
      this.#database
        .prepare('INSERT OR REPLACE INTO halt (symbol, body, crc) VALUES (?, ?, ?)')
        .run(market.symbol, ...writtenBody(BLOCKED_MARKET, market)),
    )
  }

  unblock(symbol: string): void {
    this.#named(() => this.#database.prepare('DELETE FROM halt WHERE symbol = ?').run(symbol))
  }

  /** Stores a value under a name, replacing an earlier one. */
  saveValue<T>(name: string, schema: z.ZodType<T>, value: T): void {
    this.#named(() => this.#putValue.run(name, ...writtenBody(schema, value)))
  }

  savedValue<T>(name: string, schema: z.ZodType<T>): T | undefined {
    return this.#named(() => {
      const row = this.#getValue.get(name)
      return row === undefined ? undefined : this.#read(schema, row, name)
    })
  }

  /** All values with a name prefix, by name. */
  savedValues<T>(prefix: string, schema: z.ZodType<T>): ReadonlyMap<string, T> {
    return this.#named(() => {
      const rows = this.#database
        .prepare<[number, string], CheckedBody & { readonly name: string }>(`SELECT name, body, crc FROM kept ${UNDER}`)
        .all(prefix.length, prefix)
      return new Map(rows.map((row) => [row.name, this.#read(schema, row, row.name)]))
    })
  }

  forgetUnder(prefix: string): void {
    this.#named(() => this.#database.prepare(`DELETE FROM kept ${UNDER}`).run(prefix.length, prefix))
  }

  /** Runs an action in a transaction: all of its changes are stored, or none if it throws. */
  together<T>(action: () => T): T {
    return this.#named(() => this.#transaction.immediate(action) as T)
  }

  /** Idempotent. */
  close(): void {
    this.#database.close()
  }

  #readIntent(row: CheckedBody & { readonly id: number }): PersistedIntent {
    const intent = this.#read(PERSISTED_INTENT, row, `intent ${row.id}`)
    if (intent.id === row.id) return intent
    throw new InputError(this.#file, `is damaged (intent ${row.id} says ${intent.id})`)
  }

  #read<T>(schema: z.ZodType<T>, row: CheckedBody, what: string): T {
    return readBody(schema, row, this.#file, what)
  }

  #named<T>(action: () => T): T {
    return withFaultsNamed(this.#file, action)
  }
}
