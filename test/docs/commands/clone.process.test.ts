/**
 * README.md in a clone: each command runs, and what it shows is what is printed.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { fenced } from '../rig/document-commands.ts'
import { DocumentPlace } from '../rig/document-place.ts'
import { runDocument } from '../rig/run-document.ts'

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url))
const { folder, write } = temporaryFiles()
const place = new DocumentPlace(PROJECT, folder)
const readme = place.textOf('README.md')

runDocument('README.md', readme, () => place, true, write)

describe('README.md', () => {
  it('shows what npm start prints', async () => {
    const [, , shown] = /The backtest prints:\n\n(```)\n([^]*?)^```$/m.exec(readme) ?? []
    expect(await place.outputOf('npm start')).toContain(shown)
  })

  it('shows a backtest from a program that runs', async () => {
    const block = fenced(readme, 'ts').find((each) => each.includes('await backtest(')) ?? ''
    const source = [
      "import { backtest } from 'papertape/run'",
      block.replace('/tmp/run', join(folder, 'program')),
      'console.log(statistics.roundTrips, orders.length, fills.length, equity.length, digest)',
    ]
    const flags = ['--input-type=module', '--eval', source.join('\n')]
    const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: PROJECT })
    expect(stdout).toMatch(/^[1-9]\d* [1-9]\d* [1-9]\d* [1-9]\d* sha256:/)
    expect(existsSync(join(folder, 'program/run.json'))).toBe(true)
  })

  it('shows the first example as it is', () => {
    expect(fenced(readme, 'ts')).toContain(place.textOf('examples/01-first-strategy.ts'))
  })
})
