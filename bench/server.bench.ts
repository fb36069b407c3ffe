/**
 * How much does a served market take, and how quick is it meanwhile?
 *
 * Budgets, with the load in a second process on the same two cores: `POST /orders`, resting limit orders over 64
 * connections, 15 000 a second in memory and 10 000 with a state file, p99 below 10 ms, beside a bare Fastify POST in
 * the same run, of which it should do 0.8 in memory and 0.7 with state, also by the processor's time; `GET
 * /markets/{symbol}/ticker` as a bare GET; 8 µs of processor for a stream message to one of 50 clients, beside a bare
 * server of ws; a restart of that state in 2 s; 5 000 stream clients, 100 of which do not read: p99 of the others below
 * 250 ms, the process below 600 MB; a polite client is answered while 200 connections dribble and others flood for 20
 * s. `npm run bench -- server`
 */
import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fastify } from 'fastify'
import { WebSocketServer } from 'ws'
import { restartSeconds, serveMarket, type ServedMarket } from './served-market.ts'

const ROUNDS = 3
const SECONDS = 5
const CONNECTIONS = 64
const CLIENTS = 5_000
const STALLED = 100
const STREAM_SECONDS = 20
const SIEGE_SECONDS = 20
const FOLLOWERS = 50
const FOLLOWED = 'trade:BTC_USD,ticker:BTC_USD'
const ORDER = { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: '100.00', qty: '0.001' }

/** A ticker as large as ours. Written out, because a spread costs a bare server more than the rest of its answer. */
const tickerOf = (symbol: string): object => ({
  event: 'ticker',
  symbol,
  lastPrice: '100.00',
  openPrice: '100.00',
  high: '100.00',
  low: '100.00',
  volume: '0.001',
  quoteVolume: '0.1',
  priceChange: '0.00',
  priceChangePercent: 0,
  timestamp: new Date().toISOString(),
})

interface Load {
  /** A second. */
  readonly requests: number
  readonly p50: number
  readonly p99: number
  /** Microseconds of processor that this process, the server, has spent on each. */
  readonly processorUs: number
}

const autocannon = fileURLToPath(import.meta.resolve('autocannon'))
const clients = fileURLToPath(new URL('./server-clients.ts', import.meta.url))

type Method = 'GET' | 'POST'

/** The load of one run. */
async function load(url: string, key: string, seconds: number, method: Method = 'POST'): Promise<Load> {
  const type = method === 'POST' ? ['content-type=application/json'] : []
  const headers = [...type, `x-api-key=${key}`].flatMap((header) => ['-H', header])
  const flags = [
    '-j',
    '-n',
    '-c',
    String(CONNECTIONS),
    '-d',
    String(seconds),
    ...(method === 'POST' ? ['-m', 'POST', '-b', JSON.stringify(ORDER)] : []),
  ]
  const before = process.cpuUsage()
  const child = spawn(process.execPath, [autocannon, ...flags, ...headers, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (data: Buffer) => (text += data.toString()))
  await once(child, 'close')
  const result = JSON.parse(text) as {
    requests: { average: number; total: number }
    latency: { p50: number; p99: number }
    non2xx: number
    errors: number
  }
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} errors`)
  const { user, system } = process.cpuUsage(before)
  const processorUs = (user + system) / result.requests.total
  return { requests: result.requests.average, p50: result.latency.p50, p99: result.latency.p99, processorUs }
}

async function loadBare(method: Method): Promise<Load> {
  const app = fastify({ logger: false })
  const properties = Object.fromEntries(Object.keys(ORDER).map((name) => [name, { type: 'string' }]))
  const body = { type: 'object', required: Object.keys(ORDER), additionalProperties: false, properties }
  app.post('/orders', { schema: { body } }, (request, reply) => {
    // As much as an order of ours.
    const order = { userId: 'user-1', ...(request.body as typeof ORDER), status: 'OPEN', filledQty: '0.00000' }
    void reply.code(201).send({ id: '1', ...order, createdAt: new Date().toISOString() })
  })
  app.get('/markets/:symbol/ticker', (request, reply) => {
    const { symbol } = request.params as { symbol: string }
    void reply.send(tickerOf(symbol))
  })
  await app.listen({ port: 0 })
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const url = origin + (method === 'POST' ? '/orders' : '/markets/BTC_USD/ticker')
  await load(url, 'none', 1, method)
  const result = await load(url, 'none', SECONDS, method)
  await app.close()
  return result
}

async function loadServed(method: Method, file?: string): Promise<Load> {
  const served = await serveMarket(file)
  // Orders rest, because there is no price yet.
  if (method === 'GET') record(served, 'BTC_USD', 100)
  const url = served.server.baseUrl + (method === 'POST' ? '/orders' : '/markets/BTC_USD/ticker')
  await load(url, served.key, 1, method)
  const result = await load(url, served.key, SECONDS, method)
  await served.close()
  return result
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

function tell(name: string, loads: readonly Load[], bare: readonly Load[]): void {
  const of = (pick: (each: Load) => number): number => median(loads.map(pick))
  const requests = of((each) => each.requests)
  const share = requests / median(bare.map((each) => each.requests))
  const processor = of((each) => each.processorUs)
  const ofBare = median(bare.map((each) => each.processorUs)) / processor
  const times = `p50 ${of((each) => each.p50)} ms, p99 ${of((each) => each.p99)} ms`
  console.log(`${name.padEnd(24)} ${requests.toFixed(0).padStart(6)} a second (${share.toFixed(2)} of bare), ${times}`)
  console.log(
    `${''.padEnd(24)} ${processor.toFixed(0).padStart(6)} µs of processor each (${ofBare.toFixed(2)} of bare)`,
  )
}

/** The measurements of one process only: code that V8 has optimized for one server is slower for another. */
const ALONE = {
  'bare POST': () => loadBare('POST'),
  POST: (file: string) => loadServed('POST', file === '' ? undefined : file),
  'bare GET': () => loadBare('GET'),
  GET: () => loadServed('GET'),
  'bare message': bareMessageUs,
  message: servedMessageUs,
} as const

async function alone<Kind extends keyof typeof ALONE>(
  kind: Kind,
  file = '',
): Promise<Awaited<ReturnType<(typeof ALONE)[Kind]>>> {
  const args = [...process.execArgv, fileURLToPath(import.meta.url), kind, file]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (data: Buffer) => (text += data.toString()))
  await once(child, 'close')
  return JSON.parse(text) as Awaited<ReturnType<(typeof ALONE)[Kind]>>
}

async function orders(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'papertape-bench-'))
  const [bare, memory, state, bareGet, ticker]: [Load[], Load[], Load[], Load[], Load[]] = [[], [], [], [], []]
  const restarts: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await alone('bare POST'))
    memory.push(await alone('POST'))
    const file = join(folder, `${round}.db`)
    state.push(await alone('POST', file))
    restarts.push(restartSeconds(file))
    bareGet.push(await alone('bare GET'))
    ticker.push(await alone('GET'))
  }
  rmSync(folder, { recursive: true })
  tell('bare Fastify POST', bare, bare)
  tell('POST /orders in memory', memory, bare)
  tell('POST /orders with state', state, bare)
  tell('bare Fastify GET', bareGet, bareGet)
  tell('GET ticker', ticker, bareGet)
  console.log(`${'restart of that state'.padEnd(24)} ${median(restarts).toFixed(2)} s`)
}

/** Starts clients and hears what they say. */
function startClients(...args: readonly (string | number)[]): { child: ChildProcess; message: () => Promise<unknown> } {
  const child = fork(clients, args.map(String))
  const message = async (): Promise<unknown> => ((await once(child, 'message')) as unknown[])[0]
  return { child, message }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Microseconds of processor that a message to one client takes, while a trade and a ticker go to each every 2 ms. */
async function messageUs(url: string, publish: () => void): Promise<number> {
  const { child, message } = startClients('streams', url, FOLLOWERS, 0, FOLLOWED)
  await message()
  const events = async (seconds: number): Promise<number> => {
    const start = performance.now()
    let count = 0
    for (; performance.now() - start < seconds * 1000; count += 1) {
      publish()
      await sleep(2)
    }
    return count
  }
  await events(1)
  const before = process.cpuUsage()
  const count = await events(SECONDS)
  const { user, system } = process.cpuUsage(before)
  child.kill()
  return (user + system) / (count * FOLLOWERS * 2)
}

async function bareMessageUs(): Promise<number> {
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  sockets.on('connection', (socket) => socket.on('message', () => socket.send('{}')))
  await once(sockets, 'listening')
  const trade = { event: 'trade', id: '1', price: '100.00', qty: '0.00001', createdAt: 1, isBuyerMaker: false }
  const us = await messageUs(`ws://127.0.0.1:${(sockets.address() as AddressInfo).port}`, () => {
    for (const data of [trade, tickerOf('BTC_USD')]) {
      const text = JSON.stringify({ stream: 'BTC_USD', data })
      for (const client of sockets.clients) client.send(text)
    }
  })
  sockets.close()
  return us
}

async function servedMessageUs(): Promise<number> {
  const served = await serveMarket(undefined)
  const us = await messageUs(served.server.streamUrl, () => {
    record(served, 'BTC_USD', 1)
  })
  await served.close()
  return us
}

async function messages(): Promise<void> {
  const [bare, ours]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await alone('bare message'))
    ours.push(await alone('message'))
  }
  const [us, ofBare] = [median(ours), median(bare)]
  console.log(
    `a message to one of ${FOLLOWERS} stream clients: ${us.toFixed(1)} µs of processor (bare ws ${ofBare.toFixed(1)})`,
  )
}

interface Heard {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly most: number
}

/** 5 trades a second for those who read, 2 400 a second for those who do not. */
async function streams(): Promise<void> {
  const served = await serveMarket(undefined)
  const { child, message } = startClients(
    'streams',
    served.server.streamUrl,
    CLIENTS - STALLED,
    STALLED,
    'trade:BTC_USD',
  )
  await message()
  child.send('measure')
  let mostRss = 0
  let trades = 0
  const start = performance.now()
  for (let beat = 0; performance.now() - start < STREAM_SECONDS * 1000; beat += 1) {
    record(served, 'ETH_USD', 120)
    if (beat % 4 === 0) {
      record(served, 'BTC_USD', 1)
      trades += 1
    }
    mostRss = Math.max(mostRss, process.memoryUsage().rss)
    await sleep(Math.max(0, start + (beat + 1) * 50 - performance.now()))
  }
  await sleep(1_000)
  child.send('stop')
  const { count, p50, p99, most, lost, closedSlow } = (await message()) as Heard & { lost: number; closedSlow: number }
  const share = ((100 * count) / (trades * (CLIENTS - STALLED))).toFixed(1)
  console.log(
    `${CLIENTS} streams, ${STALLED} stalled: p50 ${p50} ms, p99 ${p99} ms, most ${most} ms, ${share} % of ${trades} trades heard`,
  )
  console.log(
    `  ${lost} of those who read lost, ${closedSlow} of the stalled closed, process at most ${(mostRss / 2 ** 20).toFixed(0)} MB`,
  )
  await served.close()
}

function record({ server, simulated }: ServedMarket, symbol: string, trades: number): void {
  const time = server.service.catchUp()
  for (let count = 0; count < trades; count += 1) {
    simulated.record(symbol, { time, price: 10_000, qty: 1, isBuyerMaker: false })
  }
}

async function siege(): Promise<void> {
  const served = await serveMarket(undefined)
  const { message } = startClients('slow', new URL(served.server.baseUrl).origin, 200, SIEGE_SECONDS)
  const [polite, flood] = await Promise.all([
    message(),
    load(`${served.server.baseUrl}/orders`, served.key, SIEGE_SECONDS),
  ])
  const { count, p50, p99, most, failed } = polite as Heard & { failed: number }
  const times = `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, most ${most.toFixed(0)} ms`
  console.log(
    `200 that dribble and a flood of ${flood.requests.toFixed(0)} a second: ${count} polite requests, ${failed} failed, ${times}`,
  )
  await served.close()
}

const [kind = '', file = ''] = process.argv.slice(2)
if (Object.hasOwn(ALONE, kind)) {
  console.log(JSON.stringify(await ALONE[kind as keyof typeof ALONE](file)))
  process.exit()
}
console.log(`${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, medians of ${ROUNDS} rounds`)
await orders()
await messages()
await streams()
await siege()
