/**
 * Completion in a shell: commands, flags and ready strategies, and files where a file is expected.
 */
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { BIN, cliFolder, expectInputError } from '../rig/run-cli.ts'

const { cli, write, folder } = cliFolder()

const hasBash = spawnSync('bash', ['-c', 'complete']).status === 0

beforeAll(() => {
  mkdirSync(join(folder, 'bin'))
  symlinkSync(BIN, join(folder, 'bin/papertape'))
  write('', 'my strategy.ts')
})

/** What bash has for the last word, as its own completion would ask for it. */
async function inBash(...words: readonly string[]): Promise<readonly string[]> {
  const script = `
    source <(papertape completion bash) || exit 1
    COMP_WORDS=(papertape "$@"); COMP_CWORD=$#
    _papertape
    printf '%s\\n' "\${COMPREPLY[@]}"`
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH ?? ''}` }
  const { stdout } = await promisify(execFile)('bash', ['-c', script, 'bash', ...words], { cwd: folder, env })
  return stdout.split('\n').filter(Boolean)
}

describe.skipIf(!hasBash)('papertape completion bash (skipped without bash)', () => {
  it.concurrent.each`
    words                                   | found
    ${['backt']}                            | ${['backtest']}
    ${['backtest', 'sma']}                  | ${['sma-cross']}
    ${['backtest', 'grid', '--taker']}      | ${['--taker-fee']}
    ${['backtest', 'grid', '--no-b']}       | ${['--no-bounds']}
    ${['strategies', '--js']}               | ${['--json']}
    ${['new', '']}                          | ${['strategy']}
    ${['init', 'bot', '--java']}            | ${['--javascript']}
    ${['completion', 'z']}                  | ${['zsh']}
    ${['backtest', 'grid', '--tape', '']}   | ${[]}
    ${['backtest', 'grid', '--tape', 'A_USD', '=', 'da']} | ${[]}
    ${['backtest', 'my str']}               | ${[]}
    ${['backtest', '$(touch made)']}        | ${[]}
    ${['nonsense', '--t']}                  | ${[]}
  `('$words', async ({ words, found }) => {
    expect(await inBash(...(words as readonly string[]))).toEqual(found)
  })

  it.concurrent('names every command', async () => {
    expect(await inBash('')).toEqual(expect.arrayContaining(['backtest', 'verify', 'why', 'strategies', 'completion']))
  })
})

describe('papertape completion', () => {
  it.concurrent.each(['bash', 'zsh', 'fish'])('%s prints a script alone', async (shell) => {
    const { code, stdout, stderr } = await cli('completion', shell)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('papertape --get-completions')
  })

  it.concurrent('of another shell is refused by name', async () => {
    expectInputError(
      await cli('completion', 'fsh'),
      "completion: expected bash, zsh, fish, got 'fsh'; did you mean 'zsh'?",
    )
  })
})
