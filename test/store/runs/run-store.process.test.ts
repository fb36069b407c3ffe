/**
 * Runs in a store: ids, what a kill leaves, stores of an earlier form, and files that are too large.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database } from '../../database.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { InputError } from '../../../src/domain/errors.ts'
import { checkStore, MIGRATIONS } from '../../../src/store/database/database-file.ts'
import { GatheredRun, unzipped } from '../../../src/store/runs/gathered-run.ts'
import { RunStore, shownId, type StoredRun } from '../../../src/store/runs/run-store.ts'

const BUILT = new URL('../../../dist/store/runs/', import.meta.url).href

let folder = ''
let file = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'papertape-runs-'))
  file = join(folder, 'store.db')
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

const run = (id: string, keptAt = 1): StoredRun => ({ id: id.padEnd(64, '0'), savedAt: keptAt, summary: '{}' })
const put = (...runs: StoredRun[]): void => {
  RunStore.write(file, undefined, (store) => {
    for (const each of runs) store.put(each, new Map())
  })
}
const list = (): readonly StoredRun[] => RunStore.read(file, (store) => store.list())
const find = (prefix: string): string => RunStore.read(file, (store) => store.find(prefix)).id
const faultOf = (action: () => unknown): string => {
  try {
    action()
    return 'none'
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return error.message.replaceAll(folder, '')
  }
}

describe('an id', () => {
  it('is named by the digits that no other has', () => {
    put(run('abcd1234aa'), run('abcd1234ab'), run('abce'))
    expect(find('abce')).toBe(run('abce').id)
    expect(find('ABCD1234AB')).toBe(run('abcd1234ab').id)
    expect(faultOf(() => find('abcd'))).toBe("/store.db: 'abcd' matches 2 runs: abcd1234aa, abcd1234ab")
    expect(faultOf(() => find('abc'))).toMatch(/^\/store\.db: has no run 'abc'; there are /)
    expect(shownId(run('abcd1234aa').id, list())).toBe('abcd1234aa')
    expect(shownId(run('abce').id, list())).toBe('abce0000')
  })

  it('names some of many in an error', () => {
    put(...Array.from({ length: 7 }, (_, index) => run(String(index).padEnd(4, '0'), index)))
    expect(faultOf(() => find('ffff'))).toBe(
      "/store.db: has no run 'ffff'; there are 60000000, 50000000, 40000000, 30000000, 20000000 and 2 more",
    )
  })
})

describe('a store', () => {
  it('of an earlier form has no runs, and gets them with the first', () => {
    const database = new Database(file)
    database.exec(MIGRATIONS[0] ?? '')
    database.pragma(`application_id = 1886676066`)
    database.pragma('user_version = 1')
    database.close()
    expect(list()).toEqual([])
    put(run('a'))
    expect(list()).toEqual([run('a')])
  })

  it('that another process is about to make is one that has nothing yet', () => {
    const making = new Database(file)
    making.pragma('journal_mode = WAL')
    making.exec('BEGIN IMMEDIATE; CREATE TABLE tape (id)')
    expect(faultOf(list)).toBe('/store.db: is empty')
    expect(faultOf(() => checkStore(file))).toBe('none')
    making.close()
    put(run('a'))
    expect(list()).toEqual([run('a')])
  })

  it('of another program is refused, though it has no number of its form', () => {
    const other = new Database(file)
    other.exec('CREATE TABLE mine (id)')
    other.close()
    const refused = '/store.db: is a database of another program'
    expect([faultOf(list), faultOf(() => checkStore(file))]).toEqual([refused, refused])
    const before = readFileSync(file)
    expect(faultOf(() => put(run('a')))).toBe(refused)
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('keeps nothing of what did not come to its end', () => {
    put(run('a'))
    expect(() =>
      RunStore.write(file, undefined, (store) => {
        store.put(run('b'), new Map())
        throw new Error('stopped')
      }),
    ).toThrow('stopped')
    expect(list()).toEqual([run('a')])
  })

  it.each([
    ['before', 1],
    ['after', 2],
  ])('has a run whole or not at all when its writer is killed %s the commit', (when, count) => {
    put(run('a'))
    const program = `
      import { RunStore } from ${JSON.stringify(`${BUILT}run-store.js`)}
      import { loadSqlite } from ${JSON.stringify(`${BUILT}../database/load-sqlite.js`)}
      const Database = loadSqlite('a test')
      const exec = Database.prototype.exec
      Database.prototype.exec = function (text) {
        const isLast = text === 'COMMIT'
        if (isLast && ${when === 'before'}) process.kill(process.pid, 'SIGKILL')
        exec.call(this, text)
        if (isLast) process.kill(process.pid, 'SIGKILL')
      }
      RunStore.write(${JSON.stringify(file)}, undefined, (store) => {
        store.put({ id: 'b'.repeat(64), savedAt: 2, summary: '{}' }, new Map([['journal.jsonl', new Uint8Array(5_000_000)]]))
      })`
    const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' })
    expect(signal).toBe('SIGKILL')
    expect(list()).toHaveLength(count)
    const sizes = list().map(({ id }) => RunStore.read(file, (store) => store.files(id)).get('journal.jsonl')?.length)
    expect(sizes).toEqual(when === 'before' ? [undefined] : [5_000_000, undefined])
    put(run('c', 3))
    expect(list()).toHaveLength(count + 1)
  })
})

describe('the files of a run', () => {
  it('come back as they were, whatever their length, and are named by their seal', () => {
    const gathered = new GatheredRun()
    const line = `${'x'.repeat(99)}é\n`
    for (let index = 0; index < 30_000; index += 1) gathered.append('journal.jsonl', line)
    gathered.append('orders.csv', 'id\n')
    const { id, files, left } = gathered.finish({ digest: 'd' })
    expect(unzipped(files, 'journal.jsonl')).toBe(line.repeat(30_000))
    expect(unzipped(files, 'orders.csv')).toBe('id\n')
    expect(unzipped(files, 'run.json')).toContain(`"filesDigest": "sha256:${id}"`)
    expect(unzipped(files, 'fills.csv')).toBeUndefined()
    expect(left).toEqual([])
  })

  it('that are too large are left out and named, and the seal is that of all', () => {
    const gathered = new GatheredRun()
    // Nothing that can be compressed, in pieces so long that none has seen the last.
    const hashes = Array.from({ length: 1 << 15 }, (_, index) => createHash('sha256').update(String(index)).digest())
    const piece = Buffer.concat(hashes).toString('base64')
    for (let index = 0; index < 70; index += 1) gathered.append('journal.jsonl', piece)
    const { files, left } = gathered.finish({ digest: 'd' })
    expect(left).toEqual(['journal.jsonl'])
    expect([...files.keys()]).toEqual(['run.json'])
    expect(unzipped(files, 'run.json')).toMatch(/"journal\.jsonl": "[0-9a-f]{64}"/)
  })
})
