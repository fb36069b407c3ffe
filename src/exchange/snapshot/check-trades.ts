/** Looks at the trades and the statistics of a market in a snapshot. */
import { ALL_CANDLE_INTERVALS, CANDLE_INTERVAL_NAMES, candleOpenTime } from '../../domain/candle.ts'
import { CROWD } from '../../domain/command.ts'
import { InputError } from '../../domain/errors.ts'
import { TICKER_WINDOW_MS } from '../../domain/ticker.ts'
import type { Trade } from '../../domain/trade.ts'
import type {
  CandleSeriesSnapshot,
  CandleSnapshot,
  CandlesSnapshot,
  StatisticsSnapshot,
  TradeColumns,
} from './exchange-snapshot.ts'
import type { SnapshotIds } from './snapshot-ids.ts'
import { checkEach, checkObject, type Fault, isList, isUnitsText, isWhole } from './snapshot-values.ts'

const SHORTEST_MS = Math.min(...Object.values(ALL_CANDLE_INTERVALS))

/** @throws {InputError} naming the first part that cannot be */
function checkCandles(place: string, candles: CandlesSnapshot, statistics: StatisticsSnapshot): void {
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

/** @param symbol  of the market that it is to be of; undefined for any that is there */
export function faultOfTrade(trade: Trade, symbol: string | undefined, ids: SnapshotIds): Fault {
  // Not by type: it may be of a damaged file.
  if (typeof trade !== 'object' || (trade as unknown) === null) return 'has no trade'
  const { id, price, qty, buyOrderId, sellOrderId, buyerId, sellerId, isBuyerMaker, createdAt } = trade
  if (!ids.isTradeId(id)) return `no trade ${String(id)} was given out`
  const isListed = symbol === undefined ? ids.hasSymbol(trade.symbol) : trade.symbol === symbol
  if (!isListed) return `trade ${id} is of '${trade.symbol}'`
  if (!isWhole(price, 1) || !isWhole(qty, 1)) return `trade ${id} has no price or no quantity`
  if (!areOrders(buyOrderId, sellOrderId, ids)) return `trade ${id} has no two orders`
  if (!areThere(ids, buyerId, sellerId))
    return `trade ${id} is of '${buyerId}' and '${sellerId}', who are not both there`
  if (typeof isBuyerMaker !== 'boolean') return `trade ${id} does not say who made it`
  if (!ids.isTime(createdAt)) return `trade ${id} was at ${String(createdAt)}`
  return ids.isSameTrade(trade) ? undefined : `trade ${id} has two versions`
}

const areOrders = (buy: unknown, sell: unknown, ids: SnapshotIds): boolean =>
  ids.isOrderId(buy) && ids.isOrderId(sell) && buy !== sell

const areThere = (ids: SnapshotIds, ...parties: readonly string[]): boolean =>
  parties.every((party) => party === CROWD || ids.hasAccount(party))

/** @throws {InputError} naming the first part that cannot be */
export function checkStatistics(place: string, symbol: string, statistics: StatisticsSnapshot, ids: SnapshotIds): void {
  checkObject(place, statistics)
  const { lastPrice, lastTime, readAt, trades, window, correction, candles } = statistics
  if (![lastPrice, lastTime, readAt].every((value) => isWhole(value))) {
    throw new InputError(`snapshot ${place}`, 'has no last price, or no time of it')
  }
  checkEach(`${place}.trades`, trades, (trade, _, before) => {
    const fault = faultOfTrade(trade, symbol, ids)
    return fault ?? (before === undefined || before.id < trade.id ? undefined : `trade ${trade.id} comes too late`)
  })
  checkColumns(`${place}.window`, window, (qty) => isWhole(qty))
  checkColumns(`${place}.correction`, correction, (qty) => Number.isSafeInteger(qty))
  const isOutside = lastPrice === 0 || lastTime <= readAt - TICKER_WINDOW_MS
  const isLast =
    window.time.length === 0 ? isOutside : window.time.at(-1) === lastTime && window.price.at(-1) === lastPrice
  if (!isLast || (lastPrice === 0 && lastTime !== 0)) {
    throw new InputError(`snapshot ${place}`, 'the last price is not that of the last trade')
  }
  checkCandles(`${place}.candles`, candles, statistics)
}

function checkColumns(place: string, columns: TradeColumns, isQty: (qty: number) => boolean): void {
  checkObject(place, columns)
  const { time, price, qty } = columns
  const isTable = [time, price, qty].every((column) => isList(column) && column.length === time.length)
  if (!isTable) throw new InputError(`snapshot ${place}`, 'expected three columns of one length')
  const row = time.findIndex((each, index) => {
    const isTrade = isWhole(each) && isWhole(price[index], 1) && isQty(qty[index] ?? Number.NaN)
    return !isTrade || each < (time[index - 1] ?? 0)
  })
  if (row >= 0) throw new InputError(`snapshot ${place}.${row}`, 'is no trade, or before the one ahead of it')
}
