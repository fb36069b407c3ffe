/**
 * `papertape paper` in a process of its own, on the trades of an emulator that replays a tape.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { MAX_AHEAD_MS } from '../../../src/adapter/live/market-data/exchange-clock.ts'
import { startEmulator, type Emulator } from '../../../src/emulator.ts'
import { expectInputError } from '../rig/cli-result.ts'
import { startHook } from '../rig/hook.ts'
import { BIN, cliFolder, runCli } from '../rig/run-cli.ts'
import { BUY_AND_HOLD, strategySource } from '../rig/sample-files.ts'

const { cli, write, folder } = cliFolder()

const tapeRows = (): string => {
  const rows = ['trade_id,time_ms,price,qty,is_buyer_maker']
  for (let number = 1; number <= 20_000; number += 1) {
    rows.push(
      `${number},${1_700_000_000_000 + 200 * number},${(100 + (number % 9) / 100).toFixed(2)},5.00,${number % 2 === 0}`,
    )
  }
  return `${rows.join('\n')}\n`
}

let emulator: Emulator

/** Trades of the service that are further ahead of this machine's clock than a session accepts. */
async function tradesAhead(): Promise<number> {
  const answer = await fetch(`${emulator.baseUrl}/markets/A_USD/trades`)
  const trades = (await answer.json()) as readonly { createdAt: number }[]
  return trades.filter(({ createdAt }) => createdAt > Date.now() + MAX_AHEAD_MS).length
}

beforeAll(async () => {
  emulator = await startEmulator({ replay: [{ file: write(tapeRows(), 'source.csv'), symbol: 'A_USD' }], speed: 10 })
  write(BUY_AND_HOLD, 'hold.js')
  // A session follows a clock that is ahead once it has seen three such trades. With fewer at its start, it warns.
  await vi.waitUntil(async () => (await tradesAhead()) >= 3, { interval: 50, timeout: 60_000 })
})

afterAll(async () => {
  await emulator.close()
})

const paper = (...args: string[]) => cli('paper', ...args, '--url', emulator.baseUrl)
const text = (...path: string[]): string => readFileSync(join(folder, ...path), 'utf8')

describe('a session on paper', () => {
  it('fills orders in this process and leaves the files of a run, and a recording', async () => {
    const result = await paper('hold.js', '--for', '3s', '--out', 'run', '--record', 'tapes', '--json')
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' })
    const types = result.stdout.trimEnd().split('\n').map((line) => (JSON.parse(line) as { type: string }).type) // prettier-ignore
    expect(types).toEqual(['started', 'fill', 'ended'])
    const report = JSON.parse(text('run', 'run.json'))
    expect(report).toMatchObject({ tapes: [], fills: 1, audit: { ok: true }, paper: { url: emulator.baseUrl } })
    expect(text('run', 'fills.csv').split('\n')).toHaveLength(3)
    expect(text('run', 'journal.jsonl')).toMatch(/"type":"run".*\n(?:.*\n)*.*"type":"end"/)
    expect(text('tapes', 'a_usd.csv').split('\n').length).toBeGreaterThan(20)
    const [orderId = ''] = text('run', 'orders.csv').split('\n')[1]?.split(',') ?? []
    expect(await cli('why', 'run', orderId)).toMatchObject({ code: 0, stderr: '' })
    expectInputError(await cli('verify', 'run'), /^run\/run\.json: its market data was live, so it cannot run again/)
  })

  it('prints nothing if it is quiet, and still reports to a webhook', async () => {
    const hook = await startHook()
    const flags = ['--for', '3s', '--out', 'quiet', '--quiet', '--notify', `http://127.0.0.1:${hook.port}/`]
    expect(await paper('hold.js', ...flags)).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(hook.events.map(({ type }) => type)).toEqual(['started', 'fill', 'ended'])
    await hook.close()
  })

  it('runs without flags by a config file, over which a flag wins', async () => {
    const sections = {
      paper: { for: '2s', out: 'of-file', params: { qty: '3' }, json: true },
      record: { symbols: 'A_USD' },
    }
    const shared = { strategy: 'hold.js', params: { qty: '2' }, takerFee: '5', onLimit: 'wait', out: 'of-backtest' }
    write(JSON.stringify({ ...shared, url: emulator.baseUrl, ...sections }), 'session.json')
    const run = async (...flags: string[]): Promise<unknown> => {
      const { code, stderr, stdout } = await cli('paper', '--config', 'session.json', ...flags)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      // A warning may come before the start.
      const events = stdout.trimEnd().split('\n').map((line) => JSON.parse(line) as { readonly runDirectory?: string }) // prettier-ignore
      return JSON.parse(text(events.find((event) => event.runDirectory !== undefined)?.runDirectory ?? '', 'run.json'))
    }
    const ofFile = { onLimit: 'wait', makerFeeBps: '0' }
    expect(await run()).toMatchObject({ params: { qty: '3' }, config: { ...ofFile, takerFeeBps: '5' } })
    expect(existsSync(join(folder, 'of-file', 'run.json'))).toBe(true)
    expect(await run('--taker-fee', '7', '--out', 'of-flag', '--param', 'qty=4')).toMatchObject({
      params: { qty: '4' },
      config: { ...ofFile, takerFeeBps: '7' },
    })
    expect(existsSync(join(folder, 'of-flag', 'run.json'))).toBe(true)
  })

  it('says why it reduces when a limit of losses was reached', async () => {
    // The fee is a loss at any price, also at the lowest of the tape.
    const { stdout } = await paper('hold.js', '--for', '4s', '--day-loss', '0.01', '--taker-fee', '5', '--json')
    expect(stdout).toMatch(/"type":"state".*"state":"REDUCING","why":"the loss of the day is/)
  })

  it('without --out goes into a new directory of its own, which is reported at the start', async () => {
    const env = { XDG_DATA_HOME: join(folder, 'data') }
    const args = ['paper', 'hold.js', '--url', emulator.baseUrl, '--for', '1s']
    const { code, stdout } = await runCli(args, { cwd: folder, env })
    expect(code).toBe(0)
    const [directory = ''] = readdirSync(join(folder, 'data', 'papertape', 'runs'))
    const path = join(folder, 'data', 'papertape', 'runs', directory)
    expect(stdout).toMatch(new RegExp(`started on ${emulator.baseUrl}, run directory ${path}$`, 'm'))
    expect(stdout).toMatch(/\ndigest sha256:[0-9a-f]{64}\nreport {7}\S+\/report\.html\n$/)
    expect(existsSync(join(path, 'run.json'))).toBe(true)
  })

  it('ends by Ctrl-C with its report and exit code 0', async () => {
    const { PATH = '', HOME = '' } = process.env
    const args = [BIN, 'paper', 'hold.js', '--url', emulator.baseUrl, '--out', 'stopped', '--json']
    const child = spawn(process.execPath, args, { cwd: folder, env: { PATH, HOME } })
    // A warning may come before it.
    for (let said = ''; !said.includes('"type":"started"');) said += String((await once(child.stdout, 'data'))[0])
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([0, null])
    expect(existsSync(join(folder, 'stopped', 'run.json'))).toBe(true)
  })

  it('whose strategy throws ends with exit code 1 and its files', async () => {
    write(
      strategySource({ run: "return trades(params.symbol).pipe(map(() => { throw new Error('no') }))" }),
      'throws.js',
    )
    const { code, stdout } = await paper('throws.js', '--out', 'failed', '--json')
    expect(code).toBe(1)
    expect(stdout).toMatch(/"type":"ended".*failed at .*: no \(.*throws\.js:\d+/)
    expect(JSON.parse(text('failed', 'run.json')).failure.message).toBe('no')
  })
})

describe('cannot begin', () => {
  it.each([
    [['hold.js', '--symbol', 'B_USD'], /^--symbol: the service lists no market 'B_USD', only A_USD$/],
    [['hold.js', '--for', 'ever'], /^--for: expected a time such as/],
    [['hold.js', '--credit', '5:XYZ'], /^--credit/],
    [['hold.js', '--spread', '0.001'], /^--spread: /],
    [['none.js'], /none\.js: no such file, and no ready strategy has this name/],
    [['hold.js', '--out', 'run'], /^--out: 'run' holds a run already: use another directory$/],
    [
      ['hold.js', '--out', 'source.csv/run'],
      /^--out: cannot write to 'source\.csv\/run' .*: a part of the path is a file/,
    ],
  ])('%j: exit code 2', async (args, line) => {
    expectInputError(await paper(...args), line)
  })

  it('without a service: exit code 3', async () => {
    const { code, stderr } = await cli('paper', 'hold.js', '--url', 'http://127.0.0.1:1/v1')
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(/^papertape: GET \/markets: /) as string,
    })
  })
})
