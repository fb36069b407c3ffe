/**
 * The Monte Carlo of the best as its page shows it: resampled round trips and periods.
 *
 * Invariant: all spreads of a group have one unit.
 */
import type { MonteCarlo, Spread } from '../../../sweep/selection/monte-carlo.ts'
import type { MonteCarloReport } from '../../../sweep/best-monte-carlo.ts'
import type { PageFigure } from '../page-data.ts'
import { figureText } from './figure-text.ts'
import { saidFigure } from './said-figure.ts'
import type { PageMonteCarlo, PageSpread, PageSpreads, SweptFigure } from './sweep-page-data.ts'

/** Rounds in `sweep.json`; older files lack the result of the run itself. */
type SweptRounds = Omit<MonteCarlo, 'actual'> & Partial<Pick<MonteCarlo, 'actual'>>

/** The Monte Carlo of `sweep.json`. */
export type SweptMonteCarlo = Pick<MonteCarloReport, 'rounds'> &
  Readonly<Record<'trips' | 'tripOrder' | 'equity', SweptRounds | null>>

type Form = SweptFigure['form']

/** @param quoteAsset  unit of the round trips */
export function pageMonteCarlo(report: SweptMonteCarlo, quoteAsset: string): PageMonteCarlo {
  const { trips, equity, rounds } = report
  const counted = figureText({ form: 'count' }, rounds)
  const texts = [
    ...(equity === null ? [] : [roundsText(`In ${counted} rounds resampled by periods`, equity, 'share', '')]),
    ...(trips === null
      ? []
      : [roundsText(`In ${counted} rounds resampled by round trips`, trips, 'ratio', ` ${quoteAsset}`)]),
    ...missingText(report),
  ]
  return {
    text: texts.join(' '),
    figures: [
      ...lossFigure('equity', 'Periods: rounds lost', equity),
      ...lossFigure('trips', 'Round trips: rounds lost', trips),
    ],
    groups: [...periodGroups(equity), ...tripGroups(report, quoteAsset)],
  }
}

function roundsText(which: string, { final, maxDrawdown, lossShare }: SweptRounds, form: Form, unit: string): string {
  const text = (value: number): string => `${figureText({ form }, value)}${unit}`
  const lost = figureText({ form: 'share' }, lossShare)
  return `${which}, 90 % make between ${text(final.low)} and ${text(final.high)}, ${lost} lose money, and 5 % fall by ${text(maxDrawdown.high)} or more.`
}

function missingText({ trips, equity }: SweptMonteCarlo): readonly string[] {
  const missing = [...(equity === null ? ['periods'] : []), ...(trips === null ? ['round trips'] : [])]
  return missing.length === 0 ? [] : [`It has too few ${missing.join(' and ')} to resample; ten are needed.`]
}

const lossFigure = (part: 'trips' | 'equity', label: string, rounds: SweptRounds | null): readonly PageFigure[] =>
  saidFigure(
    `monteCarlo.${part}.lossShare`,
    [label, 'share', 'Share of the rounds that lose money.'],
    rounds?.lossShare,
  )

const DRAWN = 'Resampled with replacement, as many as in the run.'

function periodGroups(equity: SweptRounds | null): readonly PageSpreads[] {
  if (equity === null) return []
  const { final, maxDrawdown, actual } = equity
  const blocks = 'Returns of the periods, resampled in blocks to keep their sequence.'
  const spreads = [
    spreadOf('Return', blocks, final, actual?.final),
    spreadOf(
      'Largest drawdown',
      `${blocks} Measured at the samples, as a share of the peak.`,
      maxDrawdown,
      actual?.maxDrawdown,
    ),
  ]
  return [{ title: 'By periods', form: 'share', spreads }]
}

function tripGroups({ trips, tripOrder }: SweptMonteCarlo, quoteAsset: string): readonly PageSpreads[] {
  const spreads = [
    ...(trips === null
      ? []
      : [
          spreadOf('Profit', DRAWN, trips.final, trips.actual?.final),
          spreadOf('Largest fall', DRAWN, trips.maxDrawdown, trips.actual?.maxDrawdown),
        ]),
    ...(tripOrder === null
      ? []
      : [
          spreadOf(
            'Largest fall, reordered',
            'The same round trips in a random order; the profit does not change.',
            tripOrder.maxDrawdown,
            tripOrder.actual?.maxDrawdown,
          ),
        ]),
  ]
  return spreads.length === 0 ? [] : [{ title: `By round trips, in ${quoteAsset}`, form: 'ratio', spreads }]
}

const spreadOf = (label: string, definition: string, spread: Spread, actual: number | undefined): PageSpread => ({
  label,
  definition,
  quantiles: [spread.low, spread.lowerQuarter, spread.median, spread.upperQuarter, spread.high],
  actual: actual ?? null,
})
