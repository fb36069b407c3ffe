/** The figures of a run that an expectation holds, each with its tolerance. */
import { toDecimal } from '../../domain/decimal.ts'
import { InputError } from '../../domain/errors.ts'
import { nearestNameHint } from '../../domain/nearest-name.ts'
import { OBJECTIVE_NAMES } from '../../sweep/objective.ts'
import type { RunReport } from '../run/run-report.ts'

/** A decimal string of money, a statistic, or null for one that the run does not have. */
export type FigureValue = string | number | null

export interface ExpectedFigure {
  readonly value: FigureValue
  /** Largest difference that is accepted: `0`, `1.5`, or a share of the value such as `0.5%`. */
  readonly tolerance: string
}

/** A figure beyond its tolerance. */
export interface FigureDeviation extends ExpectedFigure {
  readonly name: string
  readonly now: FigureValue
}

const OF_REPORT = ['digest', 'finalEquity', 'initialEquity', 'orders', 'fills'] as const
const FIGURE_NAMES: readonly string[] = [...OF_REPORT, ...OBJECTIVE_NAMES]

const DEFAULT_FIGURES = ['finalEquity', 'return', 'maxDrawdown', 'sharpe', 'roundTrips', 'orders', 'fills']

export const TOLERANCE = /^\d+(?:\.\d+)?%?$/

/**
 * @param texts  `NAME` or `NAME=TOLERANCE`; none for the usual figures without tolerance
 * @returns tolerance by name
 * @throws {InputError} at `place` for an unknown figure, or a tolerance that is none
 */
export function chosenFigures(place: string, texts: readonly string[]): ReadonlyMap<string, string> {
  const chosen = new Map<string, string>()
  for (const text of texts.length === 0 ? DEFAULT_FIGURES : texts) {
    const [name = '', tolerance = '0'] = text.split(/=(.*)/s)
    if (!FIGURE_NAMES.includes(name))
      throw new InputError(place, `no figure '${name}' in run.json${nearestNameHint(name, FIGURE_NAMES)}`)
    if (!TOLERANCE.test(tolerance))
      throw new InputError(place, `expected a tolerance such as 0.5 or 1%, got '${tolerance}'`)
    if (name === 'digest' && tolerance !== '0')
      throw new InputError(place, 'a digest is the same or not: leave out its tolerance')
    if (chosen.has(name)) throw new InputError(place, `'${name}' is given twice`)
    chosen.set(name, tolerance)
  }
  return chosen
}

export const figuresOf = (
  report: RunReport,
  chosen: ReadonlyMap<string, string>,
): Readonly<Record<string, ExpectedFigure>> =>
  Object.fromEntries([...chosen].map(([name, tolerance]) => [name, { value: figureIn(report, name), tolerance }]))

function figureIn(report: RunReport, name: string): FigureValue {
  const own = OF_REPORT.find((each) => each === name)
  const values: Readonly<Record<string, unknown>> = own === undefined ? { ...report.statistics } : { ...report }
  const value = values[name]
  return typeof value === 'number' || typeof value === 'string' ? value : null
}

/** Figures of the run beyond their tolerances, in the order of the expectation. */
export const deviations = (
  expected: Readonly<Record<string, ExpectedFigure>>,
  report: RunReport,
): readonly FigureDeviation[] =>
  Object.entries(expected).flatMap(([name, figure]) => {
    const now = figureIn(report, name)
    return isWithin(figure, now) ? [] : [{ name, ...figure, now }]
  })

function isWithin({ value, tolerance }: ExpectedFigure, now: FigureValue): boolean {
  if (value === now) return true
  if (value === null || now === null || ![value, now].every((each) => Number.isFinite(Number(each)))) return false
  const isShare = tolerance.endsWith('%')
  const room = toDecimal(tolerance.replace('%', '')).times(isShare ? toDecimal(value).abs().div(100) : 1)
  return toDecimal(now).minus(value).abs().lte(room)
}
