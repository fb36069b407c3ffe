/**
 * What a shell and the machine have to do with a command line.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { expectInputError } from './rig/cli-result.ts'
import { BIN, cliFolder, runCli } from './rig/run-cli.ts'
import { BUY_AND_HOLD, TRADES } from './rig/sample-files.ts'

const { write, folder } = cliFolder()

it('a command line that is not understood gets a message in English whatever the language of the machine, since usage errors are recognised by it', async () => {
  const result = await runCli(['backtst'], { env: { LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' } })
  expectInputError(result, "unknown command 'backtst'; did you mean backtest?")
})

it('an output that no one reads to its end is no failure', async () => {
  write(TRADES, 'tape.csv')
  write(BUY_AND_HOLD, 'hold.js')
  const papertape = `"${process.execPath}" "${BIN}" backtest hold.js --tape A_USD=tape.csv --json`
  const { stdout, stderr } = await promisify(execFile)(
    'bash',
    ['-c', `${papertape} | true; echo "\${PIPESTATUS[0]}"`],
    {
      cwd: folder,
    },
  )
  expect({ stdout, stderr }).toEqual({ stdout: '0\n', stderr: '' })
})

it('a shell that completes is answered in lines: whether files may stand there, then each word with what it means', async () => {
  const { stdout } = await runCli(['--get-completions', 'live', 'orders', ''])
  const lines = ['adopt\tassign an order of the service to a request with an unknown outcome']
  lines.push('mark-absent\tdeclare that a request with an unknown outcome has no order')
  expect(stdout).toBe(`words\n${lines.join('\n')}\n`)
})
