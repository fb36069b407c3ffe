import { describe, expect, it } from 'vitest'
import { GapDetector } from '../../../src/simulation/replay/gap-detector.ts'

type Row = readonly [tape: number, time: number, id?: number]

/** For each trade whether there is a gap before it. */
function gapsOf(rows: readonly Row[]): readonly boolean[] {
  const detector = new GapDetector(1_000)
  return rows.map(([tape, time, id = NaN]) => detector.next(tape, time, id))
}

const NO = false
const YES = true

describe('a gap', () => {
  it.each<[string, readonly Row[], readonly boolean[]]>([
    ['is never before the first trade', [[0, 5, 7]], [NO]],
    [
      'is longer silence than is usual',
      [
        [0, 0],
        [0, 1_000],
        [0, 2_001],
      ],
      [NO, NO, YES],
    ],
    [
      'is the boundary of a file',
      [
        [0, 0],
        [1, 0],
        [1, 1],
      ],
      [NO, YES, NO],
    ],
    [
      'is a jump of ids that step by one',
      [
        [0, 0, 1],
        [0, 1, 2],
        [0, 2, 4],
        [0, 3, 5],
      ],
      [NO, NO, YES, NO],
    ],
    [
      'is no jump among jumps',
      [
        [0, 0, 1],
        [0, 1, 5],
        [0, 2, 9],
        [0, 3, 10],
        [0, 4, 20],
      ],
      [NO, NO, NO, NO, NO],
    ],
    [
      'is not told by ids that are none',
      [
        [0, 0],
        [0, 1],
        [0, 2, 9],
        [0, 3],
      ],
      [NO, NO, NO, NO],
    ],
    [
      'is told by the past alone',
      [
        [0, 0, 1],
        [0, 1, 3],
        [0, 2, 4],
        [0, 3, 5],
        [0, 4, 9],
      ],
      [NO, NO, NO, NO, YES],
    ],
  ])('%s', (_, rows, expected) => {
    expect(gapsOf(rows)).toEqual(expected)
  })
})
