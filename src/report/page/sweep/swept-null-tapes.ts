/**
 * The best results of the same sweep on shuffled tapes, next to that of the recorded tape.
 *
 * Invariant: p-value and number of tapes are those of `sweep.json`.
 */
import { ascending, quantile } from '../../../analysis/returns/float-sums.ts'
import type { NullReport } from '../../../sweep/null-tapes.ts'
import { figureText } from './figure-text.ts'
import { saidFigure } from './said-figure.ts'
import type { PageNullTapes, SweptFigure } from './sweep-page-data.ts'

/**
 * @param objective  the first one
 * @param best       index of a point; undefined if there is none
 */
export function pageNullTapes(
  report: NullReport,
  objective: SweptFigure | undefined,
  best: number | undefined,
): PageNullTapes {
  const bests = ascending(report.bests.filter((value) => value !== null))
  const recorded = best === undefined ? null : (objective?.column[best] ?? null)
  const isHigher = objective?.better !== 'lower'
  const form = objective?.form ?? 'ratio'
  const label = objective?.label ?? 'Objective'
  const middle = bests.length === 0 ? null : quantile(bests, 0.5)
  const furthest = (isHigher ? bests.at(-1) : bests[0]) ?? null
  return {
    text: [likeText(report), ...missingText(report, bests.length)].join(' '),
    figures: [
      ...saidFigure('nullTapes.pValue', ['p-value', 'share', P_VALUE], report.pValue),
      ...saidFigure('best', [`${label} of the best`, form, 'On the recorded tape.'], recorded),
      ...saidFigure(
        'nullTapes.bests',
        ['Shuffled, median', form, 'Median of the best results on the shuffled tapes.'],
        middle,
      ),
      ...saidFigure('nullTapes.bests', ['Shuffled, best', form, 'Best result on any shuffled tape.'], furthest),
    ],
    bests,
    recorded,
  }
}

const P_VALUE =
  'Probability that the same sweep does as well on tapes with no pattern to find: the share of all tapes, the recorded one included, whose best is at least as good.'

function likeText({ tapes, pValue }: NullReport): string {
  const counted = `${figureText({ form: 'count' }, tapes)} shuffled ${tapes === 1 ? 'tape' : 'tapes'}`
  if (pValue === null) return `There is no best to compare with those of ${counted}.`
  const like = Math.round(pValue * (tapes + 1)) - 1
  const found =
    like === 0
      ? `On none of ${counted} is the best as good as on the recorded tape`
      : `On ${figureText({ form: 'count' }, like)} of ${counted} the best is as good as on the recorded tape or better`
  const limit = like === 0 ? ', the lowest that so few tapes can show' : ''
  return `${found}: a p-value of (${like} + 1) / (${tapes} + 1) = ${figureText({ form: 'share' }, pValue)}${limit}.`
}

function missingText({ tapes }: NullReport, known: number): readonly string[] {
  const missing = tapes - known
  return missing === 0 ? [] : [`On ${missing} of them no point has a value for the objective; they count as worse.`]
}
