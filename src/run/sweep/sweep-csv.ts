/** The CSV files of a sweep. */
import type { PointOutcome } from '../../sweep/point-outcome.ts'
import type { WalkForwardReport } from '../../sweep/walk-forward.ts'

const BEFORE = ['digest', 'orders', 'initialEquity', 'finalEquity'] as const

/**
 * `sweep.csv`: one row per point in grid order: parameters, digest, every statistic, error.
 *
 * @param params  names of the parameters, in the order given
 */
export function sweepCsv(params: readonly string[], outcomes: readonly PointOutcome[]): string {
  // All points have the same statistics, or none.
  const statistics = Object.keys(outcomes.find((outcome) => outcome.statistics !== null)?.statistics ?? {})
  const head = [...params, ...BEFORE, ...statistics, 'error']
  const rows = outcomes.map((outcome) => {
    const values: Readonly<Record<string, unknown>> = { ...outcome.statistics }
    return [
      ...params.map((name) => outcome.params[name]),
      ...BEFORE.map((name) => outcome[name]),
      ...statistics.map((name) => values[name]),
      outcome.error,
    ]
  })
  return [head, ...rows].map(csvRow).join('')
}

/** One row including its line end. */
const csvRow = (cells: readonly unknown[]): string => `${cells.map(cellOf).join(',')}\n`

/** Cell text; arrays and objects as JSON. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const WINDOW_TIMES = ['trainFrom', 'trainTo', 'testFrom', 'testTo'] as const
const WINDOW_FIGURES = ['inSample', 'outOfSample', 'inSampleReturn', 'outOfSampleReturn', 'digest', 'error'] as const

/**
 * `walk-forward.csv`: one row per test window, oldest first. Times are Unix milliseconds.
 *
 * @param params  names of the parameters, in the order given
 */
export function walkForwardCsv(params: readonly string[], { windows }: WalkForwardReport): string {
  const rows = windows.map((window) => [
    ...WINDOW_TIMES.map((name) => window[name]),
    ...params.map((name) => window.params?.[name]),
    ...WINDOW_FIGURES.map((name) => window[name]),
  ])
  return [[...WINDOW_TIMES, ...params, ...WINDOW_FIGURES], ...rows].map(csvRow).join('')
}
