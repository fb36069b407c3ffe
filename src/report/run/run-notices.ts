/**
 * Notices on a result, in full sentences: warnings about how far it can be believed, and notes on how it was made.
 */
import { toDecimal } from '../../domain/decimal.ts'
import { isoTime } from '../../domain/time.ts'
import type { LiquidityBounds } from '../../runtime/backtest/liquidity-bounds.ts'
import type { MarketFillQuality } from '../../runtime/figures/fill-quality.ts'
import type { Unrepeatable } from '../../runtime/backtest/virtual-globals.ts'
import { followsBook } from '../../simulation/liquidity/liquidity-models.ts'
import { joined, noticesIn, type Notices } from '../../tape/notices.ts'
import type { PrintCounts } from '../../tape/print-judge.ts'
import { readableCount, readableDuration } from '../readable.ts'
import { recordedSpans } from '../../runtime/backtest/recorded-spans.ts'
import { idleNotice } from './idle-notice.ts'
import { liveNotices } from './live-notices.ts'
import { pairingNotices } from './pairing-notice.ts'
import { sampleNotices } from './sample-notices.ts'
import type { LongWaitsOf, RunFacts } from './run-facts.ts'
import type { BookReport, RunConfig, TapeReport } from './run-report.ts'
import { WHO_CANCELS } from './who-cancels.ts'

/** By severity: what bears on how far the result can be believed, the gravest first, and how it was made. */
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
      ...idleNotices(facts),
      ...pairingNotices(remarks.sights?.streams ?? []),
      ...sampleNotices(account, config),
      ...(caution === '' ? [] : [caution]),
      ...riskNotices(account.record),
      ...(facts.live === undefined ? [] : liveNotices(facts.live, facts.audit)),
      // Files of one recording say the same of it.
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
      ...clipNotice(candleSymbols, config),
      ...unsentNotice(unsent, endedAt),
      ...inexactNotice(inexactMath),
      ...joined(believed).notes,
      ...new Set(recorded.notes),
    ],
  }
}

/** A run that failed says why itself, and refusals say theirs. */
function idleNotices(facts: RunFacts): readonly string[] {
  const { account, failure, remarks, config } = facts
  const { orders, refusals } = account.record
  if (remarks.sights === undefined || failure !== null || orders > 0 || refusals.size > 0) return []
  return [idleNotice(remarks.sights, config.from ?? Math.min(...recordedSpans(facts).map(({ from }) => from)))]
}

/** It may run on the same tape again and do something else. */
function unrepeatableNotice(uses: readonly Unrepeatable[]): readonly string[] {
  if (uses.length === 0) return []
  const told = uses.map(({ name, place }) => (place === undefined ? name : `${name} at ${place}`))
  return [`The run may not come again as it was, for its code leans on what is outside of it: ${told.join(', ')}.`]
}

/** What a limit kept from happening bears on every figure. */
function riskNotices({ riskRefusals, states }: RunFacts['account']['record']): readonly string[] {
  const first = states.find(({ state }) => state !== 'ACTIVE')
  const changes = readableCount(states.length, 'change')
  return [
    ...(first === undefined
      ? []
      : [`The session was ${first.state} from ${isoTime(first.time)}: ${first.why} (${changes} of state in all).`]),
    ...(riskRefusals === 0 ? [] : [`The limits of the risk refused ${readableCount(riskRefusals, 'order')}.`]),
  ]
}

/** The models bound fills; a reader of three numbers takes them for bounds of the result. */
function boundsNotice(bounds: LiquidityBounds | null): readonly string[] {
  if (bounds === null) return []
  const equities = Object.values(bounds).flatMap((run) => (run === null ? [] : [toDecimal(run.finalEquity)]))
  if (equities.every((equity, index) => equity.greaterThanOrEqualTo(equities[index - 1] ?? equity))) return []
  const names = boundNames(bounds)
  return [`More fills did not end better here: ${names} bound the fills, not the result, which may lie outside.`]
}

/** In words; where a book bounds, with what each takes for granted of those who cancel. */
function boundNames(bounds: LiquidityBounds): string {
  const names = Object.keys(bounds).map((name) => `${name}${followsBook(name) ? ` (${WHO_CANCELS[name]})` : ''}`)
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
}

/** As measured on trades alone: what fading a sweep earns at no latency, in basis points, where the real book gave nothing. */
function latencyNotice({ config: { orderLatencyMs, liquidity }, tapes, books = [] }: RunFacts): readonly string[] {
  const told = new Set(books.map(({ symbol }) => symbol))
  const isByBooks = followsBook(liquidity) && tapes.every(({ symbol }) => told.has(symbol))
  if (orderLatencyMs > 0 || liquidity === 'ideal' || isByBooks) return []
  return ['Fading a sweep at zero latency still earns 0.13 to 0.66 basis points that the real book did not give.']
}

type Quality = readonly [symbol: string, fills: MarketFillQuality]

/** The past is not unmade: above this share of the market, what we took would have been felt. */
const LARGE_SHARE = 0.05

function impactNotice([symbol, { shareOfVolume }]: Quality): readonly string[] {
  if (shareOfVolume <= LARGE_SHARE) return []
  const percent = (shareOfVolume * 100).toFixed(1)
  return [`Fills are ${percent} % of what was recorded in ${symbol}: so large a part would have moved the market.`]
}

/** Nobody knows where the market stood meanwhile; what to do about it stands beside it. */
const oldQuoteNotice = ([symbol, { taker }]: Quality): readonly string[] =>
  taker.onOldQuote === 0
    ? []
    : [
        `${symbol}: ${readableCount(taker.onOldQuote, 'fill')} took a quote older than 5 s, so the market is thin: set staleAfter to 5000 to refuse such orders, or compare with limit orders.`,
      ]

/** Between what was told and the taking, others took and cancelled, too. */
const oldBookNotice = ([
  symbol,
  {
    taker: { onOldBook = 0 },
  },
]: Quality): readonly string[] =>
  onOldBook === 0
    ? []
    : [
        `${symbol}: ${readableCount(onOldBook, 'fill')} took from a recorded book that was told last more than 1 s before, so nobody knows what was still there: give a recording that tells it more often, or set staleAfter to 1000 to refuse such orders.`,
      ]

const gapNotice = ([symbol, { ordersAcrossGaps, gaps }]: Quality): readonly string[] =>
  ordersAcrossGaps === 0
    ? []
    : [`The tape of ${symbol} has ${gaps} gaps, and orders were open across them ${ordersAcrossGaps} times.`]

/** Of each market, those of one kind together. */
const QUALITY_NOTICES = [impactNotice, oldQuoteNotice, oldBookNotice, gapNotice]

function printNotices([symbol, counts]: readonly [string, PrintCounts]): Notices {
  const { prints, doubted, late, unjudged } = counts
  const what = `${doubted} of ${prints} prints of ${symbol} were not believed when they came`
  const lateWords = late === 0 ? ': they' : `, ${late} of them until others bore them out: the others`
  const filled = late === doubted ? ', until others bore them out.' : `${lateWords} filled nothing.`
  return {
    warnings:
      unjudged === 0
        ? []
        : [`Every print of ${symbol} was believed: ${unjudged} of ${prints} would have been judged first.`],
    notes: doubted === 0 ? [] : [`${what}${filled}`],
  }
}

/** Of some candles no spread can be learnt. */
const spreadNotice = (symbols: readonly string[]): readonly string[] =>
  symbols.length === 0
    ? []
    : [`The spread of ${symbols.join(', ')} is taken to be one tick, for its candles tell none: set the spread.`]

/** Orders sent while a market of candles was shut wait for its next open, however far that is. */
const waitNotice = ({ symbol, count, longestMs }: LongWaitsOf): string =>
  `${readableCount(count, 'request')} waited more than two candles for an open of ${symbol}, the longest ${readableDuration(longestMs)}.`

/** A clip is what trades tell. */
function clipNotice(symbols: readonly string[], { queueClips, depthClips }: RunConfig): readonly string[] {
  if (symbols.length === 0 || (queueClips === 1 && depthClips === 1)) return []
  return [`Queue and depth are of no effect in ${symbols.join(', ')}: candles tell no clips.`]
}

function unsentNotice(unsent: number, endedAt: number): readonly string[] {
  if (unsent === 0) return []
  const what = unsent === 1 ? 'order or cancel was' : 'orders or cancels were'
  return [`${unsent} ${what} still on the way when the tape ended at ${isoTime(endedAt)}.`]
}

const inexactNotice = (names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [`The strategy uses ${names.join(', ')}: last digits may differ between versions of Node.`]

/** With several tapes each notice names its own. */
const tapeNotices = ({ symbol, ...list }: TapeReport, tapes: number): Notices =>
  named(noticesIn(list), (notice) => (tapes === 1 ? notice : `${symbol}: ${notice}`))

/** Of a recorded book or of quotes. */
const bookNotices = ({ symbol, kind, ...list }: BookReport): Notices =>
  named(noticesIn(list), (notice) => `${kind === 'depth' ? 'Book' : 'Quotes'} of ${symbol}: ${notice}`)

const named = ({ warnings, notes }: Notices, name: (notice: string) => string): Notices => ({
  warnings: warnings.map(name),
  notes: notes.map(name),
})
