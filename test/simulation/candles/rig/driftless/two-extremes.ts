/**
 * The negative control of driftless markets: candles played as four trades each, and a strategy that knows how they are
 * made.
 *
 * A candle becomes its open, the extreme nearer to it, the other extreme and its close. Anyone who sees the first
 * extreme knows that the other comes next: that path sells the future, and no exchange that plays it can be exact.
 */
import { concatMap, from, type Observable } from 'rxjs'
import { invariant } from '../../../../../src/domain/errors.ts'
import { runBacktest } from '../../../../../src/runtime/backtest/backtest.ts'
import type { RecordedCandle } from '../../../../../src/simulation/candles/recorded-candle.ts'
import type { Intent } from '../../../../../src/strategy/intent.ts'
import type { MarketTrade } from '../../../../../src/strategy/market-data.ts'
import type { OwnFill } from '../../../../../src/strategy/own-order.ts'
import { prepared, type TestStrategy } from '../../../../runtime/rig/run-strategy.ts'
import { memoryTape, type RecordedRow } from '../../../../simulation/rig/memory-tape.ts'
import { WALK_BEGINS_AT, WALK_INTERVAL_MS } from './driftless-walk.ts'
import type { PolicyFill } from './policy.ts'

const SYMBOL = 'BTC_USD'
const MUCH = '10000000000000000'
const TRADES = 4

/** Open, nearer extreme (a tie: the low), other extreme, close, at equal distances; the volume in quarters. */
function tradesOf({ time, open, high, low, close, volume }: RecordedCandle): readonly RecordedRow[] {
  const extremes = high - open < open - low ? [high, low] : [low, high]
  const qty = Math.floor(volume / TRADES)
  return [open, ...extremes, close].map((price, index) => {
    const isLast = index === TRADES - 1
    const at = isLast ? WALK_INTERVAL_MS - 1 : Math.floor((index * WALK_INTERVAL_MS) / (TRADES - 1))
    return [time + at, price, isLast ? volume - (TRADES - 1) * qty : qty]
  })
}

/** The fills of who trades from the first extreme to the second, in each candle whose extremes are far enough apart. */
export async function playTwoExtremes(candles: readonly RecordedCandle[]): Promise<readonly PolicyFill[]> {
  const tape = memoryTape(candles.flatMap(tradesOf))
  const fills: OwnFill[] = []
  // A tick, as that path assumed it: the distances between the four trades are no spread.
  const settings = { liquidity: 'tape', spread: '1', credit: { USD: MUCH, BTC: MUCH }, limits: null }
  const { failure } = await runBacktest(prepared(STRATEGY, { tapes: [tape], settings }), {
    onOrder: () => undefined,
    onFill: (fill) => void fills.push(fill),
    onProgress: () => undefined,
    onLog: () => undefined,
  })
  invariant(failure === undefined, `the strategy failed: ${failure?.message ?? ''}`)
  const indexes = new Map(candles.map(({ time }, index) => [time, index]))
  return fills.map(({ createdAt: time, side, price, qty }) => {
    const candle = indexes.get(WALK_BEGINS_AT + intervalOf(time) * WALK_INTERVAL_MS)
    invariant(candle !== undefined, 'an order is filled in a candle')
    return { candle, time, side, price: price.toNumber(), qty: qty.toNumber() }
  })
}

const intervalOf = (time: number): number => Math.floor((time - WALK_BEGINS_AT) / WALK_INTERVAL_MS)

/** Ticks from open to the first extreme from which on it pays. */
const FAR = 1

const STRATEGY: TestStrategy = {
  run: ({ trades }) => {
    let interval = -1
    let prices: number[] = []
    let held: 'BUY' | 'SELL' | undefined
    const order = (side: 'BUY' | 'SELL'): Intent => ({ type: 'market', symbol: SYMBOL, side, qty: 1 })
    const onTrade = (trade: MarketTrade): readonly Intent[] => {
      if (trade.isOwn) return []
      if (intervalOf(trade.createdAt) !== interval) prices = []
      interval = intervalOf(trade.createdAt)
      prices.push(trade.price.toNumber())
      const [open = 0, first = 0] = prices
      if (prices.length === 2 && Math.abs(first - open) >= FAR) {
        held = first < open ? 'BUY' : 'SELL'
        return [order(held)]
      }
      if (prices.length !== 3 || held === undefined) return []
      const back = held === 'BUY' ? 'SELL' : 'BUY'
      held = undefined
      return [order(back)]
    }
    return trades(SYMBOL).pipe(concatMap((trade): Observable<Intent> => from(onTrade(trade))))
  },
}
