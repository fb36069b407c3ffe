/**
 * What does a recorded trade cost with nothing of ours near, in a market under the model `tape`?
 *
 * Budget: 100 ns. Beside it, in the same run, the same trades over a bare loop that only reads them. `npm run bench --
 * simulation`
 */
import { cpus } from 'node:os'
import { performance } from 'node:perf_hooks'
import { createExchange } from '../src/exchange/create-exchange.ts'
import { EventQueue } from '../src/simulation/event-queue.ts'
import { liquidity } from '../src/simulation/liquidity/liquidity-models.ts'
import type { RecordedTrade } from '../src/simulation/liquidity/liquidity-model.ts'
import { SimulatedMarkets } from '../src/simulation/simulated-markets.ts'

const TRADES = 1_000_000
const RUNS = 7
const SYMBOL = 'BTC_USD'

/** A walk of prices, half of the trades in the millisecond of the one before, from a generator of Lehmer's kind. */
function recordedTrades(): readonly RecordedTrade[] {
  let state = 1
  const below = (limit: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
  let time = 1_723_161_255_342
  let price = 6_183_763
  return Array.from({ length: TRADES }, () => {
    if (below(2) === 0) time += below(80)
    price += below(5) - 2
    return { time, price, qty: 1 + below(99_999), isBuyerMaker: below(2) === 0 }
  })
}

const trades = recordedTrades()

interface Case {
  readonly name: string
  readonly prepare: (simulated: SimulatedMarkets, start: number) => void
}

const CASES: readonly Case[] = [
  { name: 'nobody listens', prepare: () => undefined },
  {
    name: 'one listener of trades',
    prepare: (simulated) => {
      simulated.listen(SYMBOL, { onTrade: () => undefined, onPrint: () => undefined })
    },
  },
  {
    name: 'an order of ours far away',
    prepare: (simulated, time) => {
      simulated.execute({ type: 'credit', time, account: 'me', asset: 'USD', amount: 10n ** 15n })
      const request = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', price: 1, qty: 1 } as const
      simulated.execute({ type: 'place', time, account: 'me', request })
    },
  },
]

function simulatedMarket(start: number): SimulatedMarkets {
  const market = {
    id: SYMBOL,
    name: SYMBOL,
    symbol: SYMBOL,
    baseAsset: 'BTC',
    quoteAsset: 'USD',
    pricePrecision: 2,
    qtyPrecision: 5,
    makerFeeBps: '0',
    takerFeeBps: '0',
    selfTrade: 'allow',
  } as const
  const history = { orders: 100, fills: 0, trades: 0, candles: 3 }
  const exchange = createExchange({ markets: [market], quoteAsset: 'USD', history })
  const terms = { queueSize: 1, levelSize: 1, staleAfterMs: 600_000 }
  const setup = { symbol: SYMBOL, recorded: 'trades', spread: undefined, terms } as const
  return new SimulatedMarkets(exchange, new EventQueue(start), () => liquidity('tape').create(setup), new Set([SYMBOL]))
}

/** Nanoseconds a trade. */
function played({ prepare }: Case): number {
  const start = trades[0]?.time ?? 0
  const simulated = simulatedMarket(start)
  prepare(simulated, start)
  const market = simulated.market(SYMBOL)
  globalThis.gc?.()
  const before = performance.now()
  for (const { time, price, qty, isBuyerMaker } of trades) market.record(time, price, qty, isBuyerMaker)
  return ((performance.now() - before) / TRADES) * 1e6
}

function read(): number {
  let sum = 0
  const before = performance.now()
  for (const { time, price, qty, isBuyerMaker } of trades) sum += time + price + (isBuyerMaker ? qty : -qty)
  const ns = ((performance.now() - before) / TRADES) * 1e6
  return Number.isFinite(sum) ? ns : Number.NaN
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

console.log(`${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, ${TRADES} trades, median of ${RUNS}`)
const bare = median(Array.from({ length: RUNS }, read))
console.log(`${'read alone'.padEnd(28)} ${bare.toFixed(1)} ns`)
for (const each of CASES) {
  const ns = median(Array.from({ length: RUNS }, () => played(each)))
  console.log(`${each.name.padEnd(28)} ${ns.toFixed(1)} ns, ${(ns / bare).toFixed(1)} times as much`)
}
