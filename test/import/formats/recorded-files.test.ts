/**
 * Recordings of many makers as they are found, read in place without a word about their format: `../shared/data` beside
 * the project. Skipped where that folder is not.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readExample } from './rig/read-example.ts'

const DATA = fileURLToPath(new URL('../../../../shared/data', import.meta.url))
const isAbsent = !existsSync(DATA)

/** File, format, rows, first, last, how many the taker bought and sold. */
type Expected = readonly [string, string, number, string, string, number, number]

const FILES: readonly Expected[] = [
  [
    'dialects/backtrader_ticksample_estx50.csv',
    'trades in the form of candles',
    135,
    '2015-09-23T20:57:42.146Z 3067 180',
    '2015-09-23T21:00:00.238Z 3069 1',
    0,
    0,
  ],
  [
    'dialects/barter_binance_spot_marketevents.json',
    'barter events',
    9,
    '2024-12-20T19:05:18.175Z 96962.51 0.00006 buy',
    '2024-12-20T19:05:18.197Z 96962.51 0.00008 buy',
    9,
    0,
  ],
  [
    'dialects/binance_public_klines_ADABTC-1m-2021-11-27_head.csv',
    'Binance klines',
    10,
    '2021-11-27T00:00:00.000Z 0.00002853 0.00002854 0.00002851 0.00002854 36304.2',
    '2021-11-27T00:09:00.000Z 0.00002863 0.00002865 0.00002863 0.00002865 8160.5',
    0,
    0,
  ],
  [
    'dialects/binance_public_klines_ADABTC-1m-2021-11-28_head.csv',
    'Binance klines',
    11,
    '2021-11-28T00:00:00.000Z 0.0000282 0.00002821 0.00002817 0.00002818 85342.7',
    '2021-11-28T00:10:00.000Z 0.00002814 0.00002816 0.00002814 0.00002814 12248.3',
    0,
    0,
  ],
  [
    'dialects/binance_public_trades_format_btcusdt_first2000_derived.csv',
    'Binance trades',
    2000,
    '2024-08-08T23:54:15.342Z 61837.63 0.02 sell',
    '2024-08-08T23:55:51.137Z 61784.64 0.0001 buy',
    1009,
    991,
  ],
  [
    'dialects/binance_public_trades_format_ethusdt_first2000_derived.csv',
    'Binance trades',
    2000,
    '2024-08-08T23:54:15.611Z 2683.8 0.002 sell',
    '2024-08-08T23:56:14.924Z 2682.2 0.0039 sell',
    1128,
    872,
  ],
  [
    'dialects/bitcoincharts_bitstampUSD_pyalgotrade.csv',
    'bitcoincharts or Kraken trades',
    9998,
    '2011-09-13T13:53:36.000Z 5.8 1',
    '2012-05-31T08:41:18.000Z 5.1 0.39215686',
    0,
    0,
  ],
  [
    'dialects/bitstamp_ws_trade_messages_cryptofeed.jsonl',
    'Bitstamp stream of trades',
    10,
    '2022-01-05T00:48:19.596Z 3805.44 0.0792 buy',
    '2022-01-05T00:48:41.269Z 3800.8 2.73248242 sell',
    1,
    9,
  ],
  [
    'dialects/ccxt_public_trades_list_binance_eth_freqtrade.csv',
    'trades by their header',
    1000,
    '2023-02-02T09:20:00.138Z 1666.8 26.062 buy',
    '2023-02-02T09:23:27.493Z 1667.3 0.018 buy',
    527,
    473,
  ],
  [
    'dialects/coinbase_btcusd_trades_questdb.csv',
    'CSV with a header',
    5882,
    '2023-09-05T16:00:01.281Z 25741.02 0.02188038 sell',
    '2023-09-05T16:59:58.761Z 25735.97 0.00816829 buy',
    3465,
    2417,
  ],
  [
    'dialects/freqtrade_XRP_ETH-trades.json.gz',
    'freqtrade trades',
    12477,
    '2019-10-11T00:00:11.620Z 0.00141342 23 sell',
    '2019-10-13T11:19:28.844Z 0.00152787 130 sell',
    6524,
    5953,
  ],
  [
    'dialects/freqtrade_ccxt_old_XRP-trades.json.gz',
    'trades as JSON objects',
    12477,
    '2019-10-11T00:00:11.620Z 0.00141342 23 sell',
    '2019-10-13T11:19:28.844Z 0.00152787 130 sell',
    6524,
    5953,
  ],
  [
    'dialects/kraken_trades_BCHEUR_freqtrade.csv',
    'bitcoincharts or Kraken trades',
    148,
    '2023-01-01T00:03:56.000Z 90.54 1.1044842',
    '2023-01-01T23:19:47.000Z 90.53 1',
    0,
    0,
  ],
  [
    'dialects/kraken_trades_BCHEUR_q2_freqtrade.csv',
    'bitcoincharts or Kraken trades',
    486,
    '2023-01-02T00:48:56.000Z 90.07 1.1',
    '2023-01-02T23:17:03.000Z 93.19 0.44235389',
    0,
    0,
  ],
  [
    'dialects/mtgox_trades_2013-01-01_pyalgotrade.csv',
    'trades by their header',
    2331,
    '2013-01-01T00:04:19.486Z 13.51001 36.87430786 sell',
    '2013-01-01T23:58:31.193Z 13.30413 0.01 sell',
    812,
    1519,
  ],
  [
    'dialects/tardis_trades_bitmex_XBTUSD_ns_variant.csv',
    'Tardis trades',
    2,
    '2020-03-01T00:00:03.145Z 8531.5 2152 sell',
    '2020-03-01T00:00:03.145Z 8531 1000 buy',
    1,
    1,
  ],
  [
    'dialects/tardis_trades_bitmex_XBTUSD_us.csv',
    'Tardis trades',
    10,
    '2020-03-01T00:00:03.145Z 8531.5 2152 sell',
    '2020-03-01T00:00:03.276Z 8531.5 1 sell',
    0,
    10,
  ],
  [
    'dialects/trade_aggregation_Bitstamp_BTCEUR_1M_stub.csv',
    'CSV with a header',
    11,
    '2021-02-01T00:00:02.564Z 27334.25 0.00289',
    '2021-02-01T00:01:04.747Z 27298.5 0.00909044',
    0,
    0,
  ],
  [
    'candles/backtestingpy_BTCUSD.csv',
    'CSV with a header',
    156,
    '2012-01-31T00:00:00.000Z 4.58 7.38 3.8 5.55 2012.25343589',
    '2024-12-31T00:00:00.000Z 96515 108364 92092 93381 25342.80228337',
    0,
    0,
  ],
  [
    'candles/backtestingpy_EURUSD.csv',
    'CSV with a header',
    5000,
    '2017-04-19T09:00:00.000Z 1.0716 1.0722 1.07083 1.07219 1413',
    '2018-02-07T15:00:00.000Z 1.23427 1.23444 1.22904 1.22904 6143',
    0,
    0,
  ],
  [
    'candles/backtestingpy_GOOG.csv',
    'CSV with a header',
    2148,
    '2004-08-19T00:00:00.000Z 100 104.06 95.96 100.34 22351900',
    '2013-03-01T00:00:00.000Z 797.8 807.14 796.15 806.19 2175400',
    0,
    0,
  ],
  [
    'candles/basana_binance_btcusdt_day_2020.csv',
    'CSV with a header',
    366,
    '2020-01-01T00:00:00.000Z 7195.24 7255 7175.15 7200.85 16792.388165',
    '2020-12-31T00:00:00.000Z 28875.55 29300 27850 28923.63 75508.505152',
    0,
    0,
  ],
  [
    'candles/basana_bitstamp_btcusd_day_2015.csv',
    'CSV with a header',
    365,
    '2015-01-01T00:00:00.000Z 321 321 312.6 313.81 3087.43655395',
    '2015-12-31T00:00:00.000Z 426.09 433.89 419.99 430.89 6634.86316708',
    0,
    0,
  ],
  [
    'candles/basana_bitstamp_btcusd_min_2020_01_01.csv',
    'CSV with a header',
    1440,
    '2020-01-01T00:00:00.000Z 7160.69 7160.69 7159.64 7159.64 5.50169101',
    '2020-01-01T23:59:00.000Z 7178.68 7178.68 7178.68 7178.68 0.35519025',
    0,
    0,
  ],
  [
    'candles/coinbase_minute_btcusd_20161007_trade.zip',
    'LEAN bars',
    1419,
    '2016-10-07T00:00:00.000Z 611.78 611.91 611.78 611.9 1.13872',
    '2016-10-07T23:59:00.000Z 618.17 618.17 617.98 617.98 0.24885568',
    0,
    0,
  ],
  [
    'candles/coinbase_second_btcusd_20161007_trade.zip',
    'LEAN bars',
    4063,
    '2016-10-07T00:00:04.000Z 611.78 611.87 611.78 611.87 0.60046',
    '2016-10-07T23:59:58.000Z 618.04 618.04 617.98 617.98 0.2',
    0,
    0,
  ],
  [
    'candles/freqtrade_UNITTEST_BTC-1m.json.gz',
    'time, open, high, low, close and volume',
    13681,
    '2017-11-04T23:02:00.000Z 0.00162008 0.00162008 0.00162008 0.00162008 108.14853839',
    '2017-11-14T22:59:00.000Z 0.00270001 0.00270002 0.00270001 0.00270002 1.94577668',
    0,
    0,
  ],
]

/** What must be said of them. */
const SAID: Readonly<Record<string, object>> = {
  'dialects/barter_binance_spot_marketevents.json': { market: '0' },
  'candles/backtestingpy_BTCUSD.csv': { precision: 8 },
}

const read = (path: string, said: object = {}) => readExample({ file: `${DATA}/${path}`, symbol: 'AAA_BBB', ...said })

describe.skipIf(isAbsent)(`recorded files${isAbsent ? ' (skipped: ../shared/data is not there)' : ''}`, () => {
  it.each(FILES)('%s', async (path, dialect, count, first, last, bought, sold) => {
    const reported = await read(path, SAID[path])
    const takers = ['buy', 'sell'].map((side) => reported.rows.filter((row) => row.endsWith(side)).length)
    expect([reported.dialect, reported.rows.length, reported.rows[0], reported.rows.at(-1)]).toEqual([
      dialect,
      count,
      first,
      last,
    ])
    expect(takers).toEqual([bought, sold])
  })

  it('messages of many markets want one to be chosen, and report the side of the maker', async () => {
    const path = 'dialects/coinbase_ws_match_messages_cryptofeed.jsonl'
    await expect(read(path)).rejects.toThrow(/:2:1: expected 'SKL-BTC' as in the first row, got 'SKL-USD'/)
    const { rows } = await read(path, { market: 'SKL-BTC' })
    expect(rows).toHaveLength(8)
    expect(rows[0]).toBe('2021-04-17T16:43:37.089Z 0.00001305 985 buy')
  })

  it('what is too fine, of several markets or in UTF-16 is refused', async () => {
    await expect(read('candles/backtestingpy_BTCUSD.csv')).rejects.toThrow(/:44:6: .*pass precision.* to round it/)
    await expect(read('dialects/barter_binance_spot_marketevents.json')).rejects.toThrow(
      /:74:1: .*choose one with market/,
    )
    await expect(read('candles/basana_bitstamp_btcusd_day_2015.csv.utf16')).rejects.toThrow(
      'expected UTF-8, got UTF-16',
    )
  })
})
