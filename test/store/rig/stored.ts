/**
 * Tests of what is kept in a database of SQLite. Without better-sqlite3, which is compiled by `npm run sqlite`, they are skipped, and the
 * start of the tests says so.
 */
import { describe, inject, it } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** better-sqlite3 is compiled. */
    readonly hasSqlite: boolean
  }
}

export const describeStored: typeof describe.skip = inject('hasSqlite') ? describe : describe.skip
export const itStored: typeof it.skip = inject('hasSqlite') ? it : it.skip
