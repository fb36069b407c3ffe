/**
 * The verdict on a sweep: the result of the best point, and reasons to doubt it.
 */
import { roughDuration } from '../../readable.ts'
import { isTooShortForYear, MIN_ANNUAL_DAYS, type RunSpan } from '../../run/run-span.ts'
import type { PageDoubt, PageFigure, PageVerdict } from '../page-data.ts'
import { ANNUAL } from '../page-figures.ts'
import type { PageNeighbours, SweptFigure, SweptParam } from './sweep-page-data.ts'
import { type SweptVerdict, toneOfFinding, verdictFigures } from './sweep-truth.ts'
import { figureText } from './figure-text.ts'

/** The parts of the page that the verdict uses. */
export interface Swept {
  readonly points: number
  readonly errors: number
  readonly params: readonly SweptParam[]
  readonly figures: readonly SweptFigure[]
  readonly objectives: number
  /** Index of a point; undefined if no point has every objective. */
  readonly best: number | undefined
  readonly front: number
  readonly neighbours: PageNeighbours | null
  /** Null if unknown. */
  readonly span: RunSpan | null
  /** Verdict of `sweep.json`; null for a sweep without tests of significance. */
  readonly truth: SweptVerdict | null
}

/** Fewer round trips than this are weak evidence. */
const FEW_TRIPS = 30

export function sweepVerdict(swept: Swept): PageVerdict {
  const { points, best, figures, objectives } = swept
  const counted = points === 1 ? '1 point' : `${points} points`
  if (best === undefined) {
    const by = figures.slice(0, objectives).map(({ label }) => label.toLowerCase())
    const headline = `None of ${counted} has a ${by.join(' and a ')}, so there is no best.`
    return { headline, tone: 'bad', figures: [], doubts: errorDoubts(swept), notes: [] }
  }
  const [objective] = figures
  const shown =
    objective === undefined ? '' : `: ${objective.label.toLowerCase()} ${figureText(objective, objective.column[best])}`
  const { truth } = swept
  const headline = `The best of ${counted}${shown}${paramsText(swept.params, best)}.`
  const [finding] = truth?.text ?? []
  return {
    headline: finding === undefined ? headline : `${finding} ${headline}`,
    tone: truth === null ? 'plain' : toneOfFinding(truth),
    figures: [...(truth === null ? [] : verdictFigures(truth)), ...figures.map((figure) => pageFigure(figure, best))],
    doubts: [
      ...lengthDoubts(swept),
      ...luckDoubts(swept),
      ...shapeDoubts(swept),
      ...tripDoubts(swept, best),
      ...errorDoubts(swept),
    ],
    notes: [],
  }
}

function paramsText(params: readonly SweptParam[], point: number): string {
  const texts = params.map(({ name, values, column }) => `${name} ${values[column[point] ?? -1] ?? ''}`)
  return texts.length === 0 ? '' : `, at ${texts.join(', ')}`
}

function pageFigure(figure: SweptFigure, point: number): PageFigure {
  const { name, label, definition, column } = figure
  const value = column[point] ?? null
  const text = figureText(figure, value)
  return {
    path: `statistics.${name}`,
    label,
    text,
    exact: value === null ? text : String(value),
    tone: 'plain',
    definition,
  }
}

const lengthDoubts = ({ span, figures }: Swept): readonly PageDoubt[] =>
  span !== null && isTooShortForYear(span) && figures.some(({ name }) => ANNUAL.has(name))
    ? [
        {
          text: `The runs cover only ${roughDuration(span.to - span.from)}.`,
          why: `Figures per year, such as the Sharpe ratio, mean little below ${MIN_ANNUAL_DAYS} days: use them to rank the points only.`,
        },
      ]
    : []

/** Selection bias: the best of many looks good by luck alone. */
function luckDoubts({ points, objectives, front, truth }: Swept): readonly PageDoubt[] {
  const several = {
    text: `${front} points are on the Pareto front.`,
    why: 'The best shown here is the one that is best by the first objective.',
  }
  return [
    ...(points > 1 && truth === null
      ? [
          {
            text: `It is the best of ${points}.`,
            why: 'The more points you try, the better the luckiest of them looks.',
          },
        ]
      : []),
    ...(objectives > 1 && front > 1 ? [several] : []),
  ]
}

const shapeDoubts = ({ neighbours }: Swept): readonly PageDoubt[] => [
  ...(neighbours?.shape === 'needle'
    ? [{ text: 'It is an isolated peak.', why: 'One step away it loses most of its lead, as lucky results do.' }]
    : []),
  ...(neighbours === null || neighbours.edges.length === 0
    ? []
    : [
        {
          text: `It is at the edge of the range of ${neighbours.edges.join(' and ')}.`,
          why: 'Better values may be outside the range.',
        },
      ]),
]

function tripDoubts({ figures }: Swept, best: number): readonly PageDoubt[] {
  const trips = figures.find(({ name }) => name === 'roundTrips')?.column[best] ?? null
  if (trips === null || trips === 0 || trips >= FEW_TRIPS) return []
  const text = `It has ${trips} closed round ${trips === 1 ? 'trip' : 'trips'}.`
  return [{ text, why: 'That is too few to conclude anything.' }]
}

const errorDoubts = ({ errors, points }: Swept): readonly PageDoubt[] =>
  errors === 0
    ? []
    : [
        {
          text: `${errors} of ${points} points failed.`,
          why: 'The table lists each with its error.',
        },
      ]
