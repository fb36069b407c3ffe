/**
 * `papertape record` in processes of its own, some of which are killed, against an emulator that replays a tape.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEmulator, type Emulator } from '../../../src/emulator.ts'
import { expectInputError, jsonRun } from '../rig/cli-result.ts'
import { BIN, cliFolder } from '../rig/run-cli.ts'

const { cli, write, folder } = cliFolder()

const ROWS = 40_000
const KILLS = 6

/**
 * Twelve trades a second of its own time, whose prices report their number; every tenth shares a millisecond with the
 * one before.
 */
const tapeRows = (): string => {
  const rows = ['trade_id,time_ms,price,qty,is_buyer_maker']
  for (let number = 1; number <= ROWS; number += 1) {
    const time = 1_700_000_000_000 + 80 * (number % 10 === 0 ? number - 1 : number)
    rows.push(`${number},${time},${(10_000 + number / 100).toFixed(2)},0.50${number % 7},${number % 3 === 0}`)
  }
  return `${rows.join('\n')}\n`
}

let emulator: Emulator

beforeAll(async () => {
  emulator = await startEmulator({ replay: [{ file: write(tapeRows(), 'source.csv'), symbol: 'BTC_USD' }], speed: 10 })
})

afterAll(async () => {
  await emulator.close()
})

const recording = (out: string): string => join(folder, out, 'btc_usd.csv')
const linesOf = (file: string): readonly string[] => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [])

/** Records into a folder until it is asked to end. */
function startRecord(out: string, prefix: readonly string[] = []): ChildProcess {
  return startRecordOf(['--url', emulator.baseUrl, '--symbols', 'BTC_USD', '--out', out, '--json'], prefix)
}

function startRecordOf(flags: readonly string[], prefix: readonly string[] = []): ChildProcess {
  const { PATH = '', HOME = '' } = process.env
  const [command = '', ...rest] = [...prefix, process.execPath, BIN, 'record', ...flags]
  return spawn(command, rest, { cwd: folder, env: { PATH, HOME }, stdio: ['ignore', 'pipe', 'pipe'] })
}

const textFrom = (stream: NodeJS.ReadableStream | null): { text: string } => {
  const read = { text: '' }
  stream?.on('data', (chunk: Buffer) => (read.text += chunk.toString()))
  return read
}

/** Waits until the recording has so many bytes more than now. */
async function untilItGrows(out: string, bytes: number): Promise<void> {
  const size = (): number => (existsSync(recording(out)) ? statSync(recording(out)).size : 0)
  const until = size() + bytes
  while (size() < until) await wait(5)
}

describe('a recording', () => {
  it('ends with exit code 0 and a summary, and is what a backtest takes', async () => {
    const child = startRecord('whole')
    const stdout = textFrom(child.stdout)
    await untilItGrows('whole', 2_000)
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([0, null])
    const last = JSON.parse(stdout.text.trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>
    const { symbol, rows, gaps, notices } =
      (await jsonRun(cli, 'backtest', 'grid', '--tape', 'whole/btc_usd.csv')).tapes[0] ?? {}
    expect(last).toMatchObject({ type: 'end', markets: [{ symbol: 'BTC_USD', trades: rows, gaps: 0 }] })
    expect({ symbol, gaps: gaps?.count, notices }).toEqual({ symbol: 'BTC_USD', gaps: 0, notices: [] })
  })

  it('runs without flags by a config file, whose place a flag replaces', async () => {
    const section = { symbols: ['BTC_USD'], db: 'of-file.db', json: true }
    write(JSON.stringify({ url: emulator.baseUrl, out: 'of-backtest', record: section }), 'recording.json')
    const child = startRecordOf(['--config', 'recording.json', '--out', 'of-flag'])
    const stdout = textFrom(child.stdout)
    await untilItGrows('of-flag', 1_000)
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([0, null])
    expect(stdout.text).toMatch(/"type":"end","time":\d+,/)
    expect(['of-file.db', 'of-backtest'].filter((each) => existsSync(join(folder, each)))).toEqual([])
  })

  it('records the markets and the service of a deployment', async () => {
    const strategies = [{ use: 'sma-cross', params: { symbol: 'BTC_USD' } }]
    write(JSON.stringify({ strategies, live: { url: emulator.baseUrl } }), 'deployment.json')
    const child = startRecordOf(['--config', 'deployment.json', '--out', 'of-deployment'])
    await untilItGrows('of-deployment', 1_000)
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([0, null])
  })

  it(`is killed ${KILLS} times in the middle of it: nothing that was stored is lost, and every hole is marked`, async () => {
    const out = 'killed'
    let before = ''
    for (let kill = 0; kill < KILLS; kill += 1) {
      const child = startRecord(out)
      await untilItGrows(out, 40 + 97 * kill)
      child.kill('SIGKILL')
      await once(child, 'close')
      const now = readFileSync(recording(out), 'utf8')
      // But for a line that was cut, which no one has been reported is stored.
      expect(now.startsWith(before.slice(0, before.lastIndexOf('\n') + 1))).toBe(true)
      before = now
      // Now and then more is missed than the service still shows.
      if (kill % 4 === 3) await wait(6_000)
    }
    const child = startRecord(out)
    await untilItGrows(out, 100)
    child.kill('SIGTERM')
    expect(await once(child, 'close')).toEqual([0, null])
    const source = linesOf(join(folder, 'source.csv'))
    const ends = new Set(linesOf(join(folder, out, 'btc_usd.gaps.csv')).map((line) => line.split(',')[1]))
    const reached = { next: 0, behindGap: 0 }
    let last: number | undefined
    for (const line of linesOf(recording(out)).slice(1, -1)) {
      const [id = '', time, price, qty] = line.split(',')
      expect(source[Number(id)]).toMatch(new RegExp(`^${id},\\d+,${price},${qty},`))
      if (last !== undefined && Number(id) !== last + 1) {
        expect(Number(id)).toBeGreaterThan(last)
        expect(ends).toContain(time)
        reached.behindGap += 1
      } else reached.next += 1
      last = Number(id)
    }
    expect(Math.min(...Object.values(reached))).toBeGreaterThan(0)
    const [tape] = (await jsonRun(cli, 'backtest', 'grid', '--tape', `${out}/btc_usd.csv`)).tapes
    expect(tape).toMatchObject({ gaps: { count: reached.behindGap }, notices: [] })
  })

  it('is of one process at a time', async () => {
    const child = startRecord('twice')
    await untilItGrows('twice', 60)
    const args = ['record', '--url', emulator.baseUrl, '--symbols', 'BTC_USD', '--out', 'twice']
    expectInputError(await cli(...args), 'twice/btc_usd.csv: is being recorded by another process')
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([0, null])
  })

  it('ends when its file cannot grow, says so, and is whole', async () => {
    // The shell's unit is 1024 bytes, and the limit is met in the middle of a row.
    const child = startRecord('full', ['bash', '-c', 'ulimit -f 1; exec "$@"', 'bash'])
    const stderr = textFrom(child.stderr)
    expect(await once(child, 'close')).toEqual([2, null])
    // A slow machine may hear of trades whose time it takes to be ahead.
    expect(stderr.text).toMatch(
      /^papertape: full\/btc_usd\.csv: cannot be written \(EFBIG[^\n]*\): raise the limit [^\n]*\n$/m,
    )
    const text = readFileSync(recording('full'), 'utf8')
    expect(text.endsWith('\n')).toBe(true)
    expect(text.length).toBeGreaterThan(900)
    const again = startRecord('full')
    await untilItGrows('full', 60)
    again.kill('SIGINT')
    expect(await once(again, 'close')).toEqual([0, null])
    expect(
      linesOf(recording('full'))
        .slice(1, -1)
        .every((line) => line.endsWith(',BTC_USD')),
    ).toBe(true)
  })
})

describe('cannot begin', () => {
  const at = (url: string, ...more: string[]) => cli('record', '--url', url, '--out', 'none', '--symbols', ...more)

  it('with a market that the service does not list: exit code 2 and what there is', async () => {
    const line = "--symbols: the service lists no market 'BTC_USDT', only BTC_USD"
    expectInputError(await at(emulator.baseUrl, 'BTC_USDT'), line)
    expectInputError(await at(emulator.baseUrl, ','), '--symbols: expected at least one symbol')
  })

  it('with an address that is none: exit code 2', async () => {
    expectInputError(await at('nowhere', 'BTC_USD'), /^--url: expected an http or https URL/)
  })

  it('without a service: exit code 3', async () => {
    const { code, stderr } = await at('http://127.0.0.1:1/v1', 'BTC_USD')
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(/^papertape: GET \/markets: .*\n$/) as string,
    })
    expect(existsSync(join(folder, 'none'))).toBe(false)
  })
})
