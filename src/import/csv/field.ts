/** Fields of a row: possible contents of columns, and their header names. */

export const FIELDS = [
  'id',
  'time',
  'price',
  'qty',
  'side',
  'is_buyer_maker',
  'conditions',
  'exchange',
  'symbol',
  'open',
  'high',
  'low',
  'close',
  'volume',
] as const

export type Field = (typeof FIELDS)[number]

export type RowKind = 'trades' | 'candles'

/** The fields that a row of each kind may have. */
export const FIELDS_OF: Readonly<Record<RowKind, readonly Field[]>> = {
  trades: ['symbol', 'id', 'time', 'price', 'qty', 'side', 'is_buyer_maker', 'conditions', 'exchange'],
  candles: ['symbol', 'time', 'open', 'high', 'low', 'close', 'volume'],
}

/** The fields that it must have. Candles without volumes are those of an index or of a currency. */
export const REQUIRED_FIELDS_OF: Readonly<Record<RowKind, readonly Field[]>> = {
  trades: ['time', 'price', 'qty'],
  candles: ['time', 'open', 'high', 'low', 'close'],
}

const CANDLE_PRICES = ['open', 'high', 'low', 'close'] as const

/**
 * Rows with most of the five figures of a candle are candles, one of them misspelt or forgotten. Rows with a price and
 * a quantity are trades all the same, unless they have all four prices of a candle.
 */
export function kindOf(hasField: (field: Field) => boolean): RowKind {
  if (CANDLE_PRICES.every(hasField)) return 'candles'
  if (hasField('price') && hasField('qty')) return 'trades'
  return [...CANDLE_PRICES, 'volume' as const].filter(hasField).length > 2 ? 'candles' : 'trades'
}

/** Header names of a field in lower case: the specification's (section 2), and common ones. */
export const HEADER_NAMES: Readonly<Record<Field, readonly string[]>> = {
  id: ['id', 'trade_id', 'tradeid'],
  time: ['time', 'time_ms', 'timestamp', 'timestamp_ms', 'date', 'datetime', 'createdat', 'created_at'],
  price: ['price'],
  qty: ['qty', 'quantity', 'amount', 'size'],
  side: ['side'],
  is_buyer_maker: ['is_buyer_maker', 'isbuyermaker'],
  conditions: ['conditions', 'condition', 'sale_conditions', 'sale_condition', 'trade_conditions', 'trade_condition'],
  exchange: ['exchange', 'exch'],
  symbol: ['symbol'],
  open: ['open'],
  high: ['high'],
  low: ['low'],
  close: ['close'],
  volume: ['volume'],
}

/** True for columns in Unix milliseconds, whatever the magnitude. */
export const declaresMilliseconds = (header: string): boolean => /^createdat$|_ms$/i.test(header)
