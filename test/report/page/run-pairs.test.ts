/**
 * Runs compared with the first by the returns of their common periods.
 */
import { expect, it } from 'vitest'
import type { Line } from '../../../src/report/page/page-data.ts'
import { pairTable } from '../../../src/report/page/run-pairs.ts'
import { seededRandom } from '../../../src/runtime/strategies/seeded-random.ts'

const DAY = 86_400_000

/** A run with these returns, a day each. */
function runOf(returns: readonly number[], from = 0): Line {
  let equity = 10_000
  return {
    times: Array.from({ length: returns.length + 1 }, (_, index) => from + index * DAY),
    values: [equity, ...returns.map((value) => (equity *= 1 + value))],
  }
}

const random = seededRandom(3)
/** Sum of twelve uniform numbers: nearly normal, with a deviation of 1. */
const normal = (): number => Array.from({ length: 12 }, random).reduce((sum, value) => sum + value, -6)
const noise = Array.from({ length: 400 }, () => normal() / 100)
const own = Array.from({ length: 400 }, () => normal() / 1_000)

const rowOf = (first: Line, other: Line): readonly string[] =>
  pairTable(
    [
      { name: 'a', samples: first },
      { name: 'b', samples: other },
    ],
    seededRandom(1),
  ).rows[0]?.cells ?? []

it.each([
  { why: 'the same run', add: () => 0, reading: 'The difference may be luck: the interval includes 0.' },
  {
    why: 'differs at random',
    add: (index: number) => own[index] ?? 0,
    reading: 'The difference may be luck: the interval includes 0.',
  },
  {
    why: 'a little better every day, far below the noise of both',
    add: (index: number) => 0.0005 + (own[index] ?? 0) / 5,
    reading: 'Better than the first.',
  },
  {
    why: 'a little worse every day',
    add: (index: number) => -0.0005 + (own[index] ?? 0) / 5,
    reading: 'Worse than the first.',
  },
])('reads $reading of a run that is $why', ({ add, reading }) => {
  expect(rowOf(runOf(noise), runOf(noise.map((value, index) => value + add(index))))[5]).toBe(reading)
})

it('has an interval as wide as the theory of independent differences says', () => {
  const other = noise.map((value, index) => value + (own[index] ?? 0))
  const [, periods, , difference, interval = ''] = rowOf(runOf(noise), runOf(other))
  const mean = own.reduce((sum, value) => sum + value, 0) / own.length
  const deviation = Math.sqrt(own.reduce((sum, value) => sum + (value - mean) ** 2, 0) / own.length)
  const [low = 0, high = 0] = interval.replaceAll(' bps', '').split(' to ').map(Number)
  expect(periods).toBe('400')
  expect(Number.parseFloat(difference ?? '')).toBeCloseTo(mean * 10_000, 1)
  const expected = (2 * 1.96 * deviation * 10_000) / Math.sqrt(own.length)
  expect((high - low) / expected).toBeGreaterThan(0.8)
  expect((high - low) / expected).toBeLessThan(1.2)
})

it('uses only the periods that both runs have', () => {
  const late = runOf(
    noise.slice(0, 40).map((value) => -value),
    10 * DAY,
  )
  expect(rowOf(runOf(noise.slice(0, 40)), late)[1]).toBe('30')
  expect(rowOf(runOf(noise.slice(0, 40)), runOf(noise.slice(0, 40), DAY / 2)).slice(1)).toEqual([
    ...['0', '–', '–', '–'],
    'Too few common periods to decide.',
  ])
})

it('correlates a run with itself, with its opposite, and not with one whose returns are all alike', () => {
  expect(rowOf(runOf(noise), runOf(noise))[2]).toBe('1.00')
  expect(rowOf(runOf(noise), runOf(noise.map((value) => -value)))[2]).toBe('-1.00')
  expect(rowOf(runOf(noise), runOf(noise.map(() => 0)))[2]).toBe('–')
  const steady = (growth: number): Line => {
    const days = Array.from({ length: 60 }, (_, day) => day)
    return { times: days.map((day) => day * DAY), values: days.map((day) => 10_000 * growth ** day) }
  }
  expect(rowOf(steady(1.001), steady(1.0007))[2]).toBe('–')
})
