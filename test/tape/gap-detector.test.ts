import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { GapDetector } from '../../src/tape/gap-detector.ts'

type Row = readonly [file: number, time: number, id?: number, form?: 'follows others' | 'not believed']

/** For each trade whether there is a gap before it. */
function gapsOf(rows: readonly Row[], silenceMs = 1_000): readonly boolean[] {
  const detector = new GapDetector(silenceMs)
  return rows.map(([file, time, id = NaN, form]) => {
    const isGap = detector.next(file, time, id, form === 'follows others')
    if (form !== 'not believed') detector.believed(time)
    return isGap
  })
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
      'is the first row of a file after all others',
      [
        [0, 0, NaN, 'follows others'],
        [1, 0, NaN, 'follows others'],
        [1, 1],
      ],
      [NO, YES, NO],
    ],
    [
      'is not where files alternate',
      [
        [0, 0],
        [1, 0],
        [0, 1],
        [1, 1],
      ],
      [NO, NO, NO, NO],
    ],
    [
      'is a jump in the own chain of a file',
      [
        [0, 0, 1],
        [1, 0, 900],
        [0, 1, 2],
        [1, 1, 901],
        [0, 2, 3],
        [1, 2, 905],
      ],
      [NO, NO, NO, NO, NO, YES],
    ],
    [
      'is silence since the last believed print, reported once',
      [
        [0, 0],
        [0, 600, NaN, 'not believed'],
        [0, 1_001, NaN, 'not believed'],
        [0, 1_002, NaN, 'not believed'],
        [0, 1_003],
        [0, 2_003],
      ],
      [NO, NO, YES, NO, NO, NO],
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
      'is not reported by ids that are none',
      [
        [0, 0],
        [0, 1],
        [0, 2, 9],
        [0, 3],
      ],
      [NO, NO, NO, NO],
    ],
    [
      'is reported by the past alone',
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

const OWN = fileURLToPath(new URL('vectors/gaps.csv', import.meta.url))
const VECTORS = fileURLToPath(new URL('../../../shared/data/vectors/gaps.csv', import.meta.url))

function expectGapsOf(file: string): void {
  const [, ...lines] = readFileSync(file, 'utf8').trim().split('\n')
  const rows = lines.map((line) => line.split(','))
  for (const name of new Set(rows.map(([each]) => each))) {
    const ofCase = rows.filter(([each]) => each === name)
    const files = ofCase.map(([, each]) => each)
    const reported = ofCase.map(([, each, id, time], row): Row => {
      // What an end is, mergeTapes says: here, that no other file that has begun has a row to come.
      const follows = files.slice(row).every((other) => other === each || !files.slice(0, row).includes(other))
      const number = [...new Set(files)].indexOf(each)
      return follows ? [number, Number(time), Number(id), 'follows others'] : [number, Number(time), Number(id)]
    })
    expect(gapsOf(reported, 600_000), name).toEqual(ofCase.map(([, , , , gap]) => gap === 'yes'))
  }
}

it('reports the gaps that were worked out in Python (vectors/make-gaps.py)', () => expectGapsOf(OWN))

describe.skipIf(!existsSync(VECTORS))('gaps that were worked out apart (skipped without ../shared/data)', () => {
  it('are reported in every row', () => expectGapsOf(VECTORS))
})
