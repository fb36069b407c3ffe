/**
 * Results of the tests of the best that were requested: which failed, and which have no result.
 *
 * @see Pardo (2008), The Evaluation and Optimization of Trading Strategies: walk-forward efficiency of at least 50 %
 */
import type { MonteCarloReport } from './best-monte-carlo.ts'
import type { CrossValidationReport } from './cross-validation.ts'
import type { NullReport } from './null-tapes.ts'
import type { WalkForwardReport } from './walk-forward.ts'

/** Null for a test that was not requested. */
export interface RequestedTests {
  readonly nullTapes: NullReport | null
  readonly walkForward: WalkForwardReport | null
  readonly crossValidation: CrossValidationReport | null
  readonly monteCarlo: MonteCarloReport | null
}

/** Each result as the end of a sentence. */
export interface TestResults {
  readonly failed: readonly string[]
  readonly unknown: readonly string[]
}

const MAX_P_VALUE = 0.05
const MIN_EFFICIENCY = 0.5

export function testResults(tests: RequestedTests): TestResults {
  const [failed, unknown]: [string[], string[]] = [[], []]
  nullTapesResult(tests, failed, unknown)
  walkForwardResult(tests, failed, unknown)
  const { crossValidation, monteCarlo } = tests
  if (crossValidation !== null) {
    const median = crossValidation.medianSharpe
    if (median === null) unknown.push('cross-validation has no Sharpe ratio')
    else if (median <= 0) failed.push('in cross-validation the median Sharpe ratio is not above 0')
  }
  if (monteCarlo?.equity === null) unknown.push('Monte Carlo needs at least ten returns')
  const low = monteCarlo?.equity?.final.low ?? 0
  if (low < 0) failed.push(`5 % of the Monte Carlo rounds end at ${percent(low)} or less`)
  return { failed, unknown }
}

function nullTapesResult({ nullTapes }: RequestedTests, failed: string[], unknown: string[]): void {
  if (nullTapes === null) return
  const { pValue, tapes } = nullTapes
  if (pValue === null) unknown.push('the shuffled tapes have no result')
  else if (pValue <= MAX_P_VALUE) return
  // The lowest p-value that so few tapes can show.
  else if (pValue === 1 / (tapes + 1)) unknown.push('the p-value needs at least 19 shuffled tapes (--null 19)')
  else
    failed.push(`the p-value is ${percentBeside(pValue, MAX_P_VALUE)}, and at most ${percent(MAX_P_VALUE)} is required`)
}

/** Has enough decimals to differ from the limit that it missed. */
function percentBeside(share: number, limit: number): string {
  const decimals = [1, 2, 3, 4].find((count) => (share * 100).toFixed(count) !== (limit * 100).toFixed(count))
  return decimals === undefined || decimals === 1 ? percent(share) : `${(share * 100).toFixed(decimals)} %`
}

function walkForwardResult({ walkForward }: RequestedTests, failed: string[], unknown: string[]): void {
  if (walkForward === null) return
  const { efficiency, return: made, windows } = walkForward
  const errors = windows.filter(({ error }) => error !== null).length
  if (errors > 0) failed.push(`${errors} of ${windows.length} walk-forward windows failed`)
  if (made <= 0) failed.push(`walk-forward returned ${percent(made)} out of sample`)
  else if (efficiency === null) unknown.push('walk-forward had no growth in sample to compare with')
  else if (efficiency < MIN_EFFICIENCY) {
    failed.push(
      `walk-forward kept ${percentBeside(efficiency, MIN_EFFICIENCY)} of the growth, and at least 50 % is required`,
    )
  }
}

/** Never rounds to 0 or 100: nearly certain is not certain. */
export function percent(share: number): string {
  const value = share * 100
  if (value > 0 && value < 0.1) return 'less than 0.1 %'
  if (value < 100 && value > 99.9) return 'more than 99.9 %'
  return `${value.toFixed(1)} %`
}
