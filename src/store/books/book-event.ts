/**
 * Events of a recording of books in sequence, independent of its format: book frames, quotes, trades.
 *
 * Prices and quantities are texts as recorded: no amount of money was ever a float.
 */

/** The price of a level and what rests there, as decimals. */
export type LevelText = readonly [price: string, qty: string]

/** The end of a recorded book, from which another recording can continue by update id. */
export interface BookEnd {
  /** The last update that is in it. */
  readonly lastId: number
  readonly bids: readonly LevelText[]
  readonly asks: readonly LevelText[]
}

interface Reported {
  /** `file:line`. */
  readonly where: string
  /** Unix milliseconds of the exchange. */
  readonly time: number
}

/** Removal of an order, or of a part of it, identified by its id. */
export interface ReportedFall {
  readonly side: 'bids' | 'asks'
  readonly price: string
  /** Quantity removed, > 0. */
  readonly qty: string
  /** Unix milliseconds of the frame in which the order arrived at its price, or the latest possible one. */
  readonly since: number
  /** True if the order's arrival was recorded; false if it was there before the recording began. */
  readonly isSeenToCome: boolean
  /** True if traded; false if cancelled, or moved to another place. */
  readonly isTraded: boolean
}

/** Atomic book update of an exchange. */
export interface ReportedFrame extends Reported {
  readonly kind: 'depth'
  /** Update id, if the format has one. */
  readonly id?: number | undefined
  /** True if it contains all levels up to its reach. */
  readonly isSnapshot: boolean
  /** Something is missing between the frame before and this one. */
  readonly hasGap: boolean
  /** Levels in any order; of duplicates the last counts. */
  readonly bids: readonly LevelText[]
  readonly asks: readonly LevelText[]
  /** Removals; only in order-level recordings. */
  readonly falls?: readonly ReportedFall[] | undefined
}

/** The best bid and ask; undefined for a side that is empty. */
export interface ReportedQuote extends Reported {
  readonly kind: 'quotes'
  readonly id?: number | undefined
  /** True if its time is not recorded, but inferred from its neighbours. */
  readonly isPlaced?: boolean
  readonly bid: LevelText | undefined
  readonly ask: LevelText | undefined
}

export interface ReportedTrade extends Reported {
  readonly kind: 'trades'
  readonly id?: number | undefined
  readonly price: string
  readonly qty: string
  /** SIDE_UNKNOWN, SIDE_BUY or SIDE_SELL: the aggressor. */
  readonly side: number
}

export type BookEvent = ReportedFrame | ReportedQuote | ReportedTrade
