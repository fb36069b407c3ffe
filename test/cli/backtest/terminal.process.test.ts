import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { BIN, cliFolder } from '../rig/run-cli.ts'
import { BUY_AND_HOLD, START, strategySource, TRADES } from '../rig/sample-files.ts'

const { cli, write, folder } = cliFolder()
const HOLD = 'backtest hold.js --tape A_USD=tape.csv'

/** `script` of util-linux gives a command a terminal; others of that name take other arguments. */
const { stdout: version } = spawnSync('bash', ['-c', 'script --version'], { encoding: 'utf8' })
const hasTerminal = version.includes('util-linux')

/** What stands on a terminal of 80 columns, unless said, after the command, its control characters included. */
async function onTerminal(commandLine: string, env: Record<string, string> = {}, columns = 80): Promise<string> {
  const command = `stty cols ${columns}; "${process.execPath}" "${BIN}" ${commandLine}`
  const { PATH = '', HOME = '' } = process.env
  const options = { cwd: folder, env: { PATH, HOME, TERM: 'xterm', ...env } }
  const { stdout } = await promisify(execFile)('script', ['-qec', command, '/dev/null'], options)
  return stdout.replaceAll('\r\n', '\n')
}

/* eslint-disable no-control-regex -- control characters are what is looked for */
const PROGRESS = /\r\u001b\[K100 % {2}[\d,]+ events\/s {2}2023-11-14T22:15:20\.000Z\r\u001b\[K/
const COLOUR = /\u001b\[\d+m/

beforeAll(() => {
  write(TRADES, 'tape.csv')
  write(BUY_AND_HOLD, 'hold.js')
  write(strategySource({ run: "return timer(1000, 1000).pipe(tap(() => log('tick')), ignoreElements())" }), 'talks.js')
})

describe.skipIf(!hasTerminal)('on a terminal (skipped without script of util-linux)', () => {
  it.concurrent('progress is shown and taken away again', async () => {
    const screen = await onTerminal(`${HOLD} > summary.txt`)
    expect(screen).toMatch(PROGRESS)
    expect(screen.replace(PROGRESS, '')).toBe('')
    // The summary went into a file: without colour, and whole.
    const summary = readFileSync(join(folder, 'summary.txt'), 'utf8')
    expect(summary).toMatch(/^strategy[^]*digest sha256:[0-9a-f]{64}\n$/)
    expect(summary).not.toMatch(COLOUR)
  })

  it.concurrent('the summary has colours, and the same text', async () => {
    const screen = await onTerminal(`${HOLD} 2> /dev/null`)
    expect(screen).toMatch(COLOUR)
    const { stdout } = await cli(...HOLD.split(' '))
    expect(screen.replaceAll(new RegExp(COLOUR, 'g'), '')).toBe(stdout)
  })

  it.concurrent.each([{ NO_COLOR: '1' }, { TERM: 'dumb' }])('%j takes the colours away', async (env) => {
    expect(await onTerminal(`${HOLD} 2> /dev/null`, env)).not.toMatch(COLOUR)
  })

  it.concurrent('FORCE_COLOR colours a pipe too, unless NO_COLOR is set', async () => {
    const piped = async (env: Record<string, string>): Promise<string> =>
      await onTerminal(`${HOLD} 2> /dev/null | cat`, env)
    expect(await piped({})).not.toMatch(COLOUR)
    expect(await piped({ FORCE_COLOR: '1' })).toMatch(COLOUR)
    expect(await piped({ FORCE_COLOR: '1', NO_COLOR: '1' })).not.toMatch(COLOUR)
  })

  it.concurrent.each([
    ['backtest', HOLD],
    ['sweep', 'sweep hold.js --tape A_USD=tape.csv --param qty=1,2,3 --objective return'],
  ])('of 50 columns no line of %s is wider, and no word is cut', async (_, commandLine) => {
    const env = { NO_COLOR: '1' }
    const narrow = await onTerminal(`${commandLine} 2> /dev/null`, env, 50)
    const lines = narrow.split('\n').filter((line) => !/^(digest |next: )/.test(line))
    expect(lines.length).toBeGreaterThan(3)
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(50)
    const words = new Set((await onTerminal(`${commandLine} 2> /dev/null`, env)).split(/\s+/))
    const blocks = /^[▁▂▃▄▅▆▇█]+$/
    // A table says which of its columns have no room.
    const reported = narrow.replace(/ {2}and \d more columns?, in sweep\.csv \(--out\)\n/, '')
    expect(reported.split(/\s+/).filter((word) => !words.has(word) && !blocks.test(word))).toEqual([])
  })

  it.concurrent.each(['--quiet', '--json'])('%s shows no progress', async (flag) => {
    expect(await onTerminal(`${HOLD} ${flag} > /dev/null`)).toBe('')
  })

  it.concurrent('what a strategy logs stands on lines of its own, and the progress is cleared before', async () => {
    const rows = Array.from({ length: 10_000 }, (_, row) => `${START + row * 10},100,1`)
    write(['time_ms,price,qty', ...rows, ''].join('\n'), 'long.csv')
    const screen = await onTerminal('backtest talks.js --tape A_USD=long.csv > /dev/null')
    const ticks = screen.split('\n').filter((line) => line.includes('tick'))
    expect(ticks).toHaveLength(99)
    for (const tick of ticks) expect(tick).toMatch(/^(?:[^]*\r\u001b\[K)?2023-11-14T22:1\d:\d\d\.000Z tick$/)
    // Otherwise nothing was there to be cleared.
    expect(ticks.filter((tick) => tick.includes('events/s')).length).toBeGreaterThan(0)
  })
})

it('in a pipe there is no progress and no colour', async () => {
  const { stdout, stderr } = await cli(...HOLD.split(' '))
  expect(stderr).toBe('')
  expect(stdout).not.toMatch(COLOUR)
})
