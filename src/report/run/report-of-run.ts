/**
 * A finished backtest as its report.
 */
import { statisticsOf } from '../../analysis/statistics.ts'
import { auditToJson } from '../../domain/audit.ts'
import { balancesToJson } from '../../domain/balances.ts'
import type { StrategyError } from '../../domain/errors.ts'
import { formatTrimmed } from '../../domain/fixed-point.ts'
import { ACCOUNT } from '../../runtime/backtest/backtest-stage.ts'
import type { BacktestResult } from '../../runtime/backtest/backtest.ts'
import type { LiquidityBounds } from '../../runtime/backtest/liquidity-bounds.ts'
import type { PreparedBacktest } from '../../runtime/backtest/prepared-backtest.ts'
import { termsOf } from '../../runtime/settings/run-terms.ts'
import { runNotices } from './run-notices.ts'
import type { FailureReport, JsonValue, RunConfig, RunReport, TapeReport } from './run-report.ts'

/**
 * @param bounds    undefined when no resting order was filled
 * @param version   of papertape
 * @param pathOf    the absolute path of a file that the user named
 */
export function reportOfRun(
  version: string,
  result: BacktestResult,
  bounds: LiquidityBounds | undefined,
  pathOf: (file: string) => string,
): RunReport {
  const { prepared, exchange, figures, record } = result
  const { equity, traded, quality } = figures
  const { loaded, quoteAsset } = prepared
  const audit = exchange.audit()
  const [initialEquity, finalEquity] = [equity.initialEquity(), equity.equity()]
  const feesByAsset = new Map(audit.filter(({ fees }) => fees > 0n).map(({ asset, fees }) => [asset, fees]))
  return {
    version,
    strategy: {
      name: loaded.strategy.name,
      sha256: loaded.sha256,
      file: loaded.reference,
      path: loaded.isReady ? null : loaded.path,
    },
    params: JSON.parse(JSON.stringify(prepared.params)) as Readonly<Record<string, JsonValue>>,
    tapes: tapeReports(prepared, pathOf),
    config: runConfig(prepared),
    digest: result.digest,
    failure: failureReport(result),
    audit: auditToJson(audit),
    initialEquity: formatTrimmed(initialEquity, equity.scale),
    finalEquity: formatTrimmed(finalEquity, equity.scale),
    quoteAsset,
    partial: equity.isPartial,
    balances: balancesToJson(exchange.balances(ACCOUNT), exchange.scales),
    orders: record.orders,
    fills: record.fills,
    refusals: Object.fromEntries(record.refusals),
    statistics: statisticsOf({
      initialEquity,
      finalEquity,
      maxDrawdown: equity.maxDrawdown,
      prices: equity.prices,
      roundTrips: traded.roundTrips,
      fees: feesByAsset,
      scales: exchange.scales,
      exposure: equity.exposure,
    }),
    fillQuality: quality.report(),
    liquidityBounds: bounds ?? null,
    notices: runNotices(result),
  }
}

function tapeReports({ inspected }: PreparedBacktest, pathOf: (file: string) => string): readonly TapeReport[] {
  return inspected.map(({ source, info }) => {
    const { columns, candleTime, candleInterval, pricePrecision, qtyPrecision } = source
    const reading = {
      ...(columns === undefined ? {} : { columns }),
      ...(candleTime === undefined ? {} : { candleTime }),
      ...(candleInterval === undefined ? {} : { candleInterval }),
      ...(pricePrecision === undefined ? {} : { pricePrecision }),
      ...(qtyPrecision === undefined ? {} : { qtyPrecision }),
    }
    return { ...info, path: pathOf(source.file), reading }
  })
}

function runConfig({ settings, liquidity, creditTexts }: PreparedBacktest): RunConfig {
  const { makerFeeBps, takerFeeBps, ...others } = termsOf(settings)
  const model = { liquidity: liquidity.reference, liquiditySha256: liquidity.sha256 }
  return { credit: creditTexts, makerFeeBps, takerFeeBps, ...model, ...others, liquidity: liquidity.reference }
}

function failureReport({ failure, prepared }: BacktestResult): FailureReport | null {
  if (failure === undefined) return null
  return { message: failure.message, time: failure.time, place: placeOf(failure, prepared.loaded.path) }
}

/** `file:line:column` of the innermost frame of the strategy's own file in the stack of what it threw. */
function placeOf(failure: StrategyError, path: string): string | null {
  const thrown = failure.cause instanceof Error ? failure.cause : failure
  const frame = thrown.stack?.split('\n').find((line) => line.includes(path))
  const [, position] = frame === undefined ? [] : (/:(\d+:\d+)\)?$/.exec(frame) ?? [])
  return position === undefined ? null : `${path}:${position}`
}
