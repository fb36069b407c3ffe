/**
 * Events of a recording of books, one after the other, whatever its format: frames of a book, quotes, trades.
 *
 * Prices and quantities are texts as the recording has them: no digit of money was ever a float.
 */

/** The price of a level and what rests there, as decimals. */
export type LevelText = readonly [price: string, qty: string]

/** A book at the end of a recording, from which another goes on by the numbers of its updates. */
export interface BookEnd {
  /** The last update that is in it. */
  readonly lastId: number
  readonly bids: readonly LevelText[]
  readonly asks: readonly LevelText[]
}

interface Told {
  /** `file:line`. */
  readonly where: string
  /** Unix milliseconds of the exchange. */
  readonly time: number
}

/** What went of one order, which the recording knows by its id. */
export interface ToldFall {
  readonly side: 'bids' | 'asks'
  readonly price: string
  /** What went, > 0. */
  readonly qty: string
  /** Unix milliseconds of the frame in which the order came to where it rests, or by which it was there. */
  readonly since: number
  /** It was told when the order came; else that was before anything of it was told. */
  readonly isSeenToCome: boolean
  /** It was traded; else it was cancelled, or moved to another place. */
  readonly isTraded: boolean
}

/** What an exchange told of its book at once. */
export interface ToldFrame extends Told {
  readonly kind: 'depth'
  /** Its number among the updates of the market, where it has one. */
  readonly id?: number | undefined
  /** It tells all levels that there are, as far as it reaches. */
  readonly isSnapshot: boolean
  /** Something is missing between the frame before and this one. */
  readonly hasGap: boolean
  /** In any order; of a level that is told twice the last counts. */
  readonly bids: readonly LevelText[]
  readonly asks: readonly LevelText[]
  /** Only of a recording that tells each order by its id. */
  readonly falls?: readonly ToldFall[] | undefined
}

/** The best bid and ask; undefined for a side that is empty. */
export interface ToldQuote extends Told {
  readonly kind: 'quotes'
  readonly id?: number | undefined
  /** Its time is not told: it was put between what is. */
  readonly isPlaced?: boolean
  readonly bid: LevelText | undefined
  readonly ask: LevelText | undefined
}

export interface ToldTrade extends Told {
  readonly kind: 'trades'
  readonly id?: number | undefined
  readonly price: string
  readonly qty: string
  /** SIDE_UNKNOWN, SIDE_BUY or SIDE_SELL: the aggressor. */
  readonly side: number
}

export type BookEvent = ToldFrame | ToldQuote | ToldTrade
