/**
 * A run beside buying and holding, over the same periods.
 */
import { comoment, deviation, mean } from './float-sums.ts'
import type { ReturnSamples } from './return-samples.ts'

const LEAST = 10

export interface BenchmarkFigures {
  /** Covariance with the benchmark over its variance. */
  readonly beta: number | null
  /** Mean excess that beta does not explain, a year. */
  readonly alpha: number | null
  /** Pearson's, in [-1, 1]. */
  readonly correlation: number | null
}

const NONE: BenchmarkFigures = { beta: null, alpha: null, correlation: null }

/**
 * Null, each of them, for fewer than ten returns, or where the benchmark did not vary; the correlation where the run did not, too.
 *
 * @param benchmark  its returns over the same periods
 * @see Jensen (1968), The Performance of Mutual Funds in the Period 1945-1964
 */
export function benchmarkFigures(run: ReturnSamples, benchmark: readonly number[]): BenchmarkFigures {
  const { excess, riskFree, periodsPerYear } = run
  if (excess.length < LEAST || benchmark.length !== excess.length) return NONE
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
