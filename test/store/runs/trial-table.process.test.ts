/**
 * The ledger of trials: what counts once, what an earlier form of a store lacks, and two processes that write at once.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Database } from '../../database.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MIGRATIONS } from '../../../src/store/database/database-file.ts'
import { RunStore } from '../../../src/store/runs/run-store.ts'
import type { Trial } from '../../../src/store/runs/trial-table.ts'

const BUILT = new URL('../../../dist/store/runs/run-store.js', import.meta.url).href

let folder = ''
let file = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'papertape-trials-'))
  file = join(folder, 'store.db')
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

const trial = (id: string, changes: Partial<Trial> = {}): Trial => ({
  id,
  strategy: 'grid',
  source: 'a',
  tape: 't',
  params: '{}',
  digest: null,
  sharpe: 1,
  statistics: '{}',
  ranAt: 5,
  ...changes,
})
const put = (...trials: Trial[]): void => {
  RunStore.write(file, undefined, (store) => store.trials.put(trials))
}
const sharpes = (strategy = 'grid', tape = 't'): readonly (number | null)[] =>
  RunStore.read(file, (store) => store.trials.sharpes(strategy, tape))

describe('a ledger of trials', () => {
  it('counts by strategy and tape, whatever source a strategy had, and each trial once', () => {
    put(trial('1'), trial('2', { sharpe: -3, source: null }), trial('3', { sharpe: null }))
    put(trial('1', { ranAt: 9 }), trial('4', { tape: 'u' }), trial('5', { strategy: 'other' }))
    expect(sharpes()).toEqual([null, -3, 1])
    expect(sharpes('grid', 'u')).toEqual([1])
    const rows = new Database(file, { readonly: true }).prepare('SELECT id, ran_at FROM trial ORDER BY id').all()
    expect(rows.slice(0, 2)).toEqual([
      { id: '1', ran_at: 5 },
      { id: '2', ran_at: 5 },
    ])
  })

  it.each([1, 2])('is empty in a store of form %i, which gets one with its first trial', (form) => {
    const database = new Database(file)
    for (const step of MIGRATIONS.slice(0, form)) database.exec(step)
    database.pragma('application_id = 1886676066')
    database.pragma(`user_version = ${form}`)
    database.close()
    expect(sharpes()).toEqual([])
    put(trial('1'))
    expect(sharpes()).toEqual([1])
  })

  it('loses nothing of two that write at once', async () => {
    const write = async (name: string): Promise<unknown> => {
      const script = `
        import { RunStore } from ${JSON.stringify(BUILT)}
        for (let round = 0; round < 20; round += 1) {
          const trial = { ...${JSON.stringify(trial(''))}, id: ${JSON.stringify(name)} + round }
          RunStore.write(${JSON.stringify(file)}, { waitMs: 300000, onBusy: () => {} }, (store) => store.trials.put([trial]))
        }`
      const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`))
      return await new Promise((resolve, reject) => worker.once('exit', resolve).once('error', reject))
    }
    put(trial('first'))
    expect(await Promise.all([write('a'), write('b')])).toEqual([0, 0])
    expect(sharpes()).toHaveLength(41)
  })
})
