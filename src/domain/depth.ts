/** An order book by price level, best first. */

export interface DepthLevel {
  /** Ticks. */
  readonly price: number
  /** Lots of all orders at the price. */
  readonly qty: bigint
}

export interface Depth {
  readonly bids: readonly DepthLevel[]
  readonly asks: readonly DepthLevel[]
}
