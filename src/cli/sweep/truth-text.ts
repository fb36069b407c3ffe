/**
 * The verdict on the best of a sweep and its checks (walk-forward, cross-validation, Monte Carlo) as a text of at most
 * 80 columns.
 */
import { hangingLines, printable } from '../../report/terminal-text.ts'
import type { SweepReport } from '../../run/sweep/sweep-report.ts'

const MAX_COLUMNS = 80

/** @returns complete lines; empty without a best */
export function truthText(report: SweepReport, columns = MAX_COLUMNS): string {
  const sentences = [
    ...(report.verdict?.text ?? []),
    ...walkForwardText(report),
    ...crossValidationText(report),
    ...monteCarloText(report),
  ]
  return sentences
    .map((sentence) => `${hangingLines('', printable(sentence), Math.min(columns, MAX_COLUMNS), 2).join('\n')}\n`)
    .join('')
}

function walkForwardText({ walkForward, objective }: SweepReport): readonly string[] {
  if (walkForward === null) return []
  const { windows, return: made, maxDrawdown, inSample, outOfSample, efficiency, drift } = walkForward
  const moved = Object.entries(drift).map(([name, { changes }]) => `${name} ${changes}`)
  const ratio = efficiency === null ? '' : `, ${percent(efficiency)} of the daily growth in sample`
  return [
    `Walk-forward over ${windows.length} ${windows.length === 1 ? 'window' : 'windows'}: return ${percent(made)} out of sample${ratio}, drawdown ${percent(maxDrawdown)}. ` +
      `Mean ${objective[0] ?? ''}: ${numberText(inSample)} in sample, ${numberText(outOfSample)} out of sample.`,
    ...(moved.length === 0 ? [] : [`Parameter changes between windows: ${moved.join(', ')}.`]),
  ]
}

function crossValidationText({ crossValidation }: SweepReport): readonly string[] {
  if (crossValidation === null) return []
  const { folds, paths, medianSharpe, worstSharpe, lossShare } = crossValidation
  return [
    `Cross-validation: ${folds} selections by Sharpe ratio give ${paths.length} out-of-sample ${paths.length === 1 ? 'path' : 'paths'}. ` +
      `Median Sharpe ratio ${numberText(medianSharpe)}, worst ${numberText(worstSharpe)}; ${percent(lossShare)} lose money.`,
  ]
}

function monteCarloText({ monteCarlo }: SweepReport): readonly string[] {
  if (monteCarlo === null) return []
  const { rounds, trips, equity } = monteCarlo
  const returned =
    equity === null
      ? 'There are too few returns to resample.'
      : `In 90 % of them the return is between ${percent(equity.final.low)} and ${percent(equity.final.high)}, in 5 % the drawdown reaches ${percent(equity.maxDrawdown.high)}.`
  const tripped =
    trips === null
      ? 'There are too few round trips to resample.'
      : `Resampled by round trips, ${percent(trips.lossShare)} of them lose money.`
  return [`Monte Carlo of the best, ${rounds} rounds. ${returned} ${tripped}`]
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

const numberText = (value: number | null): string => (value === null ? '-' : String(Number(value.toPrecision(4))))
