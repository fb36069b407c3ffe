/** Notices on a result, in full sentences: warnings about how reliable it is, and notes on how it was made. */
import { returnSamplesOf } from '../../analysis/statistics.ts'
import { auditDifference, type AuditLine } from '../../domain/audit.ts'
import { toDecimal } from '../../domain/decimal.ts'
import { formatTrimmed } from '../../domain/fixed-point.ts'
import { isoTime } from '../../domain/time.ts'
import type { LiquidityBounds } from '../../runtime/backtest/liquidity-bounds.ts'
import { recordedSpans } from '../../runtime/backtest/recorded-spans.ts'
import type { MarketFillQuality } from '../../runtime/figures/fill-quality.ts'
import type { ParamsChange } from '../../runtime/session/session-event.ts'
import { paramsText } from '../../runtime/strategies/params.ts'
import type { Unrepeatable } from '../../runtime/sandbox/virtual-globals.ts'
import type { StrategyUsage, UsedStream } from '../../runtime/session/stream-usage.ts'
import { followsBook } from '../../simulation/liquidity/liquidity-models.ts'
import { joined, type Notices, noticesIn } from '../../tape/notices.ts'
import type { PrintCounts } from '../../tape/print-filter.ts'
import { readableCount, readableDecimal, readableDuration, roughDuration } from '../readable.ts'
import type { LongWaitsOf, RunFacts } from './run-facts.ts'
import type { BookReport, LiveReport, RunConfig, TapeReport } from './run-report.ts'
import { runSpan } from './run-span.ts'
import { samplingOf } from './run-statistics.ts'
import { streamNotices } from './stream-notices.ts'
import { WHO_CANCELS } from './who-cancels.ts'

/** Notices on a session on a live exchange, in full sentences, the most important first. */
function liveNotices(live: LiveReport, audit: readonly AuditLine[]): readonly string[] {
  const { openOrders, fault, unknown, ambiguous, recoveredFills = 0, gaps, unsent } = live
  const open = openOrders.length
  return [
    ...(fault === null ? [] : [`The account became unusable before the end: ${fault}`]),
    ...(open === 0 ? [] : [`${readableCount(open, 'order')} of this session ${open === 1 ? 'is' : 'are'} still open.`]),
    ...(ambiguous === 0
      ? []
      : [`The outcome of ${readableCount(ambiguous, 'order')} is unknown: run \`papertape live orders\`.`]),
    ...audit.flatMap(differenceNotice),
    ...(unknown === 0
      ? []
      : [
          `${readableCount(unknown, 'order')} got no answer: the outcome was read from the orders that the service lists.`,
        ]),
    ...(recoveredFills === 0
      ? []
      : [
          `${readableCount(recoveredFills, 'fill')} happened before this session started and had not been reported by an earlier one.`,
        ]),
    ...(unsent === 0
      ? []
      : [
          `${readableCount(unsent, 'request')} ${unsent === 1 ? 'was' : 'were'} still queued at the end and never sent.`,
        ]),
    ...(gaps === 0 ? [] : [`The market data has ${readableCount(gaps, 'gap')} where trades are missing.`]),
  ]
}

/** The account may have other clients and its fees are assumed, so a difference is not an accounting error. */
function differenceNotice(line: AuditLine): readonly string[] {
  const moved = -auditDifference(line)
  if (moved === 0n) return []
  const amount = readableDecimal(formatTrimmed(moved, line.scale))
  return [
    `The balance of ${line.asset} changed by ${amount} without a fill of this session: fees, or another client of the account.`,
  ]
}

/** A tape that ends this share of the run before the others is reported. */
const EARLY_SHARE = 0.1

/** One for each market whose recording ends long before the run does, or has nothing of its period. */
function earlyEndNotices(facts: RunFacts): readonly string[] {
  if (facts.live !== undefined) return []
  const { from, to } = runSpan(facts)
  const [starts, ends] = [new Map<string, number>(), new Map<string, number>()]
  for (const span of recordedSpans(facts)) {
    starts.set(span.symbol, Math.min(starts.get(span.symbol) ?? span.from, span.from))
    ends.set(span.symbol, Math.max(ends.get(span.symbol) ?? span.to, span.to))
  }
  return [...ends].flatMap(([symbol, end]) => {
    const start = starts.get(symbol) ?? from
    if (end < from || start > to) {
      const where = end < from ? `ends at ${isoTime(end)}` : `starts at ${isoTime(start)}`
      return [`The tape of ${symbol} has no data in the period of the run (it ${where}), so its orders do not fill.`]
    }
    return to - end <= (to - from) * EARLY_SHARE
      ? []
      : [
          `The tape of ${symbol} ends ${roughDuration(to - end)} before the run does: after ${isoTime(end)}, its orders do not fill and its last price is used.`,
        ]
  })
}

/** At most one notice. Incomplete equity at the end has a notice of its own. */
function sampleNotices(account: RunFacts['account'], config: RunConfig): readonly string[] {
  const { equity } = account.figures
  if (equity.isPartial) return []
  const sampling = samplingOf(account, config)
  return returnSamplesOf(sampling) === undefined ? [lostNotice(sampling)] : []
}

function lostNotice({ isPartialAtStart, samples, initialEquity }: ReturnType<typeof samplingOf>): string {
  const none = 'so return statistics are not available'
  if (isPartialAtStart) return `An initial holding never had a price, ${none}.`
  const unpriced = samples.find(({ isPartial }) => isPartial)
  if (unpriced !== undefined) return `A holding had no price at ${isoTime(unpriced.time)}, ${none}.`
  const spent = samples.find(({ equity }) => equity <= 0n)
  if (initialEquity <= 0n || spent === undefined) return `The run started without equity, ${none}.`
  return `The equity was zero or negative at ${isoTime(spent.time)}, ${none}.`
}

/** Warnings, most serious first, and notes. */
export function runNotices(facts: RunFacts): Notices {
  const { account, bounds, config, remarks, tapes, books = [] } = facts
  const { caution, guessedSpreads, longWaits, candleSymbols, unsent, endedAt, inexactMath, unrepeatable, prints } =
    remarks
  const quality = Object.entries(account.figures.quality.report())
  const believed = Object.entries(prints).map(printNotices)
  const recorded = joined([...books.map(bookNotices), ...tapes.map((tape) => tapeNotices(tape, tapes.length))])
  return {
    warnings: [
      ...(account.figures.equity.isPartial ? ['A holding has no price, so the equity is incomplete.'] : []),
      ...earlyEndNotices(facts),
      ...idleNotices(facts),
      ...streamNotices(facts),
      ...sampleNotices(account, config),
      ...(caution === '' ? [] : [caution]),
      ...riskNotices(account.record),
      ...(facts.live === undefined ? [] : liveNotices(facts.live, facts.audit)),
      // Files of one recording share their notices.
      ...new Set(recorded.warnings),
      ...boundsNotice(bounds),
      ...(facts.live === undefined ? latencyNotice(facts) : []),
      ...spreadNotice(guessedSpreads),
      ...longWaits.map(waitNotice),
      ...(facts.live === undefined ? QUALITY_NOTICES.flatMap((noticesOf) => quality.flatMap(noticesOf)) : []),
      ...joined(believed).warnings,
      ...unrepeatableNotice(unrepeatable),
    ],
    notes: [
      ...account.record.paramChanges.map(paramNotice),
      ...clipNotice(candleSymbols, config),
      ...unsentNotice(unsent, endedAt),
      ...inexactNotice(inexactMath),
      ...joined(believed).notes,
      ...new Set(recorded.notes),
    ],
  }
}

/**
 * Notice for a run without an order: what the strategy received and emitted, so that its author finds where it stopped.
 *
 * @param from  Unix milliseconds at which the run began
 */
function idleNotice({ streams, intents, completedAt }: StrategyUsage, from: number): string {
  const received =
    streams.length === 0 ? 'subscribed to no market stream' : `received ${listText(streams.map(valuesText))}`
  const emitted = intents === 0 ? '' : `, and emitted ${readableCount(intents, 'intent')} without an order`
  return `No order was placed: the strategy ${received}${emitted}.${endText(streams, completedAt, from)}`
}

function valuesText({ name, values, candles }: UsedStream): string {
  if (values === null) return name
  if (candles !== undefined) return `${readableCount(values, 'candle')} of ${candles.symbol} (${candles.interval})`
  return `${readableCount(values, 'value')} from ${name}`
}

const listText = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}`

const WHY = 'the stream ended, or catchError swallowed an error'

/** An error swallowed by the strategy's own catchError leaves no other trace. */
function endText(streams: readonly UsedStream[], completedAt: number | null, from: number): string {
  if (completedAt !== null) {
    const isImmediate = completedAt <= from && streams.every(({ values }) => values === null || values === 0)
    return isImmediate
      ? ' Its stream of orders completed immediately.'
      : ` Its stream of orders completed at ${isoTime(completedAt)}: ${WHY}.`
  }
  const [left] = streams.filter(({ isHeard, values }) => isHeard === false && values !== null && values > 0)
  return left === undefined ? '' : ` It no longer listened to ${left.name} at the end: ${WHY}.`
}

/** Failed runs and refusals have notices of their own. */
function idleNotices(facts: RunFacts): readonly string[] {
  const { account, failure, remarks, config } = facts
  const { orders, refusals } = account.record
  if (remarks.usage === undefined || failure !== null || orders > 0 || refusals.size > 0) return []
  return [idleNotice(remarks.usage, config.from ?? Math.min(...recordedSpans(facts).map(({ from }) => from)))]
}

/** The same run on the same tape may have a different result. */
function unrepeatableNotice(uses: readonly Unrepeatable[]): readonly string[] {
  if (uses.length === 0) return []
  const reported = uses.map(({ name, place }) => (place === undefined ? name : `${name} at ${place}`))
  return [
    `This run may not be repeatable, because its code depends on something outside of the run: ${reported.join(', ')}.`,
  ]
}

/** A limit that stopped orders changes every figure. */
function riskNotices({ riskRefusals, states }: RunFacts['account']['record']): readonly string[] {
  const first = states.find(({ state }) => state !== 'ACTIVE')
  const changes = readableCount(states.length, 'state change')
  return [
    ...(first === undefined
      ? []
      : [`The session was ${first.state} from ${isoTime(first.time)}: ${first.why} (${changes} in total).`]),
    ...(riskRefusals === 0 ? [] : [`Risk limits refused ${readableCount(riskRefusals, 'order')}.`]),
  ]
}

const paramNotice = ({ time, changed }: ParamsChange): string =>
  `An operator changed ${paramsText(changed)} at ${isoTime(time)}.`

/** The models bound the fills; a reader may mistake them for bounds of the result. */
function boundsNotice(bounds: LiquidityBounds | null): readonly string[] {
  if (bounds === null) return []
  const equities = Object.values(bounds).flatMap((run) => (run === null ? [] : [toDecimal(run.finalEquity)]))
  if (equities.every((equity, index) => equity.greaterThanOrEqualTo(equities[index - 1] ?? equity))) return []
  const names = boundNames(bounds)
  return [
    `More fills did not mean a better result here: ${names} are bounds on the fills, and the true result may be above or below all of them.`,
  ]
}

/** Names of the models; those of a recorded book with their assumption about cancels. */
function boundNames(bounds: LiquidityBounds): string {
  const names = Object.keys(bounds).map((name) => `${name}${followsBook(name) ? ` (${WHO_CANCELS[name]})` : ''}`)
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
}

/**
 * Measured on trades only: basis points gained by fading a sweep without latency, which the real book did not offer.
 */
function latencyNotice({ config: { orderLatencyMs, liquidity }, tapes, books = [] }: RunFacts): readonly string[] {
  const reported = new Set(books.map(({ symbol }) => symbol))
  const isByBooks = followsBook(liquidity) && tapes.every(({ symbol }) => reported.has(symbol))
  if (orderLatencyMs > 0 || liquidity === 'ideal' || isByBooks) return []
  return [
    'With zero latency, fading a sweep earns 0.13 to 0.66 basis points that the real book did not offer: set `--order-latency`.',
  ]
}

type Quality = readonly [symbol: string, fills: MarketFillQuality]

/** Share of the volume above which our fills would have moved the market. */
const LARGE_SHARE = 0.05

function impactNotice([symbol, { shareOfVolume }]: Quality): readonly string[] {
  if (shareOfVolume <= LARGE_SHARE) return []
  const percent = (shareOfVolume * 100).toFixed(1)
  return [
    `Your fills are ${percent} % of the recorded volume of ${symbol}: trades this large would have moved the market.`,
  ]
}

/** The price may have moved since; the notice says how to refuse such orders. */
const oldQuoteNotice = ([symbol, { taker }]: Quality): readonly string[] =>
  taker.onOldQuote === 0
    ? []
    : [
        `${symbol} is thinly traded: ${readableCount(taker.onOldQuote, 'fill')} used a quote more than 5 s old; use \`--stale-after 5000\` to refuse such orders.`,
      ]

/** Others may have traded or cancelled since the last update. */
const oldBookNotice = ([
  symbol,
  {
    taker: { onOldBook = 0 },
  },
]: Quality): readonly string[] =>
  onOldBook === 0
    ? []
    : [
        `${symbol}: ${readableCount(onOldBook, 'fill')} used a recorded book more than 1 s old; use a recording with more frequent updates, or \`--stale-after 1000\` to refuse such orders.`,
      ]

const gapNotice = ([symbol, { ordersAcrossGaps, gaps }]: Quality): readonly string[] =>
  ordersAcrossGaps === 0
    ? []
    : [
        `The tape of ${symbol} has ${readableCount(gaps, 'gap')}, and orders were open across a gap ${readableCount(ordersAcrossGaps, 'time')}.`,
      ]

/** Grouped by kind, then by market. */
const QUALITY_NOTICES = [impactNotice, oldQuoteNotice, oldBookNotice, gapNotice]

function printNotices([symbol, counts]: readonly [string, PrintCounts]): Notices {
  const { prints, doubted, late, unjudged } = counts
  const what = `${doubted} of ${prints} prints of ${symbol} ${doubted === 1 ? 'was' : 'were'} quarantined as off-market`
  const some = `: ${late} until later prints confirmed ${late === 1 ? 'it' : 'them'}, the others filled nothing.`
  const all = ` until later prints confirmed ${late === 1 ? 'it' : 'them'}.`
  const filled = late === 0 ? ' and filled nothing.' : late === doubted ? all : some
  return {
    warnings:
      unjudged === 0
        ? []
        : [
            `The filter for off-market prints is off, so ${unjudged} of ${prints} prints of ${symbol} were not checked.`,
          ],
    notes: doubted === 0 ? [] : [`${what}${filled}`],
  }
}

/** Some candles do not allow an estimate of the spread. */
const spreadNotice = (symbols: readonly string[]): readonly string[] =>
  symbols.length === 0
    ? []
    : [`Candles carry no spread, so one tick is assumed for ${symbols.join(', ')}; set it with \`--spread\`.`]

/** Orders sent while a market of candles was shut wait for its next open, however far that is. */
const waitNotice = ({ symbol, count, longestMs }: LongWaitsOf): string =>
  `${readableCount(count, 'request')} waited more than two candles for the next open of ${symbol} (longest: ${readableDuration(longestMs)}).`

/** Queue and depth are measured in trades. */
function clipNotice(symbols: readonly string[], { queueSize, levelSize }: RunConfig): readonly string[] {
  if (symbols.length === 0 || (queueSize === 1 && levelSize === 1)) return []
  return [`Queue and depth settings have no effect on ${symbols.join(', ')}: candles do not contain individual trades.`]
}

function unsentNotice(unsent: number, endedAt: number): readonly string[] {
  if (unsent === 0) return []
  const what = unsent === 1 ? 'order or cancel was' : 'orders or cancels were'
  return [`${unsent} ${what} still in transit when the tape ended at ${isoTime(endedAt)}.`]
}

const inexactNotice = (names: readonly string[]): readonly string[] =>
  names.length === 0
    ? []
    : [`The strategy uses ${names.join(', ')}: the last digits may differ between versions of Node.`]

/** With several tapes each notice starts with the symbol. */
const tapeNotices = ({ symbol, ...list }: TapeReport, tapes: number): Notices =>
  named(noticesIn(list), (notice) => (tapes === 1 ? notice : `${symbol}: ${notice}`))

/** Notices of a recorded book or of quotes. */
const bookNotices = ({ symbol, kind, ...list }: BookReport): Notices =>
  named(noticesIn(list), (notice) => `${kind === 'depth' ? 'Book' : 'Quotes'} of ${symbol}: ${notice}`)

const named = ({ warnings, notes }: Notices, name: (notice: string) => string): Notices => ({
  warnings: warnings.map(name),
  notes: notes.map(name),
})
