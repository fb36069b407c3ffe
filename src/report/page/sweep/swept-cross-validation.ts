/**
 * The cross-validation of a sweep as its page shows it: the Sharpe ratio of each path, and the points that were
 * selected.
 *
 * Known limit: lists only the points selected most often; `sweep.json` has all of them.
 */
import type { CrossValidationReport } from '../../../sweep/cross-validation.ts'
import type { PageFigure } from '../page-data.ts'
import { figureText } from './figure-text.ts'
import { type Said, saidFigure } from './said-figure.ts'
import type { PageCrossValidation, SweptFigure, SweptParam } from './sweep-page-data.ts'

const MAX_CHOICES = 10

const SAID = {
  medianSharpe: ['Median Sharpe ratio', 'ratio', 'Median over the paths, annualized.'],
  worstSharpe: ['Worst Sharpe ratio', 'ratio', 'Lowest of the paths, annualized.'],
  lossShare: ['Paths lost', 'share', 'Share of the paths that lose money.'],
  folds: ['Selections', 'count', 'One for each way to hold out groups of time.'],
  embargoMs: ['Embargo', 'milliseconds', 'Data dropped from the selection after each held-out group.'],
} as const satisfies Partial<Record<keyof CrossValidationReport, Said>>

/** @param best  index of a point; undefined if there is none */
export function pageCrossValidation(
  report: CrossValidationReport,
  params: readonly SweptParam[],
  figures: readonly SweptFigure[],
  best: number | undefined,
): PageCrossValidation {
  const { paths, chosen } = report
  const sharpes = figures.find(({ name }) => name === 'sharpe')?.column ?? []
  return {
    text: [lossText(report), choiceText(report)].join(' '),
    figures: Object.entries(SAID).flatMap(([name, said]) => figureOf(report, name as keyof typeof SAID, said)),
    paths: paths.toSorted((a, b) => (a.sharpe ?? -Infinity) - (b.sharpe ?? -Infinity) || a.return - b.return),
    medianSharpe: report.medianSharpe,
    chosenSharpe: best === undefined ? null : (sharpes[best] ?? null),
    choices: chosen.slice(0, MAX_CHOICES).map((choice) => {
      return { params: params.map(({ name }) => choice.params[name] ?? '–'), folds: choice.folds }
    }),
  }
}

const figureOf = (report: CrossValidationReport, name: keyof typeof SAID, said: Said): readonly PageFigure[] =>
  name === 'embargoMs' && report.embargoMs === 0 ? [] : saidFigure(`crossValidation.${name}`, said, report[name])

function lossText({ paths, lossShare, medianSharpe }: CrossValidationReport): string {
  const lost = Math.round(lossShare * paths.length)
  const counted = `${lost === 0 ? 'None' : lost} of ${paths.length} ${paths.length === 1 ? 'path' : 'paths'}`
  const middle =
    medianSharpe === null
      ? 'no path has a Sharpe ratio'
      : `the median Sharpe ratio is ${figureText({ form: 'ratio' }, medianSharpe)}`
  return `${counted} ${lost > 1 ? 'lose' : 'loses'} money; ${middle}.`
}

function choiceText({ folds, groups, testGroups, chosen }: CrossValidationReport): string {
  const left = `each holding out ${testGroups} of ${groups} groups of time`
  if (chosen.length === 0) return `In ${folds} selections, ${left}, no point varied enough to be selected.`
  return `${folds} selections by Sharpe ratio, ${left}, picked ${chosen.length === 1 ? 'one point' : `${chosen.length} different points`}.`
}
