/**
 * The package for Python, by its own tests and by the programs of its guide, each on emulators that it starts.
 */
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { BIN, runCli } from '../cli/rig/run-cli.ts'
import { fenced } from '../docs/rig/document-commands.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const { folder, write } = temporaryFiles()

const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0
if (!hasPython) console.warn('no python3 of 3.9 or newer on this machine: the package for Python is not tested')
const hasPytest = hasPython && spawnSync('python3', ['-c', 'import pytest']).status === 0
if (!hasPytest) console.warn('no pytest on this machine: the fixtures for it are not tested')

async function python(...args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const { PATH = '', HOME = '' } = process.env
  const env = {
    ...{ PATH, HOME, RUN: join(folder, 'run'), PYTHONDONTWRITEBYTECODE: '1' },
    ...{ PYTHONPATH: join(PROJECT, 'python'), PAPERTAPE_COMMAND: `"${process.execPath}" "${BIN}"` },
  }
  return promisify(execFile)('python3', args, { cwd: folder, env })
}

describe.skipIf(!hasPython)('the package for Python', () => {
  beforeAll(async () => {
    const flags = ['--tape', `BTC_USD=${PROJECT}data/btc_usd.csv.gz`, '--param', 'interval=1h', '--to', '2024-01-08']
    const { code } = await runCli(['backtest', 'sma-cross', ...flags, '--taker-fee', '5', '--out', join(folder, 'run')])
    expect(code).toBe(0)
  })

  it('passes its own tests', async () => {
    const { stderr } = await python('-m', 'unittest', 'discover', '-s', join(PROJECT, 'python/tests'))
    expect(stderr).toMatch(/^Ran \d+ tests.*\n\nOK/m)
  })

  it('does what its guide shows', async () => {
    const blocks = fenced(readFileSync(join(PROJECT, 'docs/python.md'), 'utf8'), 'python')
    const programs = blocks.filter((code) => !code.startsWith('def test_'))
    const printed: string[] = []
    for (const code of programs) printed.push((await python(write(code, 'program.py'))).stdout)
    expect(printed).toEqual([
      expect.stringMatching(/^OPEN 3000\.0+\n100000\n$/),
      expect.stringMatching(/^OPEN \d+ True\n$/),
      expect.stringMatching(/^sma-cross sha256:\w+ \d+ \d+ \d+\n$/),
    ])
  })

  it.skipIf(!hasPytest)('has fixtures for pytest', async () => {
    const file = join(PROJECT, 'python/tests/pytest_example.py')
    const { stdout } = await python(
      '-m',
      'pytest',
      '-q',
      '-p',
      'papertape.pytest_plugin',
      '-p',
      'no:cacheprovider',
      file,
    )
    expect(stdout).toMatch(/1 passed/)
  })
})
