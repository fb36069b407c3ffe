/**
 * How long from a trade on the socket to the order on the wire?
 *
 * Budget: p50 and p99 of a strategy on a live account below 1.5 times those of a bare WebSocket that posts with undici, in turn in one
 * run, each in a process of its own. Once with its state on the disk, where an order is before it leaves, and once in memory, which
 * tells the share of the disk. `npm run bench -- live`
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LiveService } from './live-service.ts'

const ROUNDS = 3
const WARM_UP = 300
const TRADES = 500
/** A file system in memory, where there is one. */
const MEMORY = '/dev/shm'

const client = fileURLToPath(new URL('./live-client.ts', import.meta.url))
const loader = new URL('./loader.mjs', import.meta.url).href

async function measure(kind: 'bare' | 'live', folder: string): Promise<Float64Array> {
  const directory = mkdtempSync(join(folder, 'papertape-bench-'))
  const service = new LiveService()
  const url = await service.listen()
  const subscribed = service.subscribed()
  const flags = (process.env.CLIENT_FLAGS ?? '').split(' ').filter((flag) => flag !== '')
  const child = spawn(process.execPath, [...flags, '--import', loader, client, kind, url, directory], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await subscribed
  // What came before has to be known first.
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  await service.measure(WARM_UP)
  const times = await service.measure(TRADES)
  child.kill('SIGINT')
  await once(child, 'exit')
  await service.close()
  rmSync(directory, { recursive: true })
  return times.sort()
}

const at = (sorted: Float64Array, share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

console.log(
  `${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, medians of ${ROUNDS} rounds of ${TRADES} trades`,
)
const ways = [
  ['bare ws and undici', 'bare', tmpdir()],
  ['live, state in memory', 'live', MEMORY],
  ['live, state on the disk', 'live', tmpdir()],
] as const
const rounds: Float64Array[][] = ways.map(() => [])
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [index, [, kind, folder]] of ways.entries()) rounds[index]?.push(await measure(kind, folder))
}
for (const [index, [name]] of ways.entries()) {
  const texts = [0.5, 0.99].map((share) => {
    const times = (rounds[index] ?? []).map((sorted) => at(sorted, share))
    const ratios = times.map((ms, round) => ms / at(rounds[0]?.[round] ?? new Float64Array(), share))
    return `p${share * 100} ${median(times).toFixed(3)} ms (${median(ratios).toFixed(2)} times)`
  })
  console.log(`${name.padEnd(24)} ${texts.join(', ')}`)
}
