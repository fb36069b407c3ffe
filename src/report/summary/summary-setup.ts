/**
 * The first part of the summary: strategy, parameters and recordings.
 */
import { isoTime } from '../../domain/time.ts'
import type { BookTapeInfo } from '../../tape/book-tape.ts'
import type { TapeInfo } from '../../tape/tape.ts'
import { recordedSpans } from '../../runtime/backtest/recorded-spans.ts'
import { itemLines } from './item-lines.ts'
import { readableCount, readablePeriod } from '../readable.ts'
import type { JsonValue, RunConfig, RunReport } from '../run/run-report.ts'
import { LABELLED_WIDTH, labelled, labelledLines } from './summary-line.ts'
import type { SummaryLine } from './summary-line.ts'

const MAX_PARAMETER_LINES = 1
const MAX_TAPES = 2

/** At most 5 lines, plus 2 for recorded books. */
export const setupLines = (report: RunReport): SummaryLine[] => [
  strategyLine(report),
  ...labelledLines('parameters', parameterTexts(report.params)),
  ...labelledLines(report.tapes.length > 1 ? 'tapes' : 'tape', tapeTexts(report.tapes)),
  ...(report.books === undefined ? [] : labelledLines('books', bookTexts(report.books))),
  ...periodLines(report.config, recordedSpans(report)),
  ...liveLines(report),
]

function liveLines({ live, paper }: RunReport): SummaryLine[] {
  const session = live ?? paper
  if (session === undefined) return []
  const service = `${session.url}${paper === undefined ? '' : ' (paper trading)'}`
  return [labelled('service', service), labelled('period', readablePeriod(session.startedAt, session.endedAt))]
}

/** A run that ended early is marked first. */
function strategyLine({ strategy, version, failure }: RunReport): SummaryLine {
  const text = `${strategy.name} (papertape ${version})`
  if (failure === null) return labelled('strategy', text)
  return labelled('strategy', `FAILED at ${isoTime(failure.time)}: ${text}`, 'bad')
}

function parameterTexts(params: RunReport['params']): string[] {
  const items = Object.entries(params).map(([name, value]) => `${name}=${valueText(value)}`)
  return items.length === 0 ? ['none'] : itemLines(items, LABELLED_WIDTH, MAX_PARAMETER_LINES)
}

/** Text as in `--param name=value`, if that can express it. */
const valueText = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value))

const tapeTexts = (tapes: readonly TapeInfo[]): string[] =>
  recordingTexts(tapes, 'tape', ({ kind }) => (kind === 'trades' ? 'trade' : 'candle'))

const bookTexts = (books: readonly BookTapeInfo[]): string[] =>
  recordingTexts(books, 'recording', ({ kind }) => (kind === 'depth' ? 'update' : 'quote'))

type Recording = Pick<TapeInfo, 'symbol' | 'rows' | 'from' | 'to'>

/** @param what  singular name of a recording @param rowOf  singular name of a row */
function recordingTexts<Info extends Recording>(
  tapes: readonly Info[],
  what: string,
  rowOf: (info: Info) => string,
): string[] {
  const shown = tapes.length > MAX_TAPES ? tapes.slice(0, MAX_TAPES - 1) : tapes
  const left = tapes.slice(shown.length)
  const symbolWidth = Math.max(...shown.map(({ symbol }) => symbol.length))
  const texts = shown.map((tape) => {
    const rows = readableCount(tape.rows, rowOf(tape))
    return `${tape.symbol.padEnd(symbolWidth)} ${rows}, ${readablePeriod(tape.from, tape.to)}`
  })
  return left.length === 0 ? texts : [...texts, more(left, what)]
}

function more(tapes: readonly Recording[], what: string): string {
  const rows = tapes.reduce((sum, tape) => sum + tape.rows, 0)
  return `and ${readableCount(tapes.length, `more ${what}`)}, ${readableCount(rows, 'row')}`
}

/** Only if the run starts or ends at a different time than its tapes. */
function periodLines({ from, to }: RunConfig, tapes: readonly Pick<TapeInfo, 'from' | 'to'>[]): SummaryLine[] {
  if (from === null && to === null) return []
  const begin = from ?? Math.min(...tapes.map((tape) => tape.from))
  const end = to ?? Math.max(...tapes.map((tape) => tape.to))
  return [labelled('period', readablePeriod(begin, end))]
}
