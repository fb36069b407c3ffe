/**
 * What does a season of 200 bots cost, with an hour of a virtual clock, agents in two markets, and an order a minute
 * from each bot over REST?
 *
 * Budget: an hour in less than two minutes on two cores. `npm run bench -- arena`
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join as path } from 'node:path'
import { json } from 'node:stream/consumers'
import { HOUR_MS, MINUTE_MS } from '../src/domain/time.ts'
import { seededRandom } from '../src/runtime/strategies/seeded-random.ts'
import { startArena } from '../src/server/arena/arena.ts'
import { verifySeason } from '../src/server/arena/verify-season.ts'

const BOTS = 200
const MINUTES = 60

const folder = mkdtempSync(path(tmpdir(), 'papertape-bench-'))
const journal = path(folder, 'season.journal')
const season = {
  name: 'Bench',
  start: '2030-01-07T09:00:00Z',
  end: '2030-01-07T10:00:00Z',
  credits: { USD: '100000', BTC: '1' },
  players: Array.from({ length: BOTS }, (_, index) => `Bot ${index + 1}`),
}
const random = seededRandom(1)

let [wall, cpu] = [performance.now(), process.cpuUsage()]
function lap(what: string): void {
  const { user, system } = process.cpuUsage(cpu)
  const [seconds, used] = [(performance.now() - wall) / 1_000, (user + system) / 1e6]
  console.log(`${what.padEnd(24)} ${seconds.toFixed(1)} s, CPU ${used.toFixed(1)} s`)
  ;[wall, cpu] = [performance.now(), process.cpuUsage()]
}

const arena = await startArena({ season, where: 'season.json', journal, virtualClock: true })

/** Joins from an address of its own, because joins of one address are limited. */
async function join(code: string, index: number): Promise<string> {
  const localAddress = `127.0.1.${index + 1}`
  const headers = { 'content-type': 'application/json' }
  const asked = request(`${arena.url}/join`, { method: 'POST', localAddress, headers, agent: false })
  asked.end(JSON.stringify({ code }))
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return ((await json(response)) as { key: string }).key
}
const keys = await Promise.all(arena.invited.map(({ code }, index) => join(code, index)))
await arena.advance(HOUR_MS)
lap('start, and 200 players')

const statuses = new Map<number, number>()
async function order(key: string, last: number): Promise<void> {
  const side = random() < 0.5 ? 'BUY' : 'SELL'
  const terms = random() < 0.5 ? {} : { price: (last * (1 + (random() - 0.5) / 500)).toFixed(2) }
  const body = { symbol: 'BTC_USD', side, qty: '0.01', type: 'price' in terms ? 'LIMIT' : 'MARKET', ...terms }
  const headers = { 'content-type': 'application/json', 'x-api-key': key }
  const { status } = await fetch(`${arena.url}/v1/orders`, { method: 'POST', headers, body: JSON.stringify(body) })
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
}
for (let minute = 0; minute < MINUTES; minute += 1) {
  const ticker = await fetch(`${arena.url}/v1/markets/BTC_USD/ticker`)
  const last = Number(((await ticker.json()) as { lastPrice: string }).lastPrice)
  await Promise.all(keys.map((key) => order(key, last)))
  await arena.advance(MINUTE_MS)
}
lap('the hour')
console.log(`${' '.repeat(24)} answers ${JSON.stringify([...statuses])}`)
await (await fetch(`${arena.url}/arena/board`)).arrayBuffer()
lap('its board at the end')
await arena.close()
const { lines } = verifySeason(journal)
lap(`verify ${lines} lines`)
console.log(`journal ${(statSync(journal).size / 1e6).toFixed(0)} MB`)
rmSync(folder, { recursive: true })
