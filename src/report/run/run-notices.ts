/**
 * Notices on a result: cautions about how it came about, in full sentences, the most important first.
 */
import { isoTime } from '../../domain/time.ts'
import type { MarketFillQuality } from '../../runtime/figures/fill-quality.ts'
import type { PrintCounts } from '../../tape/print-judge.ts'
import type { RunFacts } from './run-facts.ts'
import type { TapeReport } from './run-report.ts'

/** Full sentences. */
export function runNotices({ account, remarks, tapes }: RunFacts): readonly string[] {
  const { caution, guessedSpreads, unsent, endedAt, inexactMath, prints } = remarks
  const quality = Object.entries(account.figures.quality.report())
  return [
    ...(account.figures.equity.isPartial ? ['A holding has no price, so the equity is incomplete.'] : []),
    ...(caution === '' ? [] : [caution]),
    ...spreadNotice(guessedSpreads),
    ...quality.flatMap(impactNotice),
    ...quality.flatMap(oldQuoteNotice),
    ...quality.flatMap(gapNotice),
    ...Object.entries(prints).flatMap(beliefNotices),
    ...unsentNotice(unsent, endedAt),
    ...inexactNotice(inexactMath),
    ...tapeNotices(tapes),
  ]
}

type Quality = readonly [symbol: string, fills: MarketFillQuality]

/** The past is not unmade: above this share of the market, what we took would have been felt. */
const LARGE_SHARE = 0.05

function impactNotice([symbol, { shareOfVolume }]: Quality): readonly string[] {
  if (shareOfVolume <= LARGE_SHARE) return []
  const percent = (shareOfVolume * 100).toFixed(1)
  return [`Fills are ${percent} % of what was recorded in ${symbol}: so large a part would have moved the market.`]
}

const oldQuoteNotice = ([symbol, { taker }]: Quality): readonly string[] =>
  taker.onOldQuote === 0 ? [] : [`${taker.onOldQuote} fills in ${symbol} took a quote that was older than 5 s.`]

const gapNotice = ([symbol, { ordersAcrossGaps, gaps }]: Quality): readonly string[] =>
  ordersAcrossGaps === 0
    ? []
    : [`The tape of ${symbol} has ${gaps} gaps, and orders were open across them ${ordersAcrossGaps} times.`]

function beliefNotices([symbol, counts]: readonly [string, PrintCounts]): readonly string[] {
  const { prints, doubted, late, unjudged } = counts
  const lateWords = late === 0 ? '' : `, ${late} of them until others bore them out`
  return [
    ...(doubted === 0
      ? []
      : [
          `${doubted} of ${prints} prints of ${symbol} were not believed when they came${lateWords}: they filled nothing.`,
        ]),
    ...(unjudged === 0
      ? []
      : [`Every print of ${symbol} was believed: ${unjudged} of ${prints} would have been judged first.`]),
  ]
}

/** Of candles no spread can be learnt. */
const spreadNotice = (symbols: readonly string[]): readonly string[] =>
  symbols.length === 0
    ? []
    : [`The spread of ${symbols.join(', ')} is taken to be one tick, for candles do not tell it: set the spread.`]

function unsentNotice(unsent: number, endedAt: number): readonly string[] {
  if (unsent === 0) return []
  const what = unsent === 1 ? 'order or cancel was' : 'orders or cancels were'
  return [`${unsent} ${what} still on the way when the tape ended at ${isoTime(endedAt)}.`]
}

const inexactNotice = (names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [`The strategy uses ${names.join(', ')}: last digits may differ between versions of Node.`]

/** With several tapes each notice names its own. */
const tapeNotices = (tapes: readonly TapeReport[]): readonly string[] =>
  tapes.flatMap(({ symbol, notices }) =>
    notices.map((notice) => (tapes.length === 1 ? notice : `${symbol}: ${notice}`)),
  )
