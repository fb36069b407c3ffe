/**
 * `walk-forward.csv`: a row a test window, oldest first. Times are Unix milliseconds.
 */
import type { WalkForwardReport } from '../../runtime/sweep/walk-forward.ts'
import { csvRow } from './sweep-csv.ts'

const BEFORE = ['trainFrom', 'trainTo', 'testFrom', 'testTo'] as const
const AFTER = ['inSample', 'outOfSample', 'inSampleReturn', 'outOfSampleReturn', 'digest', 'error'] as const

/** @param params  names of the parameters, in the order in which they were named */
export function walkForwardCsv(params: readonly string[], { windows }: WalkForwardReport): string {
  const rows = windows.map((window) => [
    ...BEFORE.map((name) => window[name]),
    ...params.map((name) => window.params?.[name]),
    ...AFTER.map((name) => window[name]),
  ])
  return [[...BEFORE, ...params, ...AFTER], ...rows].map(csvRow).join('')
}
