/**
 * The comparison of two runs as it is printed: the verdict first, then the settings, the partings and the totals.
 */
import { isoTime } from '../../domain/time.ts'
import { readableAmount, readableChange, readableCount, readableDuration, readablePercent } from '../readable.ts'
import { hangingLines, printable, textWidth } from '../terminal-text.ts'
import { causeText, toldLines } from './cause-text.ts'
import { bothOf, type Sides } from './compared-run.ts'
import { labelledRows, type LabelledRow } from './labelled-rows.ts'
import type { PartedRequest, Parting } from './partings.ts'
import type { RunDifference, RunState } from './run-difference.ts'
import type { RunTotals } from './run-totals.ts'

/** Without the last line end. */
export function differenceText(difference: RunDifference): string {
  const { settings, partings, partingCount } = difference
  const told = difference.cause?.told ?? null
  const sections = [
    [verdictOf(difference), ...stateLines(difference.runs)],
    titled(
      'settings that differ',
      settings.map(({ setting, a, b }) => ({ label: setting, a: settingText(setting, a), b: settingText(setting, b) })),
    ),
    ...partings.map((parting, index) => partingLines(parting, index, partingCount)),
    partings.length > 0 || told === null ? [] : ['told differently', ...toldLines(told)],
    titled('totals', totalRows(difference)),
    pairLines(difference),
  ]
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.flatMap(brokenLine).join('\n'))
    .join('\n\n')
}

const WIDTH = 80

/** Goes on below the text behind what it begins with: blanks, and the name of a side. */
function brokenLine(line: string): readonly string[] {
  const text = printable(line)
  if (textWidth(text) <= WIDTH) return [text]
  const [lead = ''] = /^ *(?:[ab] {2})?/.exec(text) ?? []
  return hangingLines(lead, text.slice(lead.length), WIDTH, lead === '' ? 2 : undefined)
}

function verdictOf({ isSame, cause, partings, partingCount, pairs }: RunDifference): string {
  const requests = readableCount(pairs.count, 'request')
  if (isSame) return `the runs are the same: ${requests}, and the same answers and fills at the same times`
  if (cause === null) return `the runs are the same in ${requests} and all that was told; settings differ`
  const [first] = partings
  if (first === undefined)
    return `the strategies asked for the same, ${requests}, and not all else is the same: ${causeText(cause)}`
  const where = bothOf(first, (request) => (request === null ? 'no request' : `ref:${request.ref}`))
  const at = where.a === where.b ? where.a : `${where.a} of a, ${where.b} of b`
  return `the runs part at ${at}, ${readableCount(partingCount, 'parting')} in all: ${causeText(cause)}`
}

/** A time is kept in Unix milliseconds. */
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
      ...(isEnded ? [] : ['without an end: it was killed, or goes on']),
      ...(hasReport ? [] : ['no run.json, so no equity and no hash of its strategy']),
      ...(isCut ? ['the last line of its journal is half written, and left out'] : []),
      ...(changed.length === 0 ? [] : [`not as the run wrote it: ${changed.join(', ')}`]),
      ...(failure === null ? [] : [`the strategy failed: ${failure}`]),
    ]
    return `  ${side}  ${[directory, ...remarks].join('; ')}`
  })
}

function partingLines({ a, b, count, cause }: Parting, index: number, of: number): readonly string[] {
  const name = index === 0 ? 'first parting' : `parting ${index + 1} of ${of}`
  return [
    `${name}: ${causeText(cause)}`,
    `  a  ${partedText(a, count.a)}`,
    `  b  ${partedText(b, count.b)}`,
    ...(cause.told === null ? [] : toldLines(cause.told)),
  ]
}

function partedText(request: PartedRequest | null, count: number): string {
  if (request === null) return 'asked for nothing more'
  const { ref, time, words } = request
  const more = count > 1 ? `, and ${count - 1} more` : ''
  const when = isoTime(time)
  return count === 0 ? `goes on with ${words} (ref:${ref}, ${when})` : `${words} (ref:${ref}, ${when})${more}`
}

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
    value === null ? 'not known' : words(value)
  const rows = [
    row('duration', ({ durationMs }) => readableDuration(Math.max(0, durationMs))),
    row('requests', ({ requests }) => readableAmount(String(requests))),
    row('orders', ({ orders }) => readableAmount(String(orders))),
    row('fills', ({ fills }) => readableAmount(String(fills))),
    ...keyed('fees', ({ fees }) => fees),
    ...keyed('refused', ({ refusals }) => refusals),
    row('unknown', ({ unknown }) => String(unknown)),
    row('taken over', ({ takenOver }) => String(takenOver)),
    row('equity at the start', ({ initialEquity, quoteAsset }) =>
      optional(initialEquity, (text) => `${readableAmount(text)} ${quoteAsset ?? ''}`),
    ),
    row('equity at the end', ({ finalEquity, quoteAsset }) =>
      optional(finalEquity, (text) => `${readableAmount(text)} ${quoteAsset ?? ''}`),
    ),
    row('return', (side) => optional(side.return, readableChange)),
    row('largest drawdown', ({ maxDrawdown }) => optional(maxDrawdown, readablePercent)),
    row('answers, mean', ({ answerMs }) => optional(answerMs, ({ mean }) => msText(mean))),
    row('answers, p50', ({ answerMs }) => optional(answerMs, ({ p50 }) => msText(p50))),
    row('answers, p99', ({ answerMs }) => optional(answerMs, ({ p99 }) => msText(p99))),
  ]
  const empty = new Set(['unknown', 'taken over'])
  return rows.filter(({ label, a, b }) => !(empty.has(label) && a === '0' && b === '0'))
}

const msText = (ms: number): string => `${Number(ms.toFixed(1))} ms`

function pairLines({ pairs }: RunDifference): readonly string[] {
  const { count, answerLagMs, slippage } = pairs
  const lines = [`${readableCount(count, 'request')} for the same in both`]
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
    : `${worse} at prices worse than those of ${better} by ${size(meanBps)} bps on average, ${meanTicks} ticks from a to b`
  return [...lines, `  ${requests} of them filled in both, ${words}`]
}
