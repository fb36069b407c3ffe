/**
 * A finished sweep as a text: its best points, and how many failed.
 */
import { recordedSpans } from '../../runtime/backtest/recorded-spans.ts'
import { alignedNumbers } from '../../report/aligned-numbers.ts'
import { printable, textWidth, wrappedText } from '../../report/terminal-text.ts'
import type { SweepResult } from '../../run/sweep/sweep.ts'
import type { PointOutcome } from '../../sweep/point-outcome.ts'

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
  const isShort = points.some(({ statistics }) => statistics !== null && statistics.volatility === null)
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
