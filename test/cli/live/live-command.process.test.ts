/**
 * `papertape live` against `papertape serve`, each in a process of its own.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { RunReport } from '../../../src/report/run/run-report.ts'
import { startEmulator, type Emulator } from '../../../src/server/emulator/emulator.ts'
import { ask, keyOf } from '../../server/rig/emulator-caller.ts'
import { livings, type Living } from '../rig/living.ts'
import { startHook } from '../rig/hook.ts'
import { expectInputError } from '../rig/cli-result.ts'
import { cliFolder, runCli } from '../rig/run-cli.ts'

const { folder, write } = cliFolder()
const start = livings()

/** Bids once far below, which rests, and says so when it is there; `boom` throws then. */
const strategyText = (name: string, onAccepted: string): string => `
  import { defineStrategy } from 'papertape'
  import { concat, ignoreElements, merge, NEVER, of, tap } from 'rxjs'
  import { z } from 'zod'
  export default defineStrategy({
    name: '${name}',
    params: z.object({ symbol: z.string() }),
    run: ({ params: { symbol }, orders$, log, buyLimit, now }) => merge(
      concat(of(buyLimit(symbol, '1.00', '0.01')), NEVER),
      orders$.pipe(tap(({ status }) => { if (status === 'OPEN') { ${onAccepted} } }), ignoreElements()),
    ),
  })`

let emulator: Emulator
let key = ''
let runs = 0
const opened = new Set<{ close(): Promise<void> }>()
beforeAll(async () => {
  write(strategyText('rests', "log('it rests')"), 'rests.ts')
  write(strategyText('boom', "log('it rests'); throw new Error('boom')"), 'boom.ts')
  write(strategyText('clock', "log('it rests'); Date.now()"), 'clock.ts')
  emulator = await startEmulator({ config: { agents: false } })
  opened.add(emulator)
  key = keyOf(emulator)
  return async () => {
    for (const each of opened) await each.close()
  }
})

interface Run {
  readonly living: Living
  readonly out: string
  readonly args: readonly string[]
}

/** A session with a state directory of its own, unless it is reported another. */
function live(strategies: readonly string[], more: readonly string[] = [], state?: string): Run {
  runs += 1
  const out = join(folder, `out-${runs}`)
  const kept = state ?? join(folder, `state-${runs}`)
  const args = [...strategies, '--url', emulator.baseUrl, '--symbol', 'BTC_USD', '--out', out, '--state', kept, ...more]
  return { living: start(args, { cwd: folder, env: { PAPERTAPE_API_KEY: key } }), out, args }
}

const openOrders = async (): Promise<readonly { id: string }[]> =>
  (await ask<{ id: string }[]>(emulator, '/orders/open', { key })).json

const reportIn = (out: string): RunReport => JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')) as RunReport

describe('papertape live', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends by %s with no order left, and its report written',
    async (signal) => {
      const { living, out } = live(['rests.ts'])
      await living.says('it rests')
      expect(await openOrders()).toHaveLength(1)
      expect(await living.stop(signal)).toBe(0)
      expect(await openOrders()).toEqual([])
      expect(reportIn(out)).toMatchObject({ orders: 1, failure: null, live: { openOrders: [], url: emulator.baseUrl } })
      expect(living.stdout).not.toContain(key)
      expect(living.stderr).not.toContain(key)
    },
  )

  it('leaves with --keep-orders what rests, and takes it over when it comes again', async () => {
    const state = join(folder, 'persistent-state')
    const first = live(['rests.ts'], ['--keep-orders'], state)
    await first.living.says('it rests')
    expect(await first.living.stop()).toBe(0)
    const [left] = await openOrders()
    const second = live(['rests.ts'], [], state)
    await second.living.says('it rests')
    expect(await second.living.stop()).toBe(0)
    expect(reportIn(second.out)).toMatchObject({ orders: 1, recovered: 1, live: { openOrders: [] } })
    expect(readFileSync(join(second.out, 'journal.jsonl'), 'utf8')).toMatch(
      new RegExp(`"type":"taken-over","order":{"id":"${left?.id ?? 'none'}"`),
    )
    expect(await openOrders()).toEqual([])
  })

  it('runs without flags by a config file, over which a flag wins', async () => {
    const own = {
      out: 'of-file',
      state: 'of-file-state',
      atExit: 'keep',
      maxOrder: '500',
      json: true,
      symbol: 'BTC_USD',
    }
    write(JSON.stringify({ strategy: 'rests.ts', takerFee: '5', url: emulator.baseUrl, live: own }), 'session.json')
    const run = async (...flags: string[]): Promise<RunReport> => {
      const living = start(['--config', 'session.json', ...flags], { cwd: folder, env: { PAPERTAPE_API_KEY: key } })
      await living.says('it rests')
      expect(await living.stop()).toBe(0)
      return reportIn(join(folder, flags.includes('--out') ? 'of-flag' : 'of-file'))
    }
    const settings = { maxOrder: '500', takerFeeBps: '5', onLimit: 'wait' }
    expect(await run()).toMatchObject({ config: settings, params: { symbol: 'BTC_USD' }, orders: 1 })
    expect(await openOrders()).toHaveLength(1)
    const second = await run('--out', 'of-flag', '--at-exit', 'cancel', '--taker-fee', '7')
    expect(second).toMatchObject({ config: { ...settings, takerFeeBps: '7' }, recovered: 1 })
    expect(await openOrders()).toEqual([])
  })

  it('killed, leaves a journal that can be read, and its order for the next start', async () => {
    const state = join(folder, 'killed-state')
    const first = live(['rests.ts'], [], state)
    await first.living.says('it rests')
    expect(await first.living.stop('SIGKILL')).toBeNull()
    const lines = readFileSync(join(first.out, 'journal.jsonl'), 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toContain('acknowledged')
    expect(existsSync(join(first.out, 'run.json'))).toBe(false)
    const second = live(['rests.ts'], [], state)
    await second.living.says('it rests')
    expect(await second.living.stop()).toBe(0)
    expect(reportIn(second.out).recovered).toBe(1)
    expect(await openOrders()).toEqual([])
  })

  it('refuses a second session with the key, whatever its state and data directories are', async () => {
    const { living } = live(['rests.ts'])
    await living.says('it rests')
    const url = emulator.baseUrl.replace('127.0.0.1', 'localhost')
    const flags = ['--url', url, '--symbol', 'BTC_USD', '--state', join(folder, 'second-state')]
    const env = { PAPERTAPE_API_KEY: key, HOME: folder, XDG_DATA_HOME: join(folder, 'second-data') }
    const second = await runCli(['live', 'rests.ts', ...flags], { cwd: folder, env })
    const pid = living.child.pid ?? 0
    expectInputError(
      second,
      new RegExp(`^PAPERTAPE_API_KEY: process ${pid} is trading with this key from another state`),
    )
    expect(await openOrders()).toHaveLength(1)
    expect(await living.stop()).toBe(0)
  })

  it('ends at once by a second signal, with what it has on disk', async () => {
    const state = join(folder, 'twice-state')
    const { living, out } = live(['rests.ts'], [], state)
    await living.says('it rests')
    // The end would wait for the answer to its cancel.
    const fault = { fault: 'delay', route: 'DELETE /orders/{orderId}', count: 1, ms: 20_000 }
    expect(await ask(emulator, '/emulator/faults', { body: fault })).toMatchObject({ status: 201 })
    living.child.kill('SIGINT')
    while (!readFileSync(join(out, 'journal.jsonl'), 'utf8').includes('"cancel"')) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(await living.stop()).toBeNull()
    expect(existsSync(join(out, 'run.json'))).toBe(false)
    expect(await openOrders()).toHaveLength(1)
    await ask(emulator, '/emulator/faults', { method: 'DELETE' })
    const next = live(['rests.ts'], [], state)
    await next.living.says('it rests')
    expect(await next.living.stop()).toBe(0)
    expect(await openOrders()).toEqual([])
  })

  it('goes on when one strategy throws, whose order is cancelled, and ends with 1', async () => {
    const { living, out } = live(['boom.ts', 'rests.ts'])
    await living.says('failed at')
    while ((await openOrders()).length !== 1) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await living.stop()).toBe(1)
    expect(await openOrders()).toEqual([])
    expect(reportIn(join(out, 'boom')).failure).toMatchObject({ message: 'boom' })
    expect(reportIn(join(out, 'boom')).failure?.place).toContain('boom.ts')
    expect(reportIn(join(out, 'rests')).failure).toBeNull()
  })

  it('refuses a strategy the clock of the machine, as a backtest does', async () => {
    const { living, out } = live(['clock.ts'])
    expect(await living.ended()).toBe(1)
    expect(reportIn(out).failure?.message).toBe('Date.now() is not available in a strategy: use now()')
    expect(await openOrders()).toEqual([])
  })

  it('ends loudly with 3 when the key is revoked, and leaves what it cannot cancel', async () => {
    const own = await startEmulator({ config: { agents: false } })
    opened.add(own)
    const [revoked] = own.users.flatMap(({ keys }) => keys)
    const [keyId] = /(?<=^pt_)[0-9a-z]{8}/.exec(revoked ?? '') ?? []
    const out = join(folder, 'revoked')
    const args = ['rests.ts', '--url', own.baseUrl, '--symbol', 'BTC_USD', '--out', out, '--state', join(folder, 's')]
    const living = start(args, { cwd: folder, env: { PAPERTAPE_API_KEY: revoked ?? '' } })
    await living.says('it rests')
    await fetch(`${own.emulatorUrl}/keys/${keyId ?? ''}`, { method: 'DELETE' })
    expect(await living.ended()).toBe(3)
    expect(living.stdout).toContain('HALTED')
    expect(reportIn(out)).toMatchObject({ live: { openOrders: [expect.any(String)], fault: expect.any(String) } })
  })

  it('with --json prints lines of JSON, and nothing else on stdout', async () => {
    const { living } = live(['rests.ts'], ['--json'])
    await living.says('it rests')
    expect(await living.stop()).toBe(0)
    const events = living.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; seq: number })
    // Its order may be accepted before or after its trades are followed.
    expect(events.map(({ type }) => type).toSorted()).toEqual(['ended', 'log', 'started'])
    expect(events.at(-1)?.type).toBe('ended')
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3])
  })
})

describe('papertape live --record', () => {
  it('writes the trades of its market without a hole, as a tape', async () => {
    const busy = await startEmulator({ config: { agents: true } })
    opened.add(busy)
    const records = join(folder, 'records')
    const args = ['rests.ts', '--url', busy.baseUrl, '--symbol', 'BTC_USD', '--state', join(folder, 'record-state')]
    const env = { PAPERTAPE_API_KEY: keyOf(busy) }
    const living = start([...args, '--out', join(folder, 'recorded-run'), '--record', records], { cwd: folder, env })
    const tape = join(records, 'btc_usd.csv')
    await living.says('it rests')
    const idsIn = (): readonly string[] =>
      readFileSync(tape, 'utf8')
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',')[0] ?? '')
    while (idsIn().length < 5) await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await living.stop()).toBe(0)
    const recorded = idsIn()
    const { json } = await ask<{ id: string }[]>(busy, '/markets/BTC_USD/trades?limit=500')
    const traded = json.map(({ id }) => id).reverse()
    const first = traded.indexOf(recorded[0] ?? '')
    expect(recorded).toEqual(traded.slice(first, first + recorded.length))
    const { stdout } = await runCli(['backtest', 'sma-cross', '--tape', tape, '--json'], { cwd: folder })
    expect(JSON.parse(stdout)).toMatchObject({ tapes: [{ symbol: 'BTC_USD', rows: recorded.length }] })
  })

  it('says before anything is sent that the directory cannot be written', async () => {
    write('', 'a-file')
    const state = join(folder, 'unwritable-state')
    const args = ['live', 'rests.ts', '--url', emulator.baseUrl, '--symbol', 'BTC_USD', '--state', state]
    const env = { PAPERTAPE_API_KEY: key, HOME: folder }
    const result = await runCli([...args, '--record', 'a-file/records'], { cwd: folder, env })
    expectInputError(result, /^a-file\/records/)
    expect(await openOrders()).toEqual([])
  })
})

describe('papertape live status', () => {
  it('shows from another process what rests', async () => {
    const state = join(folder, 'shown-state')
    const { living, out } = live(['rests.ts'], [], state)
    await living.says('it rests')
    const looked = { text: '' }
    while (!looked.text.includes('open orders (1)')) {
      looked.text = (await runCli(['live', 'status', '--state', state], { cwd: folder, env: { HOME: folder } })).stdout
    }
    expect(looked.text).toContain(`process ${String(living.child.pid)} is trading since `)
    expect(looked.text).toContain(emulator.baseUrl)
    expect(looked.text).toMatch(/rests +ACTIVE {2}/)
    expect(looked.text).toMatch(/rests {2}BUY 0\.01 BTC_USD at 1 {2}\d+$/m)
    expect(looked.text).toContain('it rests')
    expect(looked.text).toContain(out)
    expect(await living.stop()).toBe(0)
  })
})

describe('papertape live --notify', () => {
  it('reports a webhook by POST, the end included, and shows its secret nowhere', async () => {
    const hook = await startHook()
    opened.add(hook)
    const address = `http://me:pass-word@127.0.0.1:${hook.port}/hook?token=query-secret`
    const { living } = live(['rests.ts'], ['--notify', address])
    await living.says('it rests')
    expect(await living.stop()).toBe(0)
    expect(hook.events.map(({ type }) => type)).toEqual(['started', 'ended'])
    expect(hook.asked).toContain('POST /hook?token=query-secret')
    for (const secret of ['pass-word', 'query-secret']) {
      expect(`${living.stdout}${living.stderr}`).not.toContain(secret)
    }
  })

  it('goes on without one that does not answer, and says so', async () => {
    const { living } = live(['rests.ts'], ['--notify', 'http://127.0.0.1:9/hook?token=query-secret'])
    await living.says('warning: the webhook failed: http://127.0.0.1:9:')
    expect(await living.stop()).toBe(0)
    expect(living.stdout).not.toContain('query-secret')
  })
})

describe('what is to be mended before it can trade', () => {
  const run = (...args: string[]): ReturnType<typeof runCli> =>
    runCli(['live', ...args], { cwd: folder, env: { PAPERTAPE_API_KEY: key, HOME: folder } })

  it.each`
    why                                | args                                                                           | message
    ${'no strategy'}                   | ${['--url', 'http://127.0.0.1:1/v1']}                                          | ${/^live: missing strategy: give a file, /}
    ${'no service'}                    | ${['rests.ts']}                                                                | ${/^--url: missing or invalid: pass the base URL/}
    ${'a key in the address'}          | ${['rests.ts', '--url', 'http://me:pw@127.0.0.1:1/v1']}                        | ${/^--url: expected an http or https URL/}
    ${'no such file'}                  | ${['none.ts', '--url', 'http://127.0.0.1:1/v1']}                               | ${/^none\.ts: no such file, and no ready strategy has this name; /}
    ${'a webhook of another protocol'} | ${['rests.ts', '--url', 'http://127.0.0.1:1/v1', '--notify', 'ftp://me:pw@h']} | ${/^--notify: expected an address such as/}
    ${'a flag that is near another'}   | ${['rests.ts', '--keep-order']}                                                | ${/unknown flag --keep-order; did you mean --keep-orders\?$/}
  `('$why', async ({ args, message }) => {
    const result = await run(...args)
    expectInputError(result, message)
    expect(result.stderr).not.toContain('pw')
  })

  it('a market, where the service lists several', async () => {
    const state = join(folder, 'several')
    const result = await run('rests.ts', '--url', emulator.baseUrl, '--state', state)
    expectInputError(result, "--symbol: missing market of 'rests'; the service lists BTC_USD, ETH_USD")
  })

  it('a service that no one answers for, with 3', async () => {
    const state = join(folder, 'nobody')
    const result = await run('rests.ts', '--url', 'http://127.0.0.1:9/v1', '--symbol', 'BTC_USD', '--state', state)
    expect(result.code).toBe(3)
  })
})
