/**
 * A run that is killed before any change that it makes to the file system: what it left, the next run finds and
 * settles.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RunDirectory, settleRunDirectory } from '../../../src/store/runs/run-directory.ts'
import { sealFaults } from '../../../src/store/runs/run-seal.ts'
import { STRIDE } from '../../property/property.ts'
import { killedBefore } from '../locks/rig/killed-before.ts'

const BUILT = new URL('../../../dist/store/runs/run-directory.js', import.meta.url).href
const PROGRAM = `
  import { RunDirectory } from ${JSON.stringify(BUILT)}
  const [out, name] = process.argv.slice(1)
  const run = new RunDirectory('out', out, true)
  run.append('journal.jsonl', name + '\\n')
  run.commit({ digest: name })`

let folder = ''
let out = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'papertape-killed-'))
  out = join(folder, 'run')
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

function isKilled(step: number, name: string): boolean {
  const args = [killedBefore(step), '--input-type=module', '-e', PROGRAM, out, name]
  const { signal, status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  expect(signal ?? status).toSatisfy((end) => end === 'SIGKILL' || end === 0)
  return signal === 'SIGKILL'
}

function written(name: string): void {
  const run = new RunDirectory('out', out, true)
  run.append('journal.jsonl', `${name}\n`)
  run.commit({ digest: name })
}

describe('a run that is killed', () => {
  it('before any step leaves the old run or the new one, whole', () => {
    const left = new Set<string>()
    let step = 1
    for (; ; step += STRIDE) {
      mkdirSync(out, { recursive: true })
      written('old')
      const wasKilled = isKilled(step, 'new')
      settleRunDirectory(out)
      expect(readdirSync(folder), `step ${step}`).toEqual(['run'])
      expect(sealFaults(out), `step ${step}`).toEqual([])
      const name = readFileSync(join(out, 'journal.jsonl'), 'utf8').trim()
      left.add(name)
      if (!wasKilled) break
      // The second of two after each other has found what the first left.
      isKilled(step, 'new')
      if (step % 4 === 0) isKilled((step * 7) % 40, 'third')
      written('next')
      expect(readdirSync(folder), `step ${step}`).toEqual(['run'])
      expect(sealFaults(out), `step ${step}`).toEqual([])
    }
    expect(step).toBeGreaterThan(25)
    expect([...left].sort()).toEqual(['new', 'old'])
  })
})
