/**
 * Repeats a run and compares all files with those on disk. Before that, the hashes in its report reveal changed files.
 *
 * Known limit: no file records whether bounds were requested; a run without bounds is repeated without them.
 */
import { dirname, join, resolve } from 'node:path'
import { InputError } from '../domain/errors.ts'
import { formerReport } from '../report/run/former-report.ts'
import { reportOfRun } from '../report/run/report-of-run.ts'
import { PORTFOLIO } from '../report/run/portfolio-report.ts'
import type { PortfolioPart, RunReport, TapeReport } from '../report/run/run-report.ts'
import { runBacktest } from '../runtime/backtest/backtest.ts'
import { liquidityBounds } from '../runtime/backtest/liquidity-bounds.ts'
import { runPortfolio } from '../runtime/backtest/portfolio.ts'
import { prepareBacktest } from '../runtime/backtest/prepared-backtest.ts'
import { limitsThatAreOn } from '../runtime/settings/risk-limits.ts'
import { version } from '../runtime/version.ts'
import { settleRunDirectory } from '../store/runs/run-directory.ts'
import { REPORT_FILE } from '../store/runs/run-file-names.ts'
import { sealFaults, foreignFilesIn } from '../store/runs/run-seal.ts'
import { gapFileOf } from '../store/tapes/gap-file.ts'
import { factsOfBacktest } from './facts-of-backtest.ts'
import { reportsOf } from './portfolio.ts'
import { preparePortfolioAgain } from './prepared-portfolio.ts'
import { Comparison } from './repeated-run-files.ts'
import { Repeats } from './sweep/repeats.ts'
import { checkCanRun, checkUnchanged } from './repeatable-run.ts'
import { checkThere, readRunFile, type RunFile, settingsOfRun } from './run-file.ts'
import { forkedReport, preparedFork } from './prepared-fork.ts'

/** Outcome of running a run again. */
export interface Verification {
  /** `sha256:` and the lower-case hex SHA-256 of the new journal; undefined if the run cannot be repeated. */
  readonly digest: string | undefined
  /** The differences in words, each line with its place first; undefined if every file is the same to the byte. */
  readonly difference: string | undefined
  /** Names of other files in the directory, which are not compared. */
  readonly otherFiles: readonly string[]
  /** Former name of `otherFiles`. */
  readonly strangers: readonly string[]
  /** Version of papertape that wrote the run; undefined if its report can no longer be read. */
  readonly ranBy: string | undefined
}

/**
 * @param directory  as in `out` of a backtest
 * @throws {InputError} if it contains no run, or an unchanged run that cannot be repeated because its strategy or a
 * tape changed
 */
export async function verify(directory: string): Promise<Verification> {
  settleRunDirectory(directory)
  checkThere(directory)
  const foreign = foreignFilesIn(directory)
  const others = { otherFiles: foreign, strangers: foreign }
  const faults = sealFaults(directory).map(({ name, message }) => `${join(directory, name)}: ${message}`)
  try {
    const { digest, differences, ranBy } = await repeated(directory)
    const reported = [...faults, ...differences]
    return { digest, difference: reported.length === 0 ? undefined : reported.join('\n'), ...others, ranBy }
  } catch (error) {
    if (faults.length === 0 || !(error instanceof InputError)) throw error
    // Changed files may not be runnable: then the change itself is the result.
    const reported = [...faults, `it cannot be run again: ${error.message}`]
    return { digest: undefined, difference: reported.join('\n'), ...others, ranBy: undefined }
  }
}

interface Repetition {
  readonly digest: string
  readonly differences: readonly string[]
  readonly ranBy: string
}

/**
 * The report of a repeated run with the file names and the version of the original, so that everything else must be
 * equal.
 *
 * @param again  report of the repetition, which has absolute paths
 */
function asFirstNamed(again: RunReport, { version, strategy, tapes, books, series, flattering }: RunFile): object {
  const ofBooks = books.map(({ path, file }) => [path, file] as const)
  const ofTapes = tapes.flatMap(({ path, file, gaps }) => [
    ...(gaps === undefined ? [] : [[gapFileOf(path), gaps.file] as const]),
    [path, file] as const,
  ])
  const renames = [...ofTapes, ...ofBooks, ...series.map(({ path, file }) => [path, file] as const)]
  const renamed = (notices: readonly string[]): readonly string[] =>
    notices.map((notice) => renames.reduce((text, [path, name]) => text.replaceAll(path, name), notice))
  const named: RunReport = {
    ...again,
    version,
    strategy: { ...again.strategy, file: strategy.file },
    tapes: again.tapes.map((tape, index) => {
      const first = tapes[index]
      return first === undefined ? tape : tapeAsNamed(tape, first, renamed)
    }),
    ...(again.books !== undefined && {
      books: again.books.map((book, index) => {
        const first = books[index]
        return first === undefined ? book : { ...book, file: first.file, notices: renamed(book.notices) }
      }),
    }),
    ...(again.series !== undefined && {
      series: again.series.map((each, index) => ({ ...each, file: series[index]?.file ?? each.file })),
    }),
    notices: renamed(again.notices),
  }
  return flattering === undefined ? named : formerReport(named)
}

const tapeAsNamed = (
  tape: TapeReport,
  { file, gaps }: RunFile['tapes'][number],
  renamed: (notices: readonly string[]) => readonly string[],
): TapeReport => ({
  ...tape,
  file,
  ...(tape.gaps !== undefined && gaps !== undefined && { gaps: { ...tape.gaps, file: gaps.file } }),
  notices: renamed(tape.notices),
})

async function repeated(directory: string): Promise<Repetition> {
  const run = readRunFile(directory)
  if (run.partOf !== undefined) {
    const wallet = join(dirname(resolve(directory)), PORTFOLIO)
    const why = `is one of several strategies on one wallet, which run together: verify '${wallet}'`
    throw new InputError(join(directory, REPORT_FILE), why)
  }
  if (run.strategies !== undefined) return await repeatedPortfolio(directory, run, run.strategies)
  checkCanRun(directory, run)
  const prepared = await prepareBacktest(settingsOfRun(run), { isRecompiled: true })
  checkUnchanged(run, prepared)
  const comparison = new Comparison(prepared.markets, directory)
  try {
    const { forked, hooks } =
      run.fork === undefined ? { forked: prepared } : await preparedFork(prepared, run.fork, false)
    const result = await runBacktest(forked, comparison, undefined, hooks)
    const bounds = run.liquidityBounds === null ? undefined : await liquidityBounds(result)
    const plain = reportOfRun(factsOfBacktest(version(), result, bounds, (file) => resolve(file)))
    const own = run.fork === undefined ? plain : forkedReport(plain, run.fork)
    const repeats = new Repeats(run.nullTest?.tapes, run.robustness !== undefined)
    const report = { ...own, ...(await repeats.reports(prepared, own)) }
    const differences = comparison.finish(asFirstNamed(report, run), result.figures)
    return { digest: result.digest, differences, ranBy: run.version }
  } finally {
    comparison.close()
  }
}

/** Every strategy of a portfolio again, each with its own files, and those of their wallet. */
async function repeatedPortfolio(
  directory: string,
  wallet: RunFile,
  strategies: NonNullable<RunFile['strategies']>,
): Promise<Repetition> {
  const parts = strategies.map(({ name }) => {
    const path = join(dirname(resolve(directory)), name)
    checkThere(path)
    const run = readRunFile(path)
    checkCanRun(path, run)
    return { name, path, run, faults: sealFaults(path).map((fault) => `${join(path, fault.name)}: ${fault.message}`) }
  })
  const prepared = await preparePortfolioAgain(
    parts.map(({ name, run }) => ({ name, settings: settingsOfRun(run) })),
    { ...wallet.config, reserve: wallet.reserve ?? {} },
  )
  prepared.members.forEach((member, index) => {
    const run = parts[index]?.run
    if (run !== undefined) checkUnchanged(run, member.prepared)
  })
  const markets = prepared.members[0]?.prepared.markets ?? []
  const comparisons = parts.map(({ path }) => new Comparison(markets, path))
  const ofWallet = new Comparison(markets, directory)
  ofWallet.begin()
  try {
    const members = prepared.members.flatMap((member, index) => {
      const outside = comparisons[index]
      return outside === undefined ? [] : [{ ...member, outside }]
    })
    const risk = limitsThatAreOn(prepared.walletRisk)
    const { reserve, rebalance } = prepared
    const result = await runPortfolio({ members, reserve, risk, rebalance, outside: ofWallet, isDrawn: true })
    const reports = reportsOf(prepared, result)
    const differences = reports.parts.flatMap(({ report, figures }, index) => {
      const { run = wallet, faults = [] } = parts[index] ?? {}
      return [...faults, ...(comparisons[index]?.finish(asFirstNamed(report, run), figures) ?? [])]
    })
    const again = asFirstNamed(reports.report, wallet)
    const named = {
      ...again,
      strategies: reports.report.strategies?.map((part, index) => asNamedPart(part, parts[index]?.run)),
    }
    const all = [...differences, ...ofWallet.finish(named, result.total.figures)]
    return { digest: reports.report.digest, differences: all, ranBy: wallet.version }
  } finally {
    for (const each of [...comparisons, ofWallet]) each.close()
  }
}

const asNamedPart = (part: PortfolioPart, run: RunFile | undefined): PortfolioPart =>
  run === undefined ? part : { ...part, strategy: { ...part.strategy, file: run.strategy.file } }
