/** What watches a session from outside of its process: a monitor, Prometheus, systemd, and a browser. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import WebSocket from 'ws'
import { startEmulator, type Emulator } from '../../../src/emulator.ts'
import { BIN, cliFolder } from '../rig/run-cli.ts'

const { write, folder, cli } = cliFolder()

let emulator: Emulator

beforeAll(async () => {
  emulator = await startEmulator()
})

afterAll(async () => {
  await emulator.close()
})

it('pings a monitor and systemd, and serves metrics and a chart', async () => {
  const pings: string[] = []
  const monitor = createServer(({ method, url }, response) => {
    pings.push(`${method ?? ''} ${url ?? ''}`)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(monitor, 'listening')
  const { port } = monitor.address() as AddressInfo
  const said = join(folder, 'systemd.log')
  chmodSync(write(`#!/bin/sh\necho "$*" >> '${said}'\n`, 'systemd-notify'), 0o755)
  const env = {
    ...process.env,
    PATH: `${folder}${delimiter}${process.env.PATH ?? ''}`,
    NOTIFY_SOCKET: '/run/systemd/notify',
    WATCHDOG_USEC: '2000000',
  }
  const args = ['paper', 'market-maker', '--symbol', 'BTC_USD', '--url', emulator.baseUrl, '--out', 'watched']
  const flags = ['--window', '0', '--heartbeat', `http://127.0.0.1:${port}/alive?id=1`, '--json']
  const child = spawn(process.execPath, [BIN, ...args, ...flags], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  child.stderr.on('data', (data: Buffer) => (printed += data.toString()))
  const ended = once(child, 'close')
  try {
    await vi.waitUntil(() => existsSync(said) && /^WATCHDOG=1$/m.test(readFileSync(said, 'utf8')), { timeout: 60_000 })
    expect(readFileSync(said, 'utf8')).toMatch(/^--ready --status=the session has started\n(WATCHDOG=1\n)+$/)
    await vi.waitUntil(() => pings.length > 0, { timeout: 60_000 })
    expect(new Set(pings)).toEqual(new Set(['GET /alive?id=1']))

    const window = /^window (\S+)/m.exec(printed)?.[1] ?? ''
    const metrics = await fetch(`${window}metrics`)
    expect(metrics.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const text = await metrics.text()
    expect(text).toContain('\npapertape_connected 1\n')
    expect(text).toContain('\npapertape_session_state{strategy="market-maker",state="ACTIVE"} 1\n')
    expect(text).toMatch(/\npapertape_equity\{strategy="market-maker",asset="USD"\} [\d.]+\n/)

    const line = new WebSocket(`${window.replace('http', 'ws')}line`)
    const charted: string[] = []
    line.on('message', (data: Buffer) => {
      const { charts = {} } = JSON.parse(data.toString()) as {
        charts?: Record<string, { markets: { symbol: string }[] }>
      }
      charted.push(...(charts['market-maker']?.markets.map(({ symbol }) => symbol) ?? []))
    })
    await vi.waitUntil(() => charted.includes('BTC_USD'), { timeout: 60_000 })
    line.terminate()
  } finally {
    child.kill('SIGINT')
    await ended
    monitor.close()
  }
})

it('refuses an address that is none', async () => {
  const result = await cli('paper', 'market-maker', '--url', emulator.baseUrl, '--heartbeat', 'ftp://x')
  expect(result).toMatchObject({ code: 2, stdout: '' })
  expect(result.stderr).toBe('papertape: --heartbeat: expected an address such as https://example.org/hook\n')
})
