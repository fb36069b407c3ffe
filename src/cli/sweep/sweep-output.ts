/** Terminal output of a sweep: its progress, the table of the best points, and the tests of the best one. */
import { basename } from 'node:path'
import { alignedNumbers } from '../../report/aligned-numbers.ts'
import { hangingLines, printable, type RankedPiece, textWidth, wrappedText } from '../../report/terminal-text.ts'
import type { SweepProgress } from '../../run/sweep/sweep-options.ts'
import type { SweepReport } from '../../run/sweep/sweep-report.ts'
import type { SweepResult } from '../../run/sweep/sweep.ts'
import { recordedSpans } from '../../runtime/backtest/recorded-spans.ts'
import type { PointOutcome } from '../../sweep/point-outcome.ts'
import { drawProgress, type ProgressTerminal } from '../backtest/progress.ts'

const REDRAW_MS = 100
/** Too early for an estimate of the time left. */
const GUESS_MS = 1_000
const GUESS_POINTS = 3

/** Progress of a sweep on one line of a terminal: completed points, points per second, and the time left. */
export class SweepProgressLine {
  readonly #terminal: ProgressTerminal
  readonly #clock: () => number
  #startedAt: number | undefined
  #drawnAt = 0

  /** @param clock  milliseconds of the machine, from 1 on */
  constructor(terminal: ProgressTerminal, clock: () => number) {
    this.#terminal = terminal
    this.#clock = clock
  }

  /** Progress of reading a tape, before the first point. */
  read(file: string, bytesRead: number, bytesTotal: number): void {
    const share = bytesTotal > 0 ? `${Math.floor(Math.min(1, bytesRead / bytesTotal) * 100)} %` : ''
    this.#draw(this.#clock(), [
      [`reading ${printable(basename(file))}`, 0],
      [share, 1],
    ])
  }

  update({ done, points, known, errors }: SweepProgress): void {
    const now = this.#clock()
    this.#startedAt ??= now
    const elapsedMs = now - this.#startedAt
    const run = done - known
    const isReported = elapsedMs >= GUESS_MS && run >= GUESS_POINTS
    this.#draw(now, [
      [`${done} of ${points} runs`, 4],
      [`${Math.floor((done / points) * 100)} %`, 1],
      [isReported ? paceText(run, elapsedMs) : '', 0],
      [isReported ? leftText((elapsedMs * (points - done)) / run) : '', 3],
      [errors === 0 ? '' : `${errors} failed`, 2],
    ])
  }

  /** Clears the line. */
  clear(): void {
    if (this.#drawnAt > 0) this.#terminal.write('\r\u001b[K')
  }

  #draw(now: number, pieces: readonly RankedPiece[]): void {
    if (now - this.#drawnAt < REDRAW_MS) return
    this.#drawnAt = now
    drawProgress(this.#terminal, pieces)
  }
}

function paceText(points: number, elapsedMs: number): string {
  const perSecond = (points * 1_000) / elapsedMs
  return perSecond >= 1 ? `${perSecond.toFixed(1)} per second` : `${(1 / perSecond).toFixed(1)} s per point`
}

/** Extrapolated from the pace so far: whole seconds, minutes or hours. */
function leftText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  if (seconds <= 0) return ''
  if (seconds < 60) return `${seconds} s left`
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min left` : `${Math.round(seconds / 3_600)} h left`
}

const MAX_ROWS = 10
const DIGITS = 4
/** Statistics shown next to the objectives. */
const BESIDE = ['return', 'maxDrawdown', 'roundTrips'] as const
const DIGEST_LETTERS = 8

/** @param columns  width of the terminal; undefined for no terminal */
export function sweepTable({ report, points, ranked }: SweepResult, columns?: number): string {
  const { identity, objective, front } = report
  const markets = [...new Set(recordedSpans(identity).map(({ symbol }) => symbol))].join(', ')
  const keys = new Set(front.map(({ key }) => key))
  const isFront = objective.length > 1
  const rows = isFront ? ranked.filter(({ key }) => keys.has(key)) : ranked
  const names = Object.keys(report.params)
  const head = `${identity.strategy.name} on ${markets}: ${counted(points.length, 'point')}`
  const what = isFront
    ? `${rows.length} on the Pareto front of ${objective.join(' and ')}`
    : `ranked by ${objective.join('')}`
  const shown = rows.slice(0, MAX_ROWS)
  const table =
    shown.length === 0
      ? unrankedText(points, String(identity.settings.statsPeriod))
      : tableOf(names, objective, shown, columns)
  const more = isFront && rows.length > shown.length ? `\n  and ${rows.length - shown.length} more, in sweep.json` : ''
  const title = wrappedText(printable(`${head}, ${what}`), columns)
  return `${title}\n\n${table}${more}\n${wrappedText(errorText(points), columns)}`
}

/** Too few periods are the usual reason. */
function unrankedText(points: readonly PointOutcome[], period: string): string {
  const none = 'no point has a value for the objective'
  const isShort = points.some(({ statistics }) => statistics?.volatility === null)
  return isShort
    ? `${none}: annualized figures need ten periods of ${period} with trades; pass --stats-period 1h or --objective return`
    : none
}

/** Columns that do not fit are left out whole, the last first. */
function tableOf(
  names: readonly string[],
  objectives: readonly string[],
  outcomes: readonly PointOutcome[],
  width = Infinity,
): string {
  const statistics = [...new Set([...objectives.map((name) => name.replace(/^-/, '')), ...BESIDE])]
  const known = statistics.filter((name) => outcomes.some((each) => name in valuesOf(each)))
  const rows = [
    [...names, ...known, 'digest'],
    ...outcomes.map((outcome) => [
      ...names.map((name) => outcome.params[name] ?? ''),
      ...known.map((name) => numberText(valuesOf(outcome)[name])),
      outcome.digest?.replace('sha256:', '').slice(0, DIGEST_LETTERS) ?? '',
    ]),
  ]
  const columns = (rows[0] ?? []).map((title, column) => {
    const cells = rows.map((row) => printable(row[column] ?? ''))
    return title === 'digest' ? cells.map((cell) => cell.padEnd(DIGEST_LETTERS)) : alignedNumbers(cells)
  })
  const lines = (count: number): readonly string[] =>
    rows.map((_, row) =>
      `  ${columns
        .slice(0, count)
        .map((cells) => cells[row] ?? '')
        .join('  ')}`.trimEnd(),
    )
  let count = columns.length
  while (count > 1 && lines(count).some((line) => textWidth(line) > width)) count -= 1
  const left = columns.length - count
  const note = left === 0 ? [] : [`  and ${left} more ${left === 1 ? 'column' : 'columns'}, in sweep.csv (--out)`]
  return [...lines(count), ...note].join('\n')
}

const valuesOf = ({ statistics }: PointOutcome): Readonly<Record<string, unknown>> => ({ ...statistics })

const numberText = (value: unknown): string =>
  typeof value === 'number' ? String(Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS))) : '-'

function errorText(points: readonly PointOutcome[]): string {
  const failed = points.filter(({ error }) => error !== null)
  const [first] = failed
  if (first === undefined) return ''
  const params = Object.entries(first.params).map(([name, value]) => `${name}=${value}`)
  const text = `${counted(failed.length, 'point')} failed. First error, at ${params.join(' ')}: ${first.error ?? ''}`
  return `\n${printable(text)}\n`
}

const counted = (count: number, what: string): string => `${count} ${count === 1 ? what : `${what}s`}`

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
      `Mean ${objective[0] ?? ''}: ${statisticText(inSample)} in sample, ${statisticText(outOfSample)} out of sample.`,
    ...(moved.length === 0 ? [] : [`Parameter changes between windows: ${moved.join(', ')}.`]),
  ]
}

function crossValidationText({ crossValidation }: SweepReport): readonly string[] {
  if (crossValidation === null) return []
  const { folds, paths, medianSharpe, worstSharpe, lossShare } = crossValidation
  return [
    `Cross-validation: ${folds} selections by Sharpe ratio give ${paths.length} out-of-sample ${paths.length === 1 ? 'path' : 'paths'}. ` +
      `Median Sharpe ratio ${statisticText(medianSharpe)}, worst ${statisticText(worstSharpe)}; ${percent(lossShare)} lose money.`,
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

const statisticText = (value: number | null): string => (value === null ? '-' : String(Number(value.toPrecision(4))))
