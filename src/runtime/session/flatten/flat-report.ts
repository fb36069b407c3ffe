/**
 * Result of getting flat: what was sold, and what is left and why. Everything in it can be written as JSON.
 */

export interface SoldAsset {
  readonly asset: string
  readonly symbol: string
  /** Decimal string. */
  readonly qty: string
}

export interface LeftAsset {
  readonly asset: string
  /** Decimal string. */
  readonly qty: string
  /** For people. */
  readonly why: string
}

export interface FlatReport {
  readonly sold: readonly SoldAsset[]
  readonly left: readonly LeftAsset[]
  /** Ids of orders that could not be cancelled. */
  readonly openOrders: readonly string[]
}

export const isFlat = ({ left, openOrders }: FlatReport): boolean => left.length === 0 && openOrders.length === 0

/** One for several owners, or several parts of one. */
export const joinedReports = (reports: readonly FlatReport[]): FlatReport => ({
  sold: reports.flatMap(({ sold }) => sold),
  left: reports.flatMap(({ left }) => left),
  openOrders: reports.flatMap(({ openOrders }) => openOrders),
})

/** What happened, in a sentence a line. */
export const flatLines = ({ sold, left, openOrders }: FlatReport): readonly string[] => [
  ...sold.map(({ qty, asset, symbol }) => `sold ${qty} ${asset} at market in ${symbol}`),
  ...left.map(({ qty, asset, why }) => `left: ${qty} ${asset}: ${why}`),
  ...openOrders.map((id) => `left: order ${id} is still open`),
  ...(sold.length + left.length + openOrders.length === 0 ? ['nothing to sell'] : []),
]
