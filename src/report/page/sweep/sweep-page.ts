/**
 * The content of a sweep page, from the outcomes of its points.
 *
 * Invariant: nothing is computed here that a file of the sweep contains; points are in grid order.
 */
import { type GridPoint, neighbourhood } from '../../../sweep/selection/neighbourhood.ts'
import type { CrossValidationReport } from '../../../sweep/cross-validation.ts'
import type { NullReport } from '../../../sweep/null-tapes.ts'
import type { PointOutcome } from '../../../sweep/point-outcome.ts'
import type { Objective } from '../../../sweep/objective.ts'
import { pageCrossValidation } from './swept-cross-validation.ts'
import { pageMonteCarlo, type SweptMonteCarlo } from './swept-monte-carlo.ts'
import { pageNullTapes } from './swept-null-tapes.ts'
import type { PageCurve, PageNeighbours, SweepPageData, SweptFigure, SweptParam } from './sweep-page-data.ts'
import { type SampleTimes, curveOf } from './swept-curves.ts'
import { pageWalkForward, type SweptVerdict, type SweptWalkForward } from './sweep-truth.ts'
import { sweepVerdict } from './sweep-verdict.ts'
import { sweptFigures } from './swept-figures.ts'
import { builtFile } from '../built-file.ts'
import { pageDocument } from '../page-document.ts'

const CURVES = 10

export interface SweepFacts {
  readonly strategy: string
  /** Symbols of the markets. */
  readonly symbols: readonly string[]
  /** Tested values as texts, by parameter. */
  readonly params: Readonly<Record<string, readonly string[]>>
  /** At least one. */
  readonly objectives: readonly Objective[]
  /** Outcomes in grid order. */
  readonly outcomes: readonly PointOutcome[]
  /** Outcomes that have every objective, best first. */
  readonly ranked: readonly PointOutcome[]
  /** Pareto front: points that no other point beats in every objective. */
  readonly front: readonly PointOutcome[]
  /** Null if the sample times are unknown. */
  readonly times: SampleTimes | null
  /** Sentences about the sweep as a whole. */
  readonly facts: readonly string[]
  /** Verdict of `sweep.json`; null if it has none. */
  readonly truth: SweptVerdict | null
  readonly walkForward: SweptWalkForward | null
  readonly nullTapes: NullReport | null
  readonly crossValidation: CrossValidationReport | null
  readonly monteCarlo: SweptMonteCarlo | null
  /** `sweep.json`. */
  readonly report: unknown
}

export function sweepPage(facts: SweepFacts): SweepPageData {
  const { outcomes, ranked, objectives } = facts
  const places = new Map(outcomes.map(({ key }, index) => [key, index]))
  const pointsOf = (some: readonly PointOutcome[]): readonly number[] =>
    some.flatMap(({ key }) => places.get(key) ?? [])
  const params = Object.entries(facts.params).map(([name, values]) => sweptParam(name, values, outcomes))
  const best = pointsOf(ranked.slice(0, 1))[0]
  const figures = sweptFigures(outcomes, objectives)
  const errors = outcomes.flatMap(({ error }, point) => (error === null ? [] : [{ point, text: error }]))
  const neighbours = best === undefined ? null : neighboursOf(outcomes, params, objectives[0], best)
  const swept = { points: outcomes.length, params, figures, objectives: objectives.length, neighbours }
  return {
    ...swept,
    title: `${facts.strategy} on ${facts.symbols.join(', ')}`,
    verdict: sweepVerdict({
      ...swept,
      errors: errors.length,
      best,
      front: facts.front.length,
      span: facts.times,
      truth: facts.truth,
    }),
    facts: [...(facts.truth?.text.slice(1) ?? []), ...noTripFacts(figures, best), ...facts.facts],
    errors,
    ranking: pointsOf(ranked.slice(0, CURVES)),
    front: pointsOf(facts.front),
    curves: facts.times === null ? [] : curvesOf(ranked.slice(0, CURVES), places, facts.times),
    nullTapes: facts.nullTapes === null ? null : pageNullTapes(facts.nullTapes, figures[0], best),
    walkForward: facts.walkForward === null ? null : pageWalkForward(facts.walkForward, params, figures[0]),
    crossValidation:
      facts.crossValidation === null ? null : pageCrossValidation(facts.crossValidation, params, figures, best),
    monteCarlo: facts.monteCarlo === null ? null : pageMonteCarlo(facts.monteCarlo, quoteAssetOf(facts.symbols)),
    report: facts.report,
  }
}

function noTripFacts(figures: readonly SweptFigure[], best: number | undefined): readonly string[] {
  const trips = figures.find(({ name }) => name === 'roundTrips')?.column[best ?? -1]
  return trips === 0 ? ['The best closed no round trip: its result comes from open positions alone.'] : []
}

/** Quote asset of the first market, the unit of the round trips. */
const quoteAssetOf = ([symbol = '']: readonly string[]): string => symbol.split('_').at(-1) ?? ''

/** Numbers are sorted: they are the steps of an axis. */
function sweptParam(name: string, named: readonly string[], outcomes: readonly PointOutcome[]): SweptParam {
  const isNumeric = named.every((value) => value.trim() !== '' && Number.isFinite(Number(value)))
  const values = isNumeric ? named.toSorted((a, b) => Number(a) - Number(b)) : named
  const indices = new Map(values.map((value, index) => [value, index]))
  return { name, values, isNumeric, column: outcomes.map(({ params }) => indices.get(params[name] ?? '') ?? -1) }
}

function neighboursOf(
  outcomes: readonly PointOutcome[],
  params: readonly SweptParam[],
  objective: Objective | undefined,
  best: number,
): PageNeighbours | null {
  if (objective === undefined || !params.some(({ isNumeric, values }) => isNumeric && values.length > 1)) return null
  const points = outcomes.map((outcome, index): GridPoint => {
    return { place: params.map(({ column }) => column[index] ?? -1), value: objective.score(outcome) }
  })
  const found = neighbourhood(
    points,
    params.map(({ isNumeric }) => isNumeric),
    best,
  )
  const { neighbours, shape, drop, edges } = found
  const lost = drop === null ? '' : `${Math.round(drop * 100)} %`
  const named = edges.map((axis) => params[axis]?.name ?? '')
  const edgeText =
    named.length === 0 ? '' : ` It is at the edge of the range of ${named.join(' and ')}: better values may be outside.`
  return { shape, edges: named, points: neighbours, text: shapeText(shape, neighbours.length, lost) + edgeText }
}

function shapeText(shape: ReturnType<typeof neighbourhood>['shape'], count: number, lost: string): string {
  switch (shape) {
    case 'plateau':
      return `A plateau: one step away, its ${count} neighbours lose ${lost} of its lead over the median.`
    case 'slope':
      return `A slope: one step away, its ${count} neighbours lose ${lost} of its lead over the median.`
    case 'needle':
      return `An isolated peak: one step away, its ${count} neighbours lose ${lost} of its lead over the median. Lucky results look like this.`
    case null:
      return 'Too few neighbours have a result to tell a plateau from an isolated peak.'
  }
}

function curvesOf(
  ranked: readonly PointOutcome[],
  places: ReadonlyMap<string, number>,
  times: SampleTimes,
): readonly PageCurve[] {
  return ranked.flatMap((outcome) => {
    const [point, line] = [places.get(outcome.key), curveOf(outcome, times)]
    return point === undefined || line === null ? [] : [{ point, line }]
  })
}

/**
 * The page of a sweep as one file.
 *
 * @throws {InputError} when the pages were not built
 */
export function sweepDocument(facts: SweepFacts): string {
  const data = sweepPage(facts)
  return pageDocument({
    title: `papertape sweep: ${data.title}`,
    data,
    script: builtFile('sweep.js'),
    style: builtFile('sweep.css'),
  })
}
