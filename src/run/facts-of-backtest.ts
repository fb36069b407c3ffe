/** A finished backtest as the facts of a report. */
import type { AccountFacts, RunFacts, RunRemarks } from '../report/run/run-facts.ts'
import type { BookReport, RunConfig, TapeReport } from '../report/run/run-report.ts'
import type { BacktestResult } from '../runtime/backtest/simulated-run.ts'
import type { LiquidityBounds } from '../runtime/backtest/liquidity-bounds.ts'
import type { PreparedBacktest } from '../runtime/backtest/prepared-backtest.ts'
import { termsOf } from '../runtime/settings/run-terms.ts'
import {
  EACH_BOOK_READING,
  EACH_READING,
  type BookReading,
  type TapeReading,
} from '../runtime/settings/tape-reading.ts'
import { failureReport, strategyReport } from './strategy-facts.ts'

/**
 * @param version   of papertape
 * @param bounds    undefined when no resting order was filled
 * @param pathOf    the absolute path of a file that the user named
 */
export function factsOfBacktest(
  version: string,
  result: BacktestResult,
  bounds: LiquidityBounds | undefined,
  pathOf: (file: string) => string,
): RunFacts {
  const { prepared, exchange } = result
  const { loaded } = prepared
  return {
    version,
    strategy: strategyReport(loaded),
    params: prepared.reportedParams ?? prepared.params,
    tapes: tapeReports(prepared, pathOf),
    ...(prepared.inspectedBooks.length > 0 && { books: bookReports(prepared, pathOf) }),
    ...(prepared.inspectedSeries.length > 0 && {
      series: prepared.inspectedSeries.map(({ info }) => ({ ...info, path: pathOf(info.file) })),
    }),
    config: runConfig(prepared),
    digest: result.digest,
    failure: failureReport(result.failure, loaded),
    account: accountFacts(result),
    audit: exchange.audit(),
    bounds: bounds ?? null,
    unfinishedCandles: result.unfinishedCandles,
    remarks: remarksOf(result),
  }
}

export const accountFacts = ({ prepared, exchange, account, figures, record }: BacktestResult): AccountFacts => ({
  quoteAsset: prepared.quoteAsset,
  scales: exchange.scales,
  balances: exchange.balances(account),
  figures,
  record,
})

const tapeReports = ({ inspected }: PreparedBacktest, pathOf: (file: string) => string): readonly TapeReport[] =>
  inspected.map(({ source, info }) => ({ ...info, path: pathOf(source.file), reading: readingOf(source) }))

const bookReports = ({ inspectedBooks }: PreparedBacktest, pathOf: (file: string) => string): readonly BookReport[] =>
  inspectedBooks.map(({ source, info }) => ({ ...info, path: pathOf(source.file), reading: bookReadingOf(source) }))

const bookReadingOf = (said: BookReading): BookReport['reading'] =>
  Object.fromEntries(
    EACH_BOOK_READING.flatMap(([name]) =>
      name === 'symbol' || !(name in said) ? [] : [[name, said[name as keyof BookReading]]],
    ),
  )

/** Reading options that were given, without the symbol. */
const readingOf = (said: TapeReading): Omit<TapeReading, 'symbol'> =>
  Object.fromEntries(
    EACH_READING.flatMap(([name]) => (name === 'symbol' || said[name] === undefined ? [] : [[name, said[name]]])),
  )

export function runConfig({ settings, liquidity, creditTexts }: PreparedBacktest): RunConfig {
  const { makerFeeBps, takerFeeBps, ...others } = termsOf(settings)
  const model = { liquidity: liquidity.reference, liquiditySha256: liquidity.sha256 }
  return { credit: creditTexts, makerFeeBps, takerFeeBps, ...model, ...others, liquidity: liquidity.reference }
}

function remarksOf({
  prepared,
  unsent,
  candles,
  usage,
  inexactMath,
  unrepeatable,
  prints,
}: BacktestResult): RunRemarks {
  const { liquidity, to } = prepared
  const remarks = [...candles]
  return {
    caution: liquidity.caution,
    guessedSpreads: remarks.flatMap(([symbol, { isSpreadGuessed }]) => (isSpreadGuessed ? [symbol] : [])),
    longWaits: remarks.flatMap(([symbol, { longWaits }]) => (longWaits.count > 0 ? [{ symbol, ...longWaits }] : [])),
    candleSymbols: remarks.map(([symbol]) => symbol),
    unsent,
    endedAt: to,
    usage,
    inexactMath,
    unrepeatable,
    prints: Object.fromEntries(prints),
  }
}
