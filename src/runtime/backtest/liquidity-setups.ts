/**
 * Setups of a liquidity model, one a market: the kind of its recording, and the terms that the user set.
 */
import { InputError } from '../../domain/errors.ts'
import { faultMessage, parseUnits } from '../../domain/fixed-point.ts'
import type { Market } from '../../domain/market.ts'
import type { LiquiditySetup } from '../../simulation/liquidity/liquidity-models.ts'
import type { InspectedTape } from '../../store/tape-source.ts'
import type { TapeInfo } from '../../tape/tape.ts'
import { placeOf, type RunTerms } from '../settings/run-terms.ts'

const STALE_AFTER_MS = 600_000
const STALE_AFTER_CANDLES = 2

/** The terms of a setup that a user may set. */
export type LiquidityTermsSettings = Pick<RunTerms, 'queueClips' | 'depthClips' | 'spread' | 'staleAfterMs'>

/** @throws {InputError} when the spread does not fit the precision of a market */
export function setupsOf(
  markets: readonly Market[],
  inspected: readonly InspectedTape[],
  settings: LiquidityTermsSettings,
): ReadonlyMap<string, LiquiditySetup> {
  const { queueClips, depthClips } = settings
  const setups = markets.map((market): LiquiditySetup => {
    const infos = inspected.map(({ info }) => info).filter(({ symbol }) => symbol === market.symbol)
    const recorded = infos.some(({ kind }) => kind === 'trades') ? 'trades' : 'candles'
    const staleAfterMs = settings.staleAfterMs ?? usualStaleness(infos)
    const terms = { queueClips, depthClips, staleAfterMs }
    return { symbol: market.symbol, recorded, spread: spreadOf(market, settings.spread), terms }
  })
  return new Map(setups.map((setup) => [setup.symbol, setup]))
}

/** Milliseconds after which a quote of a market with these tapes shows no ladder, unless it is set. */
export const usualStaleness = (infos: readonly TapeInfo[]): number =>
  Math.max(
    ...infos.map(({ intervalMs }) => (intervalMs === undefined ? STALE_AFTER_MS : intervalMs * STALE_AFTER_CANDLES)),
  )

function spreadOf({ symbol, pricePrecision }: Market, spread: string | null): number | undefined {
  if (spread === null) return undefined
  const parsed = parseUnits(spread, pricePrecision)
  if (!parsed.ok)
    throw new InputError(placeOf('spread'), `${faultMessage(parsed.fault, spread, pricePrecision)} (${symbol})`)
  if (parsed.value === 0) throw new InputError(placeOf('spread'), `expected more than 0, got '${spread}'`)
  return parsed.value
}
