/**
 * Bots of ccxt on an emulator, with ccxt as it is installed from npm and pip into `.cache/ccxt`; skipped with a message
 * where it cannot be installed.
 */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import { startEmulator } from '../../src/emulator.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const CACHE = join(PROJECT, '.cache/ccxt')
const NPM = join(CACHE, 'node_modules')
const PYTHON = join(CACHE, 'python')
const { folder, write } = temporaryFiles()
const run = promisify(execFile)

/** Whether it is or could be installed. */
async function has(place: string, install: readonly [command: string, args: readonly string[]]): Promise<boolean> {
  if (existsSync(join(place, 'ccxt'))) return true
  mkdirSync(CACHE, { recursive: true })
  const [command, args] = install
  const isDone = await run(command, [...args], { cwd: CACHE }).then(
    () => true,
    () => false,
  )
  if (!isDone) console.warn(`ccxt cannot be installed with ${command} on this machine: its example is not tested`)
  return isDone
}

const hasNpm = await has(NPM, ['npm', ['install', '--prefix', CACHE, '--no-audit', '--ignore-scripts', 'ccxt@4']])
const hasPip = await has(PYTHON, ['python3', ['-m', 'pip', 'install', '-q', '--target', PYTHON, 'ccxt>=4,<5']])

async function printed(command: string, file: string, faults: readonly string[] = []): Promise<string> {
  await using emulator = await startEmulator({ port: 0 })
  for (const fault of faults) await emulator.fault({ fault: fault as 'reset-after', route: 'POST /orders', count: 1 })
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, PYTHONPATH: PYTHON, PYTHONDONTWRITEBYTECODE: '1' }
  const args = [file, emulator.baseUrl, emulator.users[0]?.keys[0] ?? '']
  const { stdout } = await run(command, args, { cwd: folder, env })
  return stdout
}

beforeAll(() => {
  cpSync(join(PROJECT, 'examples/ccxt'), folder, { recursive: true })
  if (hasNpm) symlinkSync(NPM, join(folder, 'node_modules'))
})

const TROUBLE = `
import ccxt from 'ccxt'
import { papertape } from './papertape.mjs'
const [, , api, apiKey] = process.argv
const Exchange = papertape(ccxt)
const exchange = new Exchange({ apiKey, urls: { api } })
const symbol = 'BTC/USD'
const order = (amount = 0.01) => exchange.createOrder(symbol, 'limit', 'buy', amount, 30000.001)
const outcome = (call) => call.then(() => 'done', (error) => error.constructor.name)
const outcomes = []
for (const call of [order, order, order, order, () => order(1000), () => exchange.cancelOrder('99999'), () => exchange.fetchTicker('X/Y')])
  outcomes.push(await outcome(call()))
outcomes.push(await outcome(new Exchange({ apiKey: 'pt_wrong', urls: { api } }).fetchBalance()))
console.log(outcomes.join(' '))
const market = (await exchange.loadMarkets())[symbol]
const [trade] = await exchange.fetchTrades(symbol, undefined, 1)
const book = await exchange.fetchOrderBook(symbol, 2)
const open = await exchange.fetchOpenOrders()
console.log(market.precision.price, trade.symbol, book.bids.length, open.map(({ price }) => price).join(), Object.keys(await exchange.fetchTickers()).join())
const cancelled = await exchange.cancelAllOrders(symbol)
const orders = await exchange.fetchOrders(symbol)
console.log(cancelled.length, orders.map(({ status }) => status).join(), (await exchange.fetchMyTrades()).length, (await exchange.fetchBalance()).USD.free)
`

it.skipIf(!hasNpm)('a bot in JavaScript trades', async () => {
  expect(await printed(process.execPath, 'bot.mjs')).toBe('5 closed 1 canceled closed 0\n')
})

it.skipIf(!hasNpm)('errors and refusals have the classes of ccxt', async () => {
  const faults = ['engine-timeout-after', 'reset-after', 'rate-limited', 'service-unavailable']
  expect(await printed(process.execPath, write(TROUBLE, 'trouble.mjs'), faults)).toBe(
    `RequestTimeout NetworkError RateLimitExceeded ExchangeNotAvailable InsufficientFunds OrderNotFound BadSymbol AuthenticationError
0.01 BTC/USD 2 30000,30000 BTC/USD,ETH/USD
2 canceled,canceled 0 100000
`,
  )
})

it.skipIf(!hasPip)('a bot in Python trades', async () => {
  expect(await printed('python3', 'bot.py')).toBe('5 closed 1 canceled closed 0.0\n')
})
