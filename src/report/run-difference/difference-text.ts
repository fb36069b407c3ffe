/** The comparison of two runs as text: verdict, settings, differences and totals. */
import { isoTime } from '../../domain/time.ts'
import { readableAmount, readableChange, readableCount, readableDuration, readablePercent } from '../readable.ts'
import { hangingLines, printable, textWidth } from '../terminal-text.ts'
import { bothOf, type Sides } from './run-trace.ts'
import type { Cause, CauseKind, ReportedText } from './divergence-cause.ts'
import type { DivergedRequest, Divergence } from './divergences.ts'
import type { RunDifference, RunState } from './run-difference.ts'
import type { RunTotals } from './run-totals.ts'

const KINDS: Readonly<Record<CauseKind, string>> = {
  settings: 'settings',
  'market-data': 'market data',
  latency: 'latency',
  fill: 'fill',
  cancellation: 'cancellation',
  refusal: 'refusal',
  'unknown-outcome': 'unknown outcome',
  balance: 'balance',
  'strategy-failure': 'strategy failure',
  end: 'end of one run',
  'earlier-parting': 'the difference before it',
}

/** The cause of a divergence in words. */
function causeText({ kind, settings, told: first }: Cause): string {
  const behind = settings.length === 0 ? '' : ` (${settings.join(', ')})`
  const unreported =
    kind === 'market-data' && first === null
      ? ': both received the same answers to their orders, so market data or random numbers differed'
      : ''
  return `${KINDS[kind]}${behind}${unreported}`
}

function reportedLines({ request, a, b }: ReportedText): readonly string[] {
  const reported = [`    a  ${a}`, `    b  ${b}`]
  if (request === null) return ['  before it', ...reported]
  const name = request.a === request.b ? `ref:${request.a}` : `ref:${request.a} of a, ref:${request.b} of b`
  return [`  before it, for ${request.words} (${name})`, ...reported]
}

/** Text without a final newline. */
export function differenceText(difference: RunDifference): string {
  const { settings, partings: divergences, partingCount } = difference
  const sections = [
    [verdictOf(difference), ...stateLines(difference.runs)],
    titled(
      'different settings',
      settings.map(({ setting, a, b }) => ({ label: setting, a: settingText(setting, a), b: settingText(setting, b) })),
    ),
    ...divergences.map((divergence, index) => partingLines(divergence, index, partingCount)),
    divergences.length > 0 ? [] : firstDifferenceLines(difference),
    titled('totals', totalRows(difference)),
    pairLines(difference),
  ]
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.flatMap(brokenLine).join('\n'))
    .join('\n\n')
}

/** The first request that differs, or else the first answer or fill; empty if there is none. */
export function firstDifferenceLines({ partings: divergences, partingCount, cause }: RunDifference): readonly string[] {
  const [first] = divergences
  if (first !== undefined) return partingLines(first, 0, partingCount)
  const reported = cause?.told ?? null
  return reported === null ? [] : ['first different event', ...reportedLines(reported)]
}

const WIDTH = 80

/** Wraps with a hanging indent after leading blanks and the name of a side. */
function brokenLine(line: string): readonly string[] {
  const text = printable(line)
  if (textWidth(text) <= WIDTH) return [text]
  const [lead = ''] = /^ *(?:[ab] {2})?/.exec(text) ?? []
  return hangingLines(lead, text.slice(lead.length), WIDTH, lead === '' ? 2 : undefined)
}

function verdictOf({ isSame, cause, partings: divergences, partingCount, pairs }: RunDifference): string {
  const requests = readableCount(pairs.count, 'request')
  if (isSame) return `the runs are identical: ${requests}, with the same answers and fills at the same times`
  if (cause === null) return `the runs are identical in ${requests} and all answers; only settings differ`
  const [first] = divergences
  if (first === undefined)
    return `both strategies sent the same ${requests}, but the runs differ otherwise: ${causeText(cause)}`
  const where = bothOf(first, (request) => (request === null ? 'no request' : `request ${request.ref}`))
  const at = where.a === where.b ? where.a : `${where.a} of a, ${where.b} of b`
  return `the runs diverge at ${at} (${readableCount(partingCount, 'difference')}): ${causeText(cause)}`
}

/** Times are stored as Unix milliseconds. */
function settingText(setting: string, value: string | null): string {
  if (value === null) return 'not set'
  const isTime = (setting === 'from' || setting === 'to') && /^\d{1,15}$/.test(value)
  return isTime ? isoTime(Number(value)) : value
}

function stateLines(runs: Sides<RunState>): readonly string[] {
  return (['a', 'b'] as const).map((side) => {
    const { directory, strategy, hasReport, isEnded, isCut, changed, failure } = runs[side]
    const remarks = [
      ...(strategy === null ? [] : [strategy]),
      ...(isEnded ? [] : ['no end: it was killed or is still running']),
      ...(hasReport ? [] : ['no run.json, so its equity and strategy hash are unknown']),
      ...(isCut ? ['the last line of its journal is incomplete and was ignored'] : []),
      ...(changed.length === 0 ? [] : [`changed since the run: ${changed.join(', ')}`]),
      ...(failure === null ? [] : [`the strategy failed: ${failure}`]),
    ]
    return `  ${side}  ${[directory, ...remarks].join('; ')}`
  })
}

function partingLines({ a, b, count, cause }: Divergence, index: number, of: number): readonly string[] {
  const name = index === 0 ? 'first difference' : `difference ${index + 1} of ${of}`
  return [
    `${name}: ${causeText(cause)}`,
    `  a  ${partedText(a, count.a)}`,
    `  b  ${partedText(b, count.b)}`,
    ...(cause.told === null ? [] : reportedLines(cause.told)),
  ]
}

function partedText(request: DivergedRequest | null, count: number): string {
  if (request === null) return 'no further request'
  const { ref, time, words } = request
  const more = count > 1 ? `, and ${count - 1} more` : ''
  const when = isoTime(time)
  return count === 0 ? `continues with ${words} (ref:${ref}, ${when})` : `${words} (ref:${ref}, ${when})${more}`
}

interface LabelledRow extends Sides<string> {
  readonly label: string
}

/** A table with a title: one row per label, one column per run. */
function labelledRows(title: string, rows: readonly LabelledRow[]): readonly string[] {
  const headed = [{ label: title, a: 'a', b: 'b' }, ...rows.map((row) => ({ ...row, label: `  ${row.label}` }))]
  const narrow = headed.filter((row) => !isWide(row))
  const widest = (of: (row: LabelledRow) => string): number => Math.max(...narrow.map((row) => textWidth(of(row))))
  const [labelWidth, aWidth] = [widest(({ label }) => label), widest(({ a }) => a)]
  const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - textWidth(text)))
  return headed.flatMap((row) => {
    const { label, a, b } = row
    if (isWide(row)) return [label, `    a  ${a}`, `    b  ${b}`]
    return [`${padded(label, labelWidth)}  ${padded(a, aWidth)}  ${b}`]
  })
}

/** Maximum widths of a table cell in 80 columns; wider rows, such as hashes, are split into lines. */
const MAX_WIDTHS = { label: 24, value: 26 }

const isWide = ({ label, a, b }: LabelledRow): boolean =>
  textWidth(label) > MAX_WIDTHS.label || Math.max(textWidth(a), textWidth(b)) > MAX_WIDTHS.value

const titled = (title: string, rows: readonly LabelledRow[]): readonly string[] =>
  rows.length === 0 ? [] : labelledRows(title, rows)

function totalRows({ totals }: RunDifference): readonly LabelledRow[] {
  const row = (label: string, of: (side: RunTotals) => string): LabelledRow => ({ label, ...bothOf(totals, of) })
  const keyed = (
    label: string,
    of: (side: RunTotals) => Readonly<Record<string, string | number>>,
  ): readonly LabelledRow[] =>
    [...new Set([...Object.keys(of(totals.a)), ...Object.keys(of(totals.b))])]
      .sort()
      .map((key) => row(`${label} ${key}`, (side) => readableAmount(String(of(side)[key] ?? 0))))
  const optional = <Value>(value: Value | null, words: (value: Value) => string): string =>
    value === null ? 'unknown' : words(value)
  const rows = [
    row('duration', ({ durationMs }) => readableDuration(Math.max(0, durationMs))),
    row('requests', ({ requests }) => readableAmount(String(requests))),
    row('orders', ({ orders }) => readableAmount(String(orders))),
    row('fills', ({ fills }) => readableAmount(String(fills))),
    ...keyed('fees', ({ fees }) => fees),
    ...keyed('refused', ({ refusals }) => refusals),
    row('unknown outcomes', ({ unknown }) => String(unknown)),
    row('orders taken over', ({ takenOver }) => String(takenOver)),
    row('initial equity', ({ initialEquity, quoteAsset }) =>
      optional(initialEquity, (text) => `${readableAmount(text)} ${quoteAsset ?? ''}`),
    ),
    row('final equity', ({ finalEquity, quoteAsset }) =>
      optional(finalEquity, (text) => `${readableAmount(text)} ${quoteAsset ?? ''}`),
    ),
    row('return', (side) => optional(side.return, readableChange)),
    row('max drawdown', ({ maxDrawdown }) => optional(maxDrawdown, readablePercent)),
    row('answer time, mean', ({ answerMs }) => optional(answerMs, ({ mean }) => msText(mean))),
    row('answer time, p50', ({ answerMs }) => optional(answerMs, ({ p50 }) => msText(p50))),
    row('answer time, p99', ({ answerMs }) => optional(answerMs, ({ p99 }) => msText(p99))),
  ]
  const empty = new Set(['unknown outcomes', 'orders taken over'])
  return rows.filter(({ label, a, b }) => !(empty.has(label) && a === '0' && b === '0'))
}

const msText = (ms: number): string => `${Number(ms.toFixed(1))} ms`

function pairLines({ pairs }: RunDifference): readonly string[] {
  const { count, answerLagMs, slippage } = pairs
  const lines = [`${readableCount(count, 'identical request')} in both`]
  if (answerLagMs !== null && answerLagMs !== 0) {
    const [more, less] = answerLagMs > 0 ? ['b', 'a'] : ['a', 'b']
    lines.push(`  ${more} was answered ${msText(Math.abs(answerLagMs))} later than ${less} on average`)
  }
  if (slippage === null) return lines
  const { requests, meanTicks, meanBps } = slippage
  const isEven = meanTicks === '0' && meanBps === '0'
  const [worse, better] = meanBps.startsWith('-') ? ['a', 'b'] : ['b', 'a']
  const size = (text: string): string => readableAmount(text.replace(/^-/, ''))
  const words = isEven
    ? 'at the same prices on average'
    : `${worse} at prices ${size(meanBps)} bps worse than ${better} on average (${meanTicks} ticks from a to b)`
  return [...lines, `  ${requests} of them filled in both, ${words}`]
}
