/**
 * Scenario for a trial of a strategy: markets, terms and faults. Plain values, so that it can be stored and replayed.
 */
import type { MarkedGap } from '../../tape/gap-marks.ts'
import type { ExchangeFault } from '../faults/exchange-fault.ts'
import type { SomeTerms } from '../generators/arbitraries.ts'
import type { TapeRows, TestCandle, TestTrade } from '../tapes/tape-rows.ts'

export interface ScenarioMarket {
  readonly symbol: string
  readonly rows: TapeRows
  readonly pricePrecision: number
  readonly qtyPrecision: number
  /** Time ranges with missing rows. */
  readonly gaps: readonly MarkedGap[]
}

export interface Scenario extends SomeTerms {
  readonly markets: readonly ScenarioMarket[]
  /** False if the exchange has no rate limits. */
  readonly hasLimits: boolean
  readonly faults: readonly ExchangeFault[]
  /** Unix milliseconds at which the strategy is killed and restarted, in order. */
  readonly restarts: readonly number[]
}

export type ScenarioRow = TestTrade | TestCandle

export const rowsOf = ({ rows }: ScenarioMarket): readonly ScenarioRow[] =>
  rows.kind === 'trades' ? rows.trades : rows.candles

/** The market with those of its rows alone. */
export const withRows = (
  market: ScenarioMarket,
  isIncluded: (row: ScenarioRow, index: number) => boolean,
): ScenarioMarket => {
  const { rows } = market
  const left: TapeRows =
    rows.kind === 'trades'
      ? { ...rows, trades: rows.trades.filter(isIncluded) }
      : { ...rows, candles: rows.candles.filter(isIncluded) }
  return { ...market, rows: left, gaps: gapsBetween(market.gaps, rowsOf({ ...market, rows: left })) }
}

/** Gaps that are still between two rows. */
const gapsBetween = (gaps: readonly MarkedGap[], rows: readonly ScenarioRow[]): readonly MarkedGap[] =>
  gaps.filter(({ from, to }) => rows.some(({ time }) => time <= from) && rows.some(({ time }) => time >= to))

export const rowCount = ({ markets }: Scenario): number =>
  markets.reduce((sum, market) => sum + rowsOf(market).length, 0)

/** Times of all rows, Unix milliseconds, oldest first. */
export const rowTimes = ({ markets }: Scenario): readonly number[] =>
  markets.flatMap((market) => rowsOf(market).map(({ time }) => time)).sort((a, b) => a - b)
