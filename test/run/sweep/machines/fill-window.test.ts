/**
 * Points that another sweep has done already, before and behind the window of those that wait.
 */
import { expect, it } from 'vitest'
import { failedPoint } from '../../../../src/run/sweep/point-runner.ts'
import { fillWindow } from '../../../../src/run/sweep/machines/redis-pool.ts'
import type { PointOutcome } from '../../../../src/sweep/point-outcome.ts'
import type { SweepPoint } from '../../../../src/sweep/sweep-point.ts'

const WINDOW = 4
const pointsOf = (count: number): readonly SweepPoint[] =>
  Array.from({ length: count }, (_, index) => ({ key: `${index}`, params: {} }))

/** Of some points the outcome is there when they are asked for. */
function fakePending(isThere: (key: string) => boolean) {
  const open = new Map<string, SweepPoint>()
  const asked: number[] = []
  const add = (points: readonly SweepPoint[]): Promise<readonly PointOutcome[]> => {
    asked.push(points.length)
    for (const point of points) if (!isThere(point.key)) open.set(point.key, point)
    return Promise.resolve(points.filter(({ key }) => isThere(key)).map((point) => failedPoint(point, 'there')))
  }
  return { open, add, asked }
}

it.each`
  points | there | reported | open | asked        | why
  ${10}  | ${10} | ${10}    | ${0} | ${[4, 4, 2]} | ${'all were done: more than one window of them'}
  ${10}  | ${5}  | ${5}     | ${3} | ${[4, 4]}    | ${'it is more than half full then'}
  ${6}   | ${4}  | ${4}     | ${2} | ${[4, 2]}    | ${'no point is left'}
  ${3}   | ${0}  | ${0}     | ${3} | ${[3]}       | ${'fewer than a window'}
  ${0}   | ${0}  | ${0}     | ${0} | ${[]}        | ${'there is none'}
`('asks for $asked of $points points of which the first $there are done: $why', async (row) => {
  const pending = fakePending((key) => Number(key) < row.there)
  const reported: PointOutcome[] = []
  const tell = (outcomes: readonly PointOutcome[]): void => void reported.push(...outcomes)
  await fillWindow({ pending, queue: pointsOf(row.points).values(), window: WINDOW, report: tell, isOver: () => false })
  expect({ reported: reported.length, open: pending.open.size, asked: pending.asked }).toEqual({
    reported: row.reported,
    open: row.open,
    asked: row.asked,
  })
})

it('asks for nothing more once it is over', async () => {
  const pending = fakePending(() => true)
  let isOver = false
  const tell = (): void => void (isOver = true)
  await fillWindow({ pending, queue: pointsOf(10).values(), window: WINDOW, report: tell, isOver: () => isOver })
  expect(pending.asked).toEqual([WINDOW])
})
