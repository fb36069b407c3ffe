/**
 * What the page of a sweep is given of shuffled tapes, cross-validation and Monte Carlo: the figures of `sweep.json`,
 * and words that fit them.
 */
import { describe, expect, it } from 'vitest'
import type { NullReport } from '../../../../src/sweep/null-tapes.ts'
import { sweepPage } from '../../../../src/report/page/sweep/sweep-page.ts'
import type { SweptMonteCarlo } from '../../../../src/report/page/sweep/swept-monte-carlo.ts'
import type { PageFigure } from '../../../../src/report/page/page-data.ts'
import { MADE_UP_MONTE_CARLO, madeUpCrossValidation, madeUpNullTapes, madeUpSweep } from './rig/made-up-sweep.ts'

const facts = madeUpSweep({ steps: { fast: 4, slow: 3 } })
const exactly = (figures: readonly PageFigure[] = []): readonly (readonly [string, string])[] =>
  figures.map(({ path, exact }) => [path, exact])

describe('a part that no one asked for', () => {
  it('is not there', () => {
    expect(sweepPage(facts)).toMatchObject({ nullTapes: null, crossValidation: null, monteCarlo: null })
  })
})

describe('shuffled tapes', () => {
  const shown = (nullTapes: NullReport, swept = facts) => sweepPage({ ...swept, nullTapes }).nullTapes
  const recorded = facts.ranked[0]?.statistics?.sharpe ?? Number.NaN

  it('stand beside the best of the recorded one, rising, those without a best left out', () => {
    const page = shown(madeUpNullTapes(facts, 20))
    expect(page?.recorded).toBe(recorded)
    expect(page?.bests).toHaveLength(18)
    expect(page?.bests).toEqual(page?.bests.toSorted((a, b) => a - b))
    expect(page?.text).toContain('On 2 of them no point has a value for the objective; they count as worse.')
    const { figures = [] } = page ?? {}
    expect(exactly(figures)[1]).toEqual(['best', String(recorded)])
    expect(figures.at(-1)?.exact).toBe(String(page?.bests.at(-1)))
  })

  it.each`
    bests         | pValue   | words                                                           | why
    ${[0, 0, 0]}  | ${1 / 4} | ${'On none of 3 shuffled tapes is the best as good'}            | ${'none'}
    ${[0, 99, 0]} | ${2 / 4} | ${'a p-value of (1 + 1) / (3 + 1) = 50.00 %.'}                  | ${'one'}
    ${[0]}        | ${1 / 2} | ${'the lowest that so few tapes can show.'}                     | ${'the limit'}
    ${[null]}     | ${null}  | ${'There is no best to compare with those of 1 shuffled tape.'} | ${'nothing was found'}
  `(
    'are reported in words: $why',
    ({ bests, pValue, words }: { bests: number[]; pValue: number | null; words: string }) => {
      expect(shown({ tapes: bests.length, bests, pValue })?.text).toContain(words)
    },
  )

  it('have the lowest as their best where less is better', () => {
    const swept = madeUpSweep({ steps: { fast: 4, slow: 3 }, objectives: ['maxDrawdown'] })
    const page = shown({ tapes: 3, bests: [0.3, 0.01, 0.2], pValue: 0.5 }, swept)
    expect(exactly(page?.figures).slice(2)).toEqual([
      ['nullTapes.bests', '0.2'],
      ['nullTapes.bests', '0.01'],
    ])
  })
})

describe('a cross-validation', () => {
  const page = sweepPage({ ...facts, crossValidation: madeUpCrossValidation(facts) }).crossValidation

  it('has its paths by Sharpe ratio, the lowest first, one without before all', () => {
    expect(page?.paths.map(({ sharpe }) => sharpe)).toEqual([null, -0.5, -0.25, 0.75, 1.25])
    expect(page?.chosenSharpe).toBe(facts.ranked[0]?.statistics?.sharpe)
  })

  it('says in words how many lose, and what was chosen', () => {
    expect(page?.text).toBe(
      '2 of 5 paths lose money; the median Sharpe ratio is 0.25. 15 selections by Sharpe ratio, each holding out 2 of 6 groups of time, picked 12 different points.',
    )
    expect(exactly(page?.figures)).toEqual([
      ['crossValidation.medianSharpe', '0.25'],
      ['crossValidation.worstSharpe', '-0.5'],
      ['crossValidation.lossShare', '0.4'],
      ['crossValidation.folds', '15'],
      ['crossValidation.embargoMs', '3600000'],
    ])
    // The others are in sweep.json.
    expect(page?.choices).toHaveLength(10)
    expect(page?.choices[0]).toEqual({ params: ['5', '5'], folds: 12 })
  })
})

describe('a Monte Carlo', () => {
  const shown = (monteCarlo: SweptMonteCarlo) => sweepPage({ ...facts, monteCarlo }).monteCarlo

  it('has what is in one unit together, the run itself beside it', () => {
    const page = shown(MADE_UP_MONTE_CARLO)
    expect(page?.groups.map(({ title, form }) => [title, form])).toEqual([
      ['By periods', 'share'],
      ['By round trips, in USD', 'ratio'],
    ])
    const labels = page?.groups.flatMap(({ spreads }) => spreads.map(({ label }) => label))
    expect(labels).toEqual(['Return', 'Largest drawdown', 'Profit', 'Largest fall', 'Largest fall, reordered'])
    const [returned] = page?.groups[0]?.spreads ?? []
    const { low, lowerQuarter, median, upperQuarter, high } = MADE_UP_MONTE_CARLO.equity?.final ?? {}
    expect(returned?.quantiles).toEqual([low, lowerQuarter, median, upperQuarter, high])
    expect(returned?.actual).toBe(MADE_UP_MONTE_CARLO.equity?.actual.final)
    expect(page?.text).toMatch(/^In 1,000 rounds resampled by periods, 90 % make between -11\.00 % and 21\.00 %, /)
  })

  it('says what there was too little to draw from, and shows the rest', () => {
    const none = shown({ rounds: 100, trips: null, tripOrder: null, equity: null })
    expect(none).toEqual({
      text: 'It has too few periods and round trips to resample; ten are needed.',
      figures: [],
      groups: [],
    })
    expect(shown({ ...MADE_UP_MONTE_CARLO, equity: null })?.groups).toHaveLength(1)
  })

  it('of a sweep.json that does not say what the run itself came to is shown without', () => {
    const { equity } = MADE_UP_MONTE_CARLO
    if (equity === null) throw new Error('it has periods')
    const { rounds, final, maxDrawdown, lossShare } = equity
    const older = { rounds, final, maxDrawdown, lossShare }
    const page = shown({ rounds, trips: null, tripOrder: null, equity: older })
    expect(page?.groups[0]?.spreads.map(({ actual }) => actual)).toEqual([null, null])
  })
})
