/**
 * Whether better-sqlite3 is compiled for this Node.
 */
import { createRequire } from 'node:module'
import type Sqlite from 'better-sqlite3'

export function hasSqlite(): boolean {
  try {
    const Database = createRequire(import.meta.url)('better-sqlite3') as typeof Sqlite
    new Database(':memory:').close()
    return true
  } catch {
    return false
  }
}
