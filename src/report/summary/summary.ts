/**
 * The text at the end of a run: setup, result, warnings and notes, audit and digest, and the page to open.
 *
 * Invariant: at most 80 columns and 23 lines on a screen of 80 x 24, which shows it with the prompt. Only warnings, the
 * reasons of refusals and the strategies of a portfolio, which are always shown whole, can make it longer. Other items
 * that do not fit are counted or end in an ellipsis.
 */
import type { SeriesReport } from '../../tape/series-info.ts'
import { join } from 'node:path'
import type { Statistics } from '../../analysis/statistics.ts'
import { toDecimal } from '../../domain/decimal.ts'
import { isoTime } from '../../domain/time.ts'
import { recordedSpans } from '../../runtime/backtest/recorded-spans.ts'
import type { BookTapeInfo } from '../../tape/book-tape.ts'
import { noticesIn } from '../../tape/notices.ts'
import type { TapeInfo } from '../../tape/tape.ts'
import {
  readableAmount,
  readableChange,
  readableCount,
  readablePercent,
  readablePeriod,
  readableSigned,
} from '../readable.ts'
import { isFree } from '../run/flattering.ts'
import { hasPageLater } from '../run/page-later.ts'
import type { ContinuedPaper, FirstRefusal, JsonValue, RunConfig, RunReport } from '../run/run-report.ts'
import { nullTestText, sensitivityOf } from '../robustness-text.ts'
import { printable, textWidth, wrapPieces } from '../terminal-text.ts'
import {
  EMPTY_LINE,
  itemLines,
  LABEL_WIDTH,
  labelled,
  LABELLED_WIDTH,
  labelledLines,
  printedLine,
  SUMMARY_WIDTH,
  type SummaryLine,
  toneOf,
  unlabelled,
  wrappedLine,
} from './summary-line.ts'
import { sparkline } from './sparkline.ts'
import { auditLines } from './summary-audit.ts'
import { orderLines } from './summary-orders.ts'
import { yearLines } from './summary-statistics.ts'
import { portfolioLine, strategyLines, transfersText } from './summary-strategies.ts'

const MAX_PARAMETER_LINES = 1
const MAX_TAPES = 2

/** At most 5 lines, plus 2 for recorded books, and 2 for series. */
export const setupLines = (report: RunReport): SummaryLine[] => [
  ...(report.strategies === undefined
    ? [strategyLine(report), ...labelledLines('parameters', parameterTexts(report.params))]
    : [portfolioLine(report, report.strategies.length)]),
  ...labelledLines(report.tapes.length > 1 ? 'tapes' : 'tape', tapeTexts(report.tapes)),
  ...(report.books === undefined ? [] : labelledLines('books', bookTexts(report.books))),
  ...(report.series === undefined ? [] : labelledLines('series', seriesTexts(report.series))),
  ...periodLines(report.config, recordedSpans(report)),
  ...liveLines(report),
]

function liveLines({ live, paper, finalEquity }: RunReport): SummaryLine[] {
  const session = live ?? paper
  if (session === undefined) return []
  const service = `${session.url}${paper === undefined ? '' : ' (paper trading)'}`
  return [
    labelled('service', service),
    labelled('period', readablePeriod(session.startedAt, session.endedAt)),
    ...(paper?.continued === undefined ? [] : [labelled('continues', continuedText(paper.continued, finalEquity))]),
  ]
}

/** Earlier sessions on paper, and the change of the equity over all of them. */
function continuedText(continued: ContinuedPaper, equity: string): string {
  const { startedAt, sessions, initialEquity, transferred = 0 } = continued
  const [first, last] = [Number(initialEquity), Number(equity) - Number(transferred)]
  const change = first > 0 ? `, ${readableChange(last / first - 1)} over all of them` : ''
  return `${readableCount(sessions, 'earlier session')} since ${isoTime(startedAt)}${change}`
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

const seriesTexts = (all: readonly SeriesReport[]): string[] => [
  ...recordingTexts(
    all.map((each) => ({ ...each, symbol: each.name })),
    'series',
    () => 'row',
  ),
  ...all.flatMap(({ name, leftOut = 0 }) =>
    leftOut === 0 ? [] : [`${name} without ${readableCount(leftOut, 'wrong row')}`],
  ),
]

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

/** At most 7 lines. */
const resultLines = (report: RunReport): SummaryLine[] => [
  equityLine(report),
  returnLine(report.statistics),
  ...strategyLines(report),
  ...yearLines(report),
  feesLine(report),
  ...(report.live === undefined ? executionLines(report.config) : []),
  ...optimisticLines(report),
  ...repeatLines(report),
]

function equityLine({ initialEquity, finalEquity, quoteAsset, partial, transfers }: RunReport): SummaryLine {
  const text = `${readableAmount(initialEquity)} → ${readableAmount(finalEquity)} ${quoteAsset}`
  // The gap first, because the end may be cut; without prices there is no profit.
  if (partial) return labelled('equity', `INCOMPLETE, a holding has no price: ${text}`, 'warning')
  const moved = toDecimal(transfers?.in ?? '0').minus(transfers?.out ?? '0')
  const profit = toDecimal(finalEquity).minus(initialEquity).minus(moved)
  const without = transfers === undefined ? '' : ` without ${transfersText(transfers, quoteAsset)}`
  return labelled('equity', `${text} (${readableSigned(profit.toFixed())}${without})`, toneOf(profit.comparedTo(0)))
}

function returnLine(statistics: Statistics): SummaryLine {
  const made = statistics.return
  const beside = [
    ...(statistics.buyAndHoldReturn === null ? [] : [`buy and hold ${readableChange(statistics.buyAndHoldReturn)}`]),
    `max drawdown ${readablePercent(statistics.maxDrawdown)}`,
    `exposure ${(statistics.exposure * 100).toFixed(0)} %`,
  ]
  if (made === null) return labelled('return', ['n/a without initial equity', ...beside].join(', '))
  return labelled('return', [readableChange(made), ...beside].join(', '), toneOf(made))
}

function feesLine({ statistics, config, quoteAsset, live }: RunReport): SummaryLine {
  const { makerFeeBps, takerFeeBps } = config
  if (isFree(config)) {
    const none = live === undefined ? 'NO FEES: maker 0 bps, taker 0 bps' : 'none assumed; the service reports none'
    return labelled('fees', none, 'warning')
  }
  const rates = ` (${live === undefined ? '' : 'assumed: '}maker ${makerFeeBps} bps, taker ${takerFeeBps} bps)`
  const charged = Object.entries(statistics.fees).filter(([, amount]) => amount !== '0')
  const amounts = charged.map(([asset, amount]) => `${readableAmount(amount)} ${asset}`)
  const [text = `0 ${quoteAsset}`] = itemLines(amounts, LABELLED_WIDTH - rates.length, 1)
  return labelled('fees', text + rates)
}

/** All latencies, also 0, because fills depend on them; a second line if the model has a long name. */
function executionLines(config: RunConfig): readonly SummaryLine[] {
  const { liquidity, orderLatencyMs, responseLatencyMs, feedLatencyMs } = config
  const latency = `latency: order ${orderLatencyMs} ms, response ${responseLatencyMs} ms, feed ${feedLatencyMs} ms`
  return labelledLines('execution', wrapPieces([`liquidity ${liquidity};`, latency], LABELLED_WIDTH))
}

/** Optimistic settings, except missing fees, which have their own line. */
function optimisticLines({ optimistic }: RunReport): SummaryLine[] {
  const items = optimistic.flatMap(({ setting, words }) => (setting === 'takerFeeBps' ? [] : [words]))
  if (items.length === 0) return []
  const [text = ''] = itemLines(items, LABELLED_WIDTH, 1)
  return [labelled('optimistic', text, 'warning')]
}

/** Results of the requested repeats. */
const repeatLines = ({ nullTest, robustness }: RunReport): SummaryLine[] => [
  ...(nullTest === undefined ? [] : labelledLines('p-value', [nullTestText(nullTest)])),
  ...(robustness === undefined ? [] : labelledLines('sensitive to', [sensitivityOf(robustness)])),
]

export const SUMMARY_LINES = 23

/** Name of the page in the directory of a run. */
const PAGE_FILE = 'report.html'

const MAX_NOTE_LINES = 6
/** Room for the count of notes. */
const MIN_NOTE_LINES = 1

/** A warning, begun with `warning: `. */
export const warningLines = (warning: string, width: number): readonly string[] => wrapped('warning', warning, width)

/**
 * The first notes that fit completely, each after `note: `; the others are counted as `and n more notes`, with the
 * place where they can be read.
 *
 * @param maxLines  at least 1
 */
export function noteLines(notes: readonly string[], width: number, maxLines: number): readonly string[] {
  const lines: string[] = []
  for (const [index, note] of notes.entries()) {
    const left = notes.length - index
    // One line remains for the count of the following notes.
    const room = maxLines - lines.length - (left > 1 ? 1 : 0)
    const next = wrapped('note', note, width)
    if (next.length > room) return [...lines, moreNotes(left, index > 0)]
    lines.push(...next)
  }
  return lines
}

const moreNotes = (count: number, isMore: boolean): string =>
  `${isMore ? `and ${count} more` : count} ${count === 1 ? 'note' : 'notes'}: see notices in run.json (--out)`

const wrapped = (what: string, notice: string, width: number): readonly string[] =>
  wrapPieces(`${what}: ${printable(notice).trim()}`.split(/ +/), width)

const MAX_REFUSAL_LINES = 6

/** Paths that need no shell quoting. */
const BARE = /^[\w./@%+=:,-]+$/

/**
 * Always the first refusal; others while there is room. The last line is the command that explains more.
 *
 * @param directory  path of the run as passed by the user; undefined for a run that is not stored
 * @param room       free lines; a long first refusal may take more
 */
function refusalLines(report: RunReport, directory: string | undefined, room: number): SummaryLine[] {
  const { firstRefusals, strategies } = report
  const [first] = firstRefusals
  // The journals of the strategies explain them.
  if (first === undefined || strategies !== undefined) return []
  const texts = firstRefusals.map((each) => wrappedRefusal(firstRefusals.length === 1 ? onlyText(each) : textOf(each)))
  const shown = texts.slice(0, shownCount(texts, Math.min(room, MAX_REFUSAL_LINES) - 1))
  return labelledLines('refused', [...shown.flat(), whyText(first, directory, texts.length - shown.length)])
}

/** At least 1. */
function shownCount(texts: readonly (readonly string[])[], room: number): number {
  let lines = 0
  const tooMany = texts.findIndex((text) => {
    lines += text.length
    return lines > room
  })
  return tooMany === -1 ? texts.length : Math.max(1, tooMany)
}

const wrappedRefusal = (text: string): readonly string[] => wrapPieces(printable(text).split(/ +/), LABELLED_WIDTH)

/** The orders line already names the code. */
const onlyText = ({ request, message, hint }: FirstRefusal): string =>
  `${request}: ${shortened(message)}${hint === null ? '' : `; ${hint}`}`

const textOf = ({ code, request, message, hint }: FirstRefusal): string =>
  `${code} (${request}): ${shortened(message)}${hint === null ? '' : `; ${hint}`}`

/** Shortens numbers with too many digits, which would hide the rest. */
const shortened = (message: string): string => message.replace(/(\d[\d.]{11})[\d.…]{5,}/g, '$1…')

function whyText({ key }: FirstRefusal, directory: string | undefined, unreported: number): string {
  if (directory === undefined) return `for details, add --out DIR and run \`papertape why DIR ${key}\``
  const more = unreported > 0 ? ` (${readableCount(unreported, 'more code')} in run.json)` : ''
  const command = `details: papertape why ${quotedPath(directory)} ${key}`
  const [text] = [`${command}${more}`, command].filter((each) => textWidth(each) <= LABELLED_WIDTH)
  return text ?? `details: papertape why DIR ${key}, where DIR is the --out directory`
}

const quotedPath = (path: string): string => (BARE.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`)

/**
 * @param equity     one finite value per sample, oldest first, in any unit; empty for no sparkline
 * @param colour     true for a terminal with colours; the text does not depend on it
 * @param directory  path of the run as passed by the user; undefined for a run that is not stored
 * @param columns    width of the terminal: below 80 lines are shorter, from 140 on there are two columns
 * @returns          lines separated by line feeds, without a final one
 */
export function summary(
  report: RunReport,
  equity: readonly number[],
  colour: boolean,
  directory: string | undefined,
  columns = SUMMARY_WIDTH,
): string {
  const isWide = columns >= SUMMARY_WIDTH + GAP + MIN_BESIDE
  const width = Math.min(columns, SUMMARY_WIDTH)
  const beside = isWide ? Math.min(columns - SUMMARY_WIDTH - GAP, SUMMARY_WIDTH) : width
  const wrapLines = (lines: readonly SummaryLine[], within: number): readonly SummaryLine[] =>
    lines.flatMap((line) => wrappedLine(line, within))
  const room = Math.max(1, Math.min(LABELLED_WIDTH, width - LABEL_WIDTH))
  const curve = equity.length === 0 ? [] : [labelled('curve', sparkline(equity, room))]
  const setup = wrapLines(setupLines(report), width)
  const figures = wrapLines([...resultLines(report), ...orderLines(report)], width)
  const audit = wrapLines(auditLines(booksOf(report)), beside)
  const foot = [{ ...unlabelled(`digest ${report.digest}`), isWhole: true }, ...pageLines(report, directory)]
  const { warnings, notes } = noticesIn(report)
  const grave = warnings.flatMap((warning) => warningLines(warning, beside))
  const fixed = foot.length + (isWide ? 0 : audit.length + grave.length)
  // Lines that are shorter are more.
  const all = width < SUMMARY_WIDTH ? Infinity : SUMMARY_LINES
  const most = all - fixed - (isWide ? 0 : noteLines(notes, beside, MIN_NOTE_LINES).length)
  const free = most - setup.length - figures.length
  const refused = wrapLines(refusalLines(report, directory, Math.max(1, free - curve.length)), width)
  // The reasons of refusals are more useful than the curve.
  const shown = refused.length + curve.length > free ? refused : [...refused, ...curve]
  const body = spaced([setup, [...figures, ...shown]], most)
  const left = all - fixed - (isWide ? audit.length + grave.length : body.length)
  const noted = noteLines(notes, beside, Math.max(MIN_NOTE_LINES, Math.min(MAX_NOTE_LINES, left)))
  const rest = [...grave.map((text) => unlabelled(text, 'warning')), ...noted.map((text) => unlabelled(text)), ...audit]
  const printed = (lines: readonly SummaryLine[]): readonly string[] => lines.map((line) => printedLine(line, colour))
  const above = isWide ? twoColumns(body, printed(rest), colour) : printed([...body, ...rest])
  return [...above, ...printed(foot.flatMap((line) => wrappedLine(line, width)))].join('\n')
}

/** Columns between the two of a wide terminal, and the least that the second needs. */
const GAP = 3
const MIN_BESIDE = 57

function twoColumns(lines: readonly SummaryLine[], beside: readonly string[], colour: boolean): readonly string[] {
  return Array.from({ length: Math.max(lines.length, beside.length) }, (_, index) => {
    const line = lines[index] ?? EMPTY_LINE
    const other = beside[index]
    const gap = SUMMARY_WIDTH + GAP - textWidth(printedLine(line, false))
    return other === undefined
      ? printedLine(line, colour)
      : `${printedLine(line, colour)}${' '.repeat(Math.max(1, gap))}${other}`
  })
}

/** Adds an empty line after each part, as long as there is room. */
function spaced(parts: readonly (readonly SummaryLine[])[], room: number): readonly SummaryLine[] {
  const count = parts.reduce((sum, lines) => sum + lines.length, 0)
  return parts.flatMap((lines, index) => (count + index < room ? [...lines, EMPTY_LINE] : lines))
}

/** Path of the HTML report next to the other files of the run, or the command that makes it. */
function pageLines(report: RunReport, directory: string | undefined): readonly SummaryLine[] {
  if (directory === undefined) return []
  const text = hasPageLater(report) ? `papertape report ${quotedPath(directory)}` : join(directory, PAGE_FILE)
  return [{ ...labelled('report', text), isWhole: true }]
}

/** On a live account a difference may be due to others; a notice covers it instead. */
function booksOf({ audit, live }: RunReport): RunReport['audit'] {
  if (live === undefined) return audit
  const explained = Object.entries(audit.assets).filter(([, { difference }]) => difference === '0')
  return { assets: Object.fromEntries(explained), ok: true }
}
