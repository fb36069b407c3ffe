/** Validates the candles of a market in a snapshot. */
import { ALL_CANDLE_INTERVALS, CANDLE_INTERVAL_NAMES, candleOpenTime } from '../../domain/candle.ts'
import { InputError } from '../../domain/errors.ts'
import { TICKER_WINDOW_MS } from '../../domain/ticker.ts'
import type { CandleSeriesSnapshot, CandleSnapshot, CandlesSnapshot, StatisticsSnapshot } from './exchange-snapshot.ts'
import { checkEach, checkObject, isList, isUnitsText, isWhole, type Fault } from './snapshot-values.ts'

const SHORTEST_MS = Math.min(...Object.values(ALL_CANDLE_INTERVALS))

/** @throws {InputError} naming the first part that cannot be */
export function checkCandles(place: string, candles: CandlesSnapshot, statistics: StatisticsSnapshot): void {
  checkObject(place, candles)
  const { shortest, series } = candles
  const fault = faultOfShortest(shortest, statistics)
  if (fault !== undefined) throw new InputError(`snapshot ${place}.shortest`, fault)
  if (!isList(series) || series.length !== CANDLE_INTERVAL_NAMES.length) {
    throw new InputError(`snapshot ${place}.series`, `expected ${CANDLE_INTERVAL_NAMES.length} intervals`)
  }
  CANDLE_INTERVAL_NAMES.forEach((name, index) => {
    checkSeries(`${place}.series.${index}`, series[index], ALL_CANDLE_INTERVALS[name])
  })
}

/** It is made of trades that are still there, unless a ticker was read so late that they are outside of its window. */
function faultOfShortest(candle: CandleSnapshot | null, { lastPrice, readAt, window }: StatisticsSnapshot): Fault {
  if (candle === null) return lastPrice === 0 ? undefined : 'is missing'
  const fault = faultOfCandle(candle, SHORTEST_MS)
  if (fault !== undefined || candle[0] <= readAt - TICKER_WINDOW_MS) return fault
  const [time, open, high, low, close, volume] = candle
  const first = window.time.findIndex((each) => each >= time)
  const prices = first < 0 ? [] : window.price.slice(first)
  const lots = first < 0 ? [] : window.qty.slice(first)
  const isMade =
    prices[0] === open &&
    prices.at(-1) === close &&
    prices.reduce((most, price) => Math.max(most, price), 0) === high &&
    prices.reduce((least, price) => Math.min(least, price), high) === low &&
    lots.reduce((sum, qty) => sum + BigInt(qty), 0n) === BigInt(volume)
  return isMade ? undefined : 'is not made of the last trades'
}

function checkSeries(place: string, series: CandleSeriesSnapshot | undefined, intervalMs: number): void {
  checkObject(place, series)
  if (series === undefined) return
  const { finished, running } = series
  if (!isList(finished)) throw new InputError(`snapshot ${place}.finished`, 'expected a list')
  checkEach(place, running === null ? finished : [...finished, running], (candle, _, before) => {
    const fault = faultOfCandle(candle, intervalMs)
    return fault ?? (before === undefined || before[0] < candle[0] ? undefined : 'is not after the one ahead of it')
  })
}

function faultOfCandle(candle: CandleSnapshot, intervalMs: number): Fault {
  // Not by type: it may be of a damaged file.
  if (!isList(candle) || (candle as readonly unknown[]).length !== 6) return 'is no candle'
  const [time, open, high, low, close, volume] = candle
  if (!isWhole(time) || candleOpenTime(time, intervalMs) !== time) return `does not open at ${String(time)}`
  const isPriced = isWhole(low, 1) && isWhole(high, low) && isWhole(open, low, high) && isWhole(close, low, high)
  if (!isPriced) return 'has an open or a close beyond its extremes'
  return isUnitsText(volume) && BigInt(volume) >= 0n ? undefined : 'has no volume'
}
