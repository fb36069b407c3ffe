/**
 * What does an order cost with ids, histories, events and views as objects (`exchange.execute()`), beside the core that
 * only matches and settles the same operations in numbers?
 *
 * Aim: at most 1.5 microseconds of the processor an operation, p99.9 below 10 microseconds, 120 bytes a resting order.
 * The first 100 000 operations of a fresh process' exchange and the later ones are distinguished. `npm run bench --
 * execute`
 */
import { cpus } from 'node:os'
import { cpuUsage, memoryUsage } from 'node:process'
import { performance } from 'node:perf_hooks'
import { corePlayer, type Player } from './core-player.ts'
import { exchangePlayer } from './exchange-player.ts'
import { orderStream, type OrderStream } from './order-stream.ts'

const OPERATIONS = 600_000
const COLD_OPERATIONS = 100_000
const ROUNDS = 4

const coreOf = (stream: OrderStream): Player => corePlayer({ stream, feeBps: '0', unit: 1 }).play

const collect = (): void => {
  // Twice: buffers that a first collection finds unreachable are given back by the second.
  globalThis.gc?.()
  globalThis.gc?.()
}

/** Nanoseconds of the processor an operation, all threads; what it left to collect included. */
function cost(play: Player, first: number, end: number): number {
  const before = cpuUsage()
  play(first, end)
  const { user, system } = cpuUsage(before)
  return ((user + system) * 1_000) / (end - first)
}

interface Costs {
  readonly cold: number
  readonly warm: number
}

function costs(player: Player, { prefill, length }: OrderStream): Costs {
  player(0, prefill)
  collect()
  const cold = cost(player, prefill, prefill + COLD_OPERATIONS)
  return { cold, warm: cost(player, prefill + COLD_OPERATIONS, length) }
}

/** Nanoseconds of one operation at the given shares of all, warm; the clock's own cost is in them. */
function latencies(player: Player, { prefill, length }: OrderStream, shares: readonly number[]): readonly number[] {
  const first = prefill + (length - prefill) / 2
  player(0, first)
  collect()
  const spans = new Float64Array(length - first)
  for (let index = first; index < length; index += 1) {
    const before = performance.now()
    player(index, index + 1)
    spans[index - first] = (performance.now() - before) * 1e6
  }
  spans.sort()
  return shares.map((share) => spans[Math.floor(share * spans.length)] ?? Number.NaN)
}

/** Bytes of heap and buffers a resting order, after the prefill, in which nothing matches. */
function bytesPerOrder(make: (stream: OrderStream) => Player, stream: OrderStream): number {
  const used = (): number => {
    collect()
    const { heapUsed, arrayBuffers } = memoryUsage()
    return heapUsed + arrayBuffers
  }
  const play = make(stream)
  const before = used()
  play(0, stream.prefill)
  const bytes = (used() - before) / stream.prefill
  play(stream.prefill, stream.prefill)
  return bytes
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const asRow = (values: readonly number[]): string => values.map((value) => value.toFixed(0).padStart(7)).join(' ')

console.log(`${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, ns of the processor an operation, median`)
// First of all: what an earlier exchange leaves to collect would be taken off.
const wide = orderStream(100_000, OPERATIONS)
const [ofCore, ofExchange] = [coreOf, exchangePlayer].map((make) => bytesPerOrder(make, wide).toFixed(0))
console.log(`bytes a resting order, 100000 of them: core ${ofCore ?? ''}, execute ${ofExchange ?? ''}`)
for (const resting of [1_000, 100_000]) {
  const stream = orderStream(resting, OPERATIONS)
  const core: Costs[] = []
  const exchange: Costs[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    core.push(costs(coreOf(stream), stream))
    exchange.push(costs(exchangePlayer(stream), stream))
  }
  const [coreWarm, exchangeWarm] = [core, exchange].map((each) => median(each.map(({ warm }) => warm)))
  console.log(`\n${resting} resting orders`)
  console.log(`first in the process: core ${asRow([core[0]?.cold ?? 0])}, execute ${asRow([exchange[0]?.cold ?? 0])}`)
  console.log(`core ${asRow(core.map(({ warm }) => warm))}, execute ${asRow(exchange.map(({ warm }) => warm))}`)
  console.log(`execute costs ${((exchangeWarm ?? 0) / (coreWarm ?? 1)).toFixed(1)} times the core`)
  const names = ['p50', 'p99', 'p99.9', 'p99.99']
  const spans = latencies(exchangePlayer(stream), stream, [0.5, 0.99, 0.999, 0.9999])
  console.log(`execute, ns: ${names.map((name, index) => `${name} ${(spans[index] ?? 0).toFixed(0)}`).join(', ')}`)
}
