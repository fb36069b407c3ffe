/**
 * Recordings in JSON, and in lines of it.
 */
import { lines, WITHOUT_SIDES, type Example } from './example.ts'

const SECOND = 1000
const START = 1_704_067_200_000
const TRADES = [
  { id: 7, at: START, price: '42000.1', qty: '0.5', taker: 'sell' },
  { id: 8, at: START + SECOND, price: '42000.2', qty: '0.125', taker: 'buy' },
  { id: 9, at: START + 2 * SECOND, price: '41999', qty: '0.25', taker: 'buy' },
] as const
const CANDLES = [
  [START, '42000.1', '42010', '41990', '42005.5', '12.5'],
  [START + 60 * SECOND, '42005.5', '42020', '42000', '42001', '3.25'],
  [START + 120 * SECOND, '42001', '42001', '41950', '41960.25', '7'],
] as const

type Trade = (typeof TRADES)[number]
type Candle = (typeof CANDLES)[number]

const ofTrades = (form: (trade: Trade) => unknown): readonly unknown[] => TRADES.map(form)
const ofCandles = (form: (candle: Candle) => unknown): readonly unknown[] => CANDLES.map(form)
const messages = (all: readonly unknown[]): string => lines(...all.map((each) => JSON.stringify(each)))

export const JSON_FORMATS: readonly Example[] = [
  {
    format: 'Binance combined stream of aggTrades',
    dialect: 'Binance stream of trades',
    content: messages(
      ofTrades(({ id, at, price, qty, taker }) => ({
        stream: 'btcusd@aggTrade',
        data: {
          e: 'aggTrade',
          E: at + 2,
          s: 'BTCUSD',
          a: id,
          p: price,
          q: qty,
          f: 1,
          l: 2,
          T: at,
          m: taker === 'sell',
          M: true,
        },
      })),
    ),
  },
  {
    format: 'Bybit interface, trades',
    dialect: 'trades as JSON objects',
    content: JSON.stringify({
      retCode: 0,
      result: {
        category: 'spot',
        list: ofTrades(({ id, at, price, qty, taker }) => ({
          execId: String(id),
          symbol: 'BTCUSD',
          price,
          size: qty,
          side: taker === 'buy' ? 'Buy' : 'Sell',
          time: String(at),
          isBlockTrade: false,
        })).toReversed(),
      },
    }),
  },
  {
    format: 'Candles as objects',
    dialect: 'candles as JSON objects',
    isCandles: true,
    content: JSON.stringify(
      ofCandles(([time, open, high, low, close, volume]) => ({ time, open, high, low, close, volume })),
    ),
  },
  {
    format: 'Gemini interface, trades',
    dialect: 'trades as JSON objects',
    content: JSON.stringify(
      ofTrades(({ id, at, price, qty, taker }) => ({
        timestamp: at / SECOND,
        timestampms: at,
        tid: id,
        price,
        amount: qty,
        exchange: 'gemini',
        type: taker,
      })).toReversed(),
    ),
  },
  {
    format: 'Time, price and quantity as arrays',
    dialect: 'time, price and quantity',
    content: JSON.stringify(ofTrades(({ at, price, qty }) => [at, price, qty])),
    rows: WITHOUT_SIDES,
  },
  {
    format: 'OANDA interface, the last one not complete',
    dialect: "candles of OANDA's interface",
    isCandles: true,
    content: JSON.stringify({
      instrument: 'BTC_USD',
      granularity: 'M1',
      candles: ofCandles(([time, open, high, low, close, volume]) => ({
        complete: true,
        volume,
        time: new Date(time).toISOString(),
        bid: { o: '1', h: '1', l: '1', c: '1' },
        mid: { o: open, h: high, l: low, c: close },
      })).concat({ complete: false, volume: 3, time: '2024-01-01T00:03:00Z', mid: { o: '1', h: '1', l: '1', c: '1' } }),
    }),
  },
  {
    format: 'Alpha Vantage interface, times of the zone that it names, newest first',
    dialect: "candles of Alpha Vantage's interface",
    isCandles: true,
    content: JSON.stringify({
      'Meta Data': { '2. Symbol': 'BTC_USD', '6. Time Zone': 'US/Eastern' },
      'Time Series (1min)': Object.fromEntries(
        ofCandles(([time, open, high, low, close, volume]): unknown => [
          new Date(time - 5 * 3_600_000).toISOString().slice(0, 19).replace('T', ' '),
          { '1. open': open, '2. high': high, '3. low': low, '4. close': close, '5. volume': volume },
        ]).toReversed() as [string, object][],
      ),
    }),
  },
]
