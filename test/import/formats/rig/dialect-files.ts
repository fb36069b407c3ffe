/**
 * A small file of every format, made up, each with what it reports.
 *
 * Rows are reported as `time price x quantity side` or `time open high low close volume`.
 */
import { zipOf } from '../../rig/zip-files.ts'
import type { TapeSource } from '../../../../src/import/tape-source.ts'

export interface DialectFile {
  /** For the table of the docs. */
  readonly format: string
  /** Some formats report the market, or the day, by the name of the file. */
  readonly name?: string
  readonly content: string | Uint8Array
  readonly source?: Omit<TapeSource, 'file'>
  /** Default: BTC_USD, which is given. */
  readonly symbol?: string
  readonly first: string
  readonly last: string
  readonly rows: number
  /** The words by which it is reported. */
  readonly dialect: string
}

const BTC = { symbol: 'BTC_USD' }
const lines = (...rows: readonly string[]): string => rows.map((row) => `${row}\n`).join('')
const json = (...rows: readonly unknown[]): string => lines(...rows.map((row) => JSON.stringify(row)))

const T0 = '2024-01-02T03:04:05.678Z'
const T1 = '2024-01-02T03:04:06.000Z'
const MS0 = 1_704_164_645_678
const MS1 = 1_704_164_646_000
const FIRST = `${T0} 42000.5 x 0.25 buy`
const LAST = `${T1} 42000.25 x 1 sell`
const FIRST_PLAIN = `${T0} 42000.5 x 0.25`
const LAST_PLAIN = `${T1} 42000.25 x 1`

const M0 = 1_704_164_640_000
const M1 = M0 + 60_000
const MINUTE0 = '2024-01-02T03:04:00.000Z 42000 42010.5 41990 42005.25 1.5'
const MINUTE1 = '2024-01-02T03:05:00.000Z 42005.25 42006 42000 42001 0.75'
const OHLC0 = '42000,42010.5,41990,42005.25'
const OHLC1 = '42005.25,42006,42000,42001'

const trades = { first: FIRST, last: LAST, rows: 2 } as const
const plainTrades = { first: FIRST_PLAIN, last: LAST_PLAIN, rows: 2 } as const
const minutes = { first: MINUTE0, last: MINUTE1, rows: 2 } as const
const DAY0 = '2024-01-02T00:00:00.000Z 42000 42010.5 41990 42005.25 1.5'
const DAY1 = '2024-01-03T00:00:00.000Z 42005.25 42006 42000 42001 0.75'
const days = { first: DAY0, last: DAY1, rows: 2 } as const

const zipped = (name: string, content: string): Uint8Array => zipOf([{ name, data: content }]).bytes

/** Of trades. */
export const TRADE_FILES: readonly DialectFile[] = [
  {
    format: 'papertape, CSV',
    content: lines(
      'id,createdAt,symbol,side,price,qty',
      `7,${T0},BTC_USD,buy,42000.5,0.25`,
      `8,${T1},BTC_USD,sell,42000.25,1`,
    ),
    ...trades,
    dialect: 'CSV with a header',
  },
  {
    format: 'papertape, JSON array',
    content: JSON.stringify([
      { id: 't7', symbol: 'BTC_USD', side: 'buy', price: '42000.50', qty: '0.25', createdAt: T0 },
      { id: 't8', symbol: 'BTC_USD', side: 'sell', price: '42000.25', qty: '1', createdAt: T1 },
    ]),
    ...trades,
    dialect: 'trades as JSON objects',
  },
  {
    format: 'papertape, JSON lines',
    content: json(
      { id: 't7', symbol: 'BTC_USD', side: 'buy', price: '42000.50', qty: '0.25', createdAt: T0 },
      { id: 't8', symbol: 'BTC_USD', side: 'sell', price: '42000.25', qty: '1', createdAt: T1 },
    ),
    ...trades,
    dialect: 'trades as JSON objects',
  },
  {
    format: 'Binance `trades`, without a header, ms',
    name: 'BTCUSD-trades-2024-01-02.csv',
    source: {},
    content: lines(
      `7,42000.50000000,0.25000000,10500.12500000,${MS0},False,True`,
      `8,42000.25000000,1.00000000,42000.25000000,${MS1},True,True`,
    ),
    ...trades,
    dialect: 'Binance trades',
  },
  {
    format: 'Binance `trades`, with a header, zipped',
    name: 'BTCUSD-trades-2024-01-03.zip',
    source: {},
    content: zipped(
      'BTCUSD-trades-2024-01-03.csv',
      lines(
        'id,price,qty,quote_qty,time,is_buyer_maker',
        `7,42000.5,0.25,10500.125,${MS0},false`,
        `8,42000.25,1,42000.25,${MS1},true`,
      ),
    ),
    ...trades,
    dialect: 'Binance trades',
  },
  {
    format: 'Binance `trades`, µs since 2025',
    content: lines(`7,42000.5,0.25,10500.125,${MS0}000,False,True`, `8,42000.25,1,42000.25,${MS1}000,True,True`),
    ...trades,
    dialect: 'Binance trades',
  },
  {
    format: 'Binance `aggTrades`',
    content: lines(`7,42000.5,0.25,17,18,${MS0},False,True`, `8,42000.25,1,19,19,${MS1},True,True`),
    ...trades,
    dialect: 'Binance aggTrades',
  },
  {
    format: 'Binance `aggTrades`, with a header',
    content: lines(
      'agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker',
      `7,42000.5,0.25,17,18,${MS0},false`,
      `8,42000.25,1,19,19,${MS1},true`,
    ),
    ...trades,
    dialect: 'Binance aggTrades',
  },
  {
    format: 'Binance stream messages, JSON lines',
    content: json(
      { e: 'trade', E: MS0, s: 'BTCUSD', t: 7, p: '42000.50', q: '0.25', T: MS0, m: false, M: true },
      {
        stream: 'btcusd@trade',
        data: { e: 'trade', E: MS1, s: 'BTCUSD', t: 8, p: '42000.25', q: '1', T: MS1, m: true, M: true },
      },
      { result: null, id: 1 },
    ),
    ...trades,
    dialect: 'Binance stream of trades',
  },
  {
    format: 'bitcoincharts',
    content: lines(
      '1704164645,42000.500000000000,0.250000000000',
      '1704164646,42000.25,0.000000000000',
      '1704164646,42000.250000000000,1.000000000000',
    ),
    first: '2024-01-02T03:04:05.000Z 42000.5 x 0.25',
    last: LAST_PLAIN,
    rows: 2,
    dialect: 'bitcoincharts or Kraken trades',
  },
  {
    format: 'Kraken trades, downloaded history, CSV',
    content: lines('1704164645.678,42000.50000,0.25000000', '1704164646,42000.25000,1.00000000'),
    ...plainTrades,
    dialect: 'bitcoincharts or Kraken trades',
  },
  {
    format: 'Kraken trades, REST API',
    content: JSON.stringify({
      error: [],
      result: {
        XXBTZUSD: [
          ['42000.50000', '0.25000000', 1704164645.678, 'b', 'l', '', 7],
          ['42000.25000', '1.00000000', 1704164646, 's', 'm', '', 8],
        ],
        last: '1704164646000000000',
      },
    }),
    ...trades,
    dialect: "trades of Kraken's interface",
  },
  {
    format: 'Kraken stream messages, JSON lines',
    content: json(
      { channel: 'heartbeat' },
      {
        channel: 'trade',
        type: 'update',
        data: [
          {
            symbol: 'BTC/USD',
            side: 'buy',
            price: 42000.5,
            qty: 0.25,
            ord_type: 'limit',
            trade_id: 7,
            timestamp: '2024-01-02T03:04:05.678000Z',
          },
          {
            symbol: 'BTC/USD',
            side: 'sell',
            price: 42000.25,
            qty: 1,
            ord_type: 'market',
            trade_id: 8,
            timestamp: '2024-01-02T03:04:06.000000Z',
          },
        ],
      },
    ),
    ...trades,
    dialect: 'Kraken stream of trades',
  },
  {
    format: 'Coinbase `match` messages (`side` is the maker’s)',
    content: json(
      { type: 'subscriptions', channels: [] },
      {
        type: 'match',
        trade_id: 7,
        side: 'sell',
        size: '0.25',
        price: '42000.5',
        product_id: 'BTC-USD',
        sequence: 1,
        time: T0,
      },
      {
        type: 'match',
        trade_id: 8,
        side: 'buy',
        size: '1',
        price: '42000.25',
        product_id: 'BTC-USD',
        sequence: 2,
        time: T1,
      },
    ),
    ...trades,
    dialect: 'Coinbase matches',
  },
  {
    format: 'Coinbase trades, REST API, newest first',
    content: JSON.stringify([
      { trade_id: 8, side: 'buy', size: '1.00000000', price: '42000.25000000', time: T1 },
      { trade_id: 7, side: 'sell', size: '0.25000000', price: '42000.50000000', time: T0 },
    ]),
    ...trades,
    dialect: 'trades of the Coinbase interface',
  },
  {
    format: 'Bitstamp stream messages, JSON lines',
    content: json(
      { event: 'bts:subscription_succeeded', channel: 'live_trades_btcusd', data: {} },
      {
        event: 'trade',
        channel: 'live_trades_btcusd',
        data: {
          id: 7,
          timestamp: '1704164645',
          amount: 0.25,
          amount_str: '0.25000000',
          price: 42000.5,
          price_str: '42000.50',
          type: 0,
          microtimestamp: `${MS0}000`,
          buy_order_id: 1,
          sell_order_id: 2,
        },
      },
      {
        event: 'trade',
        channel: 'live_trades_btcusd',
        data: {
          id: 8,
          timestamp: '1704164646',
          amount: 1,
          amount_str: '1.00000000',
          price: 42000.25,
          price_str: '42000.25',
          type: 1,
          microtimestamp: `${MS1}000`,
          buy_order_id: 3,
          sell_order_id: 4,
        },
      },
    ),
    ...trades,
    dialect: 'Bitstamp stream of trades',
  },
  {
    format: 'Bitstamp trades, REST API, newest first',
    content: JSON.stringify([
      { date: '1704164646', tid: '8', amount: '1.00000000', type: '1', price: '42000.25' },
      { date: '1704164645', tid: '7', amount: '0.25000000', type: '0', price: '42000.5' },
    ]),
    first: '2024-01-02T03:04:05.000Z 42000.5 x 0.25 buy',
    last: LAST,
    rows: 2,
    dialect: 'trades of the Bitstamp interface',
  },
  {
    format: 'OKX trades, CSV',
    content: lines(
      'instrument_name,trade_id,side,price,size,created_time',
      `BTC-USD,7,buy,42000.5,0.25,${MS0}`,
      `BTC-USD,8,sell,42000.25,1,${MS1}`,
    ),
    ...trades,
    dialect: 'OKX trades',
  },
  {
    format: 'OKX stream messages, JSON lines',
    content: json(
      { event: 'subscribe', arg: { channel: 'trades', instId: 'BTC-USD' } },
      {
        arg: { channel: 'trades', instId: 'BTC-USD' },
        data: [
          { instId: 'BTC-USD', tradeId: '7', px: '42000.5', sz: '0.25', side: 'buy', ts: String(MS0) },
          { instId: 'BTC-USD', tradeId: '8', px: '42000.25', sz: '1', side: 'sell', ts: String(MS1) },
        ],
      },
    ),
    ...trades,
    dialect: 'OKX stream of trades',
  },
  {
    format: 'OKX trades, REST API, newest first',
    content: JSON.stringify({
      code: '0',
      msg: '',
      data: [
        { instId: 'BTC-USD', side: 'sell', sz: '1', px: '42000.25', tradeId: '8', ts: String(MS1) },
        { instId: 'BTC-USD', side: 'buy', sz: '0.25', px: '42000.5', tradeId: '7', ts: String(MS0) },
      ],
    }),
    ...trades,
    dialect: 'trades of the OKX interface',
  },
  {
    format: 'Bybit trades, CSV of derivatives',
    content: lines(
      'timestamp,symbol,side,size,price,tickDirection,trdMatchID,grossValue,homeNotional,foreignNotional',
      '1704164645.678,BTCUSD,Buy,0.25,42000.5,PlusTick,a-7,1e+12,0.25,10500.125',
      '1704164646.0,BTCUSD,Sell,1,42000.25,MinusTick,a-8,1e+12,1,42000.25',
    ),
    ...trades,
    dialect: 'Bybit trades',
  },
  {
    format: 'Bybit trades, CSV of spot',
    content: lines('id,timestamp,price,volume,side', `1,${MS0},42000.5,0.25,buy`, `2,${MS1},42000.25,1,sell`),
    ...trades,
    dialect: 'trades by their header',
  },
  {
    format: 'Bybit stream messages, JSON lines',
    content: json(
      { success: true, op: 'subscribe' },
      {
        topic: 'publicTrade.BTCUSD',
        type: 'snapshot',
        ts: MS0,
        data: [{ T: MS0, s: 'BTCUSD', S: 'Buy', v: '0.25', p: '42000.5', i: '7', BT: false }],
      },
      {
        topic: 'publicTrade.BTCUSD',
        type: 'snapshot',
        ts: MS1,
        data: [{ T: MS1, s: 'BTCUSD', S: 'Sell', v: '1', p: '42000.25', i: '8', BT: false }],
      },
    ),
    ...trades,
    dialect: 'Bybit stream of trades',
  },
  {
    format: 'tardis.dev trades, µs',
    content: lines(
      'exchange,symbol,timestamp,local_timestamp,id,side,price,amount',
      `bitmex,BTCUSD,${MS0}000,${MS0}999,a-7,buy,42000.5,0.25`,
      `bitmex,BTCUSD,${MS1}000,${MS1}999,a-8,sell,42000.25,1`,
    ),
    ...trades,
    dialect: 'Tardis trades',
  },
  {
    format: 'tardis.dev trades, ns',
    content: lines(
      'exchange,symbol,timestamp,local_timestamp,id,side,price,amount',
      `bitmex,BTCUSD,${MS0}000000,${MS0}999000,a-7,buy,42000.5,0.25`,
      `bitmex,BTCUSD,${MS1}000000,${MS1}999000,a-8,sell,42000.25,1`,
    ),
    ...trades,
    dialect: 'Tardis trades',
  },
  {
    format: 'Databento trades, CSV with dates and decimals',
    content: lines(
      'ts_recv,ts_event,rtype,publisher_id,instrument_id,action,side,depth,price,size,flags,ts_in_delta,sequence,symbol',
      '2024-01-02T03:04:05.679000000Z,2024-01-02T03:04:05.678000000Z,0,2,15144,T,B,0,42000.500000000,25,0,1000,7,BTC_USD',
      '2024-01-02T03:04:06.001000000Z,2024-01-02T03:04:06.000000000Z,0,2,15144,T,A,0,42000.250000000,100,0,1000,8,BTC_USD',
    ),
    first: `${T0} 42000.5 x 25 buy`,
    last: `${T1} 42000.25 x 100 sell`,
    rows: 2,
    dialect: 'Databento trades',
  },
  {
    format: 'Databento trades, CSV with ns and prices in units of 1e-9',
    content: lines(
      'ts_recv,ts_event,rtype,publisher_id,instrument_id,action,side,depth,price,size,flags,ts_in_delta,sequence',
      `${MS0}999000,${MS0}000000,0,2,15144,T,B,0,42000500000000,25,0,1000,7`,
      `${MS1}999000,${MS1}000000,0,2,15144,T,A,0,42000250000000,100,0,1000,8`,
    ),
    first: `${T0} 42000.5 x 25 buy`,
    last: `${T1} 42000.25 x 100 sell`,
    rows: 2,
    dialect: 'Databento trades',
  },
  {
    format: 'LEAN equity ticks, zipped, with conditions',
    name: '20240102_trade.zip',
    content: zipped(
      '20240102_spy_Trade_Tick.csv',
      lines('34200100,4720500,25,P,80000001,0', '34200200,4720250,100,Q,80000001,0'),
    ),
    first: '2024-01-02T14:30:00.100Z 472.05 x 25',
    last: '2024-01-02T14:30:00.200Z 472.025 x 100',
    rows: 2,
    dialect: 'LEAN ticks of shares',
  },
  {
    format: 'ccxt trades, JSON array',
    content: JSON.stringify([
      {
        info: { a: 1 },
        id: '7',
        timestamp: MS0,
        datetime: T0,
        symbol: 'BTC/USD',
        order: null,
        type: null,
        side: 'buy',
        takerOrMaker: null,
        price: 42000.5,
        amount: 0.25,
        cost: 10500.125,
        fee: null,
      },
      {
        info: { a: 1 },
        id: '8',
        timestamp: MS1,
        datetime: T1,
        symbol: 'BTC/USD',
        order: null,
        type: null,
        side: 'sell',
        takerOrMaker: null,
        price: 42000.25,
        amount: 1,
        cost: 42000.25,
        fee: null,
      },
    ]),
    ...trades,
    dialect: 'trades as JSON objects',
  },
  {
    format: 'ccxt trades, pandas CSV with an index',
    content: lines(
      ',timestamp,id,type,side,price,amount,cost',
      `0,${MS0},7,,buy,42000.5,0.25,10500.125`,
      `1,${MS1},8,,sell,42000.25,1.0,42000.25`,
    ),
    ...trades,
    dialect: 'CSV with a header',
  },
  {
    format: 'freqtrade trades, JSON',
    content: JSON.stringify([
      [MS0, '7', null, 'buy', 42000.5, 0.25, 10500.125],
      [MS1, '8', null, 'sell', 42000.25, 1, 42000.25],
    ]),
    ...trades,
    dialect: 'freqtrade trades',
  },
  {
    format: 'barter events, JSON',
    source: { ...BTC, market: '3' },
    content: JSON.stringify([
      {
        Item: {
          Ok: {
            time_exchange: T0,
            time_received: T0,
            exchange: 'binance_spot',
            instrument: 3,
            kind: { Trade: { id: '7', price: 42000.5, amount: 0.25, side: 'Buy' } },
          },
        },
      },
      { Reconnecting: 'binance_spot' },
      {
        Item: {
          Ok: {
            time_exchange: T1,
            time_received: T1,
            exchange: 'binance_spot',
            instrument: 4,
            kind: { Trade: { id: '1', price: 1, amount: 1, side: 'Buy' } },
          },
        },
      },
      {
        Item: {
          Ok: {
            time_exchange: T1,
            time_received: T1,
            exchange: 'binance_spot',
            instrument: 3,
            kind: { Trade: { id: '8', price: 42000.25, amount: 1, side: 'Sell' } },
          },
        },
      },
    ]),
    ...trades,
    dialect: 'barter events',
  },
  {
    format: 'Mt. Gox',
    content: lines('id,price,amount,currency,type', `${MS0}000,42000.5,0.25,USD,bid`, `${MS1}000,42000.25,1,USD,ask`),
    ...trades,
    dialect: 'trades by their header',
  },
  {
    format: 'Bitfinex trades, REST API (sells are negative), newest first',
    content: JSON.stringify([
      [8, MS1, -1, 42000.25],
      [7, MS0, 0.25, 42000.5],
    ]),
    ...trades,
    dialect: "trades of Bitfinex's interface",
  },
  {
    format: 'other trades with a header, signed quantities',
    content: lines('timestamp,price,amount', `${MS0},42000.5,0.25`, `${MS1},42000.25,-1`),
    ...trades,
    dialect: 'trades by their header',
  },
  {
    format: 'other trades with a header: semicolons, quotes, CRLF, byte order mark',
    content:
      '\ufeff"Time";"Price";"Volume";"Side"\r\n"2024-01-02 03:04:05.678";"42000.5";"0.25";"BUY"\r\n"2024-01-02 03:04:06";"42000.25";"1";"SELL"\r\n',
    ...trades,
    dialect: 'trades by their header',
  },
]

/** Of candles. */
export const CANDLE_FILES: readonly DialectFile[] = [
  {
    format: 'papertape, CSV',
    content: lines(
      'time,open,high,low,close,volume',
      `2024-01-02T03:04:00.000Z,${OHLC0},1.5`,
      `2024-01-02T03:05:00.000Z,${OHLC1},0.75`,
    ),
    ...minutes,
    dialect: 'CSV with a header',
  },
  {
    format: 'papertape, JSON',
    content: JSON.stringify({
      items: [
        {
          time: '2024-01-02T03:04:00.000Z',
          open: '42000',
          high: '42010.5',
          low: '41990',
          close: '42005.25',
          volume: '1.5',
        },
        {
          time: '2024-01-02T03:05:00.000Z',
          open: '42005.25',
          high: '42006',
          low: '42000',
          close: '42001',
          volume: '0.75',
        },
      ],
    }),
    ...minutes,
    dialect: 'candles as JSON objects',
  },
  {
    format: 'Binance `klines`, without a header, ms',
    content: lines(
      `${M0},${OHLC0},1.5,${M0 + 59_999},63000,10,0.5,21000,0`,
      `${M1},${OHLC1},0.75,${M1 + 59_999},31500,5,0.5,21000,0`,
    ),
    ...minutes,
    dialect: 'Binance klines',
  },
  {
    format: 'Binance `klines`, with a header',
    content: lines(
      'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore',
      `${M0},${OHLC0},1.5,${M0 + 59_999},63000,10,0.5,21000,0`,
      `${M1},${OHLC1},0.75,${M1 + 59_999},31500,5,0.5,21000,0`,
    ),
    ...minutes,
    dialect: 'Binance klines',
  },
  {
    format: 'Binance `klines`, µs since 2025',
    content: lines(
      `${M0}000,${OHLC0},1.5,${M0 + 59_999}999,63000,10,0.5,21000,0`,
      `${M1}000,${OHLC1},0.75,${M1 + 59_999}999,31500,5,0.5,21000,0`,
    ),
    ...minutes,
    dialect: 'Binance klines',
  },
  {
    format: 'Binance klines, REST API',
    content: JSON.stringify([
      [M0, '42000', '42010.5', '41990', '42005.25', '1.5', M0 + 59_999, '63000', 10, '0.5', '21000', '0'],
      [M1, '42005.25', '42006', '42000', '42001', '0.75', M1 + 59_999, '31500', 5, '0.5', '21000', '0'],
    ]),
    ...minutes,
    dialect: 'Binance klines',
  },
  {
    format: 'Binance kline stream, JSON lines (closed klines only)',
    content: json(
      {
        e: 'kline',
        E: M0,
        s: 'BTCUSD',
        k: {
          t: M0,
          T: M0 + 59_999,
          s: 'BTCUSD',
          i: '1m',
          o: '42000',
          c: '42005.25',
          h: '42010.5',
          l: '41990',
          v: '1.5',
          n: 1,
          x: true,
        },
      },
      {
        e: 'kline',
        E: M1,
        s: 'BTCUSD',
        k: {
          t: M1,
          T: M1 + 59_999,
          s: 'BTCUSD',
          i: '1m',
          o: '42005.25',
          c: '42005.25',
          h: '42005.25',
          l: '42005.25',
          v: '0.1',
          n: 1,
          x: false,
        },
      },
      {
        e: 'kline',
        E: M1,
        s: 'BTCUSD',
        k: {
          t: M1,
          T: M1 + 59_999,
          s: 'BTCUSD',
          i: '1m',
          o: '42005.25',
          c: '42001',
          h: '42006',
          l: '42000',
          v: '0.75',
          n: 1,
          x: true,
        },
      },
    ),
    ...minutes,
    dialect: 'Binance stream of klines',
  },
  {
    format: 'Kraken OHLCVT, downloaded history, CSV',
    content: lines(`${M0 / 1000},${OHLC0},1.5,12`, `${M1 / 1000},${OHLC1},0.75,5`),
    ...minutes,
    dialect: 'time, open, high, low, close and volume',
  },
  {
    format: 'Kraken OHLC, REST API',
    content: JSON.stringify({
      error: [],
      result: {
        XXBTZUSD: [
          [M0 / 1000, '42000', '42010.5', '41990', '42005.25', '42001.1', '1.5', 12],
          [M1 / 1000, '42005.25', '42006', '42000', '42001', '42003.1', '0.75', 5],
        ],
        last: M1 / 1000,
      },
    }),
    ...minutes,
    dialect: "candles of Kraken's interface",
  },
  {
    format: 'Coinbase candles, REST API (low and high come first), newest first',
    content: JSON.stringify([
      [M1 / 1000, 42000, 42006, 42005.25, 42001, 0.75],
      [M0 / 1000, 41990, 42010.5, 42000, 42005.25, 1.5],
    ]),
    ...minutes,
    dialect: 'candles in the order time, low, high, open, close',
  },
  {
    format: 'Bitstamp OHLC, REST API',
    content: JSON.stringify({
      data: {
        pair: 'BTC/USD',
        ohlc: [
          {
            high: '42010.5',
            timestamp: String(M0 / 1000),
            volume: '1.5',
            low: '41990',
            close: '42005.25',
            open: '42000',
          },
          {
            high: '42006',
            timestamp: String(M1 / 1000),
            volume: '0.75',
            low: '42000',
            close: '42001',
            open: '42005.25',
          },
        ],
      },
    }),
    ...minutes,
    dialect: 'candles as JSON objects',
  },
  {
    format: 'OKX candles, REST API, newest first',
    content: JSON.stringify({
      code: '0',
      msg: '',
      data: [
        [String(M1), '42005.25', '42006', '42000', '42001', '0.75', '31500', '31500', '1'],
        [String(M0), '42000', '42010.5', '41990', '42005.25', '1.5', '63000', '63000', '1'],
      ],
    }),
    ...minutes,
    dialect: 'time, open, high, low, close and volume',
  },
  {
    format: 'Bybit candles, REST API, newest first',
    content: JSON.stringify({
      retCode: 0,
      result: {
        symbol: 'BTCUSD',
        category: 'spot',
        list: [
          [String(M1), '42005.25', '42006', '42000', '42001', '0.75', '31500'],
          [String(M0), '42000', '42010.5', '41990', '42005.25', '1.5', '63000'],
        ],
      },
    }),
    ...minutes,
    dialect: 'time, open, high, low, close and volume',
  },
  {
    format: 'CryptoDataDownload (link in the first line, newest first)',
    content: lines(
      'https://www.CryptoDataDownload.com',
      'unix,date,symbol,open,high,low,close,Volume BTC,Volume USD',
      `${M1},2024-01-02 03:05:00,BTC/USD,${OHLC1},0.75,31500`,
      `${M0},2024-01-02 03:04:00,BTC/USD,${OHLC0},1.5,63000`,
    ),
    ...minutes,
    dialect: 'CryptoDataDownload',
  },
  {
    format: 'LEAN bars, zipped',
    name: '20240102_btcusd_minute_trade.zip',
    source: {},
    symbol: 'BTC_USD',
    content: zipped('20240102_btcusd_minute_trade.csv', lines(`11040000,${OHLC0},1.5`, `11100000,${OHLC1},0.75`)),
    ...minutes,
    dialect: 'LEAN bars',
  },
  {
    format: 'LEAN daily equity bars, zipped (New York time)',
    name: 'spy.zip',
    source: { ...BTC, dialect: 'lean-equity' },
    content: zipped(
      'spy.csv',
      lines(
        '20240102 00:00,4720500,4730000,4700000,4725000,1000',
        '20240103 00:00,4725000,4726000,4690000,4691000,2000',
      ),
    ),
    first: '2024-01-02T05:00:00.000Z 472.05 473 470 472.5 1000',
    last: '2024-01-03T05:00:00.000Z 472.5 472.6 469 469.1 2000',
    rows: 2,
    dialect: 'LEAN bars of shares',
  },
  {
    format: 'ccxt and freqtrade candles, JSON arrays',
    content: JSON.stringify([
      [M0, 42000, 42010.5, 41990, 42005.25, 1.5],
      [M1, 42005.25, 42006, 42000, 42001, 0.75],
    ]),
    ...minutes,
    dialect: 'time, open, high, low, close and volume',
  },
  {
    format: 'yfinance, CSV (more than 12 decimals: `--precision`)',
    source: { ...BTC, precision: 2 },
    content: lines(
      'Date,Open,High,Low,Close,Adj Close,Volume',
      '2024-01-02,42000.0,42010.49999999999999,41990.0,42005.25000000000001,42005.25,2',
      '2024-01-03,42005.25,42006.0,42000.0,42001.0,42001.0,1',
    ),
    first: '2024-01-02T00:00:00.000Z 42000 42010.5 41990 42005.25 2',
    last: '2024-01-03T00:00:00.000Z 42005.25 42006 42000 42001 1',
    rows: 2,
    dialect: 'Yahoo candles',
  },
  {
    format: 'yfinance, CSV with three header lines',
    content: lines(
      'Price,Close,High,Low,Open,Volume',
      'Ticker,SPY,SPY,SPY,SPY,SPY',
      'Date,,,,,',
      '2024-01-02,42005.25,42010.5,41990,42000,1.5',
      '2024-01-03,42001,42006,42000,42005.25,0.75',
    ),
    ...days,
    dialect: 'yfinance candles',
  },
  {
    format: 'Yahoo, CSV with `null` on days without trades',
    content: lines(
      'Date,Open,High,Low,Close,Adj Close,Volume',
      `2024-01-02,${OHLC0},42005.25,1.5`,
      '2024-01-03,null,null,null,null,null,null',
      `2024-01-04,${OHLC1},42001,0.75`,
    ),
    first: DAY0,
    last: DAY1.replace('-03T', '-04T'),
    rows: 2,
    dialect: 'Yahoo candles',
  },
  {
    format: 'Stooq, chart CSV',
    content: lines('Date,Open,High,Low,Close,Volume', `2024-01-02,${OHLC0},1.5`, `2024-01-03,${OHLC1},0.75`),
    ...days,
    dialect: 'CSV with a header',
  },
  {
    format: 'Stooq, archive CSV',
    content: lines(
      '<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>',
      `BTCUSD,1,20240102,030400,${OHLC0},1.5,0`,
      `BTCUSD,1,20240102,030500,${OHLC1},0.75,0`,
    ),
    ...minutes,
    dialect: 'Stooq candles',
  },
  {
    format: 'MetaTrader 5, tabs and `<...>` headers',
    content: lines(
      '<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>',
      `2024.01.02\t03:04:00\t${OHLC0.replaceAll(',', '\t')}\t15\t0\t3`,
      `2024.01.02\t03:05:00\t${OHLC1.replaceAll(',', '\t')}\t7\t0\t3`,
    ),
    first: MINUTE0.replace(/1\.5$/, '15'),
    last: MINUTE1.replace(/0\.75$/, '7'),
    rows: 2,
    dialect: 'MetaTrader candles',
  },
  {
    format: 'MetaTrader 4, without a header',
    content: lines(`2024.01.02,03:04,${OHLC0},15`, `2024.01.02,03:05,${OHLC1},7`),
    first: MINUTE0.replace(/1\.5$/, '15'),
    last: MINUTE1.replace(/0\.75$/, '7'),
    rows: 2,
    dialect: 'MetaTrader candles',
  },
  {
    format: 'backtesting.py, pandas CSV with an unnamed index',
    content: lines(
      ',Open,High,Low,Close,Volume',
      `2024-01-02 00:00:00,${OHLC0},1.5`,
      `2024-01-03 00:00:00,${OHLC1},0.75`,
    ),
    ...days,
    dialect: 'CSV with a header',
  },
  {
    format: 'other candles with a header: tabs, US dates (`--date-order month`)',
    source: { ...BTC, dateOrder: 'month' },
    content: lines(
      'Date\tOpen\tHigh\tLow\tClose\tVolume',
      `01/02/2024\t${OHLC0.replaceAll(',', '\t')}\t1.5`,
      `01/03/2024\t${OHLC1.replaceAll(',', '\t')}\t0.75`,
    ),
    ...days,
    dialect: 'candles by their header',
  },
  {
    format: 'other candles with a header: spaces before quotes',
    content: lines(
      '"Date", "Open", "High", "Low", "Close", "Volume"',
      `"2024-01-02", ${OHLC0.split(',')
        .map((cell) => `"${cell}"`)
        .join(', ')}, "1.5"`,
      `"2024-01-03", ${OHLC1.split(',')
        .map((cell) => `"${cell}"`)
        .join(', ')}, "0.75"`,
    ),
    ...days,
    dialect: 'CSV with a header',
  },
  {
    format: 'other candles without a header',
    content: lines(`2024-01-02 03:04:00,${OHLC0},1.5`, `2024-01-02 03:05:00,${OHLC1},0.75`),
    ...minutes,
    dialect: 'time, open, high, low, close and volume',
  },
]
