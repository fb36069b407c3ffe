/**
 * How long from a trade on the socket to the order on the wire?
 *
 * Budget: p50 and p99 of a strategy on a live account below 1.5 times those of a bare WebSocket that posts with undici.
 * All of them run at once, each in a process of its own, and receive a trade in turn, so that whatever else the machine
 * does meets all alike. The account has its state once on the disk, where an order is before it leaves, and once in
 * memory; a bare client that keeps its orders on the disk shows what that costs anyone who does it. `npm run bench
 * -- live`
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { LiveService } from './live-service.ts'

const ROUNDS = 7
const WARM_UP = 300
const TRADES = 250
/** Wait after an order, so that nothing still works for it. */
const PAUSE_MS = 10
const MAX_MORE_MS = 5
/** A file system in memory, where there is one. */
const MEMORY = '/dev/shm'

const script = fileURLToPath(new URL('./live-client.ts', import.meta.url))
const loader = new URL('./loader.mjs', import.meta.url).href

class Client {
  readonly name: string
  readonly service = new LiveService()
  readonly #kind: string
  readonly #directory: string
  #process: ChildProcess | undefined

  constructor(name: string, kind: string, folder: string) {
    this.name = name
    this.#kind = kind
    this.#directory = mkdtempSync(join(folder, 'papertape-bench-'))
  }

  async start(): Promise<void> {
    const url = await this.service.listen()
    const subscribed = this.service.subscribed()
    const flags = (process.env.CLIENT_FLAGS ?? '').split(' ').filter((flag) => flag !== '')
    const args = [...flags, '--import', loader, script, this.#kind, url, this.#directory]
    this.#process = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
    await subscribed
  }

  async stop(): Promise<void> {
    if (this.#process !== undefined) {
      this.#process.kill('SIGINT')
      await once(this.#process, 'exit')
    }
    await this.service.close()
    rmSync(this.#directory, { recursive: true })
  }
}

/** @returns milliseconds, ascending, of each */
async function round(clients: readonly Client[], trades: number): Promise<readonly Float64Array[]> {
  const times = clients.map(() => new Float64Array(trades))
  for (let trade = 0; trade < trades; trade += 1) {
    for (const [index, { service }] of clients.entries()) {
      const ms = await service.measure()
      times[index]?.fill(ms, trade, trade + 1)
      await sleep(PAUSE_MS + Math.random() * MAX_MORE_MS)
    }
  }
  return times.map((each) => each.sort())
}

const at = (sorted: Float64Array | undefined, share: number): number =>
  sorted?.[Math.floor(sorted.length * share)] ?? Number.NaN
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const clients = [
  new Client('bare ws and undici', 'bare', tmpdir()),
  new Client('the same, kept on disk', 'kept', tmpdir()),
  new Client('live, state in memory', 'live', MEMORY),
  new Client('live, state on the disk', 'live', tmpdir()),
]
const model = cpus()[0]?.model ?? 'unknown'
console.log(`${model}, Node ${process.version}, medians of ${ROUNDS} rounds of ${TRADES} trades`)
for (const client of clients) await client.start()
// What came before has to be known first.
await sleep(2_000)
await round(clients, WARM_UP)
const rounds: (readonly Float64Array[])[] = []
for (let index = 0; index < ROUNDS; index += 1) rounds.push(await round(clients, TRADES))
for (const [index, { name }] of clients.entries()) {
  const texts = [0.5, 0.99].map((share) => {
    const times = rounds.map((each) => at(each[index], share))
    const ratios = rounds.map((each) => at(each[index], share) / at(each[0], share))
    return `p${share * 100} ${median(times).toFixed(3)} ms (${median(ratios).toFixed(2)} times)`
  })
  console.log(`${name.padEnd(24)} ${texts.join(', ')}`)
}
for (const client of clients) await client.stop()
