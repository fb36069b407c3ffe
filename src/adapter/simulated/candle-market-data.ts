/**
 * The candle intervals that a market emits: for a candle tape its own and those aggregated from it. Others are refused
 * with a message that names them.
 */
import { lengthNameOf, lengthText, type CandleLength } from '../../domain/candle-length.ts'
import { InputError } from '../../domain/errors.ts'
import { WEEK_MS } from '../../domain/time.ts'
import type { CandleMarket } from '../../simulation/candles/candle-market.ts'
import type { EarlierCandles, ReportedCandles } from '../exchange-adapter.ts'
import { LISTED_CANDLES } from '../listed-candles.ts'

/** Candles before those of the tape: none. */
export const NOTHING_EARLIER: EarlierCandles = { since: Number.NEGATIVE_INFINITY, candles: [] }

/** @throws {InputError} for a market that was recorded as candles */
export function refuseTradesOfCandles(symbol: string, candles: CandleMarket | undefined): void {
  if (candles === undefined) return
  const has = `its tape has candles of ${candlesWords(candles)}, which contain no trades`
  const [example] = reportedCandlesOf(candles)
  const instead = example === undefined ? '' : `; use candles('${symbol}', '${example.interval}')`
  throw new InputError(`trades('${symbol}')`, `${has}${instead}`)
}

/** Shortest first. @param candles  undefined for a market of trades, which emits all listed intervals */
export function reportedCandlesOf(candles: CandleMarket | undefined): readonly ReportedCandles[] {
  if (candles === undefined) return LISTED_CANDLES
  const { intervalMs: lengthMs, isAligned, closesAtNext, zone } = candles
  const interval = lengthNameOf(lengthMs)
  // Weeks of a tape may begin on any day.
  const isOnGrid = isAligned && lengthMs % WEEK_MS !== 0
  const own = interval === undefined ? [] : [{ interval, lengthMs, isAligned: isOnGrid, hasNoLength: closesAtNext }]
  if (closesAtNext) return own
  const isMultiple = (listed: ReportedCandles): boolean =>
    listed.lengthMs > lengthMs && listed.lengthMs % lengthMs === 0
  const all = [...own, ...LISTED_CANDLES.filter((listed) => isAligned && isMultiple(listed))]
  return zone === undefined ? all : all.map((each) => ({ ...each, zone }))
}

/** @throws {InputError} for an interval that the market does not emit */
export function reportedInterval(
  symbol: string,
  interval: CandleLength,
  candles: CandleMarket | undefined,
): CandleLength {
  const reported = reportedCandlesOf(candles).map((each) => each.interval)
  if (reported.includes(interval)) return interval
  const names = reported.join(', ')
  if (candles === undefined) throw new InputError('interval', `no candles of '${interval}'; there are ${names}`)
  const has = candles.closesAtNext
    ? 'its tape has candles without a common length'
    : `its tape has candles of ${candlesWords(candles)}`
  const asked = candles.closesAtNext
    ? `ask for ${names}, the only interval of the tape`
    : `ask for ${names}, or a multiple`
  const instead = reported.length === 0 ? 'none of the intervals can be made of them' : asked
  throw new InputError(`candles('${symbol}', '${interval}')`, `${has}; ${instead}`)
}

/** Their length: `1m`. */
export const candlesWords = ({ intervalMs }: CandleMarket): string => lengthText(intervalMs)
