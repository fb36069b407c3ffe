/** Continues a finished backtest from a moment with one thing changed. */
import { join, resolve } from 'node:path'
import { InputError } from '../domain/errors.ts'
import { setting } from '../domain/setting-name.ts'
import { DAY_MS, isoTime } from '../domain/time.ts'
import { reportOfRun } from '../report/run/report-of-run.ts'
import type { ForkReport, RunReport } from '../report/run/run-report.ts'
import { runBacktest } from '../runtime/backtest/backtest.ts'
import { prepareBacktest, type PreparedBacktest } from '../runtime/backtest/prepared-backtest.ts'
import { readParams, type ParamValues } from '../runtime/strategies/params.ts'
import { loadStrategy, type LoadedStrategy } from '../runtime/strategies/strategy-file.ts'
import { unwatched } from '../runtime/heartbeat.ts'
import { version } from '../runtime/version.ts'
import { settleRunDirectory } from '../store/runs/run-directory.ts'
import { REPORT_FILE } from '../store/runs/run-file-names.ts'
import type { SimulatedRunListener } from '../runtime/backtest/simulated-run.ts'
import type { PlaceIntent } from '../strategy/place-intent.ts'
import type { FeeOptions, RiskOptions } from './backtest-options.ts'
import { factsOfBacktest } from './facts-of-backtest.ts'
import { addedOrder } from './fork-order.ts'
import { momentOf, type PlacedOrder, placedOrder, SameUntil } from './fork-moment.ts'
import { ADDED_TAG, forkedReport, laterLiquidity, preparedFork } from './prepared-fork.ts'
import { checkCanRun, checkUnchanged } from './repeatable-run.ts'
import { checkThere, readRunFile, type RunFile, settingsOfRun } from './run-file.ts'
import { sinkOf } from './files-sink.ts'
import { RunFiles } from './run-files.ts'
import { changedTerms } from './settings-of-options.ts'
import { strategyReport } from './strategy-facts.ts'

/** Differences of a fork from its run. */
export interface ForkChange {
  /**
   * Parameters that change, as text or as values; the others stay. Those of another strategy begin with its defaults.
   */
  readonly params?: Readonly<Record<string, unknown>> | undefined
  /** Ready strategy, or path of a strategy file, that decides from then on; default: that of the run. */
  readonly strategy?: string | undefined
  /**
   * True if the strategy begins at that moment, as after a restart, and so without what came before. Default: it
   * receives everything from the start of the run, and what it wants before the moment is dropped.
   */
  readonly restart?: boolean | undefined
  /** Id of an order that the exchange refuses. */
  readonly without?: string | undefined
  /** An order that is placed then, also as text: `buy 0.1 BTC_USD`, or `sell 0.1 BTC_USD at 42000`. */
  readonly add?: PlaceIntent | string | undefined
  /** Order latency, in milliseconds. */
  readonly orderLatency?: number | undefined
  /** Response latency, in milliseconds. */
  readonly responseLatency?: number | undefined
  /**
   * Fees in basis points, for every fill from then on: also of an order that rests already. A resting buy order
   * reserves for them, the oldest first; one that the balance cannot pay any more is cancelled.
   */
  readonly fees?: FeeOptions | undefined
  /**
   * Name of a liquidity model, or path of a file with one, that has learnt everything before. The queue ahead of an
   * order that rests already stays.
   */
  readonly liquidity?: string | undefined
  /**
   * Risk limits, or `off` for one that ends. Equity, its peak and the orders of the last minute count from the start of
   * the run.
   */
  readonly risk?: RiskOptions | undefined
}

/** Options of `fork`. */
export interface ForkOptions extends ForkChange {
  /** Directory of a finished backtest, written by `out`. */
  readonly run: string
  /**
   * The moment: a date or Unix milliseconds, `order:ID` for the time at which an order was placed, or `fill:ID` for
   * that of a fill. Default: that of the order in `without`.
   */
  readonly at?: string | number | undefined
  /** Directory of the new run. */
  readonly out: string
  /** Replaces an earlier run there; default: false. */
  readonly force?: boolean | undefined
  /** Stops it; then nothing is written. */
  readonly signal?: AbortSignal | undefined
}

/** The run of a fork. */
export interface ForkedRun {
  /** The content of its `run.json`, without the hashes of the files. */
  readonly report: RunReport
  /** Number of lines of the journal before the moment, which are the same in both. */
  readonly sameLines: number
  /** True if nothing differs after it, either. */
  readonly isSame: boolean
  /** Reason why the added order was refused; undefined if it was not. */
  readonly refusal: string | undefined
}

/**
 * Runs a finished backtest again, and lets one thing differ from a moment on. Until then, both journals are the same.
 *
 * @throws {InputError} if the run cannot be repeated, or for what is wrong in the options
 * @throws {AbortError} when `signal` aborts; no files are left
 */
export async function fork(options: ForkOptions): Promise<ForkedRun> {
  const { run: directory, out, force = false, signal } = options
  settleRunDirectory(directory)
  checkThere(directory)
  const run = readRunFile(directory)
  if (run.strategies !== undefined || run.partOf !== undefined || run.fork !== undefined) {
    const what =
      run.fork !== undefined ? 'is a fork already' : run.partOf === undefined ? `has ${WALLET}` : `is one of ${WALLET}`
    throw new InputError(join(directory, REPORT_FILE), `${what}, which cannot be forked`)
  }
  checkCanRun(directory, run)
  if (resolve(out) === resolve(directory)) throw new InputError(setting('out'), 'is the run itself: name another one')
  const prepared = await prepareBacktest(settingsOfRun(run))
  checkUnchanged(run, prepared)
  const forkReport = await reportedFork(directory, run, { prepared, options })
  const { forked, isSilent, hooks } = await preparedFork(prepared, forkReport, true)
  const files = new RunFiles({ out, replaces: force, db: undefined }, prepared.markets)
  const same = new SameUntil(directory, forkReport.at)
  let refusal: string | undefined
  try {
    const sink: SimulatedRunListener = {
      ...sinkOf(files),
      onLines: (text) => {
        same.take(text)
        files.onLines(text)
      },
      onRefused: (refused) => {
        files.onRefused(refused)
        if ('tag' in refused.intent && refused.intent.tag === ADDED_TAG) refusal = refused.refusal.message
      },
    }
    const { digest, ...result } = await runBacktest(forked, sink, signal, { isDrawn: true, ...hooks })
    const sameLines = same.finish()
    const facts = factsOfBacktest(version(), { ...result, digest }, undefined, (file) => resolve(file))
    const ended = isSilent() && same.hasLaterOrder() ? { ...forkReport, isSilent: true as const } : forkReport
    const report = forkedReport(reportOfRun(facts), ended)
    files.finish(report, result.figures)
    return { report, sameLines, isSame: digest === run.digest, refusal }
  } catch (error) {
    files.abandon()
    throw error
  } finally {
    same.close()
  }
}

const WALLET = 'several strategies on one wallet'

/** @throws {InputError} if a run cannot be forked at that moment */
function checkMoment(
  at: number | undefined,
  order: PlacedOrder | undefined,
  { run, prepared }: { readonly run: RunFile; readonly prepared: PreparedBacktest },
): asserts at is number {
  if (order !== undefined && at !== order.time) {
    const why = `order ${order.id} was placed at ${isoTime(order.time)}, which is the moment of a fork without it`
    throw new InputError(setting('at'), `${why}: leave it out`)
  }
  if (at === undefined) throw new InputError(setting('at'), 'is missing: expected a date, order:ID or fill:ID')
  if (at < prepared.from || at > prepared.to) {
    const span = `${isoTime(prepared.from)} to ${isoTime(prepared.to)}`
    throw new InputError(setting('at'), `expected a moment of the run, ${span}, got ${isoTime(at)}`)
  }
  if (run.failure !== null && at > run.failure.time) {
    const ended = `the strategy failed at ${isoTime(run.failure.time)}, and the run ended`
    throw new InputError(setting('at'), `${ended}: expected a moment before it, got ${isoTime(at)}`)
  }
}

/** The options as they are reported. @throws {InputError} for what is wrong in them */
async function reportedFork(
  directory: string,
  run: RunFile,
  { prepared, options }: { readonly prepared: PreparedBacktest; readonly options: ForkOptions },
): Promise<ForkReport> {
  const { params, strategy, restart, without, add, orderLatency, responseLatency } = options
  // The strategy does not run yet, and a long journal takes longer to read than a turn may.
  const [order, at] = unwatched(() => {
    const found = without === undefined ? undefined : placedOrder(directory, without)
    if (options.at === undefined) return [found, found?.time] as const
    const moment = momentOf(directory, options.at)
    // The day on which a run begins is its beginning.
    const isFirstDay = Math.floor(moment / DAY_MS) === Math.floor(prepared.from / DAY_MS)
    return [found, isFirstDay ? Math.max(moment, prepared.from) : moment] as const
  })
  checkMoment(at, order, { run, prepared })
  const later = strategy === undefined ? undefined : await loadStrategy(strategy, true)
  return {
    of: run.digest,
    at,
    ...((params !== undefined || later !== undefined) && { params: laterParams(prepared, later, params) }),
    ...(later !== undefined && { strategy: strategyReport(later) }),
    ...(restart === true && { isRestarted: true as const }),
    ...(order !== undefined && { without: { orderId: order.id, ref: order.ref } }),
    ...(add !== undefined && { added: addedOrder(prepared.markets, add) }),
    ...(orderLatency !== undefined && { orderLatencyMs: orderLatency }),
    ...(responseLatency !== undefined && { responseLatencyMs: responseLatency }),
    ...(await laterTerms(prepared, options)),
  }
}

/** @throws {InputError} for a fee or a limit that cannot be, or a model that does not fit the recordings */
async function laterTerms(prepared: PreparedBacktest, options: ForkChange): Promise<Pick<ForkReport, 'terms'>> {
  const terms = changedTerms(prepared.settings, options)
  if (Object.keys(terms).length === 0) return {}
  const { liquidity, ...others } = terms
  if (typeof liquidity !== 'string') return { terms: others }
  const { sha256 } = await laterLiquidity(prepared, liquidity, true)
  return { terms: { ...others, liquidity, liquiditySha256: sha256 } }
}

/** Parameters from the fork on: those of the run with changes; those of another strategy begin with its defaults. */
function laterParams(
  { loaded, markets, params: before }: PreparedBacktest,
  later: LoadedStrategy | undefined,
  changes: ForkOptions['params'] = {},
): ParamValues {
  const { strategy } = later ?? loaded
  const texts = Object.fromEntries(
    Object.entries(changes).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
  const values = { ...(later === undefined && before), ...changes }
  return readParams(strategy, { texts, values, symbol: markets[0]?.symbol ?? '' })
}
