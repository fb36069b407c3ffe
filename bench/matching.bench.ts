/**
 * How many orders and cancels a second does the exchange match and settle, beside npm's nodejs-order-book on the same
 * operations?
 *
 * Aim, million a second with 1 000, 100 000 and 1 000 000 resting orders: 10, 5 and 4 (at the very least 5, 3 and 2);
 * at least 80 times the peer at 100 000; p99 of one operation below 2 microseconds; at most 64 bytes a resting order.
 * The peer keeps no balances and counts in floats. `npm run bench -- matching`
 */
import { cpus } from 'node:os'
import { memoryUsage } from 'node:process'
import { performance } from 'node:perf_hooks'
import { OrderBook as PeerBook, Side as PeerSide } from 'nodejs-order-book'
import { corePlayer, type Player } from './core-player.ts'
import { exchangePlayer } from './exchange-player.ts'
import { CANCEL, LIMIT, orderStream, type OrderStream } from './order-stream.ts'

const OPERATIONS = 1_000_000
/** The first run warms up and is not counted. */
const RUNS = 6
/** The peer gets fewer: it would take minutes. */
const PEER_OPERATIONS = 20_000
const SHELL_OPERATIONS = 200_000

function peerPlayer(stream: OrderStream): Player {
  const book = new PeerBook()
  return (first, end) => {
    for (let index = first; index < end; index += 1) {
      const side = stream.isBuy[index] === 1 ? PeerSide.BUY : PeerSide.SELL
      const size = stream.qty[index] ?? 0
      const id = String(stream.order[index] ?? 0)
      if (stream.kind[index] === CANCEL) book.cancel(id)
      else if (stream.kind[index] === LIMIT) book.limit({ id, side, size, price: stream.price[index] ?? 0 })
      else book.market({ side, size })
    }
  }
}

/** Operations a second, in millions, after the prefill. */
function rate(play: Player, { prefill }: OrderStream, operations: number): number {
  play(0, prefill)
  const before = performance.now()
  play(prefill, prefill + operations)
  return operations / (performance.now() - before) / 1_000
}

function rates(player: () => Player, stream: OrderStream, operations: number, runs: number): readonly number[] {
  return Array.from({ length: runs }, () => rate(player(), stream, operations)).slice(Math.min(1, runs - 1))
}

/** Nanoseconds of one operation at the given shares of all, warm; the clock's own cost is in them. */
function latencies(player: Player, { prefill, length }: OrderStream, shares: readonly number[]): readonly number[] {
  player(0, prefill + (length - prefill) / 2)
  const first = prefill + (length - prefill) / 2
  const spans = new Float64Array(length - first)
  for (let index = first; index < length; index += 1) {
    const before = performance.now()
    player(index, index + 1)
    spans[index - first] = (performance.now() - before) * 1e6
  }
  spans.sort()
  return shares.map((share) => spans[Math.floor(share * spans.length)] ?? Number.NaN)
}

/** Bytes of heap and buffers a resting order, after the prefill. */
function bytesPerOrder(stream: OrderStream): number {
  const used = (): number => {
    // Twice: buffers that a first collection finds unreachable are given back by the second.
    globalThis.gc?.()
    globalThis.gc?.()
    const { heapUsed, arrayBuffers } = memoryUsage()
    return heapUsed + arrayBuffers
  }
  const { play, matches } = corePlayer({ stream, feeBps: '0', unit: 1 })
  const before = used()
  play(0, stream.prefill)
  const bytes = (used() - before) / stream.prefill
  return matches() === 0 ? bytes : Number.NaN
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

function tell(name: string, values: readonly number[]): number {
  const middle = median(values)
  console.log(`${name.padEnd(44)} ${middle.toFixed(3).padStart(8)} (best ${Math.max(...values).toFixed(3)})`)
  return middle
}

console.log(`${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, million operations a second, median`)
for (const resting of [1_000, 100_000, 1_000_000]) {
  const stream = orderStream(resting, OPERATIONS)
  console.log(`\n${resting} resting orders`)
  const plain = { stream, feeBps: '0', unit: 1 }
  const own = tell(
    'core',
    rates(() => corePlayer(plain).play, stream, OPERATIONS, RUNS),
  )
  tell(
    'core, every amount beyond 2^53',
    rates(() => corePlayer({ ...plain, unit: 1e8 }).play, stream, OPERATIONS, 4),
  )
  tell(
    'core, fees 10 bps',
    rates(() => corePlayer({ ...plain, feeBps: '10' }).play, stream, OPERATIONS, 3),
  )
  const [p50 = 0, p99 = 0, p999 = 0] = latencies(corePlayer(plain).play, stream, [0.5, 0.99, 0.999])
  console.log(`latency ns: p50 ${p50.toFixed(0)}, p99 ${p99.toFixed(0)}, p99.9 ${p999.toFixed(0)}`)
  console.log(`bytes a resting order: ${bytesPerOrder(stream).toFixed(1)}`)
  if (resting > 100_000) continue
  tell(
    'with ids, histories and events as objects',
    rates(() => exchangePlayer(stream), stream, SHELL_OPERATIONS, 4),
  )
  const peer = tell(
    'nodejs-order-book',
    rates(() => peerPlayer(stream), stream, PEER_OPERATIONS, 2),
  )
  console.log(`core is ${(own / peer).toFixed(0)} times as fast`)
}
