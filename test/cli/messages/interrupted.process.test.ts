/**
 * Ctrl-C in a run says what is kept of it.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { BIN, cliFolder } from '../rig/run-cli.ts'
import { BUY_AND_HOLD, strategySource, TRADES } from '../rig/sample-files.ts'

const { cli, write, folder } = cliFolder()
const TAPE = ['--tape', 'A_USD=tape.csv']

beforeAll(() => {
  write(TRADES, 'tape.csv')
  write(BUY_AND_HOLD, 'hold.js')
  write(strategySource({ run: "console.error('begun'); for (;;);" }), 'endless.js')
  write("console.error('begun'); for (;;);", 'loads.js')
})

/** Runs it until the strategy says that it has begun, and interrupts it. */
async function interrupted(...args: readonly string[]): Promise<{ readonly by: unknown; readonly reported: string }> {
  const child = spawn(process.execPath, [BIN, ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    const isFirst = !stderr.includes('begun')
    stderr += chunk.toString()
    if (isFirst && stderr.includes('begun')) child.kill('SIGINT')
  })
  const by = await new Promise((resolve) => child.on('close', (_, signal) => resolve(signal)))
  return { by, reported: stderr.replace('begun\n', '') }
}

describe('Ctrl-C', () => {
  it.concurrent('in a run that is not kept, and while a strategy is loaded', async () => {
    const reported = 'papertape: interrupted: the run was not saved\n'
    expect(await interrupted('backtest', 'endless.js', ...TAPE)).toEqual({ by: 'SIGINT', reported })
    expect(await interrupted('backtest', 'loads.js', ...TAPE, '--out', 'early')).toEqual({ by: 'SIGINT', reported })
  })

  it.concurrent('in a run with --out: nothing is there', async () => {
    expect(await interrupted('backtest', 'endless.js', ...TAPE, '--out', 'new')).toEqual({
      by: 'SIGINT',
      reported: "papertape: interrupted: the run was not saved, and 'new' was not written\n",
    })
    expect(existsSync(join(folder, 'new'))).toBe(false)
  })

  it.concurrent('in a run that would replace another: that is still there', async () => {
    await cli('backtest', 'hold.js', ...TAPE, '--quiet', '--out', 'kept')
    const before = readFileSync(join(folder, 'kept/run.json'), 'utf8')
    expect(await interrupted('backtest', 'endless.js', ...TAPE, '--out', 'kept', '--force')).toEqual({
      by: 'SIGINT',
      reported: "papertape: interrupted: the run was not saved, and 'kept' still has the earlier run\n",
    })
    expect(readFileSync(join(folder, 'kept/run.json'), 'utf8')).toBe(before)
  })
})
