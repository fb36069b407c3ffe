/**
 * docs/testing.md: its programs run, and its check prints what stands there.
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { FAULT_KIND_NAMES } from '../../src/testing/check/fault-kinds.ts'
import { cliFolder } from '../cli/rig/run-cli.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const PAGE = readFileSync(join(PROJECT, 'docs/testing.md'), 'utf8')
const blocks = (language: string): readonly string[] =>
  [...PAGE.matchAll(/^```(.*)\n([^]*?)^```$/gm)].flatMap(([, name, body = '']) => (name === language ? [body] : []))

const { write, cli } = cliFolder()

it.each(blocks('ts').map((program, index) => [index + 1, program] as const))(
  'program %i holds what it asserts',
  async (_, program) => {
    // A strategy in TypeScript is what the user has; Node runs what is built.
    const source = program.replace(/^import smaCross from .*$/m, LOADED_STRATEGY)
    const flags = ['--input-type=module', '--eval', source]
    await expect(promisify(execFile)(process.execPath, flags, { cwd: PROJECT })).resolves.toMatchObject({ stderr: '' })
  },
)

const LOADED_STRATEGY = `import { loadStrategy } from './dist/runtime/strategies/strategy-file.js'
const smaCross = (await loadStrategy('sma-cross')).strategy`

it('shows what the check of its strategy prints', async () => {
  const [faulty = ''] = blocks('ts faulty')
  const shown = blocks('').find((block) => block.startsWith('faulty: '))
  write(faulty, 'faulty.ts')
  const { code, stdout } = await cli('check', 'faulty.ts', '--runs', '200')
  expect([code, stdout]).toEqual([1, shown])
})

it('names every kind of fault', () => {
  const check = PAGE.slice(PAGE.indexOf('## `papertape check`'))
  const rows = check.split('\n').filter((line) => line.startsWith('| ')).length - 1
  expect(rows).toBe(FAULT_KIND_NAMES.length)
})
