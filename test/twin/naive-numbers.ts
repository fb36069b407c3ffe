/**
 * The numbers of the specification, written down a second time: what judges the exchange must not round and count as it
 * does.
 */
import type { CandleInterval } from '../../src/domain/candle.ts'
import { InvariantError } from '../../src/domain/errors.ts'
import type { Market } from '../../src/domain/market.ts'
import type { OrderStatus, Side } from '../../src/domain/order.ts'

/** The account of the recorded market. */
export const CROWD = 'crowd'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** What a ticker covers (decision 16). */
export const DAY = 24 * HOUR

/** Decision 3, and the short ones that a strategy may ask for. */
export const INTERVALS: Readonly<Record<CandleInterval, number>> = {
  '1s': 1_000,
  '5s': 5_000,
  '15s': 15_000,
  '30s': 30_000,
  '1m': MINUTE,
  '5m': 5 * MINUTE,
  '15m': 15 * MINUTE,
  '30m': 30 * MINUTE,
  '1h': HOUR,
  '4h': 4 * HOUR,
  '1d': DAY,
}

/** When the interval that holds a moment began (decision 2). */
export const beginOf = (time: number, length: number): number => Math.floor(time / length) * length

export const oppositeOf = (side: Side): Side => (side === 'BUY' ? 'SELL' : 'BUY')

/** Section 3: the other two states are final. */
export const isLive = (status: OrderStatus): boolean => status === 'OPEN' || status === 'PARTIALLY_FILLED'

/** A one and so many zeros. */
export const tenTo = (zeros: number): bigint => BigInt(`1${'0'.repeat(zeros)}`)

/** A hundred-millionth of the notional is the unit of a fee rate: a basis point has four decimals (decision 12). */
export const FEE_PARTS = tenTo(8)

export function feeRateOf(basisPoints: string): bigint {
  const [whole = '', decimals = ''] = basisPoints.split('.')
  return BigInt(whole + decimals.padEnd(4, '0'))
}

/** So many whole `unit`s, and one more for what is left over. */
export function unitsRoundedUp(amount: bigint, unit: bigint): bigint {
  const whole = amount / unit
  return whole * unit === amount ? whole : whole + 1n
}

/** The cost and the fee on it. */
export const withFee = (cost: bigint, rate: bigint): bigint => cost + unitsRoundedUp(cost * rate, FEE_PARTS)

/**
 * Decision 29: the most digits that any market can give an asset; assets in the order in which the markets name them.
 */
export function digitsByAsset(markets: readonly Market[]): ReadonlyMap<string, number> {
  const digitsIn = (market: Market, asset: string): number => {
    if (market.baseAsset === asset) return market.qtyPrecision
    return market.quoteAsset === asset ? market.pricePrecision + market.qtyPrecision : 0
  }
  const assets = markets.flatMap(({ baseAsset, quoteAsset }) => [baseAsset, quoteAsset])
  return new Map(assets.map((asset) => [asset, Math.max(...markets.map((market) => digitsIn(market, asset)))]))
}

export const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)

/** The last `count` of a list, in its order; all of it for Infinity. */
export const lastOf = <T>(list: readonly T[], count: number): readonly T[] =>
  list.slice(Math.max(0, list.length - count))

/** @throws {InvariantError} unless `condition` holds: the twin was asked what may not be asked */
export function must(condition: unknown, message: string): asserts condition {
  if (condition === undefined || condition === false) throw new InvariantError(`naive exchange: ${message}`)
}
