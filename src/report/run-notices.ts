/**
 * What the reader of a result should know about how it came about, the most important first.
 */
import { isoTime } from '../domain/time.ts'
import { liquidity } from '../simulation/liquidity/liquidity-models.ts'
import type { BacktestResult } from '../runtime/backtest.ts'
import type { InspectedTape } from '../store/tape-source.ts'

/** Full sentences. */
export function runNotices(result: BacktestResult): readonly string[] {
  const { prepared } = result
  return [
    ...partialNotice(result),
    ...liquidityNotice(result),
    ...unsentNotice(result),
    ...inexactNotice(result),
    ...tapeNotices(prepared.inspected),
  ]
}

function partialNotice({ equity }: BacktestResult): readonly string[] {
  return equity.isPartial ? ['A holding has no price, so the equity is incomplete.'] : []
}

function liquidityNotice({ prepared }: BacktestResult): readonly string[] {
  const { caution } = liquidity(prepared.settings.liquidity)
  return caution === '' ? [] : [caution]
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
