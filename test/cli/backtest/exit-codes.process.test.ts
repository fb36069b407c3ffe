import { beforeAll, describe, expect, it } from 'vitest'
import { type CliResult } from '../rig/cli-result.ts'
import { cliFolder, MODULES, runCli, runProgram } from '../rig/run-cli.ts'
import { BUY_AND_HOLD, IDEAL, strategySource, TRADES } from '../rig/sample-files.ts'

const { write, folder } = cliFolder()
const HOLD = ['backtest', 'hold.js', '--tape', 'A_USD=tape.csv', ...IDEAL]

beforeAll(() => {
  write(TRADES, 'tape.csv')
  write(BUY_AND_HOLD, 'hold.js')
  write(strategySource({ run: "throw new Error('no')" }), 'throws.js')
})

/** Runs with a module of ours broken on purpose before the command line starts. */
function sabotaged(source: string): Promise<CliResult> {
  const dist = new URL('../../../dist/', import.meta.url).href
  const preload = `data:text/javascript,${encodeURIComponent(source.replaceAll('DIST/', dist))}`
  return runProgram([MODULES, ...HOLD], { cwd: folder, nodeFlags: ['--import', preload] })
}

describe('a script can report how it ended', () => {
  it.concurrent('0: the run is done and the books balance', async () => {
    const result = await runCli(HOLD, { cwd: folder })
    expect(result).toMatchObject({ code: 0, stderr: '' })
  })

  it.concurrent('1: the strategy failed', async () => {
    const result = await runCli(['backtest', 'throws.js', '--tape', 'A_USD=tape.csv'], { cwd: folder })
    expect(result.code).toBe(1)
  })

  it.concurrent('2: the user has something to mend', async () => {
    const result = await runCli(['backtest', 'none.js', '--tape', 'A_USD=tape.csv'], { cwd: folder })
    expect(result.code).toBe(2)
  })

  it.concurrent('70: a bug of ours, reported with its stack', async () => {
    const { code, stdout, stderr } = await sabotaged(`
      import { InvariantError } from 'DIST/domain/errors.js'
      import { Replay } from 'DIST/simulation/replay/replay.js'
      Replay.prototype.play = () => { throw new InvariantError('broken on purpose') }
    `)
    expect(stderr).toMatch(/^InvariantError: broken on purpose\n {4}at /)
    expect({ code, stdout }).toEqual({ code: 70, stdout: '' })
  })

  it.concurrent('70: the books do not balance, and the summary says by how much', async () => {
    const { code, stdout } = await sabotaged(`
      import { MatchingExchange } from 'DIST/exchange/matching-exchange.js'
      const { audit } = MatchingExchange.prototype
      MatchingExchange.prototype.audit = function () {
        return audit.call(this).map((line) => (line.asset === 'USD' ? { ...line, held: line.held - 5n } : line))
      }
    `)
    expect(stdout).toContain('audit USD: OFF BY 0.005: credited 10000, held 9999.995 + fees 0')
    expect(code).toBe(70)
  })
})
