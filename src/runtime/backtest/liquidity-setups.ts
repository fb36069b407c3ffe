/** Setups of a liquidity model, one per market, with the user's terms. */
import { InputError } from '../../domain/errors.ts'
import { faultMessage, parseUnits } from '../../domain/fixed-point.ts'
import type { Market } from '../../domain/market.ts'
import type { LiquiditySetup } from '../../simulation/liquidity/liquidity-models.ts'
import { placeOf, type RunTerms } from '../settings/run-terms.ts'

/** Default age in milliseconds after which a quote derived from trades shows no ladder. */
export const USUAL_STALENESS_MS = 600_000

/** The terms of a setup that a user may set. */
export type LiquidityTermsSettings = Pick<RunTerms, 'queueSize' | 'levelSize' | 'spread' | 'staleAfterMs'>

/** @throws {InputError} if the spread does not fit the precision of a market */
export function setupsOf(
  markets: readonly Market[],
  settings: LiquidityTermsSettings,
): ReadonlyMap<string, LiquiditySetup> {
  const { queueSize, levelSize } = settings
  const setups = markets.map((market): LiquiditySetup => {
    const staleAfterMs = settings.staleAfterMs ?? USUAL_STALENESS_MS
    const terms = { queueSize, levelSize, staleAfterMs, queueClips: queueSize, depthClips: levelSize }
    return { symbol: market.symbol, spread: spreadOf(market, settings.spread), terms }
  })
  return new Map(setups.map((setup) => [setup.symbol, setup]))
}

function spreadOf({ symbol, pricePrecision }: Market, spread: string | null): number | undefined {
  if (spread === null) return undefined
  const parsed = parseUnits(spread, pricePrecision)
  if (!parsed.ok)
    throw new InputError(placeOf('spread'), `${faultMessage(parsed.fault, spread, pricePrecision)} (${symbol})`)
  if (parsed.value === 0) throw new InputError(placeOf('spread'), `expected more than 0, got '${spread}'`)
  return parsed.value
}
