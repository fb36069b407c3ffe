/** Runs in a database as a table of 80 columns with two lines per run, or as JSON. */
import { isoTime } from '../../domain/time.ts'
import { readableChange, readablePercent, readablePeriod } from '../readable.ts'
import { isTooShortForYear } from '../run/run-span.ts'
import { cutToWidth, printable, textWidth } from '../terminal-text.ts'
import { rangeOf, symbolsOf, type SavedSummary, type ListedRun } from './saved-summary.ts'

const WIDTH = 80
const STRATEGY_WIDTH = 18

interface Column {
  readonly title: string
  readonly isRight: boolean
  readonly cell: (run: ListedRun) => string
}

const COLUMNS: readonly Column[] = [
  { title: 'id', isRight: false, cell: ({ id }) => id },
  { title: 'when (UTC)', isRight: false, cell: ({ savedAt }) => isoTime(savedAt).slice(0, 16).replace('T', ' ') },
  { title: 'strategy', isRight: false, cell: ({ summary }) => cutToWidth(summary.strategy.name, STRATEGY_WIDTH) },
  { title: 'return', isRight: true, cell: ({ summary }) => orNone(summary.statistics.return, readableChange) },
  { title: 'drawdown', isRight: true, cell: ({ summary }) => readablePercent(summary.statistics.maxDrawdown) },
  {
    title: 'Sharpe',
    isRight: true,
    cell: ({ summary }) => orNone(sharpeOf(summary), (ratio) => ratio.toFixed(2)),
  },
  { title: 'trades', isRight: true, cell: ({ summary }) => String(summary.statistics.roundTrips) },
]

/** Null also for a run that failed, or is too short for a figure per year. */
function sharpeOf(summary: SavedSummary): number | null {
  const range = rangeOf(summary)
  if (summary.failure !== null) return null
  return range !== undefined && isTooShortForYear(range) ? null : summary.statistics.sharpe
}

const orNone = (value: number | null, text: (value: number) => string): string => (value === null ? '-' : text(value))

/** @returns whole lines */
export function runsTable(runs: readonly ListedRun[]): string {
  const rows = [
    COLUMNS.map(({ title }) => title),
    ...runs.map((run) => COLUMNS.map(({ cell }) => printable(cell(run)))),
  ]
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => textWidth(row[column] ?? ''))))
  const [heading = '', ...lines] = rows.map((row) =>
    row
      .map((cell, column) => {
        const room = ' '.repeat((widths[column] ?? 0) - textWidth(cell))
        return COLUMNS[column]?.isRight === true ? room + cell : cell + room
      })
      .join('  ')
      .trimEnd(),
  )
  const indent = ' '.repeat((widths[0] ?? 0) + 2)
  const reported = lines.flatMap((line, index) => {
    const run = runs[index]
    return run === undefined ? [line] : [line, indent + cutToWidth(ofWhat(run.summary), WIDTH - indent.length)]
  })
  return [heading, ...reported].map((line) => `${line}\n`).join('')
}

function ofWhat(summary: SavedSummary): string {
  const range = rangeOf(summary)
  const parts = [
    ...(summary.failure === null ? [] : ['FAILED']),
    symbolsOf(summary).join(' '),
    ...(range === undefined ? [] : [readablePeriod(range.from, range.to)]),
    Object.entries(summary.params)
      .filter(([name]) => name !== 'symbol')
      .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(' '),
  ]
  return printable(parts.filter((part) => part !== '').join(', '))
}

/** Plain JSON of a run in a list. */
export function runJson({ id, savedAt, summary }: ListedRun): object {
  const { strategy, failure, statistics, ...rest } = summary
  const { maxDrawdown, sharpe, roundTrips } = statistics
  const range = rangeOf(summary)
  return {
    id,
    keptAt: savedAt,
    status: failure === null ? 'done' : 'failed',
    strategy: strategy.name,
    sha256: strategy.sha256,
    symbols: symbolsOf(summary),
    from: range?.from ?? null,
    to: range?.to ?? null,
    return: statistics.return,
    maxDrawdown,
    sharpe,
    roundTrips,
    failure: failure?.message ?? null,
    ...rest,
  }
}
