/**
 * A recorded market in a file: what the user says of it, and what a first pass over it found.
 */
import type { MarkedGap } from '../tape/gap-marks.ts'
import type { TapeInfo } from '../tape/tape.ts'
import type { TimeUnit } from './csv/time-column.ts'
import type { RowsPlace } from './tapes/rows-place.ts'

/** A CSV file, plain or compressed with gzip, and what was said of it. */
export interface TapeSource {
  /** As the user named it. */
  readonly file: string
  /** BASE_QUOTE; without it, the file's symbol column. */
  readonly symbol?: string
  /** Field of each column: `time=ts,price=px`, or a list of positions for a file without header; without it, the columns are found by their header. */
  readonly columns?: string
  /** The moment of a candle that its time is: its opening (the default) or its end. */
  readonly candleTime?: 'open' | 'close'
  /** Length of a candle in milliseconds; without it, the commonest step between two candles. */
  readonly candleInterval?: number
  /** When a candle closes: one interval after it opens (the default), or when the next one opens, for candles without a common length. */
  readonly candleClose?: 'interval' | 'next'
  /** Volume of each candle in a file without volumes, a decimal above 0; without it, 1000000. */
  readonly volume?: string
  /** Digits behind the point of a price, 0 to 12; without it, the fewest that hold every row. */
  readonly pricePrecision?: number
  /** Digits behind the point of a quantity, 0 to 12; without it, the fewest that hold every row. */
  readonly qtyPrecision?: number
  /** Name of the format; without it, or with `auto`, it is recognised. */
  readonly dialect?: string
  /** Unit of integer times; without it, it is told by their magnitude. */
  readonly timeUnit?: TimeUnit
  /** Zone of dates that name none, and of days that are made of shorter candles, IANA, such as America/New_York; without it, UTC. */
  readonly zone?: string
  /** Of dates whose day and month could be either: which comes first. */
  readonly dateOrder?: 'day' | 'month'
  /** Of a recording of several markets, the one that is wanted, as the recording calls it; without it, that of the symbol. */
  readonly market?: string
  /** Rows may come in any order. */
  readonly sort?: boolean
  /** Digits behind the point, 0 to 12: prices and quantities with more than these are rounded to them, to even where they lie in the middle; without it, none is rounded. */
  readonly precision?: number
}

/** A recording of a book or of quotes, and what was said of it. */
export type BookTapeSource = Pick<TapeSource, 'file' | 'symbol' | 'market' | 'pricePrecision' | 'qtyPrecision'>

/** A tape that was read once and found good. */
export interface InspectedTape {
  readonly source: TapeSource
  /** Its precisions are the ones given, else the fewest that hold every row. */
  readonly info: TapeInfo
  /** What the file of gaps beside it marks; undefined where there is none. */
  readonly gaps?: readonly MarkedGap[] | undefined
  /** Its rows: as they are stored, or as the first pass kept them, which was hashed whatever the file holds later. Undefined where there was no room. */
  readonly rows?: RowsPlace | undefined
}
