/** Statistics of a run, from the figures of its account and its settings. */
import { statisticsOf, type RunFigures, type Statistics } from '../../analysis/statistics.ts'
import { statsPeriodMs } from '../../runtime/settings/run-terms.ts'
import { seededRandom } from '../../runtime/strategies/seeded-random.ts'
import type { AccountFacts } from './run-facts.ts'
import type { RunConfig } from './run-report.ts'

/** Equity samples of a run. */
export function samplingOf(
  { figures: { equity } }: AccountFacts,
  config: RunConfig,
): Pick<RunFigures, 'initialEquity' | 'isPartialAtStart' | 'from' | 'samples' | 'sampling'> {
  return {
    initialEquity: equity.initialEquity(),
    isPartialAtStart: equity.isPartialAtStart,
    from: equity.from,
    samples: equity.periodSamples,
    sampling: {
      periodMs: statsPeriodMs(config),
      periodsPerYear: config.periodsPerYear ?? undefined,
      riskFreeRate: config.riskFreeRate,
    },
  }
}

export function runStatistics(account: AccountFacts, config: RunConfig): Statistics {
  const { quoteAsset, scales, figures, record } = account
  const { equity, traded } = figures
  const { parts, scale } = equity
  return statisticsOf({
    ...samplingOf(account, config),
    finalEquity: equity.equity(),
    factor: equity.factor,
    scale,
    drawdown: equity.drawdown.max,
    firstMarks: equity.firstMarks,
    prices: equity.prices,
    roundTrips: traded.roundTrips.closed,
    trips: traded.tripStatistics(quoteAsset, scales.get(quoteAsset) ?? 0),
    openTrips: traded.openTrips((symbol) => equity.mark(symbol).lastPrice),
    fees: traded.fees,
    scales,
    exposure: equity.exposure,
    feesInQuote: parts.fees,
    profit: equity.isPartial || equity.isPartialAtStart ? null : parts.profit,
    traded: parts.traded,
    ...record.limitOrders,
    random: seededRandom(config.seed),
  })
}
