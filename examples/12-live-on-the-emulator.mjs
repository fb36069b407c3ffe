/**
 * Runs a strategy live for a few seconds against an exchange on this machine, and prints the report.
 *
 * The emulator runs in this process, `papertape live` in another, as with any service. SIGINT ends the session like
 * Ctrl-C: it cancels its open orders.
 *
 * Usage: node 12-live-on-the-emulator.mjs
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clearTimeout, setTimeout } from 'node:timers'
import { fileURLToPath } from 'node:url'
import { startEmulator } from 'papertape/emulator'

/** Length of the session, from the strategy's first order. */
const SECONDS = 5
const papertape = fileURLToPath(new URL('bin/papertape.js', import.meta.resolve('papertape/package.json')))

/** @type {NodeJS.Timeout | undefined} */
let timer
const emulator = await startEmulator({
  onAnswer: ({ method, route, status, ms }) => {
    if (route === undefined || method === 'GET') return
    console.log(`  ${route} answered ${status} in ${ms.toFixed(1)} ms`)
    timer ??= setTimeout(() => session.kill('SIGINT'), SECONDS * 1_000)
  },
})

const folder = await mkdtemp(join(tmpdir(), 'papertape-live-'))
const files = ['--out', join(folder, 'run'), '--state', join(folder, 'state')]
const market = ['--url', emulator.baseUrl, '--symbol', 'BTC_USD']
const params = ['--param', 'roundSeconds=1', '--param', 'halfSpreadBps=0.5', '--param', 'tolerance=0']
const session = spawn(process.execPath, [papertape, 'live', 'market-maker', ...market, ...params, ...files], {
  env: { ...process.env, PAPERTAPE_API_KEY: emulator.users[0]?.keys[0] },
  stdio: 'inherit',
})
const [code] = await once(session, 'exit')
clearTimeout(timer)

const { ok } = await emulator.audit()
const { bids, asks } = await emulator.book('BTC_USD')
console.log(`\nexit code ${code}; the exchange's audit ${ok ? 'passed' : 'failed'}; files in ${folder}`)
console.log(`the agents keep trading: best bid ${bids[0]?.[0]}, best ask ${asks[0]?.[0]}`)
await emulator.close()
process.exitCode = code ?? 1
