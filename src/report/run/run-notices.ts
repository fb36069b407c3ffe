/**
 * Notices on a result: cautions about how it came about, in full sentences, the most important first.
 */
import { isoTime } from '../../domain/time.ts'
import type { BacktestResult } from '../../runtime/backtest/backtest.ts'
import type { InspectedTape } from '../../store/tape-source.ts'

/** Full sentences. */
export function runNotices(result: BacktestResult): readonly string[] {
  const { prepared } = result
  return [
    ...partialNotice(result),
    ...liquidityNotice(result),
    ...spreadNotice(result),
    ...impactNotice(result),
    ...oldQuoteNotice(result),
    ...gapNotice(result),
    ...unsentNotice(result),
    ...inexactNotice(result),
    ...tapeNotices(prepared.inspected),
  ]
}

function partialNotice({ figures }: BacktestResult): readonly string[] {
  return figures.equity.isPartial ? ['A holding has no price, so the equity is incomplete.'] : []
}

function liquidityNotice({ prepared }: BacktestResult): readonly string[] {
  const { caution } = prepared.liquidity
  return caution === '' ? [] : [caution]
}

/** The past is not unmade: above this share of the market, what we took would have been felt. */
const LARGE_SHARE = 0.05

function impactNotice({ figures }: BacktestResult): readonly string[] {
  return Object.entries(figures.quality.report())
    .filter(([, { shareOfVolume }]) => shareOfVolume > LARGE_SHARE)
    .map(([symbol, { shareOfVolume }]) => {
      const percent = (shareOfVolume * 100).toFixed(1)
      return `Fills are ${percent} % of what was recorded in ${symbol}: so large a part would have moved the market.`
    })
}

function oldQuoteNotice({ figures }: BacktestResult): readonly string[] {
  return Object.entries(figures.quality.report())
    .filter(([, { taker }]) => taker.onOldQuote > 0)
    .map(([symbol, { taker }]) => `${taker.onOldQuote} fills in ${symbol} took a quote that was older than 5 s.`)
}

function gapNotice({ figures }: BacktestResult): readonly string[] {
  return Object.entries(figures.quality.report())
    .filter(([, { ordersAcrossGaps }]) => ordersAcrossGaps > 0)
    .map(([symbol, { ordersAcrossGaps, gaps }]) => {
      return `The tape of ${symbol} has ${gaps} gaps, and orders were open across them ${ordersAcrossGaps} times.`
    })
}

/** Of candles no spread can be learnt. */
function spreadNotice({ prepared }: BacktestResult): readonly string[] {
  if (prepared.settings.liquidity === 'ideal' || prepared.settings.spread !== null) return []
  const symbols = [...prepared.liquiditySetups.values()].flatMap(({ symbol, recorded }) =>
    recorded === 'candles' ? [symbol] : [],
  )
  if (symbols.length === 0) return []
  return [`The spread of ${symbols.join(', ')} is taken to be one tick, for candles do not tell it; set --spread.`]
}

function unsentNotice({ unsent, prepared }: BacktestResult): readonly string[] {
  if (unsent === 0) return []
  const what = unsent === 1 ? 'order or cancel was' : 'orders or cancels were'
  return [`${unsent} ${what} still on the way when the tape ended at ${isoTime(prepared.to)}.`]
}

function inexactNotice({ inexactMath }: BacktestResult): readonly string[] {
  if (inexactMath.length === 0) return []
  return [`The strategy uses ${inexactMath.join(', ')}: last digits may differ between versions of Node.`]
}

/** With several tapes each notice names its own. */
function tapeNotices(inspected: readonly InspectedTape[]): readonly string[] {
  return inspected.flatMap(({ info }) =>
    info.notices.map((notice) => (inspected.length === 1 ? notice : `${info.symbol}: ${notice}`)),
  )
}
