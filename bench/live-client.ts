/**
 * Anyone who answers each trade with an order: `bare URL`, a WebSocket and undici and nothing else; `kept URL
 * DIRECTORY`, the same with each order in a file on the disk before it leaves; `live URL DIRECTORY`, a strategy on a
 * live account whose state and run are there.
 */
import { fdatasyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { map } from 'rxjs'
import { Pool } from 'undici'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { MACHINE_CLOCKS } from '../src/adapter/live/machine-clocks.ts'
import { openLiveAccount } from '../src/adapter/live/open-live-account.ts'
import { runLive } from '../src/run/run-live.ts'
import { defineStrategy } from '../src/strategy/strategy.ts'

const PLENTY = { general: 1_000_000_000, mutations: 1_000_000_000, windowSeconds: 60 }

/** Sends an order for each trade, at its price. */
const echo = defineStrategy({
  name: 'echo',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, trades, buyLimit }) =>
    trades(symbol).pipe(map(({ price }) => buyLimit(symbol, price, '0.01'))),
})

/** @param keep  called with an order before it leaves */
function runBare(url: string, keep?: (order: string) => void): void {
  const pool = new Pool(new URL(url).origin, { connections: 4, pipelining: 1 })
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`)
  socket.on('open', () => {
    socket.send(JSON.stringify({ op: 'subscribe', streams: ['trade:BTC_USD'], id: 1 }))
  })
  const post = async (price: string): Promise<void> => {
    const body = JSON.stringify({ symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price, qty: '0.01' })
    keep?.(body)
    const headers = { 'content-type': 'application/json', 'x-api-key': 'key' }
    const answer = await pool.request({ method: 'POST', path: '/v1/orders', headers, body })
    await answer.body.json()
  }
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as { data?: { price: string } }
    if (frame.data !== undefined) void post(frame.data.price)
  })
}

function runKept(url: string, directory: string): void {
  const file = openSync(join(directory, 'orders.jsonl'), 'a')
  runBare(url, (order) => {
    writeSync(file, `${order}\n`)
    fdatasyncSync(file)
  })
}

async function runAccount(url: string, directory: string): Promise<void> {
  const result = await runLive(
    {
      url,
      apiKey: 'key',
      strategies: [{ strategy: echo }],
      out: join(directory, 'run'),
      state: join(directory, 'state'),
    },
    {
      clocks: MACHINE_CLOCKS,
      dataDirectory: directory,
      session: 'bench',
      openAccount: async (opening) => {
        const { account, state } = await openLiveAccount({ ...opening, limits: PLENTY })
        return Object.assign(account, {
          blockedMarkets: () => state.blockedMarkets(),
          operators: undefined,
          tryHeld: () => () => undefined,
          cancelsHeldForMs: () => 0,
        })
      },
    },
  )
  console.error(`ended: ${result.fault?.message}`)
}

// By its own end a profile of it is written: `CLIENT_FLAGS=--cpu-prof`.
process.once('SIGINT', () => process.exit())
const [kind, url = '', directory = ''] = process.argv.slice(2)
if (kind === 'bare') runBare(url)
else if (kind === 'kept') runKept(url, directory)
else await runAccount(url, directory)
