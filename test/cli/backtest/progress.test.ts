import { expect, it } from 'vitest'
import { Progress } from '../../../src/cli/backtest/progress.ts'

const CLEAR = '\r\u001b[K'

/** What is written at each moment, in milliseconds since the start. */
function drawn(
  steps: readonly (readonly [at: number, step: (progress: Progress) => void])[],
  columns?: number,
): readonly string[] {
  let now = 1_000_000
  const written: string[] = []
  const progress = new Progress(
    { write: (text: string) => written.push(text), ...(columns !== undefined && { columns }) },
    () => now,
  )
  for (const [at, step] of steps) {
    now = 1_000_000 + at
    step(progress)
  }
  return written
}

const run = (progress: Progress): void => progress.update({ rows: 500, time: 5, from: 0, to: 10 })

it('reports how far a tape is read once that takes a while, ten times a second, and clears the line', () => {
  const read =
    (bytes: number) =>
    (progress: Progress): void =>
      progress.read('a/b\u001b.csv', bytes, 1000)
  const text = drawn([
    [0, read(1)],
    [499, read(10)],
    [500, read(105)],
    [550, read(200)],
    [600, read(2000)],
    [700, (p) => p.clear()],
  ])
  expect(text).toEqual([`${CLEAR}reading b\ufffd.csv  10 %`, `${CLEAR}reading b\ufffd.csv  100 %`, CLEAR])
})

it('counts events a second from the end of the reading on', () => {
  const text = drawn([
    [0, (p) => p.read('a.csv', 0, 0)],
    [10_000, (p) => p.read('a.csv', 1, 0)],
    [11_000, run],
  ])
  expect(text).toEqual([`${CLEAR}reading a.csv`, `${CLEAR}50 %  500 events/s  1970-01-01T00:00:00.005Z`])
})

it('reports how long the rest takes, once that is known', () => {
  const at = (share: number) => (progress: Progress) => progress.update({ rows: 1, time: share, from: 0, to: 1000 })
  const ends = drawn([
    [0, (p) => p.read('a.csv', 0, 0)],
    [1_900, at(500)],
    [2_100, at(5)],
    [3_000, at(500)],
    [10_000, at(10)],
    [20_000, at(1)],
    [30_000, at(10)],
    [60_000, at(10)],
    [90_000, at(1000)],
  ]).map((text) => /(?<=Z).*$/.exec(text)?.[0])
  expect(ends).toEqual(['', '', '  3 s left', '  17 min left', '', '  50 min left', '  2 h left', '  0 s left'])
})

it('reports a short run without a word about its reading', () => {
  expect(
    drawn([
      [1, (p) => p.read('a.csv', 1, 1)],
      [2, run],
    ]),
  ).toHaveLength(1)
})

it.each([
  [80, '50 %  500 events/s  1970-01-01T00:00:00.005Z  10 s left'],
  [50, '50 %  1970-01-01T00:00:00.005Z  10 s left'],
  [20, '50 %  10 s left'],
  [5, '50 %'],
])('is one line of a terminal of %i columns, without what does not fit', (columns, line) => {
  const steps = [[0, (p: Progress) => p.read('a.csv', 0, 0)], [10_000, (p: Progress) => p.update({ rows: 5_000, time: 5, from: 0, to: 10 })]] as const // prettier-ignore
  expect(drawn(steps, columns).at(-1)).toBe(`${CLEAR}${line}`)
})
