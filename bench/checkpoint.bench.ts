/**
 * How long does anybody wait because a state is being written down?
 *
 * Budget: 50 ms, for a snapshot of 100 users with full histories. Orders are placed and made durable in commits of 64,
 * before a snapshot and while it is written; another caller asks for a turn all the time. `npm run bench -- checkpoint`
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import type { Exchange } from '../src/exchange/exchange.ts'
import { systemSecrets } from '../src/server/service/secrets.ts'
import { openServiceState } from '../src/server/state/service-state.ts'

const USERS = 100
const HISTORY = 5_000
const COMMIT = 64
/** Entries between two checkpoints, as the state counts them. */
const CHECKPOINT_ENTRIES = 100_000

const RULES = { pricePrecision: 2, qtyPrecision: 5, makerFeeBps: '1', takerFeeBps: '2', selfTrade: 'allow' } as const
const MARKET = { id: 'BTC_USD', name: 'Bitcoin', symbol: 'BTC_USD', baseAsset: 'BTC', quoteAsset: 'USD', ...RULES }
const CONFIG = {
  markets: [MARKET],
  quoteAsset: 'USD',
  history: { orders: HISTORY, fills: HISTORY, trades: 1_000, candles: 5_000 },
}

let time = 1
let placed = 0

/** Every second order takes the one before it, of the user before. */
function place(exchange: Exchange): void {
  const [account, side] = [`user-${(placed * 7) % USERS}`, placed % 2 === 0 ? ('SELL' as const) : ('BUY' as const)]
  placed += 1
  const request = { symbol: 'BTC_USD', side, type: 'LIMIT', price: 5_000_000 + (placed % 90), qty: 100 } as const
  exchange.execute({ type: 'place', time: (time += 1), account, request })
}

const folder = mkdtempSync(join(tmpdir(), 'papertape-bench-'))
const file = join(folder, 'state.db')
const state = openServiceState(file, CONFIG, systemSecrets, (error) => {
  throw error
})
const { exchange } = state
for (let index = 0; index < 2 * USERS; index += 1) {
  const asset = index % 2 === 0 ? 'USD' : 'BTC'
  exchange.execute({ type: 'credit', time, account: `user-${index >> 1}`, asset, amount: 10n ** 22n })
}
while (placed < USERS * HISTORY * 1.1) {
  place(exchange)
  if (placed % 10_000 === 0) await state.durable()
}
state.checkpoint()
const megabytes = statSync(file).size / 1e6

const turns: number[] = []
const commits: number[] = []
let isOver = false
async function another(): Promise<void> {
  for (let before = performance.now(); !isOver;) {
    await setImmediate()
    const now = performance.now()
    turns.push(now - before)
    before = now
  }
}

async function commitMany(count: number): Promise<number> {
  const startedAt = performance.now()
  for (const end = placed + count; placed < end;) {
    const before = performance.now()
    for (let each = 0; each < COMMIT; each += 1) place(exchange)
    await state.durable()
    commits.push(performance.now() - before)
  }
  return performance.now() - startedAt
}

const figures = (values: number[]): string => {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number): string => (sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN).toFixed(1)
  values.length = 0
  return `median ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)} ms`
}
const line = (name: string, figure: string): void => console.log(`${name.padEnd(48)} ${figure}`)
function report(name: string, orders: number, ms: number): void {
  line(`${name}: a commit of ${COMMIT}`, figures(commits))
  line(`${name}: a turn of the loop`, figures(turns))
  line(`${name}: orders a second`, ((orders / ms) * 1e3).toFixed(0))
}

console.log(`${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, snapshot of ${megabytes.toFixed(0)} MB`)
const watching = another()
const before = CHECKPOINT_ENTRIES - COMMIT - 1_000
report('before a snapshot', before, await commitMany(before))
/** More than it takes: what is measured is all of it, and some quiet behind it. */
const orders = 50_000
report('while it is written', orders, await commitMany(orders))
line('lies beside the file now', readdirSync(folder).join(', '))
isOver = true
await watching
state.close()
rmSync(folder, { recursive: true })
