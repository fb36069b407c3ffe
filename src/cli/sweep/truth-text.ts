/**
 * The worth of the best of a sweep as a text of at most 80 columns: the verdict, and what came of the runs that it was held against.
 */
import { hangingLines, printable } from '../../report/terminal-text.ts'
import type { SweepReport } from '../../run/sweep/sweep-report.ts'

const COLUMNS = 80

/** @returns with its line ends; empty where there is no best */
export function truthText(report: SweepReport): string {
  const sentences = [
    ...(report.verdict?.text ?? []),
    ...walkForwardText(report),
    ...crossValidationText(report),
    ...monteCarloText(report),
  ]
  return sentences.map((sentence) => `${hangingLines('', printable(sentence), COLUMNS, 2).join('\n')}\n`).join('')
}

function walkForwardText({ walkForward, objective }: SweepReport): readonly string[] {
  if (walkForward === null) return []
  const { windows, return: made, maxDrawdown, inSample, outOfSample, efficiency, drift } = walkForward
  const moved = Object.entries(drift).map(([name, { changes }]) => `${name} ${changes}`)
  const ratio = efficiency === null ? '' : `, ${percent(efficiency)} of the growth a day where it was chosen`
  return [
    `Walk-forward over ${windows.length} ${windows.length === 1 ? 'window' : 'windows'}: ${percent(made)} out of sample${ratio}, drawdown ${percent(maxDrawdown)}; ` +
      `mean ${objective[0] ?? ''} ${numberText(inSample)} where it was chosen, ${numberText(outOfSample)} where it traded.`,
    ...(moved.length === 0 ? [] : [`Changes of parameters from window to window: ${moved.join(', ')}.`]),
  ]
}

function crossValidationText({ crossValidation }: SweepReport): readonly string[] {
  if (crossValidation === null) return []
  const { folds, paths, medianSharpe, worstSharpe, lossShare } = crossValidation
  return [
    `Cross-validation: ${folds} choices by Sharpe ratio make ${paths.length} ${paths.length === 1 ? 'path' : 'paths'} that nobody chose on; ` +
      `median Sharpe ratio ${numberText(medianSharpe)}, worst ${numberText(worstSharpe)}, ${percent(lossShare)} with a loss.`,
  ]
}

function monteCarloText({ monteCarlo }: SweepReport): readonly string[] {
  if (monteCarlo === null) return []
  const { rounds, trips, equity } = monteCarlo
  const returned =
    equity === null
      ? 'too few returns to draw from'
      : `its return lies between ${percent(equity.final.low)} and ${percent(equity.final.high)} in 90 of 100, its drawdown reaches ${percent(equity.maxDrawdown.high)} in 5`
  const tripped =
    trips === null ? 'too few round trips to draw from' : `drawn by round trips it loses in ${percent(trips.lossShare)}`
  return [`Monte Carlo of the best, ${rounds} rounds: ${returned}; ${tripped}.`]
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

const numberText = (value: number | null): string => (value === null ? '-' : String(Number(value.toPrecision(4))))
