/**
 * A sweep from options to result: one strategy on the same tapes with many parameters, each point the run that `backtest` gives.
 *
 * Invariant: the same options give the same points in the same order, and the same files but for the order of `points.jsonl`, however
 * many threads there are and however often it was broken off.
 */
import type { z } from 'zod'
import { InputError, throwIfAborted } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import { recordedMarkets } from '../../runtime/backtest/recorded-markets.ts'
import { inspectTapes } from '../../runtime/backtest/prepared-backtest.ts'
import { unknownParamText } from '../../runtime/strategies/params.ts'
import { termsOf } from '../../runtime/settings/run-terms.ts'
import { identityHash, settingsIdentity, tapeIdentity, type SweepIdentity } from '../../runtime/sweep/point-key.ts'
import type { PointOutcome } from '../../runtime/sweep/point-outcome.ts'
import type { PointPool } from '../../runtime/sweep/point-pool.ts'
import { version } from '../../runtime/version.ts'
import { MOST_SHARED_BYTES, shareTape, type SharedTape } from '../../store/tapes/shared-tape.ts'
import { openTape } from '../../store/tapes/open-tape.ts'
import type { InspectedTape } from '../../store/tape-source.ts'
import { OwnThreadPool } from './own-thread-pool.ts'
import { PointDesk } from './point-desk.ts'
import type { SweepCode } from './point-runner.ts'
import { sweepCsv } from './sweep-csv.ts'
import { SweepDirectory } from './sweep-directory.ts'
import type { SweepOptions } from './sweep-options.ts'
import { sweepPage } from './sweep-page.ts'
import { planOf, type SweepPlan } from './sweep-plan.ts'
import { reportAtEnd, reportAtStart, type SweepReport } from './sweep-report.ts'
import type { SweepSetup } from './sweep-thread.ts'
import { ThreadPool } from './thread-pool.ts'

/** A finished sweep. */
export interface SweepResult {
  /** As `sweep.json` has it. */
  readonly report: SweepReport
  /** One a point, in the order of the grid. */
  readonly points: readonly PointOutcome[]
  /** Those that have every objective, the best first. */
  readonly ranked: readonly PointOutcome[]
}

/**
 * Runs a strategy with every combination of values of its parameters. A point that its schema refuses, or whose run throws, is an outcome
 * with its error.
 *
 * @throws {InputError} naming the option, the file, or the row of a file that has to be mended
 * @throws {AbortError} when `signal` says so; with `out`, what was done is kept, and the same sweep goes on there
 */
export async function sweep<Schema extends z.ZodObject>(options: SweepOptions<Schema>): Promise<SweepResult> {
  const plan = planOf(options)
  const { signal, out, force = false } = options
  throwIfAborted(signal)
  if (out !== undefined) SweepDirectory.check(out)
  const setup = await setupOf(plan, options)
  const pool = await poolOf(plan, setup)
  try {
    checkParams(plan, pool.code)
    const identity = identityOf(plan, setup, pool.code)
    const directory = out === undefined ? undefined : SweepDirectory.open(out, reportAtStart(plan, identity), force)
    try {
      return await swept(plan, { identity, pool, directory, signal, onProgress: options.onProgress })
    } finally {
      directory?.close()
    }
  } finally {
    await pool.end()
  }
}

interface SweepTools {
  readonly identity: SweepIdentity
  readonly pool: PointPool
  readonly directory: SweepDirectory | undefined
  readonly signal: AbortSignal | undefined
  readonly onProgress: SweepOptions['onProgress']
}

async function swept(plan: SweepPlan, tools: SweepTools): Promise<SweepResult> {
  const { identity, pool, directory, signal, onProgress } = tools
  const runs = plan.grid.map((params) => ({ params }))
  let [done, errors] = [0, 0]
  const desk = new PointDesk({
    identity: identityHash(identity),
    pool,
    known: directory?.known ?? new Map(),
    onOutcome: (outcome) => {
      directory?.append(outcome)
      done += 1
      if (outcome.error !== null) errors += 1
      onProgress?.({ done: known.length + done, points: runs.length, known: known.length, errors })
    },
    signal,
  })
  const known = desk.known(runs)
  errors = known.filter(({ error }) => error !== null).length
  onProgress?.({ done: known.length, points: runs.length, known: known.length, errors })
  const points = await desk.outcomes(runs)
  const { report, ranked } = reportAtEnd(plan, identity, points)
  directory?.finish(sweepCsv([...plan.values.keys()], points), report)
  // Of what is on the disk by then: without its page a sweep is whole.
  directory?.writePage(sweepPage(report, points, plan.objectives))
  return { report, points, ranked }
}

/** Reads the tapes, once. */
async function setupOf(
  plan: SweepPlan,
  { signal, onReading }: Pick<SweepOptions, 'signal' | 'onReading'>,
): Promise<SweepSetup> {
  const { settings } = plan
  const inspected = await inspectTapes(settings.tapes, { signal, onReading })
  const markets = recordedMarkets(setting('tapes'), inspected, settings)
  const room = { bytes: MOST_SHARED_BYTES }
  const shared: (SharedTape | undefined)[] = []
  for (const tape of inspected) {
    throwIfAborted(signal)
    const market = markets.find(({ symbol }) => symbol === tape.info.symbol)
    shared.push(market && (await shareTape(openTape(tape, market), room)))
  }
  return { settings, inspected: inspected.map((tape, index) => withoutRows(tape, shared[index])), shared }
}

/** Rows that are shared are not kept twice. */
const withoutRows = (tape: InspectedTape, shared: SharedTape | undefined): InspectedTape =>
  shared === undefined ? tape : { ...tape, rows: undefined }

async function poolOf(plan: SweepPlan, setup: SweepSetup): Promise<PointPool & { readonly code: SweepCode }> {
  const { given, workers, turnLimit } = plan
  const isGiven = given.strategy !== undefined || given.liquidity !== undefined
  return isGiven ? await OwnThreadPool.open(setup, given) : await ThreadPool.open({ setup, workers, turnLimit })
}

/** @throws {InputError} for a parameter that the strategy does not have */
function checkParams({ values }: SweepPlan, { strategy, paramNames }: SweepCode): void {
  for (const name of values.keys()) {
    if (!paramNames.includes(name)) {
      throw new InputError(setting(`params.${name}`), unknownParamText(strategy.name, name, paramNames))
    }
  }
}

const identityOf = (plan: SweepPlan, { inspected }: SweepSetup, code: SweepCode): SweepIdentity => {
  const { settings } = plan
  const { credit, params, paramTexts } = settings
  const { liquiditySha256 } = code
  return {
    version: version(),
    strategy: code.strategy,
    tapes: inspected.map(tapeIdentity),
    settings: settingsIdentity({ terms: termsOf(settings), liquiditySha256, credit, params, paramTexts }),
  }
}
