import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectInputError, reportIn } from '../rig/cli-result.ts'
import { BIN, cliFolder, runCli } from '../rig/run-cli.ts'
import { BODY_LINE, BUY_AND_HOLD, IDEAL, strategySource, TRADES } from '../rig/sample-files.ts'

const { write, folder, cli } = cliFolder()
const TAPE = ['--tape', 'A_USD=tape.csv', ...IDEAL]

beforeAll(() => {
  write(TRADES, 'tape.csv')
  write(BUY_AND_HOLD, 'hold.js')
})

const inTurn = (body: string, more = ''): string =>
  strategySource({ run: `return trades(params.symbol).pipe(concatMap(async () => { ${body}; return [] }))`, more })

/** What stands beside the files of the tests, hidden or not. */
const leftOf = (name: string): readonly string[] => readdirSync(folder).filter((each) => each.includes(`${name}-out`))

describe('a strategy that never ends is ended', () => {
  const AT_ONCE = 'handling the event at 2023-11-14T22:13:20.000Z'
  const AT_END = 'handling the event at 2023-11-14T22:15:20.000Z'
  it.concurrent.each([
    ['load', `${BUY_AND_HOLD}for (;;) {}`, `load.js:${BUY_AND_HOLD.split('\n').length}: loading`],
    [
      'load-awaits',
      `await new Promise((resolve) => setTimeout(resolve, 1e8))\n${BUY_AND_HOLD}`,
      'load-awaits.js: loading',
    ],
    [
      'timer',
      `${BUY_AND_HOLD}setTimeout(() => { for (;;) {} })`,
      `timer.js:${BUY_AND_HOLD.split('\n').length}: work left after the run`,
    ],
    ['getter', `export default { get name() { for (;;) {} } }`, 'getter.js:1: loading'],
    [
      'schema',
      strategySource({ run: '', params: 'a: z.string().default(() => { for (;;) {} })' }),
      'schema.js:7: loading',
    ],
    ['run', strategySource({ run: 'for (;;) {}' }), `strategy 'sample': run.js:${BODY_LINE}: ${AT_ONCE}`],
    ['next', inTurn('for (;;) {}'), `strategy 'sample': next.js:${BODY_LINE}: ${AT_ONCE}`],
    [
      'awaits',
      inTurn('await null; for (;;) {}', 'async: true,'),
      `strategy 'sample': awaits.js:${BODY_LINE}: ${AT_ONCE}`,
    ],
    [
      'microtasks',
      strategySource({ run: 'const on = () => Promise.resolve().then(on); on(); return NEVER' }),
      `strategy 'sample': microtasks.js:${BODY_LINE}: ${AT_ONCE}`,
    ],
    [
      'end',
      strategySource({ run: 'return new NEVER.constructor(() => () => { for (;;) {} })' }),
      `strategy 'sample': end.js:${BODY_LINE}: ${AT_END}`,
    ],
  ])('%s', async (name, source, what) => {
    write(source, `${name}.js`)
    const args = ['backtest', `${name}.js`, ...TAPE, '--json', '--turn-limit', '2', '--out', `${name}-out`]
    const { code, stdout, stderr } = await cli(...args)
    expect(stderr).toBe(`papertape: ${what} did not end within 2 s (--turn-limit)\n`)
    expect({ code, stdout, left: leftOf(name) }).toEqual({ code: 1, stdout: '', left: [] })
  })

  it.concurrent('when its run is verified, too', async () => {
    const source = "if (globalThis.process.argv.includes('verify')) for (;;) {}\n"
    write(`${source}${BUY_AND_HOLD}`, 'once.js')
    expect(await cli('backtest', 'once.js', ...TAPE, '--quiet', '--out', 'verified')).toMatchObject({ code: 0 })
    const { code, stderr } = await cli('verify', 'verified', '--turn-limit', '2')
    expect(stderr).toMatch(/^[^\n]*once\.js:\d+: loading did not end within 2 s \(--turn-limit\)\n$/)
    expect(code).toBe(1)
  })

  it.concurrent('and the limit may stand in the config', async () => {
    write(strategySource({ run: 'for (;;) {}' }), 'by-config.js')
    write('{ "turnLimit": 2 }', 'limit.json')
    const { code, stderr } = await cli('backtest', 'by-config.js', ...TAPE, '--config', 'limit.json')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `papertape: strategy 'sample': by-config.js:${BODY_LINE}: ${AT_ONCE} did not end within 2 s (--turn-limit)\n`,
    })
    expectInputError(
      await cli('backtest', 'hold.js', ...TAPE, '--turn-limit', '0'),
      "--turn-limit: expected an integer from 1 to 86400, got '0'",
    )
  })
})

describe('a signal ends a run at once and leaves nothing', () => {
  it.concurrent.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s', async (signal) => {
    write(strategySource({ run: "console.error('in'); for (;;) {}" }), 'endless.js')
    const out = `${signal}-out/below/run`
    const child = spawn(process.execPath, [BIN, 'backtest', 'endless.js', ...TAPE, '--out', out], { cwd: folder })
    const end = new Promise((resolve) => child.on('exit', (code, by) => resolve({ code, by })))
    child.stderr.once('data', () => {
      expect(existsSync(join(folder, `${signal}-out/below/.run.papertape`))).toBe(true)
      child.kill(signal)
    })
    expect(await end).toEqual({ code: null, by: signal })
    expect(leftOf(signal)).toEqual([])
  })
})

describe('the thread of a strategy', () => {
  it.concurrent('ends in one line when it takes more memory than there is', async () => {
    write(inTurn('const all = []; for (;;) all.push(new Array(1000).fill(0.5))'), 'takes.js')
    const options = { cwd: folder, nodeFlags: ['--max-old-space-size=150'] }
    const args = ['backtest', 'takes.js', ...TAPE, '--json', '--out', 'takes-out']
    const { code, stdout, stderr } = await runCli(args, options)
    expect(stderr).toMatch(/^papertape: ended early: out of memory at \d+ MB; [^\n]+\n$/)
    expect({ code, stdout, left: leftOf('takes') }).toEqual({ code: 1, stdout: '', left: [] })
  })

  it.concurrent('has the heap that it would have had without one', async () => {
    const head =
      "import { getHeapStatistics } from 'node:v8'\nconsole.log(getHeapStatistics().heap_size_limit / 2 ** 20)\n"
    write(`${head}${BUY_AND_HOLD}`, 'heap.js')
    const options = { cwd: folder, nodeFlags: ['--max-old-space-size=3000'] }
    const { stderr } = await runCli(['backtest', 'heap.js', ...TAPE, '--quiet'], options)
    expect(Number(stderr)).toBeGreaterThanOrEqual(3000)
  })

  it.concurrent('cannot speak for the command', async () => {
    const forged = "{ type: 'done', shown: { code: 0, stdout: 'forged', stderr: '' } }"
    const head = `import { parentPort, workerData } from 'node:worker_threads'
      for (const port of [parentPort, ...Object.values(workerData ?? {})]) port?.postMessage?.(${forged})
      if (workerData?.port !== undefined) console.log('a port')\n`
    write(`${head}${strategySource({ run: "throw new Error('true')" })}`, 'forges.js')
    const { code, stdout, stderr } = await cli('backtest', 'forges.js', ...TAPE, '--quiet')
    expect(stderr).toMatch(/^papertape: strategy 'sample' failed at [^\n]*: true [^\n]*\n$/)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  })

  it.concurrent('says in one line what a timer of it has thrown', async () => {
    write(`setTimeout(() => { throw new Error('late') })\n${BUY_AND_HOLD}`, 'late.js')
    const { code, stderr } = await cli('backtest', 'late.js', ...TAPE, '--json')
    expect(stderr).toMatch(/^papertape: ended early: Error: late \([^\n]*late\.js:\d+:\d+\)\n$/)
    expect(code).toBe(1)
  })

  it.concurrent('has the zone of a run, wherever the machine is', async () => {
    write(strategySource({ run: 'log(String(new Date(now()).getHours())); return NEVER' }), 'zone.js')
    const [here, there] = await Promise.all(
      ['Asia/Tokyo', 'America/New_York'].map((TZ) =>
        runCli(['backtest', 'zone.js', ...TAPE, '--json'], { cwd: folder, env: { TZ } }),
      ),
    )
    expect(here).toEqual(there)
    expect(here?.stderr).toBe('2023-11-14T22:13:20.000Z 22\n')
    expect(here !== undefined && reportIn(here).notices.join()).not.toMatch(/zone/)
  })

  it.concurrent('writes in the order in which it speaks, whatever the amount', async () => {
    const run = `return trades(params.symbol).pipe(tap(() => {
      for (let line = 0; line < 5000; line += 1) console.log('x'.repeat(100), line)
      log('said')
    }), ignoreElements())`
    write(strategySource({ run }), 'floods.js')
    const { code, stderr } = await cli('backtest', 'floods.js', ...TAPE, '--quiet')
    const lines = stderr.trimEnd().split('\n')
    expect(code).toBe(0)
    expect(lines).toHaveLength(6 * 5001)
    expect(lines.every((line, at) => line.endsWith(at % 5001 === 5000 ? ' said' : ` ${at % 5001}`))).toBe(true)
  })
})
