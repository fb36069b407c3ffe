/**
 * What does an order with its life cost the processor in a backtest: placed, acknowledged, resting, cancelled and
 * reported, with its journal?
 *
 * Budget: 20 µs, whether 1 000 rest or 100 000. Beside it the same run without an order, whose time is taken off; and
 * how many bytes of journal an order is, and how much memory is held after the run. `npm run bench -- orders`
 */
import { cpus } from 'node:os'
import { filter, map } from 'rxjs'
import { runBacktest } from '../src/runtime/backtest/backtest.ts'
import type { Intent } from '../src/strategy/intent.ts'
import type { Strategy } from '../src/strategy/strategy.ts'
import { prepared, recordedBlocks, SYMBOL } from './tape-in-memory.ts'

const RUNS = 3
/** Orders that a strategy sends with each recorded trade. */
const AT_ONCE = 10
/** Prices at which they rest. */
const PRICES = [1, 1_000] as const
const SIZES = [1_000, 10_000, 100_000] as const
/** So many orders are traded in the runs whose memory is looked at. */
const TRADED = [100_000, 200_000] as const

interface Cost {
  readonly microseconds: number
  readonly journalBytes: number
  readonly heap: number
  readonly orders: number
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** Ticks and lots are small, so that every order is paid for; far from the market, so that none is filled. */
const resting = (orders: number, prices: number): Strategy['run'] => {
  const last = Math.ceil(orders / AT_ONCE)
  return ({ trades, buyLimit, openOrders, cancel }) => {
    let moment = 0
    return trades(SYMBOL).pipe(
      map((): readonly Intent[] => {
        moment += 1
        if (moment <= last) {
          const first = (moment - 1) * AT_ONCE
          return Array.from({ length: Math.min(AT_ONCE, orders - first) }, (_, index) =>
            buyLimit(SYMBOL, (300 + (((first + index) * 7_919) % prices) / 100).toFixed(2), '0.00001'),
          )
        }
        return moment === last + 1_000
          ? openOrders(SYMBOL)
              .slice(0, 9_000)
              .map(({ id }) => cancel(id))
          : []
      }),
    )
  }
}

/** Buys and sells at the market, in turn: every second order ends a round trip. */
const trading = (orders: number): Strategy['run'] => {
  return ({ trades, buyMarket, sellMarket }) => {
    let sent = 0
    return trades(SYMBOL).pipe(
      // An own order's trade is reported as well.
      filter(({ isOwn }) => !isOwn),
      map((): readonly Intent[] => {
        if (sent >= orders) return []
        sent += 2
        return [buyMarket(SYMBOL, '0.00001'), sellMarket(SYMBOL, '0.00001')]
      }),
    )
  }
}

const nothing: Strategy['run'] = ({ trades }) => trades(SYMBOL).pipe(map((): readonly Intent[] => []))

type Blocks = ReturnType<typeof recordedBlocks>

async function costOf(run: Strategy['run'], blocks: Blocks): Promise<Cost> {
  const backtest = prepared(run, blocks)
  let [journalBytes, orders] = [0, 0]
  globalThis.gc?.()
  const heapBefore = process.memoryUsage().heapUsed
  const before = process.cpuUsage()
  const result = await runBacktest(backtest, {
    onLine: (line) => void (journalBytes += line.length + 1),
    onOrder: () => void (orders += 1),
    onFill: () => undefined,
    onLog: () => undefined,
    onProgress: () => undefined,
  })
  const { user, system } = process.cpuUsage(before)
  if (result.failure !== undefined) throw result.failure
  globalThis.gc?.()
  const heap = process.memoryUsage().heapUsed - heapBefore
  // Held until here.
  if (result.digest === '') throw new Error('a run has a digest')
  return { microseconds: user + system, journalBytes, heap, orders }
}

console.log(`${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, processor time, medians of ${RUNS}`)
const blocks = recordedBlocks(20_000)
for (const prices of PRICES) {
  for (const size of SIZES) {
    const [plain, whole]: [number[], Cost[]] = [[], []]
    for (let run = 0; run < RUNS; run += 1) {
      plain.push((await costOf(nothing, blocks)).microseconds)
      whole.push(await costOf(resting(size, prices), blocks))
    }
    const each = (median(whole.map(({ microseconds }) => microseconds)) - median(plain)) / size
    const bytes = (whole[0]?.journalBytes ?? 0) / size
    console.log(
      `${size} resting at ${prices} prices: ${each.toFixed(1)} µs an order, ${bytes.toFixed(0)} bytes of journal`,
    )
  }
}
const traded = recordedBlocks(Math.max(...TRADED) / 2 + 10_000)
for (const size of TRADED) {
  const { heap, microseconds, orders, journalBytes } = await costOf(trading(size), traded)
  const each = `${(microseconds / orders).toFixed(1)} µs and ${(journalBytes / orders).toFixed(0)} bytes of journal an order`
  console.log(`${orders} market orders: ${(heap / 1e6).toFixed(1)} MB of heap held, ${each}`)
}
