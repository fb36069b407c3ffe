/** A recorded market in a file, as the user describes it. */

/** Unit of integer times, if given by the user. */
export type TimeUnit = 's' | 'ms' | 'us' | 'ns'

/** A recorded file and how to read it. */
export interface TapeSource {
  /** Path of the file. */
  readonly file: string
  /** BASE_QUOTE; default: the symbol in the file. */
  readonly symbol?: string
  /**
   * Field of each column, such as `time=ts,price=px`, or all fields in order for a file without header; default: from
   * the header.
   */
  readonly columns?: string
  /** Meaning of the timestamp of a candle: its open (default) or its close. */
  readonly candleTime?: 'open' | 'close'
  /** Length of a candle in milliseconds; default: the most common step. */
  readonly candleInterval?: number
  /**
   * When a candle closes: one interval after its open (default), or at the next open, for candles of unequal length.
   */
  readonly candleClose?: 'interval' | 'next'
  /** Volume of every candle, for a file without volumes: a decimal above 0; default: 1000000. */
  readonly volume?: string
  /** Decimal digits of prices, 0 to 12; default: as many as the file needs. */
  readonly pricePrecision?: number
  /** Decimal digits of quantities, 0 to 12; default: as many as the file needs. */
  readonly qtyPrecision?: number
  /** File format; default, and with `auto`: detected. */
  readonly dialect?: string
  /** Unit of integer timestamps; default: detected from their size. */
  readonly timeUnit?: TimeUnit
  /**
   * Time zone of dates without one, and of daily candles built from this file, IANA, such as America/New_York;
   * default: UTC.
   */
  readonly zone?: string
  /** Which comes first in dates such as 03/04/2024: day or month. */
  readonly dateOrder?: 'day' | 'month'
  /** Market to read from a file with several, by its name in the file; default: the symbol. */
  readonly market?: string
  /** Sorts rows by time. */
  readonly sort?: boolean
  /** Rounds prices and quantities to this many decimal digits, 0 to 12, half to even; default: no rounding. */
  readonly precision?: number
}

/** A recording of a book or of quotes, and the options for reading it. */
export type BookTapeSource = Pick<TapeSource, 'file' | 'symbol' | 'market' | 'pricePrecision' | 'qtyPrecision'>
