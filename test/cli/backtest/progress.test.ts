import { expect, it } from 'vitest'
import { Progress } from '../../../src/cli/backtest/progress.ts'

const CLEAR = '\r\u001b[K'

/** What is written at each moment, in milliseconds since the start. */
function drawn(steps: readonly (readonly [at: number, step: (progress: Progress) => void])[]): readonly string[] {
  let now = 1_000_000
  const written: string[] = []
  const progress = new Progress(
    (text) => written.push(text),
    () => now,
  )
  for (const [at, step] of steps) {
    now = 1_000_000 + at
    step(progress)
  }
  return written
}

const run = (progress: Progress): void => progress.update({ rows: 500, time: 5, from: 0, to: 10 })

it('tells how far a tape is read once that takes a while, ten times a second, and clears the line', () => {
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

it('tells of a short run without a word about its reading', () => {
  expect(
    drawn([
      [1, (p) => p.read('a.csv', 1, 1)],
      [2, run],
    ]),
  ).toHaveLength(1)
})
