/**
 * The SQLite that papertape uses on this Node, for tests that look into a file or hold it.
 */
import { loadSqlite } from '../src/store/database/load-sqlite.ts'

export const Database = loadSqlite('a test')
