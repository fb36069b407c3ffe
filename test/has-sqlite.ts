/**
 * Whether this Node can open a database: by itself, or because better-sqlite3 is compiled for it.
 */
import { createRequire } from 'node:module'
import type Sqlite from 'better-sqlite3'
import { nodeSqlite } from '../src/store/database/node-sqlite.ts'

export function hasSqlite(): boolean {
  if (nodeSqlite() !== undefined) return true
  try {
    const Database = createRequire(import.meta.url)('better-sqlite3') as typeof Sqlite
    new Database(':memory:').close()
    return true
  } catch {
    return false
  }
}
