/**
 * Names of columns in the files of exchanges, brokers and collectors, beyond those of the specification, by the field
 * that they hold.
 */
import { HEADER_NAMES, type Field } from '../csv/field.ts'

const OTHERS: Readonly<Partial<Record<Field, readonly string[]>>> = {
  id: [
    'tid',
    'agg_trade_id',
    'aggtradeid',
    'aggregate_trade_id',
    'trdmatchid',
    'trade_no',
    'uuid',
    'a',
    'exec_id',
    'deal_id',
  ],
  time: [
    ...[
      'ts',
      't',
      'unix',
      'unix_timestamp',
      'unix_time',
      'unixtime',
      'epoch',
      'open_time',
      'opentime',
      'start_time',
      'start',
    ],
    ...[
      'ts_event',
      'date_time',
      'gmt_time',
      'local_time',
      'transact_time',
      'trade_time',
      'tradetime',
      'created_time',
      'utc',
    ],
    ...[
      'time_utc',
      'timestamp_utc',
      'datetime_utc',
      'time_exchange',
      'exchange_time',
      'time_period_start',
      'begin',
      'executed_at',
    ],
    ...[
      'microtimestamp',
      'window_start',
      'sip_timestamp',
      'mts',
      'timestampms',
      'time_stamp',
      'timestamp_us',
      'timestamp_ns',
      'open_timestamp',
      'tradedat',
      'kline_open_time',
    ],
  ],
  price: [
    'last',
    'px',
    'p',
    'trade_price',
    'rate',
    'last_price',
    'fill_price',
    'deal_price',
    'exec_price',
    'tradeprice',
  ],
  qty: [
    'size(base)',
    'volume(base)',
    'amount(base)',
    'q',
    'sz',
    'vol',
    'volume',
    'trade_qty',
    'trade_size',
    'base_amount',
    'quantity_base',
    'base_qty',
    'lots',
    'size(base)',
    'amount(base)',
    'volume(base)',
    'shares',
    'v',
  ],
  side: ['taker_side', 'aggressor_side', 'aggressor', 'direction', 'trade_side', 'takerside'],
  is_buyer_maker: ['taker_side_sell', 'm', 'buyer_maker', 'isbuyer_maker', 'was_the_buyer_the_maker', 'maker_is_buyer'],
  symbol: [
    'instrument',
    'instrument_name',
    'inst_id',
    'instid',
    'product_id',
    'pair',
    'market',
    'ticker',
    'symbol_id',
    's',
    'tic',
  ],
  open: ['o', 'open_price', 'openprice', 'price_open', 'first', 'px_open'],
  high: ['h', 'high_price', 'highprice', 'price_high', 'max', 'px_high'],
  low: ['l', 'low_price', 'lowprice', 'price_low', 'min', 'px_low'],
  close: ['c', 'close_price', 'closeprice', 'price_close', 'last', 'px_last', 'px_close', 'close/last'],
  volume: [
    'v',
    'vol',
    'base_volume',
    'volume_base',
    'volume_traded',
    'vol.',
    'basevolume',
    'tickvol',
    'tick_volume',
    'qty',
    'amount',
  ],
}

/**
 * A header as it is compared: lower case, without the brackets of MetaTrader, without a second language behind a slash.
 */
export function bareHeader(name: string): string {
  const bare = name
    .trim()
    .toLowerCase()
    .replace(/^<(.*)>$/, '$1')
  const first = bare.replace(/^([ -~]+)\/[^ -~].*$/, '$1').replace(/ \((?:utc|gmt|ms|local)\)$/, '')
  return first.replaceAll(/[ -]+/g, '_')
}

/** All names that a header can have for one of the fields of a kind. */
export const isNameOf = (field: Field, bare: string): boolean =>
  HEADER_NAMES[field].includes(bare) || OTHERS[field]?.includes(bare) === true
