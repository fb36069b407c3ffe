import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Statistics } from '../../src/analysis/statistics.ts'
import { givenObjective, statisticObjective } from '../../src/sweep/objective.ts'
import type { PointOutcome } from '../../src/sweep/point-outcome.ts'
import { paretoFrontOf, rankedBy } from '../../src/sweep/ranking.ts'

type Numbers = Partial<Record<'sharpe' | 'return' | 'maxDrawdown', number | null>>

const outcome = (key: string, statistics: Numbers | null): PointOutcome => ({
  key,
  params: { name: key },
  digest: null,
  initialEquity: null,
  finalEquity: null,
  orders: 0,
  statistics: statistics as Statistics | null,
  error: null,
  periods: null,
})

const objective = (name: string) => statisticObjective('--objective', name)
const keys = (outcomes: readonly PointOutcome[]): string => outcomes.map(({ key }) => key).join(' ')

const POINTS = [
  outcome('a', { sharpe: 1, return: 0.5, maxDrawdown: 0.2 }),
  outcome('b', { sharpe: 2, return: -0.1, maxDrawdown: 0.4 }),
  outcome('c', { sharpe: 1, return: 0.7, maxDrawdown: 0.2 }),
  outcome('d', { sharpe: null, return: 9, maxDrawdown: 0 }),
  outcome('e', null),
]

describe('a ranking', () => {
  it.each`
    objectives              | expected     | why
    ${['sharpe']}           | ${'b a c'}   | ${'equals stay in the order of the grid, and what has none is not there'}
    ${['-sharpe']}          | ${'a c b'}   | ${'a minus turns it round'}
    ${['maxDrawdown']}      | ${'d a c b'} | ${'less is better'}
    ${['-maxDrawdown']}     | ${'b a c d'} | ${'a minus turns that round too'}
    ${['sharpe', 'return']} | ${'b c a'}   | ${'among equals the next objective tells'}
  `('by $objectives is $expected: $why', ({ objectives, expected }) => {
    expect(keys(rankedBy(POINTS, (objectives as string[]).map(objective)))).toBe(expected)
  })

  it('is by what a user reckons', () => {
    const mine = givenObjective('mine', (statistics, { name }) => (name === 'a' ? 10 : statistics.return))
    expect(keys(rankedBy(POINTS, [mine]))).toBe('a d c b')
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, undefined, '1', {}])('refuses a score of %s', (score) => {
    expect(() => rankedBy(POINTS, [givenObjective('mine', () => score)])).toThrow(
      'mine: expected a finite number or null',
    )
  })

  it.each`
    name           | error
    ${'sharp'}     | ${"no statistic 'sharp'; did you mean 'sharpe'?"}
    ${'-sharp'}    | ${"no statistic 'sharp'; did you mean 'sharpe'?"}
    ${'openTrips'} | ${"no statistic 'openTrips'"}
    ${'toString'}  | ${"no statistic 'toString'"}
    ${''}          | ${"no statistic ''; docs/statistics.md lists them"}
  `('knows no statistic $name', ({ name, error }) => expect(() => objective(name)).toThrow(error))
})

describe('a Pareto front', () => {
  it('has those that no other beats', () => {
    expect(keys(paretoFrontOf(POINTS, [objective('sharpe'), objective('return')]))).toBe('b c')
    expect(keys(paretoFrontOf(POINTS, [objective('sharpe'), objective('maxDrawdown')]))).toBe('b a c')
  })

  it('is what a comparison of each with each gives', () => {
    const small = fc.integer({ min: 0, max: 4 })
    fc.assert(
      fc.property(fc.array(fc.tuple(small, small, small), { maxLength: 30 }), (rows) => {
        const points = rows.map(([sharpe, gain, loss], index) =>
          outcome(String(index), { sharpe, return: gain, maxDrawdown: loss }),
        )
        const scores = rows.map(([sharpe, gain, loss]) => [sharpe, gain, -loss])
        const beaten = scores.map((own) =>
          scores.some(
            (other) =>
              other.every((score, at) => score >= (own[at] ?? 0)) && other.some((score, at) => score > (own[at] ?? 0)),
          ),
        )
        const front = paretoFrontOf(points, ['sharpe', 'return', 'maxDrawdown'].map(objective))
        expect(new Set(front.map(({ key }) => Number(key)))).toEqual(
          new Set(rows.flatMap((_, index) => (beaten[index] === true ? [] : [index]))),
        )
      }),
    )
  })
})
