/** A backtest of several strategies on one wallet, from options to files and reports. */
import { join, resolve } from 'node:path'
import { InputError, invariant, throwIfAborted } from '../domain/errors.ts'
import { setting } from '../domain/setting-name.ts'
import { without } from '../domain/without.ts'
import { PORTFOLIO, portfolioDigest, portfolioReport, type PartFacts } from '../report/run/portfolio-report.ts'
import { reportOfRun } from '../report/run/report-of-run.ts'
import type { RunFacts, RunRemarks } from '../report/run/run-facts.ts'
import type { RunReport } from '../report/run/run-report.ts'
import { allottedCapital, type Capital } from '../runtime/backtest/capital.ts'
import {
  runPortfolio,
  type PortfolioMember,
  type PortfolioResult,
  type PortfolioRun,
} from '../runtime/backtest/portfolio.ts'
import type { BacktestResult } from '../runtime/backtest/simulated-run.ts'
import type { AccountFigures } from '../runtime/figures/account-figures.ts'
import { equityPointsOf, type EquityPoint } from '../runtime/figures/run-rows.ts'
import type { RebalanceOptions } from '../runtime/settings/rebalance-terms.ts'
import { limitsThatAreOn } from '../runtime/settings/risk-limits.ts'
import { version } from '../runtime/version.ts'
import type { Strategy } from '../strategy/strategy.ts'
import type { BacktestOptions, RiskOptions } from './backtest-options.ts'
import { factsOfBacktest } from './facts-of-backtest.ts'
import { named, prepareAll, type AskedStrategy, type PreparedPortfolio } from './prepared-portfolio.ts'
import { sinkOf } from './files-sink.ts'
import type { RunFiles } from './run-files.ts'
import { rebalanceTerms } from './rebalance-of-options.ts'
import { settingsOfOptions, walletRiskTerms } from './settings-of-options.ts'
import { uniqueNames } from './strategy-names.ts'

/** A strategy of a portfolio. */
export interface PortfolioStrategy {
  /** Strategy from `defineStrategy`, name of a ready strategy, or path of a file. */
  readonly strategy: Strategy | string
  /** Unique name: letters, digits, `-` and `_`; default: that of the strategy, with a number if several have it. */
  readonly name?: string | undefined
  /** Parameters of the strategy. A missing `symbol` is the market of the first tape. */
  readonly params?: Readonly<Record<string, unknown>> | undefined
  /** Parameters as strings, as on a command line. They override `params`. */
  readonly paramTexts?: Readonly<Record<string, string>> | undefined
  /** Part of the credit; default: an equal part of what the others leave. */
  readonly capital?: Capital | undefined
  /** Risk limits, which are checked against this strategy's own book; default: those of the portfolio. */
  readonly risk?: RiskOptions | undefined
}

/** Options of a portfolio: those of a backtest, which every strategy shares, and the strategies. */
export interface PortfolioOptions extends Omit<
  BacktestOptions,
  'strategy' | 'params' | 'paramTexts' | 'bounds' | 'db' | 'keepRows' | 'onLog'
> {
  /** At least one. */
  readonly strategies: readonly PortfolioStrategy[]
  /**
   * Risk limits of all strategies together, besides those of each; default: none. A reached loss limit holds every
   * strategy.
   */
  readonly walletRisk?: RiskOptions | undefined
  /**
   * Moves free quote asset between the strategies at given times, such as `{ rule: 'equal', every: '1w' }`; default:
   * never.
   */
  readonly rebalance?: RebalanceOptions | undefined
  /**
   * Directory with a run directory for each strategy, by its name, and `portfolio` for the wallet; default: no files.
   */
  readonly out?: string | undefined
  /** Called with each message that a strategy logs, and its virtual Unix milliseconds. */
  readonly onLog?: ((strategy: string, time: number, message: string) => void) | undefined
}

/** A finished portfolio. */
export interface PortfolioBacktest {
  /** The content of `run.json` of the wallet, without the hashes of the files. */
  readonly report: RunReport
  /** Equity of the wallet: at most 2000 points, oldest first. */
  readonly equity: readonly EquityPoint[]
  /** The same for each strategy, in the order of the options. */
  readonly strategies: readonly {
    readonly name: string
    readonly report: RunReport
    readonly equity: readonly EquityPoint[]
  }[]
}

/**
 * Runs several strategies on recorded markets and one wallet. The same options give the same digest.
 *
 * @throws {InputError} naming the option, the file, or the row of a file that is wrong
 * @throws {AbortError} when `signal` aborts; no files are left
 */
export async function backtestPortfolio(options: PortfolioOptions): Promise<PortfolioBacktest> {
  const { signal, out } = options
  const prepared = await preparePortfolio(options)
  const files = out === undefined ? undefined : await filesOf(prepared, out, options.force ?? false)
  try {
    const result = await runPortfolio(listened(prepared, files, options), signal)
    throwIfAborted(signal)
    return finish(prepared, result, files)
  } catch (error) {
    for (const each of files ?? []) each.abandon()
    throw error
  }
}

/** @throws {InputError} for every mistake in the user's input @throws {AbortError} if `signal` is aborted */
export async function preparePortfolio(options: PortfolioOptions): Promise<PreparedPortfolio> {
  const asked = askedOf(options)
  const walletRisk = walletRiskTerms(options.walletRisk)
  throwIfAborted(options.signal)
  const capitals = asked.map(({ capital }) => capital)
  const rebalance = rebalanceTerms(options.rebalance, capitals)
  const ready = await prepareAll(asked, options, (source) => allottedCapital(capitals, source))
  return { ...ready, walletRisk, rebalance }
}

/** Files of the strategies, in order, and last those of the wallet. */
type PortfolioFiles = readonly RunFiles[]

async function filesOf({ members }: PreparedPortfolio, out: string, replaces: boolean): Promise<PortfolioFiles> {
  const { RunFiles } = await import('./run-files.ts')
  const files: RunFiles[] = []
  try {
    for (const name of [...members.map((member) => member.name), PORTFOLIO]) {
      files.push(new RunFiles({ out: join(out, name), replaces, db: undefined }, members[0]?.prepared.markets ?? []))
    }
  } catch (error) {
    for (const each of files) each.abandon()
    throw error
  }
  files.at(-1)?.begin()
  return files
}

/** The strategies with the files and the program as their listeners. */
function listened(
  { members, reserve, walletRisk, rebalance }: PreparedPortfolio,
  files: PortfolioFiles | undefined,
  { onLog, onProgress }: PortfolioOptions,
): PortfolioRun {
  return {
    members: members.map((member, index) => {
      const { from, to } = member.prepared
      const own = files?.[index]
      return {
        ...member,
        outside: {
          ...sinkOf(own, (time, message) => onLog?.(member.name, time, message)),
          onLines: (text) => own?.onLines(text),
          onProgress: (rows, time) => onProgress?.({ rows, time, from, to }),
        },
      }
    }),
    reserve,
    risk: limitsThatAreOn(walletRisk),
    rebalance,
    outside: sinkOf(files?.at(-1)),
    isDrawn: files !== undefined,
  }
}

/** Reports, and the files of the wallet last: they name the digests of the others. */
function finish(
  prepared: PreparedPortfolio,
  result: PortfolioResult,
  files: PortfolioFiles | undefined,
): PortfolioBacktest {
  const { report, parts } = reportsOf(prepared, result)
  parts.forEach((part, index) => files?.[index]?.finish(part.report, part.figures))
  files?.at(-1)?.finish(report, result.total.figures)
  return {
    report,
    equity: pointsOf(result.total.figures),
    strategies: parts.map(({ name, report: own, figures }) => ({ name, report: own, equity: pointsOf(figures) })),
  }
}

const pointsOf = ({ equity }: AccountFigures): readonly EquityPoint[] => equityPointsOf(equity.samples, equity.scale)

interface PortfolioReports {
  /** Report of the wallet. */
  readonly report: RunReport
  readonly parts: readonly PartFacts[]
}

/**
 * The reports of the strategies, and that of the wallet.
 *
 * @param sessionOf  facts of a session in real time, by strategy; undefined for the wallet
 */
export function reportsOf(
  {
    members,
    reserve,
    credit,
    walletRisk,
    rebalance,
  }: Pick<PreparedPortfolio, 'reserve' | 'credit' | 'walletRisk' | 'rebalance'> & {
    readonly members: readonly Pick<PortfolioMember, 'name'>[]
  },
  { results, total }: PortfolioResult,
  sessionOf: (name: string | undefined) => Pick<RunFacts, 'paper' | 'series'> = () => ({}),
): PortfolioReports {
  const pathOf = (file: string): string => resolve(file)
  const parts = results.map((result, index): PartFacts => {
    const name = members[index]?.name ?? ''
    const report = reportOfRun({ ...factsOfBacktest(version(), result, undefined, pathOf), ...sessionOf(name) })
    return { name, report: { ...report, partOf: name }, figures: result.figures }
  })
  const [first] = results
  invariant(first !== undefined, 'a portfolio has a strategy')
  checkSum(total.figures, results, reserve)
  const { quoteAsset } = first.prepared
  const { scales } = first.exchange
  const facts = { ...factsOfBacktest(version(), first, undefined, pathOf), ...sessionOf(undefined) }
  const wallet: RunFacts = {
    ...facts,
    strategy: { name: PORTFOLIO, sha256: null, file: PORTFOLIO, path: null, imports: [], packages: [] },
    params: {},
    config: {
      ...facts.config,
      credit: credit.texts,
      ...(walletRisk !== undefined && { walletRisk }),
      ...(rebalance !== undefined && { rebalance }),
    },
    digest: portfolioDigest(results.map(({ digest }) => digest)),
    failure: null,
    account: { quoteAsset, scales, balances: total.balances, figures: total.figures, record: total.record },
    audit: total.audit,
    unfinishedCandles: results.reduce((sum, { unfinishedCandles }) => sum + unfinishedCandles, 0),
    remarks: walletRemarks(facts, results),
  }
  return { report: portfolioReport(reportOfRun(wallet), total.figures, parts, { units: reserve, scales }), parts }
}

/** Remarks on markets and model are those of every strategy; the others are added up. */
function walletRemarks({ remarks }: RunFacts, results: readonly BacktestResult[]): RunRemarks {
  return {
    ...without(remarks, 'usage'),
    unsent: results.reduce((sum, { unsent }) => sum + unsent, 0),
    inexactMath: [...new Set(results.flatMap(({ inexactMath }) => inexactMath))],
    unrepeatable: results.flatMap(({ unrepeatable }) => unrepeatable),
  }
}

/** The books of the strategies add up to the wallet, to the last digit. */
function checkSum(
  total: AccountFigures,
  results: readonly BacktestResult[],
  reserve: PreparedPortfolio['reserve'],
): void {
  if ([...reserve.values()].some((units) => units > 0n)) return
  const sum = results.reduce((all, { figures }) => all + figures.equity.equity(), 0n)
  invariant(sum === total.equity.equity(), `the strategies have ${sum}, their wallet ${total.equity.equity()}`)
}

/** The options of each strategy, with those that all share. */
function askedOf(options: PortfolioOptions): readonly AskedStrategy[] {
  const { strategies, risk, ...shared } = without(options, 'onLog', 'walletRisk', 'rebalance')
  if (!Array.isArray(strategies) || strategies.length === 0)
    throw new InputError(setting('strategies'), 'expected at least one strategy')
  const asked = strategies.map((each: PortfolioStrategy, index) => ({
    capital: each.capital,
    given: each.name,
    asked: named(index, () => {
      const { strategy, params, paramTexts } = each
      return settingsOfOptions({ ...shared, strategy, params, paramTexts, risk: { ...risk, ...each.risk } })
    }),
  }))
  const names = uniqueNames(
    asked.map(({ given, asked: { settings, given: parts } }) => ({
      given,
      fallback: baseName(parts.strategy?.name ?? settings.strategy),
    })),
    PORTFOLIO,
  )
  return asked.map(({ capital, asked: each }, index) => ({ name: names[index] ?? '', capital, asked: each }))
}

/** The name of a ready strategy, or that of a file without folder and extension. */
const baseName = (reference: string): string =>
  reference
    .replace(/^.*[/\\]/, '')
    .replace(/\.[cm]?[jt]s$/, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
