/** Repeats of a finished backtest on all cores: on shuffled tapes, and in other worlds. */
import { availableParallelism } from 'node:os'
import { toDecimal } from '../../domain/decimal.ts'
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import type { GivenParts, PreparedBacktest } from '../../runtime/backtest/prepared-backtest.ts'
import { boundsOf } from '../../runtime/backtest/liquidity-bounds.ts'
import { integer } from '../../runtime/settings/form.ts'
import { DEFAULT_TURN_LIMIT } from '../../runtime/turn-watch.ts'
import { LIQUIDITY_NAMES } from '../../simulation/liquidity/liquidity-models.ts'
import type { RunReport } from '../../report/run/run-report.ts'
import { nullSeeds } from '../../sweep/null-tapes.ts'
import { nullTest, type NullTestReport } from '../../sweep/null-test.ts'
import { contentHash } from '../../sweep/point-key.ts'
import type { PointOutcome } from '../../sweep/point-outcome.ts'
import { robustnessOf, type RobustnessReport } from '../../sweep/robustness.ts'
import type { SweepRun } from '../../sweep/sweep-point.ts'
import { OwnThreadPool } from './own-thread-pool.ts'
import { sharedSetup } from './shared-setup.ts'
import { ThreadPool } from './thread-pool.ts'

const MAX_TAPES = 10_000

/** Parts of a report that they give. */
export interface RepeatReports {
  readonly nullTest?: NullTestReport
  readonly robustness?: RobustnessReport
}

interface RepeatTools {
  readonly given?: Pick<GivenParts, 'strategy' | 'liquidity'> | undefined
  readonly signal?: AbortSignal | undefined
  /** Called after each repeat. */
  readonly onRepeat?: ((done: number, all: number) => void) | undefined
}

/** The repeats that were asked for. */
export class Repeats {
  /** 0 for none. */
  readonly #nullTapes: number
  readonly #isRobustness: boolean

  /**
   * @param tapes       count of shuffled tapes; undefined for none
   * @param robustness  true for the near worlds
   * @throws {InputError} naming an invalid option
   */
  constructor(tapes: unknown, robustness: unknown) {
    if (robustness !== undefined && typeof robustness !== 'boolean')
      throw new InputError(setting('robustness'), 'expected true or false')
    const { data } = integer(1, MAX_TAPES).schema.safeParse(tapes ?? 1)
    if (data === undefined) throw new InputError(setting('null'), `expected a number of tapes from 1 to ${MAX_TAPES}`)
    this.#nullTapes = tapes === undefined ? 0 : data
    this.#isRobustness = robustness === true
  }

  /** @throws {InputError} for a recorded book, which cannot be shuffled */
  check({ inspectedBooks }: PreparedBacktest): void {
    if (this.#nullTapes > 0 && inspectedBooks.length > 0)
      throw new InputError(setting('null'), 'cannot be used with a recorded book, which cannot be shuffled')
  }

  /**
   * @param run  its report; nothing is repeated if it failed, or has no return
   * @throws {AbortError} if the signal aborts
   */
  async reports(
    prepared: PreparedBacktest,
    { failure, statistics }: Pick<RunReport, 'failure' | 'statistics'>,
    tools: RepeatTools = {},
  ): Promise<RepeatReports> {
    const made = failure === null ? statistics.return : null
    if (made === null) return {}
    const nulls = nullSeeds(prepared.settings.seed, this.#nullTapes).map(shuffledRun)
    const worlds = this.#isRobustness ? nearWorlds(prepared) : undefined
    const runs = [...nulls, ...(worlds?.runs ?? [])]
    const outcomes = runs.length === 0 ? [] : await outcomesOf(prepared, runs, tools)
    return {
      ...(nulls.length > 0 && { nullTest: nullTest(made, outcomes.slice(0, nulls.length)) }),
      ...(worlds !== undefined && {
        robustness: robustnessOf(worlds.values, outcomes.slice(nulls.length), worlds.base),
      }),
    }
  }
}

const shuffledRun = (seed: number): SweepRun => ({ params: {}, terms: { shuffle: { seed, isPermuted: true } } })

/** The world of the run, and those that differ from it in one setting. */
function nearWorlds({ settings, liquidity, inspectedBooks }: PreparedBacktest): {
  readonly values: ReadonlyMap<string, readonly string[]>
  readonly base: Readonly<Record<string, string>>
  readonly runs: readonly SweepRun[]
} {
  const { orderLatencyMs, feedLatencyMs, makerFeeBps, takerFeeBps, queueSize, levelSize, seed } = settings
  const { reference } = liquidity
  const isNamed = LIQUIDITY_NAMES.some((name) => name === reference)
  const values = new Map(
    [
      ['--order-latency', [orderLatencyMs, 0, 4 * orderLatencyMs + 100].map(String)],
      ['--feed-latency', [feedLatencyMs, 4 * feedLatencyMs + 100].map(String)],
      ['--maker-fee', [makerFeeBps, toDecimal(makerFeeBps).plus(2).toFixed()]],
      ['--taker-fee', [takerFeeBps, toDecimal(takerFeeBps).plus(5).toFixed()]],
      ...(isNamed ? [['--liquidity', [reference, ...boundsOf(reference, inspectedBooks.length > 0)]] as const] : []),
      ['--queue', [queueSize, 0, 3 * queueSize].map(String)],
      ['--level-size', [levelSize, levelSize / 2, levelSize * 2].map(String)],
      ['--seed', [seed, seed + 1, seed + 2, seed + 3].map(String)],
    ].map(([name, texts]) => [name as string, [...new Set(texts)]] as const),
  )
  const base = Object.fromEntries([...values].map(([name, [first = '']]) => [name, first]))
  const others = [...values].flatMap(([name, [, ...texts]]) =>
    texts.map((text) => ({ params: { ...base, [name]: text } })),
  )
  return { values, base, runs: [{ params: base }, ...others] }
}

/** Runs points on the recordings of a backtest, one outcome per run. */
async function outcomesOf(
  { settings, inspected, inspectedBooks, inspectedSeries }: PreparedBacktest,
  runs: readonly SweepRun[],
  { given = {}, signal, onRepeat }: RepeatTools,
): Promise<readonly PointOutcome[]> {
  const setup = await sharedSetup(settings, { inspected, inspectedBooks, inspectedSeries }, signal)
  const isGiven = given.strategy !== undefined || given.liquidity !== undefined
  const pool = isGiven
    ? await OwnThreadPool.open(setup, given)
    : await ThreadPool.open({ setup, workers: availableParallelism(), turnLimit: DEFAULT_TURN_LIMIT })
  const outcomes = new Map<string, PointOutcome>()
  try {
    const points = runs.map((run) => ({ key: contentHash(run), ...run }))
    const open = [...new Map(points.map((point) => [point.key, point])).values()]
    await pool.run(
      open,
      (outcome) => {
        outcomes.set(outcome.key, outcome)
        onRepeat?.(outcomes.size, open.length)
      },
      signal,
    )
    return points.flatMap(({ key }) => outcomes.get(key) ?? [])
  } finally {
    await pool.end()
  }
}
