/**
 * What the page of a sweep is given: every number as it was swept, in the order of the grid.
 */
import { describe, expect, it } from 'vitest'
import { statisticObjective } from '../../../../src/sweep/objective.ts'
import { sweepPage } from '../../../../src/report/page/sweep/sweep-page.ts'
import { curveOf, sampleTimes } from '../../../../src/report/page/sweep/swept-curves.ts'
import { MADE_UP_TRUTH, madeUpSweep, madeUpWalkForward } from './rig/made-up-sweep.ts'

const HOUR = 3_600_000

describe('the page of a sweep', () => {
  const facts = madeUpSweep({ steps: { fast: 4, slow: 3 }, objectives: ['return', '-maxDrawdown'] })
  const page = sweepPage(facts)

  it('has one entry a point in every column, whole', () => {
    expect(page.points).toBe(12)
    for (const { name, column } of page.figures) {
      const swept = facts.outcomes.map(({ statistics }) => {
        const value = (statistics as unknown as Record<string, number | null> | null)?.[name]
        return value ?? null
      })
      expect(column).toEqual(swept)
    }
    for (const { name, values, column } of page.params) {
      expect(column.map((index) => values[index])).toEqual(facts.outcomes.map(({ params }) => params[name]))
    }
  })

  it('has the objectives first, each once, by the direction that is better', () => {
    expect(page.objectives).toBe(2)
    expect(page.figures.slice(0, 2).map(({ name }) => name)).toEqual(['return', 'maxDrawdown'])
    const names = page.figures.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    const better = Object.fromEntries(page.figures.map((figure) => [figure.name, figure.better]))
    // With a minus before it, as no one should.
    expect(better.maxDrawdown).toBe('higher')
    expect(better.return).toBe('higher')
    const plain = sweepPage({ ...facts, objectives: [statisticObjective('x', 'maxDrawdown')] })
    expect(plain.figures[0]?.better).toBe('lower')
  })

  it('doubts figures per year of two days, and states that no round trip was closed', () => {
    const [from, swept] = [Date.UTC(2024, 0, 1), facts.outcomes]
    const noTrips = swept.map((each) => ({
      ...each,
      statistics: each.statistics === null ? null : { ...each.statistics, roundTrips: 0 },
    }))
    const short = { ...facts, outcomes: noTrips, times: { from, to: from + 48 * HOUR, periodMs: HOUR } }
    const { verdict, facts: said } = sweepPage(short)
    const doubted = verdict.doubts.map(({ text }) => text)
    expect(doubted).toContain('The runs cover only 2 d.')
    expect(doubted.join(' ')).not.toContain('round trip')
    expect(said).toContain('The best closed no round trip: its result comes from open positions alone.')
    expect(page.verdict.doubts.map(({ text }) => text).join(' ')).not.toContain('cover only')
  })

  it('names points by their place in the grid', () => {
    expect(page.ranking[0]).toBe(facts.outcomes.findIndex(({ key }) => key === facts.ranked[0]?.key))
    expect(page.front.map((point) => facts.outcomes[point]?.key)).toEqual(facts.front.map(({ key }) => key))
    expect(page.curves.map(({ point }) => point)).toEqual(page.ranking.slice(0, page.curves.length))
  })

  it('lets the values of a parameter of numbers rise, and leaves words as they were named', () => {
    const [first] = facts.outcomes
    if (first === undefined) throw new Error('no point')
    const params = { n: ['100', '20', '3e1'], word: ['slow', 'fast'] }
    const outcomes = [{ ...first, params: { n: '3e1', word: 'fast' } }]
    const [n, word] = sweepPage({ ...facts, params, outcomes, ranked: [], front: [] }).params
    expect(n).toEqual({ name: 'n', values: ['20', '3e1', '100'], isNumeric: true, column: [1] })
    expect(word).toEqual({ name: 'word', values: ['slow', 'fast'], isNumeric: false, column: [1] })
  })

  it('begins with the finding of sweep.json, and shows its figures and its walk-forward as they are', () => {
    const walkForward = madeUpWalkForward(facts)
    const judged = sweepPage({ ...facts, truth: MADE_UP_TRUTH, walkForward })
    expect(judged.verdict.headline).toMatch(
      /^There is no evidence that the best result is more than luck\. The best of 12 points: /,
    )
    expect(judged.verdict.tone).toBe('bad')
    expect(judged.facts[0]).toBe(MADE_UP_TRUTH.text[1])
    const exact = Object.fromEntries(judged.verdict.figures.map((figure) => [figure.path, figure.exact]))
    expect(exact['verdict.deflatedSharpe']).toBe('0.7123456789')
    expect(exact['verdict.trials']).toBe('1240')
    // No tape was shuffled.
    expect(exact).not.toHaveProperty('verdict.pValue')
    expect(judged.walkForward?.windows.map(({ params }) => params)).toEqual([
      ['20', '15'],
      ['20', '15'],
      null,
      ['20', '15'],
    ])
    const [returned] = judged.walkForward?.figures ?? []
    expect(returned).toMatchObject({ path: 'walkForward.return', text: '1.20 %', exact: '0.012' })
    expect(page.verdict.tone).toBe('plain')
    expect(page.walkForward).toBeNull()
  })

  it.each([
    ['likely real', 'good'],
    ['unknown', 'plain'],
  ] as const)('of a finding that is %s is %s', (finding, tone) => {
    expect(sweepPage({ ...facts, truth: { ...MADE_UP_TRUTH, finding } }).verdict.tone).toBe(tone)
  })

  it('distinguishes a plateau from an isolated peak', () => {
    const of = (sharpes: readonly number[]) => {
      const { outcomes, ...rest } = madeUpSweep({ steps: { fast: 5, slow: 5 } })
      const swept = outcomes.map((outcome, index) => ({
        ...outcome,
        statistics: { ...(outcome.statistics ?? facts.ranked[0]?.statistics), sharpe: sharpes[index] ?? 0 },
      })) as typeof outcomes
      const best = swept.toSorted((a, b) => (b.statistics?.sharpe ?? 0) - (a.statistics?.sharpe ?? 0))
      return sweepPage({ ...rest, outcomes: swept, ranked: best }).neighbours
    }
    const hill = Array.from(
      { length: 25 },
      (_, index) => 10 - Math.abs((index % 5) - 2) - Math.abs(Math.floor(index / 5) - 2),
    )
    const needle = hill.map((_, index) => (index === 12 ? 10 : index / 100))
    const edge = hill.map((_, index) => index)
    expect(of(needle)?.text).toMatch(/^An isolated peak: one step away, its 4 neighbours lose \d+ % of its lead/)
    expect(of(needle)?.points).toEqual([7, 11, 13, 17])
    expect(of(hill.map((value) => value ** 3))?.text).toMatch(/^A (plateau|slope): /)
    expect(of(edge)?.text).toContain('It is at the edge of the range of fast and slow: better values may be outside.')
  })
})

describe('a curve', () => {
  const [outcome] = madeUpSweep({ steps: { fast: 1 } }).outcomes
  if (outcome === undefined) throw new Error('no point')

  it('has a sample at the start, at each boundary within, and at the end', () => {
    expect(sampleTimes({ from: 90, to: 350, periodMs: 100 })).toEqual([90, 100, 200, 300, 350])
    expect(sampleTimes({ from: 100, to: 300, periodMs: 100 })).toEqual([100, 200, 300])
    expect(sampleTimes({ from: 10, to: 20, periodMs: 100 })).toEqual([10, 20])
  })

  it('is the kept one where there is one, else that of the samples, a multiple of the start', () => {
    const times = { from: 0, to: 2 * HOUR, periodMs: HOUR }
    const sampled = { ...outcome, initialEquity: '200', periods: ['200', '210', '190'] }
    expect(curveOf(sampled, times)).toEqual({ times: [0, HOUR, 2 * HOUR], values: [1, 1.05, 0.95] })
    const kept = { ...sampled, equity: [{ time: 7, equity: '220' }] }
    expect(curveOf(kept, times)).toEqual({ times: [7], values: [1.1] })
  })

  it.each`
    change                               | why
    ${{ periods: null }}                 | ${'no samples'}
    ${{ periods: ['1', '2', '3', '4'] }} | ${'samples of other times'}
    ${{ initialEquity: '0' }}            | ${'nothing to begin with'}
    ${{ initialEquity: null }}           | ${'a run that failed'}
  `('is none: $why', ({ change }) => {
    const times = { from: 0, to: 2 * HOUR, periodMs: HOUR }
    expect(curveOf({ ...outcome, initialEquity: '1', periods: ['1', '2', '3'], ...change }, times)).toBeNull()
  })
})
