/**
 * Reads closed candles with missing trades from the service: its own candles, or candles aggregated from its newest
 * trades for intervals that it does not serve.
 */
import {
  ALL_CANDLE_INTERVALS,
  CANDLE_INTERVALS,
  candleOpenTime,
  type Candle,
  type CandleInterval,
} from '../../../domain/candle.ts'
import { RunningCandle } from '../../../exchange/statistics/running-candle.ts'
import type { WireTrade } from '../../../wire/wire-trade.ts'
import type { MarketReads } from '../rest/service-calls.ts'
import { MAX_READ } from './trade-sequence.ts'

/** Maximum number of candles per answer (decision 3). */
export const MAX_CANDLES = 1000

export type CandleReads = Pick<MarketReads, 'candles' | 'trades'>

/** Opening times, both inclusive. */
export interface CandleRange {
  readonly from: number
  readonly to: number
}

export interface ReadCandles {
  /** Oldest first. */
  readonly candles: readonly Candle[]
  /** False if the service no longer serves the whole range. */
  readonly isWhole: boolean
}

export const isServed = (interval: CandleInterval): boolean => Object.hasOwn(CANDLE_INTERVALS, interval)

/** @param now  the exchange's time, Unix milliseconds */
export async function readCandleRange(
  reads: CandleReads,
  symbol: string,
  interval: CandleInterval,
  range: CandleRange,
  now: number,
): Promise<ReadCandles> {
  if (!isServed(interval)) return fromTrades(await reads.trades(symbol, MAX_READ), symbol, interval, range)
  const wanted = Math.max(0, Math.ceil((now - range.from) / ALL_CANDLE_INTERVALS[interval])) + 2
  const limit = Math.min(MAX_CANDLES, wanted)
  const candles = await reads.candles(symbol, interval, limit)
  const isWhole = candles.length < limit || (candles[0]?.time ?? range.from) <= range.from
  return { candles: candles.filter(({ time }) => time >= range.from && time <= range.to), isWhole }
}

function fromTrades(
  newestFirst: readonly WireTrade[],
  symbol: string,
  interval: CandleInterval,
  { from, to }: CandleRange,
): ReadCandles {
  // There may be more trades in the oldest trade's millisecond.
  const oldest = newestFirst.at(-1)?.createdAt ?? Number.NEGATIVE_INFINITY
  const candles = candlesOf(newestFirst.toReversed(), symbol, interval)
  const whole = candles.filter(({ time }) => time > oldest && time >= from && time <= to)
  return { candles: whole, isWhole: from > oldest }
}

/** Aggregates trades to candles, oldest first. */
export function candlesOf(trades: readonly WireTrade[], symbol: string, interval: CandleInterval): readonly Candle[] {
  const candles: Candle[] = []
  const running = new RunningCandle()
  for (const { createdAt, price, qty } of trades) {
    const time = candleOpenTime(createdAt, ALL_CANDLE_INTERVALS[interval])
    if (!running.isEmpty && time !== running.time) candles.push(running.toCandle(symbol))
    if (running.isEmpty || time !== running.time) running.begin(time, price)
    running.trade(price, qty)
  }
  if (!running.isEmpty) candles.push(running.toCandle(symbol))
  return candles
}
