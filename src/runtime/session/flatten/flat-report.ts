/** Result of flattening: what was cancelled and sold, what is left and why. JSON-serialisable. */

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
  /** Reason as text for the operator. */
  readonly why: string
}

export interface FlatReport {
  /** Ids of orders that were cancelled. */
  readonly cancelled: readonly string[]
  readonly sold: readonly SoldAsset[]
  readonly left: readonly LeftAsset[]
  /** Ids of orders that could not be cancelled. */
  readonly openOrders: readonly string[]
}

export const isFlat = ({ left, openOrders }: FlatReport): boolean => left.length === 0 && openOrders.length === 0

/** Merges the reports of several owners or parts. */
export const joinedReports = (reports: readonly FlatReport[]): FlatReport => ({
  cancelled: reports.flatMap(({ cancelled }) => cancelled),
  sold: reports.flatMap(({ sold }) => sold),
  left: reports.flatMap(({ left }) => left),
  openOrders: reports.flatMap(({ openOrders }) => openOrders),
})

/** The result as text, one sentence per line. */
export const flatLines = ({ cancelled, sold, left, openOrders }: FlatReport): readonly string[] => [
  ...(cancelled.length === 0
    ? []
    : [`cancelled ${cancelled.length === 1 ? 'order' : `${cancelled.length} orders:`} ${cancelled.join(', ')}`]),
  ...sold.map(({ qty, asset, symbol }) => `sold ${qty} ${asset} at market in ${symbol}`),
  ...left.map(({ qty, asset, why }) => `left: ${qty} ${asset}: ${why}`),
  ...openOrders.map((id) => `left: order ${id} is still open`),
  ...(sold.length + left.length + openOrders.length === 0 ? ['nothing to sell'] : []),
]
