/**
 * How many recorded trades a second does a whole backtest play, tape to figures, for a strategy written with RxJS?
 *
 * Budget, million a second: one that counts trades 8, one with three operators 6, a market maker with two resting
 * orders 5. And how much processor do a million one-minute candles cost, from CSV to report (budget 2.4 s)? Beside
 * each, in the same run, a plain callback that does the same arithmetic over the same trades without a market around
 * it.
 * `npm run bench -- backtest`
 */
import { cpus } from 'node:os'
import { performance } from 'node:perf_hooks'
import { filter, map, reduce, scan } from 'rxjs'
import { runBacktest } from '../src/runtime/backtest/backtest.ts'
import type { Intent } from '../src/strategy/intent.ts'
import type { Strategy } from '../src/strategy/strategy.ts'
import { SIDE_SELL } from '../src/tape/tape.ts'
import { runCandles } from './candle-runs.ts'
import { prepared, recordedBlocks, SYMBOL } from './tape-in-memory.ts'

const TRADES = 5_000_000
const RUNS = 5

const NOTHING: readonly Intent[] = []
/** The market maker quotes this far from the trade, and again when the price has gone away this far, in quote units. */
const HALF_SPREAD = 0.3
const REQUOTE_AT = 0.35

const blocks = recordedBlocks(TRADES)

type Callback = (price: number, isBuyerMaker: boolean) => void

interface Case {
  readonly name: string
  readonly run: Strategy['run']
  /** A plain callback; returns its result, so that none of it is left out. */
  readonly plain: () => { readonly onTrade: Callback; readonly result: () => number }
  /** Faults of the run; empty for none. */
  readonly check: (fills: number) => string
}

let counted = 0

const CASES: readonly Case[] = [
  {
    name: 'counts trades',
    run: ({ trades }) => {
      counted = 0
      return trades(SYMBOL).pipe(
        reduce((nothing) => {
          counted += 1
          return nothing
        }, NOTHING),
      )
    },
    plain: () => {
      let count = 0
      return { onTrade: () => void (count += 1), result: () => count }
    },
    check: () => (counted === TRADES ? '' : `counted ${counted} trades`),
  },
  {
    name: 'filter, map, scan',
    run: ({ trades }) => {
      let average = 0
      return trades(SYMBOL).pipe(
        filter(({ isBuyerMaker }) => isBuyerMaker),
        map(({ priceNumber }) => priceNumber),
        scan((nothing, price) => {
          average += (price - average) / 100
          return nothing
        }, NOTHING),
      )
    },
    plain: () => {
      let average = 0
      return {
        onTrade: (price, isBuyerMaker) => {
          if (isBuyerMaker) average += (price / 100 - average) / 100
        },
        result: () => average,
      }
    },
    check: () => '',
  },
  {
    name: 'market maker',
    run: ({ trades, cancelAll, buyLimit, sellLimit }) => {
      let quoted = 0
      return trades(SYMBOL).pipe(
        filter(({ priceNumber }) => Math.abs(priceNumber - quoted) >= REQUOTE_AT),
        map(({ priceNumber }): readonly Intent[] => {
          quoted = priceNumber
          const [bid, ask] = [priceNumber - HALF_SPREAD, priceNumber + HALF_SPREAD]
          return [
            cancelAll(SYMBOL),
            buyLimit(SYMBOL, bid.toFixed(2), '0.01'),
            sellLimit(SYMBOL, ask.toFixed(2), '0.01'),
          ]
        }),
      )
    },
    plain: () => {
      let [quoted, fills] = [0, 0]
      return {
        onTrade: (ticks) => {
          const price = ticks / 100
          if (Math.abs(price - quoted) < REQUOTE_AT) return
          if (price !== quoted) fills += 1
          quoted = price
        },
        result: () => fills,
      }
    },
    check: (fills) => (fills > TRADES / 2_000 ? '' : `was filled ${fills} times`),
  },
]

/** Million trades a second. */
const rate = (milliseconds: number): number => TRADES / milliseconds / 1_000

async function played({ name, run, check }: Case): Promise<number> {
  const backtest = prepared(run, blocks)
  let fills = 0
  globalThis.gc?.()
  const before = performance.now()
  const { failure } = await runBacktest(backtest, {
    onLine: () => undefined,
    onOrder: () => undefined,
    onFill: () => void (fills += 1),
    onLog: () => undefined,
    onProgress: () => undefined,
  })
  const after = performance.now()
  const wrong = failure?.message ?? check(fills)
  if (wrong !== '') throw new Error(`${name}: ${wrong}`)
  return rate(after - before)
}

function called({ plain }: Case): number {
  const { onTrade, result } = plain()
  const before = performance.now()
  for (const block of blocks) {
    for (let row = 0; row < block.length; row += 1) onTrade(block.price[row] ?? 0, block.side[row] === SIDE_SELL)
  }
  const after = performance.now()
  return Number.isFinite(result()) ? rate(after - before) : Number.NaN
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

console.log(`${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, ${TRADES} trades, median of ${RUNS}`)
for (const each of CASES) {
  const [plain, whole]: [number[], number[]] = [[], []]
  for (let run = 0; run < RUNS; run += 1) {
    plain.push(called(each))
    whole.push(await played(each))
  }
  const [callback, backtest] = [median(plain), median(whole)]
  const share = ((100 * backtest) / callback).toFixed(1)
  const text = `${backtest.toFixed(2)} million trades a second, plain callback ${callback.toFixed(1)} (${share} % of it)`
  console.log(`${each.name.padEnd(20)} ${text}`)
}
runCandles()
