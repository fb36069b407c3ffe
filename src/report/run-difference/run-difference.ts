/**
 * Comparison of two runs: where they diverge and why, which settings differ, and their totals. Plain JSON.
 *
 * Invariant: a run compared with itself has no difference; swapping the runs swaps the sides of each divergence.
 */
import { Decimal, toDecimal } from '../../domain/decimal.ts'
import { aligned } from './alignment.ts'
import {
  bothOf,
  type ComparedRun,
  failureOf,
  type RunTrace,
  type Sides,
  type TracedFill,
  type TracedRequest,
} from './run-trace.ts'
import type { Cause } from './divergence-cause.ts'
import { Divergences, type Divergence } from './divergences.ts'
import { totalsOf, type RunTotals } from './run-totals.ts'
import { settingDifferences, type SettingDifference } from './setting-differences.ts'
import { answerLag } from './reported-difference.ts'

/** The state of a run's files. */
export interface RunState {
  readonly directory: string
  readonly version: string | null
  /** Name of the strategy. */
  readonly strategy: string | null
  /** False if it was killed or is still running. */
  readonly isEnded: boolean
  readonly hasReport: boolean
  /** True if the last line of the journal was incomplete and was ignored. */
  readonly isCut: boolean
  /** Files that changed since the run, according to the hashes in its report. */
  readonly changed: readonly string[]
  /** Error message of the strategy. */
  readonly failure: string | null
}

interface FillSlippage {
  /** Matching requests that were filled in both runs, completely or partly. */
  readonly requests: number
  /** Means as decimal strings; positive if the second run had worse prices. */
  readonly meanTicks: string
  readonly meanBps: string
}

const BPS = 10_000
const DECIMALS = 8

/**
 * Mean price difference between the fills of matching requests.
 *
 * Invariant: exact except for the means, which are computed with 64 digits and rounded to 8 decimals, half to even.
 */
class SlippageMean {
  readonly #ticksBySymbol: ReadonlyMap<string, Decimal>
  #requests = 0
  #ticks = toDecimal(0)
  #bps = toDecimal(0)

  constructor({ head }: RunTrace) {
    const { markets = [] } = head ?? {}
    this.#ticksBySymbol = new Map(
      markets.map(({ symbol, pricePrecision }) => [symbol, toDecimal(10).pow(pricePrecision)]),
    )
  }

  add(a: TracedRequest, b: TracedRequest): void {
    const { placed } = a
    const [ofA, ofB] = [averageOf(a.fills), averageOf(b.fills)]
    if (placed === undefined || ofA === undefined || ofB === undefined) return
    const worse = placed.side === 'BUY' ? ofB.minus(ofA) : ofA.minus(ofB)
    this.#requests += 1
    this.#ticks = this.#ticks.plus(worse.times(this.#ticksBySymbol.get(placed.symbol) ?? 1))
    // Relative to the midpoint of both prices, so that it does not depend on the order of the runs.
    this.#bps = this.#bps.plus(worse.times(2 * BPS).div(ofA.plus(ofB)))
  }

  result(): FillSlippage | null {
    if (this.#requests === 0) return null
    const mean = (sum: Decimal): string =>
      sum.div(this.#requests).toDecimalPlaces(DECIMALS, Decimal.ROUND_HALF_EVEN).plus(0).toFixed()
    return { requests: this.#requests, meanTicks: mean(this.#ticks), meanBps: mean(this.#bps) }
  }
}

function averageOf(fills: readonly TracedFill[]): Decimal | undefined {
  let [value, qty] = [toDecimal(0), toDecimal(0)]
  for (const fill of fills) {
    value = value.plus(toDecimal(fill.price).times(fill.qty))
    qty = qty.plus(fill.qty)
  }
  return qty.isZero() || value.isZero() ? undefined : value.div(qty)
}

/** Totals over requests that match in both runs. */
export interface PairTotals {
  readonly count: number
  /** Mean delay of the second run's answers relative to the first, in milliseconds; null without answers. */
  readonly answerLagMs: number | null
  readonly slippage: FillSlippage | null
}

export interface RunDifference {
  /** True if settings, requests and reports are all the same, apart from ids. */
  readonly isSame: boolean
  readonly runs: Sides<RunState>
  /** Cause of the first divergence, or of the first differing report if there is none; null for identical runs. */
  readonly cause: Cause | null
  readonly settings: readonly SettingDifference[]
  /** Number of divergences. */
  readonly partingCount: number
  /** Only the first, unless all were requested. */
  readonly partings: readonly Divergence[]
  readonly totals: Sides<RunTotals>
  readonly pairs: PairTotals
}

/** @param all  true to include every divergence */
export function runDifference(runs: Sides<ComparedRun>, all: boolean): RunDifference {
  const settings = settingDifferences(runs)
  const words = bothOf(runs, ({ trace }) => trace.requests.map((request) => request.words))
  const divergences = new Divergences(runs, settings, aligned(words.a, words.b))
  const [first] = divergences.all
  const cause = first === undefined ? divergences.causeWithoutParting() : first.cause
  return {
    isSame: cause === undefined && settings.length === 0,
    runs: bothOf(runs, stateOf),
    cause: cause ?? null,
    settings,
    partingCount: divergences.all.length,
    partings: all ? divergences.all : divergences.all.slice(0, 1),
    totals: bothOf(runs, totalsOf),
    pairs: pairTotals(runs, divergences),
  }
}

const stateOf = (run: ComparedRun): RunState => ({
  directory: run.directory,
  version: typeof run.report?.version === 'string' ? run.report.version : null,
  strategy: typeof run.head?.strategy === 'string' ? run.head.strategy : null,
  isEnded: run.trace.isEnded,
  hasReport: run.report !== undefined,
  isCut: run.isCut,
  changed: run.changed,
  failure: failureOf(run) ?? null,
})

function pairTotals({ a }: Sides<ComparedRun>, { pairs }: Divergences): PairTotals {
  const slippage = new SlippageMean(a.trace)
  let [answered, lagMs] = [0, 0]
  for (const pair of pairs) {
    slippage.add(pair.a, pair.b)
    const lag = answerLag(pair.a, pair.b)
    if (lag === undefined) continue
    answered += 1
    lagMs += lag
  }
  return {
    count: pairs.length,
    answerLagMs: answered === 0 ? null : lagMs / answered,
    slippage: slippage.result(),
  }
}
