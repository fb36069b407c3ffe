/**
 * Statistics of the equity samples of a run and of the returns between them.
 *
 * Symbols: E_k is sample k, E_0 the initial and E_n the final equity; r_k = E_k / E_(k-1) - 1; P is the number of
 * periods per year; x_k = r_k - riskFreeRate / P; s is the deviation of x with n - 1; q(p) is the quantile of r. All
 * are null if a holding had no price at a sample, or if an equity was not above 0.
 */
import { DAY_MS } from '../../domain/time.ts'
import { blockLength, CircularBlocks } from './circular-blocks.ts'
import { ascending, comoment, deviation, mean, quantile, sum } from './float-sums.ts'
import type { EquityAt, ReturnSamples } from './return-samples.ts'
import { gainToPain, MIN_PERIODS, omega, sharpe, sortino, volatility } from './risk-ratios.ts'
import { best, kurtosis, positiveShare, skew, worst } from './shape.ts'

/**
 * Drawdowns between samples: from a peak to the sample at or above it, or to the end of the run.
 *
 * Changes between two samples are not visible here; the largest drawdown of a run is measured at every mark instead.
 */
interface SampledDrawdowns {
  /** Mean over the drawdowns of their depth, as a share of the peak; 0 when there was none. */
  readonly averageDrawdown: number
  /** Milliseconds of the longest one; 0 when there was none. */
  readonly longestDrawdownMs: number
  /** Share of the samples after the first that are below their peak; 0 without one. */
  readonly timeUnderWater: number
  /**
   * Root of the mean squared distance from the peak, as a share of it, over the samples after the first; null without
   * one.
   *
   * @see Martin and McCann (1989), The Investor's Guide to Fidelity Funds
   */
  readonly ulcerIndex: number | null
}

/** @param samples  oldest first, each equity above 0 */
export function sampledDrawdowns(samples: readonly EquityAt[]): SampledDrawdowns {
  const [first, ...later] = samples
  const falls: number[] = []
  const depths: number[] = []
  let longest = 0
  let peak = first
  let deepest = 0
  for (const sample of later) {
    if (peak === undefined) break
    const fall = Number(peak.equity - sample.equity) / Number(peak.equity)
    if (deepest > 0 || fall > 0) longest = Math.max(longest, sample.time - peak.time)
    if (fall > 0) deepest = Math.max(deepest, fall)
    else {
      if (deepest > 0) depths.push(deepest)
      deepest = 0
      peak = sample
    }
    falls.push(Math.max(fall, 0))
  }
  if (deepest > 0) depths.push(deepest)
  return {
    averageDrawdown: mean(depths) ?? 0,
    longestDrawdownMs: longest,
    timeUnderWater: falls.length === 0 ? 0 : falls.filter((fall) => fall > 0).length / falls.length,
    ulcerIndex: falls.length === 0 ? null : Math.sqrt(sum(falls.map((fall) => fall ** 2)) / falls.length),
  }
}

const RESAMPLES = 1_000
const MIN_RETURNS = 10
const [LOW, HIGH] = [0.025, 0.975]
/** Minimum of resamples in which a figure must be defined to have an interval. */
const MIN_DEFINED = 900

/** Lower and upper end of 95 %. */
type Interval = readonly [number, number]

/**
 * 95 % interval of each figure over 1 000 circular-block resamples; block length n^(1/3) returns, rounded up.
 *
 * @param figures  computed from the returns of one resample; null if undefined there
 * @param random   in [0, 1), seeded by the run
 * @returns for each figure null for fewer than ten returns, or if it is undefined in one of ten resamples or more
 * @see Politis and Romano (1992), A circular block-resampling procedure for stationary data
 */
export function blockIntervals(
  returns: readonly number[],
  figures: readonly ((resample: readonly number[]) => number | null)[],
  random: () => number,
): readonly (Interval | null)[] {
  if (returns.length < MIN_RETURNS) return figures.map(() => null)
  const values = figures.map((): number[] => [])
  for (let round = 0; round < RESAMPLES; round += 1) {
    const resample = resampled(returns, random)
    figures.forEach((figure, index) => {
      const value = figure(resample)
      if (value !== null) values[index]?.push(value)
    })
  }
  return values.map(intervalOf)
}

function resampled(returns: readonly number[], random: () => number): readonly number[] {
  return new CircularBlocks(returns.length, blockLength(returns.length), random).of(returns)
}

function intervalOf(values: readonly number[]): Interval | null {
  if (values.length < MIN_DEFINED) return null
  const sorted = ascending(values)
  return [quantile(sorted, LOW), quantile(sorted, HIGH)]
}

const YEAR_DAYS = 365
/** A shorter run says nothing of a year. */
const MIN_DAYS = 28

/**
 * Compound annual growth rate from the initial to the final equity; null for a run shorter than 28 days, or one that
 * began or ended without equity.
 *
 * @param durationMs  from the first row of the tape to the last; for a live session from its start to its end
 */
export function cagr(initial: bigint, final: bigint, durationMs: number): number | null {
  if (durationMs < MIN_DAYS * DAY_MS || initial <= 0n || final <= 0n) return null
  // Uses log1p and expm1 so that a small growth keeps its digits.
  return Math.expm1(Math.log1p(Number(final - initial) / Number(initial)) * ((YEAR_DAYS * DAY_MS) / durationMs))
}

/**
 * Calmar ratio: yearly return over the largest drawdown; null if either is missing or 0.
 *
 * @see Young (1991), Calmar Ratio: A Smoother Tool
 */
export function calmar(yearly: number | null, maxDrawdown: number): number | null {
  return yearly === null || yearly === 0 || maxDrawdown === 0 ? null : yearly / maxDrawdown
}

const MIN_TAIL_RETURNS = 20
const TAIL = 0.05

/** Value at risk (95 %): a period loses this share or more in one of twenty cases; a loss is positive. */
export function valueAtRisk(returns: readonly number[]): number | null {
  return returns.length < MIN_TAIL_RETURNS ? null : negated(quantile(ascending(returns), TAIL))
}

/**
 * Expected shortfall: the mean loss of the periods at or beyond the value at risk; a loss is positive.
 *
 * @see Acerbi and Tasche (2002), Expected Shortfall: A Natural Coherent Alternative to Value at Risk
 */
export function expectedShortfall(returns: readonly number[]): number | null {
  if (returns.length < MIN_TAIL_RETURNS) return null
  const worst = quantile(ascending(returns), TAIL)
  const beyond = mean(returns.filter((value) => value <= worst))
  return beyond === null ? null : negated(beyond)
}

/** Absolute 95 % quantile divided by the absolute 5 % quantile; null if the latter is 0. */
export function tailRatio(returns: readonly number[]): number | null {
  if (returns.length < MIN_TAIL_RETURNS) return null
  const sorted = ascending(returns)
  const low = Math.abs(quantile(sorted, TAIL))
  return low === 0 ? null : Math.abs(quantile(sorted, 1 - TAIL)) / low
}

/** No -0, which JSON would not bring back. */
const negated = (value: number): number => (value === 0 ? 0 : -value)

/** Return statistics, named as in `run.json`. */
export interface ReturnStatistics {
  /**
   * n, the number of returns: one for each period in which a market traded.
   *
   * @unit count
   */
  readonly periods: number | null
  /**
   * P, the number of periods with trades per year: their share of all periods of the run, times the periods in 365
   * days, unless `--periods-per-year` sets it.
   *
   * @unit periods per year
   */
  readonly periodsPerYear: number | null
  /**
   * Compound annual growth rate: (E_n / E_0) ^ (365 days / duration) - 1, from the first to the last row of the tape,
   * or from the start to the end of a live session.
   *
   * @unit share per year
   * @null n < 10, or the run is shorter than 28 days
   */
  readonly cagr: number | null
  /**
   * Annualized standard deviation of the returns: s √P.
   *
   * @unit share per year
   * @null n < 10
   */
  readonly volatility: number | null
  /**
   * Annualized mean excess return divided by its standard deviation: (mean(x) / s) √P.
   *
   * @unit ratio
   * @null n < 10, s = 0
   * @see Sharpe (1994), The Sharpe Ratio
   */
  readonly sharpe: number | null
  /**
   * 95 % bootstrap interval of the Sharpe ratio: the 2.5 and 97.5 % quantiles of 1 000 resamples in circular blocks of
   * n^(1/3) returns, rounded up, drawn with the seed of the run.
   *
   * @unit two ratios
   * @null n < 10, or `sharpe` is null in one of ten resamples or more
   * @see Politis and Romano (1992), A circular block-resampling procedure for stationary data
   */
  readonly sharpeInterval: Interval | null
  /**
   * 95 % bootstrap interval of the mean return of a period, from the same resamples.
   *
   * @unit two shares per period
   * @null n < 10
   * @see Politis and Romano (1992), A circular block-resampling procedure for stationary data
   */
  readonly meanReturnInterval: Interval | null
  /**
   * Annualized mean excess return divided by the downside deviation: (mean(x) / √(mean of min(x, 0)² over all n)) √P.
   *
   * @unit ratio
   * @null n < 10, no loss
   * @see Sortino and Price (1994), Performance Measurement in a Downside Risk Framework
   */
  readonly sortino: number | null
  /**
   * `cagr` divided by `maxDrawdown`.
   *
   * @unit ratio
   * @null either is null or 0
   * @see Young (1991), Calmar Ratio: A Smoother Tool
   */
  readonly calmar: number | null
  /**
   * Sum of the excess gains divided by the sum of the excess losses: Σ max(x, 0) / Σ max(-x, 0).
   *
   * @unit ratio
   * @null no loss
   * @see Keating and Shadwick (2002), A Universal Performance Measure
   */
  readonly omega: number | null
  /**
   * Sum of the returns divided by the sum of the losses: Σ r / Σ max(-r, 0).
   *
   * @unit ratio
   * @null no loss
   * @see Schwager (2012), Hedge Fund Market Wizards
   */
  readonly gainToPain: number | null
  /**
   * Mean depth of all drawdowns between samples, each from a peak to the recovery or to the end; 0 without drawdowns.
   *
   * @unit share of the peak
   */
  readonly averageDrawdown: number | null
  /**
   * Duration of the longest of these drawdowns; 0 without drawdowns.
   *
   * @unit milliseconds
   */
  readonly longestDrawdownMs: number | null
  /**
   * Share of the samples 1..n below the previous peak.
   *
   * @unit share
   */
  readonly timeUnderWater: number | null
  /**
   * Root mean square of the drawdowns at the samples: √(mean of (1 - E_k / peak_k)², k = 1..n).
   *
   * @unit share of the peak
   * @null n < 1
   * @see Martin (1987); Martin and McCann (1989), The Investor's Guide to Fidelity Funds
   */
  readonly ulcerIndex: number | null
  /**
   * Loss that one of twenty periods reached or exceeded (historical, positive for a loss): -q(0.05) of the returns.
   *
   * @unit share
   * @null n < 20
   */
  readonly valueAtRisk: number | null
  /**
   * Mean loss of the periods at or below q(0.05), positive for a loss.
   *
   * @unit share
   * @null n < 20
   * @see Acerbi and Tasche (2002), Expected Shortfall: A Natural Coherent Alternative to Value at Risk
   */
  readonly expectedShortfall: number | null
  /**
   * Skewness of the returns: the adjusted Fisher-Pearson coefficient G1.
   *
   * @unit ratio
   * @null n < 3, s = 0
   * @see Joanes and Gill (1998), Comparing measures of sample skewness and kurtosis
   */
  readonly skew: number | null
  /**
   * Excess kurtosis of the returns, G2: 0 for a normal distribution.
   *
   * @unit ratio
   * @null n < 4, s = 0
   * @see Joanes and Gill (1998), Comparing measures of sample skewness and kurtosis
   */
  readonly kurtosis: number | null
  /**
   * Highest return of a period.
   *
   * @unit share
   * @null n < 1
   */
  readonly bestReturn: number | null
  /**
   * Lowest return of a period.
   *
   * @unit share
   * @null n < 1
   */
  readonly worstReturn: number | null
  /**
   * Share of the periods with a positive return.
   *
   * @unit share
   * @null n < 1
   */
  readonly positiveReturns: number | null
  /**
   * Size of the largest gains compared with the largest losses: |q(0.95)| / |q(0.05)| of the returns.
   *
   * @unit ratio
   * @null n < 20, |q(0.05)| = 0
   */
  readonly tailRatio: number | null
  /**
   * Sensitivity to buy and hold: cov(x, b - f) / var(b - f), where b are the returns of buy and hold, and f is
   * riskFreeRate / P.
   *
   * @unit ratio
   * @null n < 10, var(b) = 0
   */
  readonly beta: number | null
  /**
   * Annualized return that `beta` does not explain: (mean(x) - `beta` mean(b - f)) P.
   *
   * @unit share per year
   * @null n < 10, var(b) = 0
   * @see Jensen (1968), The Performance of Mutual Funds in the Period 1945-1964
   */
  readonly alpha: number | null
  /**
   * Pearson's correlation of x with the returns of buy and hold.
   *
   * @unit in [-1, 1]
   * @null n < 10, var(b) = 0, s = 0
   */
  readonly correlation: number | null
}

export interface ReturnInputs {
  /** Undefined if a sample has no value. */
  readonly samples: ReturnSamples | undefined
  /** Returns of buying and holding over the same periods; empty for none. */
  readonly benchmark: readonly number[]
  /** Length from the first row of the tape to the last. */
  readonly durationMs: number
  readonly periodMs: number
  /** Largest drawdown over every mark, in [0, 1]. */
  readonly maxDrawdown: number
  /** Seeded by the run, in [0, 1). */
  readonly random: () => number
}

const MIN_BENCHMARK_RETURNS = 10

interface BenchmarkFigures {
  /** Covariance with the benchmark over its variance. */
  readonly beta: number | null
  /** Mean excess that beta does not explain, a year. */
  readonly alpha: number | null
  /** Pearson's, in [-1, 1]. */
  readonly correlation: number | null
}

const NONE: BenchmarkFigures = { beta: null, alpha: null, correlation: null }

/**
 * All figures are null for fewer than ten returns, or if the benchmark did not vary; the correlation also if the run
 * did not vary.
 *
 * @param benchmark  its returns over the same periods
 * @see Jensen (1968), The Performance of Mutual Funds in the Period 1945-1964
 */
export function benchmarkFigures(run: ReturnSamples, benchmark: readonly number[]): BenchmarkFigures {
  const { excess, riskFree, periodsPerYear } = run
  if (excess.length < MIN_BENCHMARK_RETURNS || benchmark.length !== excess.length) return NONE
  const excessOfBenchmark = benchmark.map((value) => value - riskFree)
  if (deviation(excessOfBenchmark) === 0) return NONE
  const variance = comoment(excessOfBenchmark, excessOfBenchmark)
  const covariance = comoment(excess, excessOfBenchmark)
  const beta = covariance / variance
  const alpha = ((mean(excess) ?? 0) - beta * (mean(excessOfBenchmark) ?? 0)) * periodsPerYear
  const spread = deviation(excess) === 0 ? 0 : Math.sqrt(comoment(excess, excess) * variance)
  // Rounding may lead a hair beyond.
  const correlation = spread === 0 ? null : Math.max(-1, Math.min(1, covariance / spread))
  return { beta, alpha, correlation }
}

export function returnStatistics({ samples, ...inputs }: ReturnInputs): ReturnStatistics {
  if (samples === undefined) return NOTHING
  const { equity, returns, excess, riskFree, periodsPerYear } = samples
  const isShort = returns.length < MIN_PERIODS || inputs.durationMs < MIN_PERIODS * inputs.periodMs
  const ofYear = (figure: () => number | null): number | null => (isShort ? null : figure())
  const yearly = ofYear(() => cagr(equity[0]?.equity ?? 0n, equity.at(-1)?.equity ?? 0n, inputs.durationMs))
  const ofExcess = (resample: readonly number[]): number | null => sharpe(resample, periodsPerYear)
  const ofMean = (resample: readonly number[]): number | null => (mean(resample) ?? 0) + riskFree
  const [sharpeInterval = null, meanReturnInterval = null] = blockIntervals(excess, [ofExcess, ofMean], inputs.random)
  return {
    periods: returns.length,
    periodsPerYear,
    cagr: yearly,
    volatility: ofYear(() => volatility(excess, periodsPerYear)),
    sharpe: ofYear(() => sharpe(excess, periodsPerYear)),
    sharpeInterval: isShort ? null : sharpeInterval,
    meanReturnInterval,
    sortino: ofYear(() => sortino(excess, periodsPerYear)),
    calmar: calmar(yearly, inputs.maxDrawdown),
    omega: omega(excess),
    gainToPain: gainToPain(returns),
    ...sampledDrawdowns(equity),
    valueAtRisk: valueAtRisk(returns),
    expectedShortfall: expectedShortfall(returns),
    skew: skew(returns),
    kurtosis: kurtosis(returns),
    bestReturn: best(returns),
    worstReturn: worst(returns),
    positiveReturns: positiveShare(returns),
    tailRatio: tailRatio(returns),
    ...benchmarkFigures(samples, inputs.benchmark),
  }
}

const NOTHING: ReturnStatistics = {
  periods: null,
  periodsPerYear: null,
  cagr: null,
  volatility: null,
  sharpe: null,
  sharpeInterval: null,
  meanReturnInterval: null,
  sortino: null,
  calmar: null,
  omega: null,
  gainToPain: null,
  averageDrawdown: null,
  longestDrawdownMs: null,
  timeUnderWater: null,
  ulcerIndex: null,
  valueAtRisk: null,
  expectedShortfall: null,
  skew: null,
  kurtosis: null,
  bestReturn: null,
  worstReturn: null,
  positiveReturns: null,
  tailRatio: null,
  beta: null,
  alpha: null,
  correlation: null,
}
