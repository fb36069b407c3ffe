/** A market, its fees, and the number of digits the ledger keeps of each asset. */
import { InputError, type Place } from './errors.ts'
import { parseUnits } from './fixed-point.ts'

/** Tradable pair and its precision (section 2, Market). */
export interface Market {
  /** Market id at the exchange. */
  readonly id: string
  /** Display name. */
  readonly name: string
  /** Symbol of the form BASE_QUOTE, such as `BTC_USD`. */
  readonly symbol: string
  /** Asset that is bought and sold; quantities are in it. */
  readonly baseAsset: string
  /** Asset that pays for it; prices are in it. */
  readonly quoteAsset: string
  /** Decimal digits of a price, 0 to 12: one tick is 10^-pricePrecision. */
  readonly pricePrecision: number
  /** Decimal digits of a quantity, 0 to 12: one lot is 10^-qtyPrecision. */
  readonly qtyPrecision: number
}

/** A market and the rules that its exchange applies to it (decisions 12 and 13). */
export interface MarketConfig extends Market {
  /** Basis points, 0 to 10000 with up to 4 decimals. */
  readonly makerFeeBps: string
  readonly takerFeeBps: string
  readonly selfTrade: 'allow' | 'reject'
}

/** The fees that a participant of a market pays, in basis points of the notional. */
export interface MarketFees {
  /** Fee of a resting order, in basis points: 0 to 10000, with up to 4 decimals. */
  readonly makerFeeBps: string
  /** Fee of an order that takes liquidity, in basis points: 0 to 10000, with up to 4 decimals. */
  readonly takerFeeBps: string
}

export const MAX_PRECISION = 12

/** A fee rate is an integer of 10^-8 of the notional: 1 basis point is 10 000. */
export const FEE_RATE_ONE = 100_000_000n

const BPS_DECIMALS = 4
const MAX_FEE_RATE = Number(FEE_RATE_ONE)

/**
 * Reads a fee in basis points as a rate in 10^-8 of the notional.
 *
 * @throws {InputError} outside 0 to 10000 or with more than 4 decimals (decision 12)
 */
export function parseFeeRate(where: Place, bps: string): bigint {
  const parsed = parseUnits(bps, BPS_DECIMALS)
  if (!parsed.ok || parsed.value > MAX_FEE_RATE) {
    throw new InputError(where, `expected basis points from 0 to 10000 with up to 4 decimals, got '${bps}'`)
  }
  return BigInt(parsed.value)
}

const SYMBOL = /^([A-Za-z0-9.-]+)_([A-Za-z0-9.-]+)$/

/**
 * The two assets of a symbol.
 *
 * @throws {InputError} when it is not of the form BASE_QUOTE or both are one asset
 */
export function assetsOfSymbol(where: Place, symbol: string): { baseAsset: string; quoteAsset: string } {
  const [, baseAsset, quoteAsset] = SYMBOL.exec(symbol) ?? []
  if (baseAsset === undefined || quoteAsset === undefined || baseAsset === quoteAsset) {
    throw new InputError(where, `expected a symbol of the form BASE_QUOTE such as BTC_USD, got '${symbol}'`)
  }
  return { baseAsset, quoteAsset }
}

/**
 * Ledger digits of each asset: the most that any market can produce, so that only fees are ever rounded (decision 29).
 */
export function ledgerScales(markets: readonly Market[]): ReadonlyMap<string, number> {
  const scales = new Map<string, number>()
  const atLeast = (asset: string, digits: number): void => {
    scales.set(asset, Math.max(scales.get(asset) ?? 0, digits))
  }
  for (const market of markets) {
    atLeast(market.baseAsset, market.qtyPrecision)
    atLeast(market.quoteAsset, market.pricePrecision + market.qtyPrecision)
  }
  return scales
}
