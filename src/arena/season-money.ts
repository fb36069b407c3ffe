/** Exact money of a season, in units of the record's `valueScale`. */
import { formatTrimmed, powerOfTen } from '../domain/fixed-point.ts'
import type { Market } from '../domain/market.ts'
import type { SeasonRecord } from './season-record.ts'

/** Money of so many lots at so many ticks. */
export const moneyOf = (ticks: number, lots: number, market: Market, { valueScale }: SeasonRecord): bigint =>
  BigInt(ticks) * BigInt(lots) * powerOfTen(valueScale - market.pricePrecision - market.qtyPrecision)

export const moneyText = (units: bigint, { valueScale, quoteAsset }: SeasonRecord): string =>
  `${formatTrimmed(units, valueScale)} ${quoteAsset}`
