/**
 * How long until a service is back after it was killed, and what is it to have every order on the disk?
 *
 * Budget: back within 2 s with 100 000 entries behind its snapshot; 100 000 orders a second in commits of 64. Beside
 * them, in the same run, the same commands on an exchange without a file. `npm run bench -- state`
 */
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Command } from '../src/domain/command.ts'
import { createExchange } from '../src/exchange/create-exchange.ts'
import { seededRandom } from '../src/runtime/strategies/seeded-random.ts'
import { systemSecrets } from '../src/server/service/secrets.ts'
import { openServiceState, type ServiceState } from '../src/server/state/service-state.ts'

const RUNS = 5
const ACCOUNTS = 20
/** Commands before the snapshot, and after it. */
const BEFORE = 300_000
const BEHIND = 99_999
const COMMIT = 64

const RULES = { pricePrecision: 2, qtyPrecision: 5, makerFeeBps: '1', takerFeeBps: '2', selfTrade: 'allow' } as const
const MARKET = { id: 'BTC_USD', name: 'Bitcoin', symbol: 'BTC_USD', baseAsset: 'BTC', quoteAsset: 'USD', ...RULES }
const CONFIG = {
  markets: [MARKET],
  quoteAsset: 'USD',
  history: { orders: 5_000, fills: 5_000, trades: 1_000, candles: 5_000 },
}

/** Credits, then limit orders around one price, a third of them crossing, a third cancelled soon. */
function* commands(count: number): Generator<Command> {
  const random = seededRandom(1)
  const below = (bound: number): number => Math.floor(random() * bound)
  for (let index = 0; index < 2 * ACCOUNTS; index += 1) {
    const asset = index % 2 === 0 ? 'USD' : 'BTC'
    yield { type: 'credit', time: 1, account: `user-${index >> 1}`, asset, amount: 10n ** 20n }
  }
  for (let index = 0; index < count; index += 1) {
    const time = 2 + index
    const account = `user-${below(ACCOUNTS)}`
    const side = below(2) === 0 ? 'BUY' : 'SELL'
    const price = 10_000_000 + below(200) + (side === 'BUY' ? -130 : 0)
    yield {
      type: 'place',
      time,
      account,
      request: { symbol: 'BTC_USD', side, type: 'LIMIT', price, qty: 1 + below(100) },
    }
    if (below(3) === 0) yield { type: 'cancel', time, account, orderId: 1 + index - below(100) }
  }
}

const open = (file: string): ServiceState =>
  openServiceState(file, CONFIG, systemSecrets, (error) => {
    throw error
  })

function timed<T>(action: () => T): { readonly ms: number; readonly result: T } {
  const before = performance.now()
  const result = action()
  return { ms: performance.now() - before, result }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const folder = mkdtempSync(join(tmpdir(), 'papertape-bench-'))
const file = join(folder, 'state.db')
const killed = join(folder, 'killed.db')

const script = [...commands(BEFORE + BEHIND)]
const [before, behind] = [script.slice(0, -BEHIND), script.slice(-BEHIND)]

const state = open(file)
const bare = createExchange(CONFIG)
for (const command of before) {
  state.exchange.execute(command)
  bare.execute(command)
}
const checkpoint = timed(() => state.checkpoint())
const snapshotMegabytes = statSync(file).size / 1e6

let durableMs = 0
for (let start = 0; start < behind.length; start += COMMIT) {
  const startedAt = performance.now()
  for (const command of behind.slice(start, start + COMMIT)) state.exchange.execute(command)
  await state.durable()
  durableMs += performance.now() - startedAt
}
const bareMs = timed(() => {
  for (const command of behind) bare.execute(command)
}).ms

const openMs: number[] = []
for (let run = 0; run < RUNS; run += 1) {
  for (const part of ['', '-wal']) copyFileSync(file + part, killed + part)
  const opened = timed(() => open(killed))
  openMs.push(opened.ms)
  opened.result.close()
}
state.close()
rmSync(folder, { recursive: true })

const line = (name: string, figure: string): void => console.log(`${name.padEnd(52)} ${figure}`)
console.log(`${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, opening: median of ${RUNS}`)
line(
  `open: snapshot of ${snapshotMegabytes.toFixed(0)} MB, ${BEHIND} entries behind it`,
  `${median(openMs).toFixed(0)} ms`,
)
line('checkpoint of the same', `${checkpoint.ms.toFixed(0)} ms`)
line(`commands on the disk in commits of ${COMMIT}, a second`, ((behind.length / durableMs) * 1e3).toFixed(0))
line(
  'the same without a file',
  `${((behind.length / bareMs) * 1e3).toFixed(0)}, ${(durableMs / bareMs).toFixed(1)} times as fast`,
)
