/**
 * Reads a state file whole, without writing to it: nothing is opened for writing before all of it was read and
 * understood.
 *
 * Known limit: a log (`-wal`) that was damaged or taken away is missed only by what stands beside it
 * (`acknowledged-writes.ts`).
 */
import { existsSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type Database from 'better-sqlite3'
import { InputError } from '../../domain/errors.ts'
import { checkAcknowledged } from './acknowledged-writes.ts'
import { readSnapshot, type SnapshotBeside } from './snapshot-beside.ts'
import { FORM_WITH_BESIDE, isStateFile } from './state-file-header.ts'
import { loadSqlite } from '../database/load-sqlite.ts'
import { withFaultsNamed } from '../database/sqlite-fault.ts'

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
    const database = new (loadSqlite(file))(file, { readonly: true, fileMustExist: true, timeout: 0 })
    try {
      return readAll(file, database)
    } finally {
      database.close()
    }
  })
}

/** Only the making of a file has a rollback journal: whoever made this one did not come to its end. */
function undoMaking(file: string): void {
  const database = new (loadSqlite(file))(file, { fileMustExist: true, timeout: 0 })
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
  const isBeside = database.pragma('user_version', { simple: true }) === FORM_WITH_BESIDE
  const beside = isBeside
    ? database.prepare<[], SnapshotBeside>('SELECT through, bytes, crc FROM beside').get()
    : undefined
  const snapshot = database.prepare<[], SnapshotRow>('SELECT through, state, crc FROM snapshot').get()
  if (snapshot === undefined || (isBeside && beside === undefined)) throw damaged('without a snapshot')
  if (crc32(snapshot.state) !== snapshot.crc) throw damaged('the snapshot is not as it was written')
  let lastWrite = beside?.through ?? snapshot.through
  const batches: string[] = []
  for (const { id, entries, crc } of database
    .prepare<[number], BatchRow>('SELECT id, entries, crc FROM batch WHERE id > ? ORDER BY id')
    .iterate(lastWrite)) {
    if (id !== lastWrite + 1) throw damaged(`entries ${lastWrite + 1} are missing`)
    if (crc32(entries) !== crc) throw damaged(`entries ${id} are not as they were written`)
    // A write that changed nothing: that of where the snapshot is.
    if (entries.length > 0) batches.push(entries.toString())
    lastWrite = id
  }
  // First, since a log that lost its end may tell of a snapshot that is gone since.
  checkAcknowledged(file, lastWrite)
  return { snapshot: beside === undefined ? snapshot.state.toString() : readSnapshot(file, beside), batches, lastWrite }
}
