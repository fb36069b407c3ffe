/**
 * Reads a state file whole, without writing to it: nothing is opened for writing before all of it was read and understood.
 *
 * Known limit: a log (`-wal`) that was damaged or taken away is missed only by what stands beside it (`acknowledged-writes.ts`).
 */
import { existsSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import Database from 'better-sqlite3'
import { InputError } from '../../domain/errors.ts'
import { checkAcknowledged } from './acknowledged-writes.ts'
import { isStateFile } from './state-file-header.ts'
import { withFaultsNamed } from './sqlite-fault.ts'

export interface StoredState {
  readonly snapshot: string
  /** What came after the snapshot, oldest first. */
  readonly batches: readonly string[]
  /** Number of the last write; 0 when there was none after the file was made. */
  readonly lastWrite: number
}

interface SnapshotRow {
  readonly through: number
  readonly state: Buffer
  readonly crc: number
}

interface BatchRow {
  readonly id: number
  readonly entries: Buffer
  readonly crc: number
}

/**
 * Undefined for a file that is yet to be made.
 *
 * @throws {InputError} for a file that is none of ours, newer, damaged, read-only or in use; it is as it was
 */
export function readStateFile(file: string): StoredState | undefined {
  return withFaultsNamed(file, () => {
    if (!isStateFile(file)) return undefined
    if (existsSync(`${file}-journal`)) {
      undoMaking(file)
      if (!isStateFile(file)) return undefined
    }
    const database = new Database(file, { readonly: true, fileMustExist: true, timeout: 0 })
    try {
      const stored = readAll(file, database)
      checkAcknowledged(file, stored.lastWrite)
      return stored
    } finally {
      database.close()
    }
  })
}

/** Only the making of a file has a rollback journal: whoever made this one did not come to its end. */
function undoMaking(file: string): void {
  const database = new Database(file, { fileMustExist: true, timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE; ROLLBACK')
  } finally {
    database.close()
  }
}

function readAll(file: string, database: Database.Database): StoredState {
  const damaged = (what: string): InputError => new InputError(file, `is damaged (${what})`)
  const verdict = database.pragma('quick_check(1)', { simple: true })
  if (verdict !== 'ok') throw damaged(String(verdict))
  const snapshot = database.prepare<[], SnapshotRow>('SELECT through, state, crc FROM snapshot').get()
  if (snapshot === undefined) throw damaged('without a snapshot')
  if (crc32(snapshot.state) !== snapshot.crc) throw damaged('the snapshot is not as it was written')
  let lastWrite = snapshot.through
  const batches: string[] = []
  for (const { id, entries, crc } of database
    .prepare<[], BatchRow>('SELECT id, entries, crc FROM batch ORDER BY id')
    .iterate()) {
    if (id !== lastWrite + 1) throw damaged(`entries ${lastWrite + 1} are missing`)
    if (crc32(entries) !== crc) throw damaged(`entries ${id} are not as they were written`)
    batches.push(entries.toString())
    lastWrite = id
  }
  return { snapshot: snapshot.state.toString(), batches, lastWrite }
}
