/** The candles of a market of trades: those whose lengths the service lists. */
import { ALL_CANDLE_INTERVALS, CANDLE_INTERVAL_NAMES } from '../domain/candle.ts'
import type { ReportedCandles } from './exchange-adapter.ts'

/** Shortest first. */
export const LISTED_CANDLES: readonly ReportedCandles[] = CANDLE_INTERVAL_NAMES.map((interval) => ({
  interval,
  lengthMs: ALL_CANDLE_INTERVALS[interval],
  isAligned: true,
}))
