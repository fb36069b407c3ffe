/**
 * The fuzzer's command line: what it takes, and what it says.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })
  return { status, stdout, stderr }
}

describe('npm run fuzz', () => {
  it('reports the seed, the corners and the rate, and nothing about progress where there is no terminal', () => {
    const { status, stdout, stderr } = run(
      '--import',
      './bench/loader.mjs',
      'scripts/fuzz.mjs',
      '--commands',
      '100',
      '--seed',
      '7',
    )
    expect(stdout).toMatch(/^seed 7\n/)
    expect(stdout).toMatch(/^ +[0-9]+ {2}a trade is printed$/m)
    expect(stdout).toMatch(/[0-9]+ commands in [0-9]+ scripts, [0-9,]+ a second\n$/)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  it('reports how the best policies on driftless candles did', () => {
    const flags = ['candles', '--policies', '1', '--candles', '100', '--seed', '7']
    const { status, stdout, stderr } = run('--import', './bench/loader.mjs', 'scripts/fuzz.mjs', ...flags)
    expect(stdout).toMatch(/^seed 7\n/)
    expect(stdout).toMatch(/^gaussian +-?[0-9.]+ -> -?[0-9.]+ \(policy 0\)$/m)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  it.each`
    flags                             | message
    ${['--commands', '0']}            | ${"--commands: expected an integer from 1 to 9007199254740991, got '0'"}
    ${['--commands', '1e6']}          | ${"--commands: expected an integer from 1 to 9007199254740991, got '1e6'"}
    ${['--seed=-1']}                  | ${"--seed: expected an integer from 0 to 4294967295, got '-1'"}
    ${['--seed', '4294967296']}       | ${"--seed: expected an integer from 0 to 4294967295, got '4294967296'"}
    ${['--command', '5']}             | ${"Unknown option '--command'"}
    ${['5']}                          | ${"Unexpected argument '5'"}
    ${['candles', '--policies', '0']} | ${"--policies: expected an integer from 1 to 1000000, got '0'"}
    ${['candles', '--candles', '99']} | ${"--candles: expected an integer from 100 to 1000000, got '99'"}
    ${['candles', '--commands', '5']} | ${"Unknown option '--commands'"}
  `('refuses $flags', ({ flags, message }: { flags: string[]; message: string }) => {
    const { status, stdout, stderr } = run('scripts/fuzz.mjs', ...flags)
    expect(stderr).toContain(message)
    expect(stderr).toContain('usage: npm run fuzz -- [--commands N] [--seed S]')
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  })
})
