/** Emulators, paper sessions, live actions and report pages through `papertape mcp`. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { isAlive } from '../../../scripts/is-alive.mjs'
import { hasBrowser } from '../../pages/rig/browser.ts'
import { cliFolder, runCli } from '../rig/run-cli.ts'
import { servers } from '../rig/serving.ts'
import { toolClients } from './rig/tool-client.ts'

const TAPE = 'BTC_USD=data/btc_usd.csv.gz'
const { folder } = cliFolder()
const { start } = toolClients()
const serve = servers()

let number = 0
function place(): string {
  number += 1
  const path = join(folder, String(number))
  mkdirSync(path)
  return path
}

describe('the scope paper', () => {
  it('runs an emulator, trades on it on paper, and stops both', async () => {
    const cwd = place()
    const tools = await start({ cwd, flags: ['--scope', 'read,paper'] })
    expect(await tools.names()).toEqual(expect.arrayContaining(['start_emulator', 'start_paper', 'stop_session']))
    expect((await tools.call('start_paper', { strategy: 'grid' })).text).toContain('url: missing; allowed are: none')
    const emulator = await tools.call('start_emulator', { flags: { seed: 7 } })
    expect(emulator).toMatchObject({ isError: false, text: expect.stringContaining('session: emulator-1') })
    const other = await tools.call('start_paper', { strategy: 'grid', url: 'http://127.0.0.1:9/v1' })
    expect(other.text).toContain("url: 'http://127.0.0.1:9/v1' is not allowed; allowed are: http://127.0.0.1:")
    const paper = await tools.call('start_paper', { strategy: 'grid', flags: { symbol: 'BTC_USD' } })
    expect(paper).toMatchObject({ isError: false, text: expect.stringContaining('files: runs/paper-') })
    const watched = await tools.call('watch_session', { session: 'paper-2', waitSeconds: 1 })
    expect(watched.text).toContain('paper-2 is running')
    const stopped = await tools.call('stop_session', { session: 'paper-2' })
    expect(stopped.text).toContain('paper-2 ended with exit code 0')
    expect(existsSync(join(cwd, 'agent', /files: (\S+)/.exec(paper.text)?.[1] ?? '', 'run.json'))).toBe(true)
    expect((await tools.call('stop_session', { session: 'emulator-1' })).text).toContain('ended with exit code 0')
  })
})

describe('the scope live', () => {
  it('needs one service and a key', async () => {
    const cwd = place()
    const scope = ['mcp', 'agent', '--scope', 'live']
    expect(await runCli(scope, { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining('--url: ') })
    const url = ['--url', 'http://127.0.0.1:9/v1']
    expect(await runCli([...scope, ...url], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('PAPERTAPE_API_KEY: missing API key'),
    })
    const inside = ['--confirm-file', 'agent/tokens']
    const env = { PAPERTAPE_API_KEY: 'key' }
    expect(await runCli([...scope, ...url, ...inside], { cwd, env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is in the folder of the tools'),
    })
  })

  it('places an order only with the token for it, once', async () => {
    const cwd = place()
    const { baseUrl, users } = await serve(['--json']).line()
    const env = { PAPERTAPE_API_KEY: users[0]?.keys[0] ?? '' }
    const flags = ['--scope', 'read,live', '--url', baseUrl, '--confirm-file', 'tokens', '--audit-log', 'audit.jsonl']
    const tools = await start({ cwd, env, flags })
    const order = { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: '1000.00', qty: '0.01' }
    const openOrders = async (): Promise<string> => (await tools.call('live_account')).text
    expect((await tools.call('place_order', order)).text).toContain('nothing was done yet')
    const token = /the token (\w+)\n$/.exec(readFileSync(join(cwd, 'tokens'), 'utf8'))?.[1]
    expect((await tools.call('place_order', { ...order, token: 'wrong' })).text).toContain('is not valid')
    const other = await tools.call('place_order', { ...order, qty: '0.02', token })
    expect(other).toMatchObject({ isError: true, text: expect.stringContaining('is not valid for this input') })
    expect((await tools.call('place_order', { ...order, token })).isError).toBe(true)
    expect(await openOrders()).toContain('"openOrders":[]')
    await tools.call('place_order', order)
    const again = /the token (\w+)\n$/.exec(readFileSync(join(cwd, 'tokens'), 'utf8'))?.[1]
    const placed = await tools.json('place_order', { ...order, token: again })
    expect(placed).toMatchObject({ type: 'placed', order: { price: '1000.00', qty: expect.stringContaining('0.01') } })
    expect((await tools.call('place_order', { ...order, token: again })).isError).toBe(true)
    const { id } = placed.order as { id: string }
    await tools.call('cancel_order', { order: id })
    const last = /the token (\w+)\n$/.exec(readFileSync(join(cwd, 'tokens'), 'utf8'))?.[1]
    expect((await tools.call('cancel_order', { order: id, token: last })).isError).toBe(false)
    const audit = readFileSync(join(cwd, 'audit.jsonl'), 'utf8')
    expect(audit).toContain('"tool":"place_order"')
    for (const secret of [token, again, last, env.PAPERTAPE_API_KEY]) expect(audit).not.toContain(secret)
  })

  it('is refused by name without its scope', async () => {
    const tools = await start({ cwd: place() })
    expect(await tools.names()).not.toContain('place_order')
    for (const name of ['live_halt', 'live_flatten', 'place_order', 'start_paper'])
      expect((await tools.call(name)).text).toMatch(/: needs the scope (?:live|paper), which the user did not grant$/)
  })
})

describe('a report page', () => {
  it.skipIf(!hasBrowser)('is read as text and as a picture', async () => {
    const tools = await start({ cwd: place() })
    await tools.json('backtest', { strategy: 'grid', tapes: [TAPE], flags: { to: '2024-01-02' } })
    const text = await tools.call('read_report', { run: 'runs/grid-1' })
    expect(text.text).toContain('Max drawdown')
    expect(text.text).not.toContain('<')
    expect(await tools.call('read_report', { run: 'runs/grid-1', as: 'picture' })).toMatchObject({
      isError: false,
      pictures: ['image/png'],
    })
  })

  it('ends its browser, and what that started, when the server is killed', async () => {
    const cwd = place()
    const browser = join(cwd, 'browser.sh')
    writeFileSync(browser, `#!/bin/sh\nsleep 60 &\necho $$ $! > ${cwd}/begun\nmv ${cwd}/begun ${cwd}/pids\nsleep 60\n`)
    chmodSync(browser, 0o755)
    const tools = await start({ cwd, env: { CHROMIUM: browser } })
    await tools.json('backtest', { strategy: 'grid', tapes: [TAPE], flags: { to: '2024-01-02' } })
    const answer = tools.call('read_report', { run: 'runs/grid-1' }).catch((error: unknown) => error)
    await vi.waitUntil(() => existsSync(join(cwd, 'pids')), { timeout: 60_000 })
    const pids = readFileSync(join(cwd, 'pids'), 'utf8').trim().split(' ').map(Number)
    expect(pids.map(isAlive)).toEqual([true, true])
    process.kill(tools.pid ?? 0, 'SIGKILL')
    expect(await answer).toBeInstanceOf(Error)
    await vi.waitUntil(() => !pids.some(isAlive), { timeout: 20_000 })
  })

  it('says what is missing without a browser', async () => {
    const tools = await start({ cwd: place(), env: { PATH: folder } })
    await tools.json('backtest', { strategy: 'grid', tapes: [TAPE], flags: { to: '2024-01-02' } })
    const { text, isError } = await tools.call('read_report', { run: 'runs/grid-1' })
    expect([isError, text]).toEqual([true, expect.stringContaining('needs Chromium on the PATH')])
  })
})
