/** A recorded book at one moment, as a value: from it a book goes on as if it had seen everything before. */

/** Price levels of one side in columns, best first. */
export interface SideState {
  /** Ticks. */
  readonly price: Float64Array
  /** Lots, > 0. */
  readonly qty: Float64Array
  /** Worst price of the last snapshot in ticks; 0 for an empty one. */
  readonly shownTo: number
}

export interface BookState {
  /** False before the first snapshot, and after a gap until the next one. */
  readonly isKnown: boolean
  /** True if it consists of quotes only, without a snapshot before them; default: false. */
  readonly isOfQuotes?: boolean
  readonly bids: SideState
  readonly asks: SideState
}
