/**
 * The points of a sweep, run on some terms: all that its plan names, or those that its search chooses, each batch by what came of those before.
 */
import type { PointOutcome } from '../../runtime/sweep/point-outcome.ts'
import { searchedPoints } from '../../runtime/sweep/point-search.ts'
import type { PointTerms, SweepRun } from '../../runtime/sweep/sweep-point.ts'
import type { SweepPlan } from './sweep-plan.ts'

/**
 * @param run  of runs, one outcome for each in their order; its errors are passed on
 * @returns in the order of the grid, or of the trials of the search
 */
export async function explored(
  { grid, search }: Pick<SweepPlan, 'grid' | 'search'>,
  run: (runs: readonly SweepRun[]) => Promise<readonly PointOutcome[]>,
  terms?: PointTerms,
): Promise<readonly PointOutcome[]> {
  const runOf = (params: SweepRun['params']): SweepRun => (terms === undefined ? { params } : { params, terms })
  if (search === null) return await run(grid.map(runOf))
  const points = searchedPoints(search)
  let step = points.next()
  while (step.done !== true) step = points.next(await run(step.value.map(runOf)))
  return step.value
}
