/**
 * Decimals that a page shows of prices and of amounts: as many as the tick of the market has. The exact text is in the
 * hover and in the files of the run.
 */
import { recordedSpans } from '../../runtime/backtest/recorded-spans.ts'
import type { RunReport } from '../run/run-report.ts'

/** Money has cents even where the tick is a whole unit. */
const MIN_MONEY_DECIMALS = 2

/** Decimals by market. */
export type Decimals = Readonly<Record<string, number>>

/** @param others  markets that are in no tape, such as those of a live session */
export function priceDecimals(report: RunReport, others: readonly Market[] = []): Decimals {
  const markets: readonly Market[] = [...others, ...recordedSpans(report)]
  return Object.fromEntries(markets.map(({ symbol, pricePrecision }) => [symbol, pricePrecision]))
}

interface Market {
  readonly symbol: string
  readonly pricePrecision: number
}

/** Decimals of amounts in the quote asset of each market. */
export const moneyDecimals = (prices: Decimals): Decimals =>
  Object.fromEntries(Object.entries(prices).map(([symbol, places]) => [symbol, Math.max(MIN_MONEY_DECIMALS, places)]))

/** Decimals of amounts in the quote asset of a run: those of its finest market. Undefined without a tape. */
export function quoteDecimals(report: RunReport): number | undefined {
  const places = Object.values(moneyDecimals(priceDecimals(report)))
  return places.length === 0 ? undefined : Math.max(...places)
}
