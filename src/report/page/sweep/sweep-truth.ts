/**
 * Verdict and walk-forward of a sweep as its page shows them: luck, overfitting, and what the best of each stretch made of the next.
 *
 * Invariant: it is read from `sweep.json`; a part that nobody asked for, or that an older sweep does not have, is null.
 */
import type { OverfittingStatistics } from '../../../analysis/selection/overfitting.ts'
import type { SelectionStatistics } from '../../../analysis/selection/selection-statistics.ts'
import type { PageFigure, Tone } from '../page-data.ts'
import { type Said, saidFigure } from './said-figure.ts'
import type { PageWalkForward, PageWindow, SweptFigure, SweptParam } from './sweep-page-data.ts'

/** The verdict of `sweep.json`. */
export interface SweptVerdict extends SelectionStatistics, OverfittingStatistics {
  /** In sentences, the most important first. */
  readonly text: readonly string[]
  readonly finding: 'likely real' | 'not shown' | 'unknown'
  readonly pValue: number | null
}

/** The walk-forward of `sweep.json`. */
export interface SweptWalkForward {
  readonly windows: readonly (Omit<PageWindow, 'params'> & {
    readonly params: Readonly<Record<string, string>> | null
  })[]
  readonly return: number
  readonly maxDrawdown: number
  readonly sharpe: number | null
  readonly inSample: number | null
  readonly outOfSample: number | null
  readonly efficiency: number | null
  readonly lossShare: number | null
  readonly equity: PageWalkForward['equity']
}

const OF_VERDICT = {
  deflatedSharpe: [
    'Deflated Sharpe ratio',
    'share',
    'Probability that the true Sharpe ratio is above what luck alone shows; 95 % are asked for.',
  ],
  pbo: [
    'Overfitting',
    'share',
    'Share of the halves of time whose best is no better than the median of all points on the other half.',
  ],
  luckSharpe: [
    'Sharpe of luck',
    'ratio',
    'Largest Sharpe ratio that as many trials without skill are expected to show.',
  ],
  trials: ['Trials', 'count', 'All that were tried, the best among them.'],
  effectiveTrials: ['Independent trials', 'count', 'What they are worth, since many of them are alike.'],
  lossProbability: ['Loss on the other half', 'share', 'Share of the halves whose best loses on the other half.'],
  minimumBacktestYears: ['Years needed', 'ratio', 'A shorter tape shows a Sharpe ratio like this by luck alone.'],
  pValue: ['p-value', 'share', 'Probability that the same sweep finds as much on tapes without anything to find.'],
} as const satisfies Partial<Record<keyof SweptVerdict, Said>>

const OF_WALK = {
  return: ['Return out of sample', 'share', 'Of all test windows, one behind the other.'],
  maxDrawdown: ['Largest drawdown', 'share', 'Of that line, among its samples.'],
  sharpe: ['Sharpe ratio', 'ratio', 'Over the returns of all test windows, annualized.'],
  efficiency: [
    'Efficiency',
    'share',
    'Growth a day where it was tested over that where it was chosen; 100 % loses nothing.',
  ],
  lossShare: ['Windows lost', 'share', 'Share of the test windows that ended below their beginning.'],
} as const satisfies Partial<Record<keyof SweptWalkForward, Said>>

export const toneOfFinding = ({ finding }: SweptVerdict): Tone =>
  finding === 'likely real' ? 'good' : finding === 'not shown' ? 'bad' : 'plain'

/** Those that are known. */
export const verdictFigures = (verdict: SweptVerdict): readonly PageFigure[] =>
  Object.entries(OF_VERDICT).flatMap(([name, said]) =>
    saidFigure(`verdict.${name}`, said, verdict[name as keyof typeof OF_VERDICT]),
  )

/** @param objective  the first, whose means before and after belong to it */
export function pageWalkForward(
  walk: SweptWalkForward,
  params: readonly SweptParam[],
  objective: SweptFigure | undefined,
): PageWalkForward {
  const form = objective?.form ?? 'ratio'
  const label = objective?.label ?? 'Objective'
  const means = [
    ...saidFigure('walkForward.inSample', [`${label} where chosen`, form, 'Mean over the windows.'], walk.inSample),
    ...saidFigure(
      'walkForward.outOfSample',
      [`${label} where tested`, form, 'Mean over the windows.'],
      walk.outOfSample,
    ),
  ]
  const figures = Object.entries(OF_WALK).flatMap(([name, said]) =>
    saidFigure(`walkForward.${name}`, said, walk[name as keyof typeof OF_WALK]),
  )
  const windows = walk.windows.map((window): PageWindow => {
    const { trainFrom, trainTo, testFrom, testTo, inSample, outOfSample } = window
    const chosen = window.params
    const values = chosen === null ? null : params.map(({ name }) => chosen[name] ?? '–')
    return { trainFrom, trainTo, testFrom, testTo, inSample, outOfSample, params: values }
  })
  return { figures: [...figures, ...means], windows, equity: walk.equity }
}
