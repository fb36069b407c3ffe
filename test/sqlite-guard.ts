/**
 * Setup of the fast suite: only a file named `x.stored.test.ts` may open a database, because `npm test` runs where
 * better-sqlite3 is not compiled. Without this guard such a file fails on a bare machine alone, where no one works.
 */
import Module from 'node:module'
import { expect } from 'vitest'
import { hasSqlite } from './has-sqlite.ts'

type Load = (request: string, ...rest: readonly unknown[]) => unknown
const loader = Module as unknown as { _load: Load; isGuarded?: boolean; testFile?: () => string }

// A process runs many files, each with its own copy of this one.
loader.testFile = () => expect.getState().testPath ?? ''

if (hasSqlite() && loader.isGuarded !== true) {
  loader.isGuarded = true
  const load = loader._load
  loader._load = function (request, ...rest) {
    const loaded = Reflect.apply(load, this, [request, ...rest])
    return request === 'better-sqlite3' ? new Proxy(loaded as object, { construct: openedDatabase }) : loaded
  }
}

function openedDatabase(Database: object, args: unknown[]): object {
  const file = loader.testFile?.() ?? ''
  if (!file.endsWith('.stored.test.ts')) throw new Error(`${file} opens a database: name it x.stored.test.ts`)
  return Reflect.construct(Database as new (...all: unknown[]) => object, args)
}
