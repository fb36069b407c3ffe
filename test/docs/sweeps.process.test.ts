/**
 * docs/sweeps.md: its program runs, and its command prints what stands there.
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { runCli } from '../cli/rig/run-cli.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const PAGE = readFileSync(join(PROJECT, 'docs/sweeps.md'), 'utf8')
const blockOf = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(PAGE)?.[1] ?? ''

const { folder } = temporaryFiles()

it('has a program that holds what it asserts', async () => {
  const flags = ['--input-type=module', '--eval', blockOf('ts')]
  await expect(promisify(execFile)(process.execPath, flags, { cwd: PROJECT })).resolves.toMatchObject({ stderr: '' })
})

it('shows what its command prints', async () => {
  const out = join(folder, 'sweep')
  const words = blockOf('sh')
    .replaceAll(/\\\n\s*/g, '')
    .replace('/tmp/sweep', out)
    .trim()
    .split(/\s+(?![^']*'\s+--objective)/)
  const args = words.slice(2).map((word) => word.replaceAll("'", ''))
  const { stdout } = await runCli(args, { cwd: PROJECT })
  expect(stdout.replaceAll(out, '/tmp/sweep')).toBe(blockOf('text'))
})
