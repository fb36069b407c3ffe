/**
 * A sweep from options to result: one strategy on the same tapes with many parameters, each point the run that
 * `backtest` gives.
 *
 * Purpose: plans the points, runs those that have no outcome yet, and writes and judges the outcomes.
 * Invariants: the same options give the same points in the same order, and the same files except for the order of
 * `points.jsonl`, however many threads there are and however often it was interrupted.
 * Known limitation: the outcomes of all points are in memory until the end.
 * Complexity: a backtest per point; the tapes are read once, into memory that all threads share.
 * Source: docs/sweeps.md, and docs/statistics.md for the verdict.
 */
import type { z } from 'zod'
import { InputError, invariant, throwIfAborted } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import { type InspectedMarkets, inspectMarkets } from '../../runtime/backtest/inspected-markets.ts'
import { liquidityOf } from '../../runtime/backtest/liquidity-choice.ts'
import { setupsOf } from '../../runtime/backtest/liquidity-setups.ts'
import { recordedMarkets } from '../../runtime/backtest/recorded-markets.ts'
import { termsOf } from '../../runtime/settings/run-terms.ts'
import { isVaried, variedTerms } from '../../runtime/settings/varied-terms.ts'
import { unknownParamText } from '../../runtime/strategies/params.ts'
import { version } from '../../runtime/version.ts'
import {
  bookIdentity,
  identityHash,
  pointKey,
  seriesIdentity,
  settingsIdentity,
  type SweepIdentity,
  tapeIdentity,
} from '../../sweep/point-key.ts'
import type { PointOutcome, PointPool } from '../../sweep/point-outcome.ts'
import type { SweepPoint, SweepRun } from '../../sweep/sweep-point.ts'
import type { CountedTrials } from '../../sweep/verdict-report.ts'
import type { SaveOptions } from '../save-options.ts'
import { OwnThreadPool } from './own-thread-pool.ts'
import type { SweepCode } from './point-runner.ts'
import { RunCounter } from './run-counter.ts'
import { sharedSetup } from './shared-setup.ts'
import { sweepCsv, walkForwardCsv } from './sweep-csv.ts'
import { SweepDirectory } from './sweep-directory.ts'
import type { SweepOptions } from './sweep-options.ts'
import { sweepPage } from './sweep-page.ts'
import { planOf, type SweepPlan } from './sweep-plan.ts'
import { reportAtEnd, reportAtStart, type SweepReport } from './sweep-report.ts'
import type { SweepSetup } from './sweep-thread.ts'
import { explored, truthOf, type TruthSetup, truthSetupOf } from './sweep-truth.ts'
import { ThreadPool } from './thread-pool.ts'

interface PointSchedulerOptions {
  /** Result of `identityHash` for the sweep. */
  readonly identity: string
  readonly pool: PointPool
  /** Earlier outcomes, by key of their point. */
  readonly known: ReadonlyMap<string, PointOutcome>
  /** Called for each new outcome. */
  readonly onOutcome: (outcome: PointOutcome) => void
  readonly signal?: AbortSignal | undefined
}

/** Runs the points of a sweep that have no outcome so far, and stores each outcome as it arrives. */
class PointScheduler {
  readonly #options: PointSchedulerOptions
  readonly #outcomes: Map<string, PointOutcome>

  constructor(options: PointSchedulerOptions) {
    this.#options = options
    this.#outcomes = new Map(options.known)
  }

  /** Outcomes of the runs that are already known. */
  known(runs: readonly SweepRun[]): readonly PointOutcome[] {
    return this.#pointsOf(runs).flatMap(({ key }) => this.#outcomes.get(key) ?? [])
  }

  /**
   * Runs the points without an outcome.
   *
   * @returns one outcome per run, in order
   * @throws {AbortError} if the signal aborts
   * @throws {InputError} if no point can run at all
   */
  async outcomes(runs: readonly SweepRun[]): Promise<readonly PointOutcome[]> {
    const { pool, onOutcome, signal } = this.#options
    const points = this.#pointsOf(runs)
    const open = new Map(points.filter(({ key }) => !this.#outcomes.has(key)).map((point) => [point.key, point]))
    await pool.run(
      [...open.values()],
      (outcome) => {
        if (this.#outcomes.has(outcome.key)) return
        this.#outcomes.set(outcome.key, outcome)
        onOutcome(outcome)
      },
      signal,
    )
    return points.map(({ key }) => {
      const outcome = this.#outcomes.get(key)
      invariant(outcome !== undefined, 'a pool runs every point')
      return outcome
    })
  }

  #pointsOf(runs: readonly SweepRun[]): readonly SweepPoint[] {
    return runs.map((run) => ({ key: pointKey(this.#options.identity, run), ...run }))
  }
}

/** A finished sweep. */
export interface SweepResult {
  /** The content of `sweep.json`. */
  readonly report: SweepReport
  /** One outcome per point, in the order of the grid; for a search, in the order of its trials. */
  readonly points: readonly PointOutcome[]
  /** Points that have a value for every objective, best first. */
  readonly ranked: readonly PointOutcome[]
  /** Why the points are not counted in the database; null if they are, or need not be. */
  readonly databaseFault: string | null
  /** Former name of `databaseFault`. */
  readonly ledgerFault: string | null
}

/**
 * Runs a strategy with every combination of values of its parameters. A point that its schema refuses, or whose run
 * throws, is an outcome with its error.
 *
 * @throws {InputError} naming the option, the file, or the row of a file that has to be mended
 * @throws {AbortError} when `signal` says so; with `out`, what was done is kept, and the same sweep goes on there
 */
export async function sweep<Schema extends z.ZodObject>(options: SweepOptions<Schema>): Promise<SweepResult> {
  const plan = planOf(options)
  const { signal, out, force = false } = options
  throwIfAborted(signal)
  if (out !== undefined) SweepDirectory.check(out)
  if (options.db !== undefined) await checkStore(options.db.file)
  if (plan.redis !== undefined) await checkMachines(plan.redis, signal)
  const setup = await setupOf(plan, options)
  const truth = truthSetupOf(plan, setup)
  const pool = await poolOf(plan, setup)
  try {
    checkParams(plan, pool.code)
    const identity = identityOf(plan, setup, pool.code)
    const directory = out === undefined ? undefined : SweepDirectory.open(out, reportAtStart(plan, identity), force)
    try {
      const tools = { identity, pool, directory, truth, options }
      if (plan.redis === undefined) return await swept(plan, tools)
      // All that they were for is the code.
      await pool.end()
      const machines = await machinesOf(plan.redis, plan, setup, tools)
      try {
        return await swept(plan, { ...tools, pool: machines })
      } finally {
        await machines.end()
      }
    } finally {
      directory?.close()
    }
  } finally {
    await pool.end()
  }
}

/** Lazy import, only if Redis is used. @throws {InputError} if no Redis answers */
async function checkMachines(redis: URL, signal: AbortSignal | undefined): Promise<void> {
  const { checkRedis } = await import('./machines/open-machines.ts')
  await checkRedis(redis, signal)
}

async function machinesOf(
  url: URL,
  { turnLimit }: SweepPlan,
  setup: SweepSetup,
  { identity, pool, options }: SweepTools & { readonly pool: { readonly code: SweepCode } },
): Promise<PointPool> {
  const { openMachines } = await import('./machines/open-machines.ts')
  const { signal, force: isFresh = false, onMachines } = options
  return await openMachines({
    url,
    setup,
    turnLimit,
    signal,
    isFresh,
    onMachines,
    code: pool.code,
    identity: identityHash(identity),
  })
}

interface SweepTools {
  readonly identity: SweepIdentity
  readonly pool: PointPool
  readonly directory: SweepDirectory | undefined
  readonly truth: TruthSetup
  readonly options: Pick<SweepOptions, 'signal' | 'onProgress' | 'db' | 'force' | 'onMachines'>
}

async function swept(plan: SweepPlan, tools: SweepTools): Promise<SweepResult> {
  const { identity, directory, truth, options } = tools
  const { db } = options
  const counter = new RunCounter(truth.runs, options.onProgress)
  const scheduler = schedulerOf(tools, counter)
  const asked: SweepRun[] = []
  let points: readonly PointOutcome[]
  try {
    points = await explored(plan, async (runs) => {
      asked.push(...runs)
      counter.know(scheduler.known(runs))
      return await scheduler.outcomes(runs)
    })
  } catch (error) {
    // Points of an aborted sweep count as trials.
    if (db !== undefined) await counted(db, identity, scheduler.known(asked))
    throw error
  }
  counter.leaveOut(plan.points - points.length)
  const { trials, fault } = await counted(db, identity, points)
  const { report, ranked } = reportAtEnd(plan, identity, points)
  const run = async (more: readonly SweepRun[]): Promise<readonly PointOutcome[]> => {
    const own = schedulerOf(tools, counter)
    counter.know(own.known(more))
    return await own.outcomes(more)
  }
  const held = { ...report, ...(await truthOf(plan, truth, { run, counter, outcomes: points, ranked, trials })) }
  const names = [...plan.values.keys()]
  directory?.finish({
    csv: sweepCsv(names, points),
    walkForward: held.walkForward === null ? undefined : walkForwardCsv(names, held.walkForward),
    report: held,
  })
  // Made from the files on disk; a sweep without its page is complete.
  directory?.writePage(sweepPage(held, points, plan.objectives))
  return { report: held, points, ranked, databaseFault: fault, ledgerFault: fault }
}

const schedulerOf = ({ identity, pool, directory, options }: SweepTools, counter: RunCounter): PointScheduler =>
  new PointScheduler({
    identity: identityHash(identity),
    pool,
    known: directory?.known ?? new Map(),
    onOutcome: (outcome) => {
      directory?.append(outcome)
      counter.done(outcome)
    },
    signal: options.signal,
  })

interface Counted {
  readonly trials: CountedTrials
  readonly fault: string | null
}

/** Lazy import, only if a database is used. */
async function counted(
  db: SaveOptions | undefined,
  identity: SweepIdentity,
  outcomes: readonly PointOutcome[],
): Promise<Counted> {
  const own = outcomes.flatMap(({ statistics }) => (statistics === null ? [] : [statistics.sharpe]))
  if (db === undefined) return { trials: { source: 'sweep', sharpes: own }, fault: null }
  if (db.isCounted === false) return { trials: { source: 'left out', sharpes: own }, fault: null }
  const { countTrials } = await import('./trial-count.ts')
  const { sharpes, fault } = countTrials(db, identity, outcomes)
  if (sharpes === undefined) return { trials: { source: 'sweep', sharpes: own }, fault }
  return { trials: { source: 'database', sharpes }, fault }
}

/** @throws {InputError} when nothing can be counted there */
async function checkStore(file: string): Promise<void> {
  const { RunSaver: RunSaver } = await import('../run-saver.ts')
  RunSaver.check(file)
}

/** Reads the tapes, once; where other machines run the points, nothing is decoded here. */
async function setupOf(
  plan: SweepPlan,
  { signal, onReading }: Pick<SweepOptions, 'signal' | 'onReading'>,
): Promise<SweepSetup> {
  const { settings, redis, truth } = plan
  const recordings = await inspectMarkets(settings, { signal, onReading })
  if (recordings.inspectedBooks.length > 0) checkBooksAllowed({ truth, redis })
  const { inspected } = recordings
  checkVariedSetups(plan, recordings)
  if (redis !== undefined) return { settings, ...recordings, shared: inspected.map(() => undefined) }
  return await sharedSetup(settings, recordings, signal)
}

/** @throws {InputError} for a value that does not fit the precision of a market, such as a spread */
function checkVariedSetups({ values, settings }: SweepPlan, { inspected, inspectedBooks }: InspectedMarkets): void {
  const markets = recordedMarkets(setting('tapes'), [...inspected, ...inspectedBooks], settings)
  for (const [name, texts] of values)
    for (const text of isVaried(name) ? texts : []) setupsOf(markets, { ...settings, ...variedTerms({ [name]: text }) })
}

/** @throws {InputError} for what a sweep on recorded books cannot do */
function checkBooksAllowed({ truth, redis }: Pick<SweepPlan, 'truth' | 'redis'>): void {
  if (redis !== undefined)
    throw new InputError(setting('redis'), 'recorded books cannot be sent to other machines; drop this flag')
  if (truth.nullTapes === 0) return
  throw new InputError(setting('null'), 'cannot be used with a recorded book, which cannot be shuffled')
}

async function poolOf(plan: SweepPlan, setup: SweepSetup): Promise<PointPool & { readonly code: SweepCode }> {
  const { given, workers, turnLimit } = plan
  const isGiven = given.strategy !== undefined || given.liquidity !== undefined
  return isGiven ? await OwnThreadPool.open(setup, given) : await ThreadPool.open({ setup, workers, turnLimit })
}

/** @throws {InputError} for a parameter that the strategy does not have */
function checkParams({ values }: SweepPlan, { strategy, paramNames }: SweepCode): void {
  for (const name of values.keys()) {
    if (!isVaried(name) && !paramNames.includes(name)) {
      throw new InputError(setting(`params.${name}`), unknownParamText(strategy.name, name, paramNames))
    }
  }
}

const identityOf = (
  plan: SweepPlan,
  { inspected, inspectedBooks, inspectedSeries }: SweepSetup,
  code: SweepCode,
): SweepIdentity => {
  const { settings } = plan
  const { credit, params, paramTexts } = settings
  const { liquiditySha256 } = code
  const liquidity = liquidityOf(settings, inspectedBooks.length > 0)
  return {
    version: version(),
    strategy: code.strategy,
    tapes: inspected.map(tapeIdentity),
    ...(inspectedBooks.length > 0 && { books: inspectedBooks.map(bookIdentity) }),
    ...seriesIdentity(inspectedSeries),
    settings: settingsIdentity({
      terms: { ...termsOf(settings), liquidity },
      liquiditySha256,
      credit,
      params,
      paramTexts,
    }),
  }
}
