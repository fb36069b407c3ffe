/**
 * Verdict and walk-forward of a sweep as its page shows them.
 *
 * Invariant: read from `sweep.json`; a part that was not requested, or that an older sweep lacks, is null.
 */
import type { OverfittingStatistics } from '../../../sweep/selection/overfitting.ts'
import type { SelectionStatistics } from '../../../sweep/selection/selection-statistics.ts'
import type { PageFigure, Tone } from '../page-data.ts'
import { type Said, saidFigure } from './said-figure.ts'
import type { PageWalkForward, PageWindow, SweptFigure, SweptParam } from './sweep-page-data.ts'

/** The verdict of `sweep.json`. */
export interface SweptVerdict extends SelectionStatistics, OverfittingStatistics {
  /** Sentences, the most important first. */
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
    'Probability that the true Sharpe ratio is above 0, corrected for luck; 95 % is required.',
  ],
  pbo: [
    'Overfitting',
    'share',
    'How often the best on one half of the time ranks at or below the median on the other half.',
  ],
  luckSharpe: ['Sharpe by luck', 'ratio', 'Largest Sharpe ratio expected from this many trials without skill.'],
  trials: ['Trials', 'count', 'All trials counted, including the best.'],
  effectiveTrials: ['Independent trials', 'count', 'Number of uncorrelated trials that would have the same effect.'],
  lossProbability: [
    'Loss on the other half',
    'share',
    'How often the best on one half of the time loses money on the other half.',
  ],
  minimumBacktestYears: ['Years needed', 'ratio', 'On a shorter tape, luck alone can show a Sharpe ratio like this.'],
  pValue: [
    'p-value',
    'share',
    'Probability that the same sweep does as well on shuffled tapes, which have no pattern to find.',
  ],
} as const satisfies Partial<Record<keyof SweptVerdict, Said>>

const OF_WALK = {
  return: ['Return of all test windows', 'share', 'Out of sample, with the windows in sequence.'],
  maxDrawdown: ['Largest drawdown', 'share', 'Largest fall of that equity from a peak, among its samples.'],
  sharpe: ['Sharpe ratio', 'ratio', 'Over the returns of all test windows, annualized.'],
  efficiency: [
    'Efficiency',
    'share',
    'Daily growth out of sample divided by daily growth in sample; 100 % means no loss.',
  ],
  lossShare: ['Windows lost', 'share', 'Share of the test windows that lost money.'],
} as const satisfies Partial<Record<keyof SweptWalkForward, Said>>

export const toneOfFinding = ({ finding }: SweptVerdict): Tone =>
  finding === 'likely real' ? 'good' : finding === 'not shown' ? 'bad' : 'plain'

/** Figures of the verdict that are known. */
export const verdictFigures = (verdict: SweptVerdict): readonly PageFigure[] =>
  Object.entries(OF_VERDICT).flatMap(([name, said]) =>
    saidFigure(`verdict.${name}`, said, verdict[name as keyof typeof OF_VERDICT]),
  )

/** @param objective  the first one; its unit is that of the in-sample and out-of-sample means */
export function pageWalkForward(
  walk: SweptWalkForward,
  params: readonly SweptParam[],
  objective: SweptFigure | undefined,
): PageWalkForward {
  const form = objective?.form ?? 'ratio'
  const label = objective?.label ?? 'Objective'
  const means = [
    ...saidFigure('walkForward.inSample', [`${label} in sample`, form, 'Mean over the windows.'], walk.inSample),
    ...saidFigure(
      'walkForward.outOfSample',
      [`${label} out of sample`, form, 'Mean over the windows.'],
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
