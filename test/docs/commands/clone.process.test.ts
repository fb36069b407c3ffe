/**
 * The pages for newcomers in a clone: what npm runs there, and every output shown is real.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { commandsIn, fenced } from '../rig/document-commands.ts'
import { DocumentPlace } from '../rig/document-place.ts'
import { runDocument } from '../rig/run-document.ts'

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url))
const { folder, write } = temporaryFiles()
const place = new DocumentPlace(PROJECT, folder)
const readme = place.textOf('README.md')

/** Their commands of papertape are run in the package as it is installed, or below. */
const isElsewhere = (command: string): boolean => !command.startsWith('npm ') || command === 'npm start'
runDocument('README.md', readme, () => place, true, write, commandsIn(readme).filter(isElsewhere))

describe('README.md', () => {
  it('shows the strategy that it runs, and the output of its command', async () => {
    expect(fenced(readme, 'ts')).toEqual([place.textOf('examples/16-two-averages.ts')])
    const command = commandsIn(readme).find((each) => each.includes('16-two-averages'))
    const [shown] = fenced(readme, 'text')
    expect(await place.outputOf(command ?? '')).toContain(shown)
  })
})

describe('docs/getting-started.md', () => {
  it('shows what npm start prints', async () => {
    const [shown] = fenced(place.textOf('docs/getting-started.md'), 'text')
    expect(await place.outputOf('npm start')).toContain(shown)
  })
})

describe('docs/how-it-works.md', () => {
  it('shows the explanation of an order', async () => {
    const page = place.textOf('docs/how-it-works.md')
    const [run = '', why = '', ...others] = commandsIn(page)
    expect(others).toEqual([])
    await place.outputOf(run)
    expect(await place.outputOf(why)).toBe(fenced(page, 'text')[0])
  })
})

describe('docs/from-a-program.md', () => {
  it('shows a backtest that runs', async () => {
    const block = fenced(place.textOf('docs/from-a-program.md'), 'ts').find((each) => each.includes('await backtest('))
    const source = [
      "import { backtest } from 'papertape/run'",
      block?.replace('/tmp/run', join(folder, 'program')),
      'console.log(statistics.roundTrips, orders.length, fills.length, equity.length, digest)',
    ]
    const flags = ['--input-type=module', '--eval', source.join('\n')]
    const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: PROJECT })
    expect(stdout).toMatch(/^[1-9]\d* [1-9]\d* [1-9]\d* [1-9]\d* sha256:/)
    expect(existsSync(join(folder, 'program/run.json'))).toBe(true)
  })
})
