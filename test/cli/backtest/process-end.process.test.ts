import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { BIN, cliFolder } from '../rig/run-cli.ts'
import { BODY_LINE, BUY_AND_HOLD, IDEAL, START, strategySource, TRADES } from '../rig/sample-files.ts'

const { write, folder, cli } = cliFolder()
const TAPE = ['--tape', 'A_USD=tape.csv', ...IDEAL]
const NEVER_SETTLED = 'papertape: ended early: a promise that it waits for never settles\n'

beforeAll(() => {
  write(TRADES, 'tape.csv')
  write(BUY_AND_HOLD, 'hold.js')
})

/** The command line by a shell, which closes or redirects what it writes to. */
function shell(redirection: string, ...args: string[]): { code: number | null; stdout: string; stderr: string } {
  const script = `"$0" "$@" ${redirection}`
  const options = { cwd: folder, encoding: 'utf8', timeout: 300_000 } as const
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script, process.execPath, BIN, ...args], options)
  return { code: status, stdout, stderr }
}

describe('the process of a backtest', () => {
  it.concurrent('ends when the run does, whatever timer or thread the strategy has left behind', async () => {
    const left = `import { Worker } from 'node:worker_threads'
      new Worker('setInterval(() => {}, 1000)', { eval: true })
      setInterval(() => {}, 1000)
      ${BUY_AND_HOLD}`
    write(left, 'left.js')
    const { code, stdout } = await cli('backtest', 'left.js', ...TAPE, '--json')
    expect({ code, report: JSON.parse(stdout) as unknown }).toMatchObject({ code: 0, report: { failure: null } })
  })

  it.concurrent('says so and exits with 1 when the strategy waits at load for what never comes', async () => {
    write(`await new Promise(() => {})\n${BUY_AND_HOLD}`, 'waits.js')
    const result = await cli('backtest', 'waits.js', ...TAPE, '--out', 'waits')
    expect(result).toEqual({ code: 1, stdout: '', stderr: NEVER_SETTLED })
    expect(existsSync(join(folder, 'waits'))).toBe(false)
  })

  it.concurrent.each([
    ['process.exit(0) at load', `process.exit(0)\n${BUY_AND_HOLD}`],
    ['process.exit(0) in the run', strategySource({ run: 'process.exit(0); return NEVER' })],
    ['process.exit() with a code of its own', strategySource({ run: 'process.exitCode = 0; process.exit()' })],
    ['the call beneath it', strategySource({ run: 'process.reallyExit(0); return NEVER' })],
  ])('does not exit with 0 by %s', async (name, source) => {
    const file = name.replaceAll(/\W/g, '-')
    write(source, `${file}.js`)
    const { code, stdout, stderr } = await cli('backtest', `${file}.js`, ...TAPE, '--quiet', '--out', file)
    expect(code, stderr).toBeGreaterThan(0)
    expect({ stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({ stdout: '', lines: 1 })
  })

  it.concurrent('keeps its exit code when the strategy sets one of its own', async () => {
    write(strategySource({ run: "process.exitCode = 0; throw new Error('no')" }), 'own-code.js')
    expect((await cli('backtest', 'own-code.js', ...TAPE)).code).toBe(1)
  })

  it.skipIf(!existsSync('/dev/full'))('says in one line that its output is lost, and exits with 2', () => {
    const { code, stderr } = shell('> /dev/full', 'backtest', 'hold.js', ...TAPE, '--json')
    expect(stderr).toMatch(/^papertape: stdout: cannot be written \(ENOSPC[^\n]*\)\n$/)
    expect(code).toBe(2)
  })

  it.concurrent('does its work though no one reads what it says', () => {
    expect(shell('2>&-', 'backtest', 'hold.js', ...TAPE, '--out', 'unheard').code).toBe(0)
    expect(shell('2>&1 >&- | true', 'backtest', 'none.js', ...TAPE).code).toBe(0)
    expect(existsSync(join(folder, 'unheard', 'run.json'))).toBe(true)
  })

  it.concurrent('ends by Ctrl-C in a loop that never does', async () => {
    write(strategySource({ run: "console.error('in'); for (;;) {}" }), 'endless.js')
    const child = spawn(process.execPath, [BIN, 'backtest', 'endless.js', ...TAPE], { cwd: folder })
    const end = new Promise((resolve) => child.on('exit', (code, signal) => resolve({ code, signal })))
    child.stderr.once('data', () => child.kill('SIGINT'))
    expect(await end).toEqual({ code: null, signal: 'SIGINT' })
  })

  it.concurrent('comes to a turn that never ends: its line is named', async () => {
    const run = "return trades('A_USD').pipe(map(() => { while (true); }))"
    write(strategySource({ run }), 'stuck.js')
    const { code, stdout, stderr } = await cli('backtest', 'stuck.js', ...TAPE, '--turn-limit', '2')
    expect(stderr).toMatch(
      new RegExp(
        `^papertape: strategy 'sample': stuck\\.js:${BODY_LINE}: handling the event at [^\n]+ did not end within 2 s \\(--turn-limit\\)\n$`,
      ),
    )
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  })

  it.concurrent('is warned when timer(0, 0) makes an event a millisecond, and ends by Ctrl-C', async () => {
    write(strategySource({ run: 'return timer(0, 0).pipe(ignoreElements())' }), 'crawls.js')
    write(`${TRADES}7,${START + 1e9},102.00,2,true\n`, 'long-tape.csv')
    const args = ['backtest', 'crawls.js', '--tape', 'A_USD=long-tape.csv', ...IDEAL, '--quiet', '--turn-limit', '4']
    const child = spawn(process.execPath, [BIN, ...args], { cwd: folder })
    const end = new Promise((resolve) => child.on('exit', (code, by) => resolve({ code, by })))
    const [reported] = (await once(child.stderr, 'data')) as [Buffer]
    child.kill('SIGINT')
    expect(String(reported)).toMatch(
      /^papertape: strategy 'sample': slow run: its events are about a millisecond apart at 2023-11-\d\dT[^ ]+Z; does it use a timer of 0 or 1 ms, [^\n]+\n$/,
    )
    expect(await end).toEqual({ code: null, by: 'SIGINT' })
  })
})
