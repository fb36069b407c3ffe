/**
 * Asks for the next points of a sweep, as long as few are waited for.
 *
 * Invariant: once it is done, nothing is waited for only where no point is left, however many had an outcome already.
 */
import type { PointOutcome } from '../../../runtime/sweep/point-outcome.ts'
import type { SweepPoint } from '../../../runtime/sweep/sweep-point.ts'
import type { PendingPoints } from './pending-points.ts'

export interface WindowFilling {
  readonly wishes: Pick<PendingPoints, 'add' | 'open'>
  readonly queue: Iterator<SweepPoint>
  /** Points that are waited for at once. */
  readonly window: number
  readonly tell: (outcomes: readonly PointOutcome[]) => void
  /** True where nothing is to be asked any more. */
  readonly isOver: () => boolean
}

export async function fillWindow({ wishes, queue, window, tell, isOver }: WindowFilling): Promise<void> {
  while (wishes.open.size <= window / 2 && !isOver()) {
    const points = taken(queue, window - wishes.open.size)
    if (points.length === 0) return
    tell(await wishes.add(points))
  }
}

/** The next ones; fewer at the end. */
function taken(queue: Iterator<SweepPoint>, count: number): readonly SweepPoint[] {
  const points: SweepPoint[] = []
  while (points.length < count) {
    const next = queue.next()
    if (next.done === true) break
    points.push(next.value)
  }
  return points
}
