/**
 * Reads a whole state file without writing: it is opened for writing only after all of it was read and validated.
 *
 * Known limit: a damaged or removed log (`-wal`) is noticed only by the file next to it (`acknowledged-writes.ts`).
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
  /** Changes after the snapshot, oldest first. */
  readonly batches: readonly string[]
  /** Number of the last write; 0 if there was none since the file was created. */
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
 * Undefined for a missing or empty file.
 *
 * @throws {InputError} for a file that is not a state file, is newer, damaged, read-only or in use; it stays unchanged
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

/** Rolls back an incomplete creation: only then a rollback journal exists. */
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
    // An empty write records the position of the snapshot.
    if (entries.length > 0) batches.push(entries.toString())
    lastWrite = id
  }
  // Checked before the snapshot is read: a log that lost its end may refer to a deleted snapshot.
  checkAcknowledged(file, lastWrite)
  return { snapshot: beside === undefined ? snapshot.state.toString() : readSnapshot(file, beside), batches, lastWrite }
}
