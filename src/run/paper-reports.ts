/** The reports of a paper session, and the last of its files. */
import type { SeriesReport } from '../tape/series-info.ts'
import { SessionChart } from '../runtime/live/session-chart.ts'
import { invariant } from '../domain/errors.ts'
import { reportOfRun } from '../report/run/report-of-run.ts'
import type { RunFacts } from '../report/run/run-facts.ts'
import type { RunReport } from '../report/run/run-report.ts'
import type { Member } from '../runtime/backtest/backtest.ts'
import type { AccountFigures } from '../runtime/figures/account-figures.ts'
import { equityPointsOf } from '../runtime/figures/run-rows.ts'
import type { PaperMember, PaperResult, PaperSession } from '../runtime/live/paper-session.ts'
import type { PaperState } from '../runtime/live/paper-state.ts'
import type { PreparedPaper } from '../runtime/live/prepare-paper.ts'
import type { RebalanceTerms } from '../runtime/settings/rebalance-terms.ts'
import type { SetRiskTerms } from '../runtime/settings/risk-limits.ts'
import { version } from '../runtime/version.ts'
import { factsOfBacktest, runConfig } from './facts-of-backtest.ts'
import type { LiveFiles } from './live-files.ts'
import { amountTexts, sumOf } from '../runtime/live/paper-money.ts'
import type { NightlyStrategy } from './nightly/nightly.ts'
import type { PaperRun } from './paper-options.ts'
import { reportsOf } from './portfolio.ts'

/** A strategy that runs, and its files. */
export interface Running {
  readonly member: PaperMember
  readonly files: LiveFiles
  readonly chart: SessionChart
  firstEquity: string
}

/** @param member  called after the start */
export const chartOf = (
  { markets, quoteAsset }: Pick<PreparedPaper, 'markets' | 'quoteAsset'>,
  member: () => PaperSession['members'][number] | undefined,
): SessionChart => {
  const figures = (): AccountFigures => {
    const running = member()
    invariant(running !== undefined, 'a member runs')
    return running.run.figures
  }
  return new SessionChart({ markets, quoteAsset, figures })
}

/** Everything of a session that no strategy has. */
interface Wallet {
  /** Base URL of the service. */
  readonly url: string
  /** Undefined for a strategy that runs alone. */
  readonly wallet: LiveFiles | undefined
  readonly reserve: ReadonlyMap<string, bigint>
  readonly state: PaperState | undefined
  readonly walletRisk: SetRiskTerms | undefined
  readonly rebalance: RebalanceTerms | undefined
  readonly series: readonly SeriesReport[]
}

/** Strategies that still run, for their twins. */
export const soFarOnPaper = (
  members: readonly Member[],
  running: readonly Running[],
  series: readonly SeriesReport[],
): readonly NightlyStrategy[] =>
  running.flatMap(({ member: { name, prepared }, files }, index) => {
    const run = members[index]?.run
    if (run === undefined) return []
    const { loaded, quoteAsset, from: startedAt, params, reportedParams = params } = prepared
    const { session: { failure }, record } = run // prettier-ignore
    const own = { loaded, params: reportedParams, quoteAsset, config: runConfig(prepared), series, failure, record }
    return [{ kind: 'paper', directory: files.path, name, startedAt, ...own }]
  })

/** Completes the files of a session. */
export function paperRunOf(
  { results, total }: PaperResult,
  running: readonly Running[],
  { url, wallet, reserve, state, walletRisk, rebalance, series }: Wallet,
): PaperRun {
  const [first] = results
  invariant(first !== undefined, 'a session has a strategy')
  const { from: startedAt, to: endedAt, markets } = first.prepared
  const sessionOf = (name: string | undefined): Pick<RunFacts, 'paper' | 'series'> => {
    const continued = name === undefined ? undefined : state?.continuedOf(name)
    const paper = { url, startedAt, endedAt, ...(continued !== undefined && { continued }) }
    return { paper, ...(series.length > 0 && { series }) }
  }
  if (total === undefined || wallet === undefined) {
    const facts = factsOfBacktest(version(), first, undefined, (file) => file)
    const report = reportOfRun({ ...facts, ...sessionOf(running[0]?.member.name) })
    return ended(running[0]?.files, report, first.figures)
  }
  const members = running.map(({ member }) => member)
  const all = sumOf([reserve, ...members.map(({ prepared }) => prepared.credit)])
  const credit = { texts: amountTexts(all, markets) }
  const { report, parts } = reportsOf(
    { members, reserve, credit, walletRisk, rebalance },
    { results, total },
    sessionOf,
  )
  const strategies = parts.map(({ name, report: own, figures }, index) => ({
    name,
    ...ended(running[index]?.files, own, figures),
  }))
  return { ...ended(wallet, report, total.figures), strategies }
}

/** Completes the files of a strategy or a wallet. */
function ended(files: LiveFiles | undefined, report: RunReport, figures: AccountFigures): PaperRun {
  invariant(files !== undefined, 'a run has files')
  const { equity } = figures
  files.finish(report, figures)
  return { directory: files.path, report, equity: equityPointsOf(equity.samples, equity.scale) }
}
