/**
 * Bounding runs in two threads at once: what comes of them is what one thread makes of them, whatever happens to the
 * second.
 */
import { existsSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { MIN_ROWS } from '../../../src/cli/thread/bounds-thread.ts'
import { backtest } from '../../../src/run/backtest.ts'
import { jsonRun } from '../rig/cli-result.ts'
import { cliFolder, runCli } from '../rig/run-cli.ts'
import { strategySource } from '../rig/sample-files.ts'

const { write, folder, cli } = cliFolder()
const TAPE = ['--tape', 'A_USD=tape.csv']

/**
 * Seconds in which the price goes up and down, so that resting orders are filled, by one model more than by another.
 */
const swinging = (length: number): string => {
  const rows = Array.from({ length }, (_, second) => {
    const price = 100 + Math.round(Math.sin(second / 20) * 200) / 100
    return `${second + 1},${1_700_000_000_000 + second * 1_000},${price.toFixed(2)},1.5,${second % 2 === 0}`
  })
  return `trade_id,time_ms,price,qty,is_buyer_maker\n${rows.join('\n')}\n`
}

const RESTS =
  "return trades(params.symbol).pipe(take(400), map((_, index) => buyLimit(params.symbol, index % 2 === 0 ? '98.50' : '98.00', '0.1')))"
const resting = (before = ''): string => `${before}\n${strategySource({ run: RESTS })}`

/** In the second thread alone; the first of all is 0, that of the run 1. */
const inSecond = (statement: string): string =>
  `import { threadId } from 'node:worker_threads'\nif (threadId > 1) { ${statement} }`

beforeAll(() => {
  write(swinging(MIN_ROWS), 'tape.csv')
  write(swinging(MIN_ROWS - 1), 'short.csv')
  write(resting(), 'rests.js')
})

describe('the bounds of a run', () => {
  const inOneThread = async (name: string) =>
    (await backtest({ strategy: `${folder}/${name}`, tapes: { A_USD: `${folder}/tape.csv` } })).liquidityBounds

  it.concurrent('are those of one thread', async () => {
    const { liquidityBounds } = await jsonRun(cli, 'backtest', 'rests.js', ...TAPE)
    expect(liquidityBounds).toEqual(await inOneThread('rests.js'))
    expect(liquidityBounds?.through?.makerFills).toBeGreaterThan(0)
    expect(liquidityBounds?.through).not.toEqual(liquidityBounds?.touch)
  })

  it.concurrent('of a short tape are made without a second thread', async () => {
    write(resting(inSecond("process.getBuiltinModule('fs').writeFileSync('second', '')")), 'short.js')
    const { liquidityBounds } = await jsonRun(cli, 'backtest', 'short.js', '--tape', 'A_USD=short.csv')
    expect(existsSync(`${folder}/second`)).toBe(false)
    await jsonRun(cli, 'backtest', 'short.js', ...TAPE)
    expect(existsSync(`${folder}/second`)).toBe(true)
    expect(liquidityBounds?.through?.makerFills).toBeGreaterThan(0)
    expect(Object.keys(liquidityBounds ?? {})).toEqual(['through', 'tape', 'touch'])
  })

  it.concurrent.each([
    ['ends', 'process.exit(0)'],
    ['throws', "throw new Error('here')"],
    ['has no memory', 'const all = []; for (;;) all.push(new Array(1e6).fill(all.length))'],
  ])('are the same when the second thread %s', async (name, statement) => {
    const file = `${name.replaceAll(' ', '-')}.js`
    write(resting(inSecond(statement)), file)
    const nodeFlags = ['--max-old-space-size=150']
    const { code, stdout } = await runCli(['backtest', file, ...TAPE, '--json'], { cwd: folder, nodeFlags })
    expect(code).toBe(0)
    const { liquidityBounds } = JSON.parse(stdout) as { liquidityBounds: unknown }
    expect(liquidityBounds).toEqual(await inOneThread('rests.js'))
  })

  it.concurrent('are not waited for without end', async () => {
    write(resting(inSecond('for (;;) {}')), 'loops.js')
    const { code, stdout, stderr } = await cli('backtest', 'loops.js', ...TAPE, '--turn-limit', '2', '--json')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/: loops\.js:\d+: loading did not end within 2 s \(--turn-limit\)\n$/)
  })

  it.concurrent('print nothing: what a strategy prints is shown once', async () => {
    write(`console.log('loaded')\n${resting()}`, 'prints.js')
    const { code, stdout, stderr } = await cli('backtest', 'prints.js', ...TAPE, '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'loaded\n' })
    // The console is no part of the strategy, and what it asks the environment is not the strategy's doing.
    expect(stdout).not.toContain('process.env')
  })

  it.concurrent('are not made where no one asks for them', async () => {
    const { liquidityBounds } = await jsonRun(cli, 'backtest', 'rests.js', ...TAPE, '--no-bounds')
    expect(liquidityBounds).toBeNull()
  })
})
