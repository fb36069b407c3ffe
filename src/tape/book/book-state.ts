/**
 * A recorded book at one moment, as a value: from it a book goes on as if it had seen everything before.
 */

/** Price levels of one side in columns, best first. */
export interface SideState {
  /** Ticks. */
  readonly price: Float64Array
  /** Lots, > 0. */
  readonly qty: Float64Array
  /** Ticks of the worst price that the last snapshot told; 0 when it told none. */
  readonly shownTo: number
}

export interface BookState {
  /** False before the first snapshot, and behind a gap until the next one. */
  readonly isKnown: boolean
  /** Quotes alone tell it, without a snapshot before them; default: false. */
  readonly isOfQuotes?: boolean
  readonly bids: SideState
  readonly asks: SideState
}
