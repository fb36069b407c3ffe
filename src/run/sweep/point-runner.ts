/**
 * Runs points of a sweep in sequence, on markets that are prepared once.
 *
 * Invariant: digest and statistics of a point equal those of a backtest with the same parameters. A strategy from a
 * file is loaded again for each point, so its modules have no state from earlier points. Known limit: state outside of
 * its files, for example in `globalThis` or a package, persists within a thread.
 */
import { basename } from 'node:path'
import { InputError, type StrategyError } from '../../domain/errors.ts'
import { formatTrimmed } from '../../domain/fixed-point.ts'
import type { Market } from '../../domain/market.ts'
import { runStatistics } from '../../report/run/run-statistics.ts'
import { runBacktest } from '../../runtime/backtest/backtest.ts'
import {
  prepareMarkets,
  prepareRun,
  runSpan,
  type GivenParts,
  type PreparedBacktest,
  type PreparedMarkets,
} from '../../runtime/backtest/prepared-backtest.ts'
import type { BacktestResult, SimulatedRunListener } from '../../runtime/backtest/simulated-run.ts'
import { equityPointsOf, tripRowOf, type TripRow } from '../../runtime/figures/run-rows.ts'
import type { RunTerms } from '../../runtime/settings/run-terms.ts'
import { ownParams, variedTerms } from '../../runtime/settings/varied-terms.ts'
import type { BacktestSettings } from '../../runtime/settings/backtest-settings.ts'
import type { CodeSource } from '../../runtime/modules/source-files.ts'
import { paramNames } from '../../runtime/strategies/params.ts'
import type { LoadedStrategy } from '../../runtime/strategies/strategy-file.ts'
import type { StrategyIdentity } from '../../sweep/point-key.ts'
import type { PointOutcome } from '../../sweep/point-outcome.ts'
import { shuffledTape } from '../../sweep/shuffled-tape.ts'
import type { PointShuffle, SweepPoint } from '../../sweep/sweep-point.ts'
import { seededRandom } from '../../runtime/strategies/seeded-random.ts'
import type { Tape } from '../../tape/tape.ts'
import { accountFacts, runConfig } from '../facts-of-backtest.ts'
import { failureReport } from '../strategy-facts.ts'

/** Code of a sweep as it was loaded. Plain data. */
export interface SweepCode {
  readonly strategy: StrategyIdentity
  /** Lower-case hex SHA-256 of a custom liquidity model; null for a built-in one. */
  readonly liquiditySha256: string | null
  /** Parameter names of the strategy. */
  readonly paramNames: readonly string[]
  /** Source files to send to other machines. */
  readonly sources: CodeSources
}

/** Undefined for built-in code, and for code passed as a value. */
export interface CodeSources {
  readonly strategy: CodeSource | undefined
  readonly liquidity: CodeSource | undefined
}

export class PointRunner {
  readonly #markets: PreparedMarkets
  readonly #given: GivenParts
  /** Most recent shuffle: points with the same shuffle are consecutive. */
  #shuffled: { readonly shuffle: PointShuffle; readonly markets: PreparedMarkets } | undefined

  private constructor(markets: PreparedMarkets, given: GivenParts) {
    this.#markets = markets
    this.#given = given
  }

  /** @throws {InputError} if no point can run with these settings */
  static async open(settings: BacktestSettings, given: GivenParts): Promise<PointRunner> {
    const markets = await prepareMarkets(settings, given)
    runSpan(markets, settings)
    return new PointRunner(markets, given)
  }

  get code(): SweepCode {
    const { loaded, liquidity } = this.#markets
    return {
      strategy: { name: loaded.strategy.name, sha256: loaded.sha256 },
      liquiditySha256: liquidity.sha256,
      paramNames: paramNames(loaded.strategy),
      sources: {
        strategy: loaded.isReady ? undefined : loaded.files?.source(),
        liquidity: liquidity.files?.source(),
      },
    }
  }

  /**
   * @throws {AbortError} if `signal` aborts
   * @returns an outcome with `error` if the parameters are refused or the strategy throws
   */
  async run(point: SweepPoint, signal?: AbortSignal): Promise<PointOutcome> {
    let prepared: PreparedBacktest
    try {
      prepared = await this.#prepared(point)
    } catch (error) {
      if (error instanceof InputError) return failedPoint(point, error.message)
      throw error
    }
    const trips: TripRow[] = []
    const isDetailed = point.terms?.isDetailed === true
    const result = await runBacktest(prepared, watcherOf(prepared.markets, isDetailed ? trips : undefined), signal, {
      isDrawn: false,
    })
    return outcomeOf(point, result, isDetailed ? trips : undefined)
  }

  async #prepared({ params, terms }: SweepPoint): Promise<PreparedBacktest> {
    const world = await this.#world(variedTerms(params))
    const markets =
      terms?.shuffle === undefined ? world : { ...world, tapes: (await this.#shuffledMarkets(terms.shuffle)).tapes }
    const { settings, loaded } = markets
    const paramTexts = { ...settings.paramTexts, ...ownParams(params) }
    const own: BacktestSettings = { ...settings, ...terms?.window, paramTexts }
    return await prepareRun(markets, { settings: own, loaded: await freshly(loaded) })
  }

  /** The markets with other settings, such as fees or a liquidity model; the tapes stay. */
  async #world(terms: Partial<RunTerms>): Promise<PreparedMarkets> {
    if (Object.keys(terms).length === 0) return this.#markets
    const { settings, loaded, inspected, inspectedBooks, inspectedSeries, tapes, books } = this.#markets
    const given = { ...this.#given, inspected, inspectedBooks, inspectedSeries, tapes }
    return { ...(await prepareMarkets({ ...settings, ...terms }, given)), loaded, tapes, books }
  }

  async #shuffledMarkets(shuffle: PointShuffle): Promise<PreparedMarkets> {
    const last = this.#shuffled
    if (last !== undefined && isSameShuffle(last.shuffle, shuffle)) return last.markets
    // Freed first: two shuffles would need twice the memory.
    this.#shuffled = undefined
    const markets = await shuffledMarkets(this.#markets, shuffle)
    this.#shuffled = { shuffle, markets }
    return markets
  }
}

const isSameShuffle = (a: PointShuffle, b: PointShuffle): boolean =>
  a.seed === b.seed && a.blockRows === b.blockRows && a.isPermuted === b.isPermuted

/**
 * Shuffles the tapes in order from one seed, so that their shuffles differ. Only rows of the window of the settings
 * move, so that a shuffled window has the first price, the drift and the warm-up of the recorded one.
 */
async function shuffledMarkets(markets: PreparedMarkets, { seed, ...blocks }: PointShuffle): Promise<PreparedMarkets> {
  const random = seededRandom(seed)
  const tapes: Tape[] = []
  const { from, to } = markets.settings
  const window = { from: from ?? -Infinity, to: to ?? Infinity }
  for (const tape of markets.tapes) tapes.push(await shuffledTape(tape, random, { ...blocks, ...window }))
  return { ...markets, tapes }
}

/** Built-in strategies have no module state; one passed as a value cannot be loaded again. */
const freshly = async (loaded: LoadedStrategy): Promise<LoadedStrategy> =>
  loaded.isReady ? loaded : ((await loaded.again?.()) ?? loaded)

/** Outcome of a failed point. */
export const failedPoint = ({ key, params, terms }: SweepPoint, error: string): PointOutcome => ({
  key,
  params,
  ...(terms !== undefined && { terms }),
  digest: null,
  statistics: null,
  initialEquity: null,
  finalEquity: null,
  orders: 0,
  error,
  periods: null,
})

/** Outcome of a point that failed because of the machine, or that crashed it. */
export const lostPoint = (point: SweepPoint, error: string): PointOutcome => ({
  ...failedPoint(point, error),
  isOfMachine: true,
})

const watcherOf = (markets: readonly Market[], trips: TripRow[] | undefined): SimulatedRunListener => ({
  // Without a listener there is no journal, and no digest.
  onLines: () => undefined,
  onOrder: () => undefined,
  onFill: () => undefined,
  onProgress: () => undefined,
  onLog: () => undefined,
  ...(trips !== undefined && {
    onTrip: (trip) => {
      const market = markets.find(({ symbol }) => symbol === trip.symbol)
      if (market !== undefined) trips.push(tripRowOf(trip, market))
    },
  }),
})

function outcomeOf(point: SweepPoint, result: BacktestResult, trips: readonly TripRow[] | undefined): PointOutcome {
  const { prepared, digest, failure, figures, record, usage } = result
  if (failure !== undefined) {
    return { ...failedPoint(point, failureLine(failure, prepared.loaded)), digest, orders: record.orders }
  }
  const { equity } = figures
  const { scale } = equity
  const { key, params, terms } = point
  return {
    key,
    params,
    ...(terms !== undefined && { terms }),
    digest,
    statistics: runStatistics(accountFacts(result), runConfig(prepared)),
    initialEquity: formatTrimmed(equity.initialEquity(), scale),
    finalEquity: formatTrimmed(equity.equity(), scale),
    orders: record.orders,
    ...(usage.rounded > 0 && { rounded: usage.rounded }),
    error: null,
    periods: periodsOf(equity),
    ...(trips !== undefined && { trips, equity: equityPointsOf(equity.samples, scale) }),
  }
}

function periodsOf(equity: BacktestResult['figures']['equity']): readonly string[] | null {
  const { periodSamples, scale, isPartialAtStart } = equity
  if (isPartialAtStart || periodSamples.some(({ isPartial }) => isPartial)) return null
  return [equity.initialEquity(), ...periodSamples.map((sample) => sample.equity)].map((value) =>
    formatTrimmed(value, scale),
  )
}

/** Message with file name, line and column only: the same on every machine. */
function failureLine(failure: StrategyError, loaded: LoadedStrategy): string {
  const place = failureReport(failure, loaded)?.place
  return place === null || place === undefined ? failure.message : `${failure.message} (${basename(place)})`
}
