/**
 * Two runs beside each other: where they part and why, which settings differ, and what each came to. Plain JSON.
 *
 * Invariant: a run beside itself has no difference; swapped runs give the same partings, their sides swapped.
 */
import { Decimal, toDecimal } from '../../domain/decimal.ts'
import { aligned } from './alignment.ts'
import { bothOf, failureOf, type ComparedRun, type Sides } from './compared-run.ts'
import type { Cause } from './divergence-cause.ts'
import { Divergences, type Divergence } from './divergences.ts'
import { totalsOf, type RunTotals } from './run-totals.ts'
import type { RunTrace, TracedFill, TracedRequest } from './run-trace.ts'
import { settingDifferences, type SettingDifference } from './setting-differences.ts'
import { answerLag } from './reported-difference.ts'

/** Whose files were compared, and how whole they are. */
export interface RunState {
  readonly directory: string
  readonly version: string | null
  /** Name of the strategy. */
  readonly strategy: string | null
  /** False when it was killed, or goes on. */
  readonly isEnded: boolean
  readonly hasReport: boolean
  /** True when the last line of the journal was only half written, and was left out. */
  readonly isCut: boolean
  /** Names of files that are not as the run wrote them, as far as its report can tell. */
  readonly changed: readonly string[]
  /** Message of what the strategy threw. */
  readonly failure: string | null
}

interface FillSlippage {
  /** Requests for the same that were filled in both, in whole or in part. */
  readonly requests: number
  /** Means: decimal strings, positive when the second run paid more, or got less. */
  readonly meanTicks: string
  readonly meanBps: string
}

const BPS = 10_000
const DECIMALS = 8

/**
 * Prices of the fills of the same requests in two runs, held against each other.
 *
 * Invariant: exact up to the mean, which is reckoned to 64 digits and given to 8 decimals, rounded half to even.
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
    // Of the middle of both, so that it is the same whichever run is named first.
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

/** Requests for the same, in both runs. */
export interface PairTotals {
  readonly count: number
  /** Mean of how much later the second run was answered, in milliseconds; null without answers. */
  readonly answerLagMs: number | null
  readonly slippage: FillSlippage | null
}

export interface RunDifference {
  /** True when the settings are the same, and so is all that was asked for and told, ids aside. */
  readonly isSame: boolean
  readonly runs: Sides<RunState>
  /**
   * Of the first parting, or of the first that was told differently where there is none; null for runs that are the
   * same.
   */
  readonly cause: Cause | null
  readonly settings: readonly SettingDifference[]
  /** Count of all of them. */
  readonly partingCount: number
  /** The first alone, unless all were wanted. */
  readonly partings: readonly Divergence[]
  readonly totals: Sides<RunTotals>
  readonly pairs: PairTotals
}

/** @param all  true for every parting */
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
