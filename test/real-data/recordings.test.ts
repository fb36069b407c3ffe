/**
 * Recordings of other people's tools, read as they are found in `../shared/data` beside the project. Skipped where that
 * folder is not.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { inspectTape } from '../../src/store/tapes/inspect-tape.ts'
import type { TapeSource } from '../../src/import/tape-source.ts'
import { rowsReported } from '../import/formats/rig/reported-rows.ts'

const DATA = fileURLToPath(new URL('../../../shared/data', import.meta.url))
const isAbsent = !existsSync(DATA)

/** The file, how it is read, its rows, how many a buyer took, and the first and the last of them. */
type Recording = readonly [string, Omit<TapeSource, 'file'>, number, number, string, string]

const RECORDINGS: readonly Recording[] = [
  [
    'dialects/backtrader_ticksample_estx50.csv',
    {},
    135,
    0,
    '2015-09-23T20:57:42.146Z 3067 x 180',
    '2015-09-23T21:00:00.238Z 3069 x 1',
  ],
  [
    'dialects/barter_binance_spot_marketevents.json',
    { market: '0' },
    9,
    9,
    '2024-12-20T19:05:18.175Z 96962.51 x 0.00006 buy',
    '2024-12-20T19:05:18.197Z 96962.51 x 0.00008 buy',
  ],
  [
    'dialects/binance_public_klines_ADABTC-1m-2021-11-27_head.csv',
    {},
    10,
    0,
    '2021-11-27T00:00:00.000Z 0.00002853 0.00002854 0.00002851 0.00002854 36304.2',
    '2021-11-27T00:09:00.000Z 0.00002863 0.00002865 0.00002863 0.00002865 8160.5',
  ],
  [
    'dialects/binance_public_klines_ADABTC-1m-2021-11-28_head.csv',
    {},
    11,
    0,
    '2021-11-28T00:00:00.000Z 0.0000282 0.00002821 0.00002817 0.00002818 85342.7',
    '2021-11-28T00:10:00.000Z 0.00002814 0.00002816 0.00002814 0.00002814 12248.3',
  ],
  [
    'dialects/binance_public_trades_format_btcusdt_first2000_derived.csv',
    {},
    2000,
    1009,
    '2024-08-08T23:54:15.342Z 61837.63 x 0.02 sell',
    '2024-08-08T23:55:51.137Z 61784.64 x 0.0001 buy',
  ],
  [
    'dialects/binance_public_trades_format_ethusdt_first2000_derived.csv',
    {},
    2000,
    1128,
    '2024-08-08T23:54:15.611Z 2683.8 x 0.002 sell',
    '2024-08-08T23:56:14.924Z 2682.2 x 0.0039 sell',
  ],
  [
    'dialects/bitcoincharts_bitstampUSD_pyalgotrade.csv',
    {},
    9998,
    0,
    '2011-09-13T13:53:36.000Z 5.8 x 1',
    '2012-05-31T08:41:18.000Z 5.1 x 0.39215686',
  ],
  [
    'dialects/bitstamp_ws_trade_messages_cryptofeed.jsonl',
    {},
    10,
    1,
    '2022-01-05T00:48:19.596Z 3805.44 x 0.0792 buy',
    '2022-01-05T00:48:41.269Z 3800.8 x 2.73248242 sell',
  ],
  [
    'dialects/ccxt_public_trades_list_binance_eth_freqtrade.csv',
    {},
    1000,
    527,
    '2023-02-02T09:20:00.138Z 1666.8 x 26.062 buy',
    '2023-02-02T09:23:27.493Z 1667.3 x 0.018 buy',
  ],
  [
    'dialects/coinbase_btcusd_trades_questdb.csv',
    {},
    5882,
    3465,
    '2023-09-05T16:00:01.281Z 25741.02 x 0.02188038 sell',
    '2023-09-05T16:59:58.761Z 25735.97 x 0.00816829 buy',
  ],
  [
    'dialects/coinbase_ws_match_messages_cryptofeed.jsonl',
    { symbol: 'SKL_USD' },
    52,
    18,
    '2021-04-17T16:43:37.121Z 0.791 x 450 buy',
    '2021-04-17T16:44:06.669Z 0.7902 x 18 sell',
  ],
  [
    'dialects/freqtrade_XRP_ETH-trades.json.gz',
    {},
    12477,
    6524,
    '2019-10-11T00:00:11.620Z 0.00141342 x 23 sell',
    '2019-10-13T11:19:28.844Z 0.00152787 x 130 sell',
  ],
  [
    'dialects/freqtrade_ccxt_old_XRP-trades.json.gz',
    {},
    12477,
    6524,
    '2019-10-11T00:00:11.620Z 0.00141342 x 23 sell',
    '2019-10-13T11:19:28.844Z 0.00152787 x 130 sell',
  ],
  [
    'dialects/kraken_trades_BCHEUR_freqtrade.csv',
    {},
    148,
    0,
    '2023-01-01T00:03:56.000Z 90.54 x 1.1044842',
    '2023-01-01T23:19:47.000Z 90.53 x 1',
  ],
  [
    'dialects/kraken_trades_BCHEUR_q2_freqtrade.csv',
    {},
    486,
    0,
    '2023-01-02T00:48:56.000Z 90.07 x 1.1',
    '2023-01-02T23:17:03.000Z 93.19 x 0.44235389',
  ],
  [
    'dialects/mtgox_trades_2013-01-01_pyalgotrade.csv',
    {},
    2331,
    812,
    '2013-01-01T00:04:19.486Z 13.51001 x 36.87430786 sell',
    '2013-01-01T23:58:31.193Z 13.30413 x 0.01 sell',
  ],
  [
    'dialects/tardis_trades_bitmex_XBTUSD_ns_variant.csv',
    {},
    2,
    1,
    '2020-03-01T00:00:03.145Z 8531.5 x 2152 sell',
    '2020-03-01T00:00:03.145Z 8531 x 1000 buy',
  ],
  [
    'dialects/tardis_trades_bitmex_XBTUSD_us.csv',
    {},
    10,
    0,
    '2020-03-01T00:00:03.145Z 8531.5 x 2152 sell',
    '2020-03-01T00:00:03.276Z 8531.5 x 1 sell',
  ],
  [
    'dialects/trade_aggregation_Bitstamp_BTCEUR_1M_stub.csv',
    {},
    11,
    0,
    '2021-02-01T00:00:02.564Z 27334.25 x 0.00289',
    '2021-02-01T00:01:04.747Z 27298.5 x 0.00909044',
  ],
  [
    'candles/backtestingpy_BTCUSD.csv',
    { precision: 8 },
    156,
    0,
    '2012-01-31T00:00:00.000Z 4.58 7.38 3.8 5.55 2012.25343589',
    '2024-12-31T00:00:00.000Z 96515 108364 92092 93381 25342.80228337',
  ],
  [
    'candles/backtestingpy_EURUSD.csv',
    {},
    5000,
    0,
    '2017-04-19T09:00:00.000Z 1.0716 1.0722 1.07083 1.07219 1413',
    '2018-02-07T15:00:00.000Z 1.23427 1.23444 1.22904 1.22904 6143',
  ],
  [
    'candles/backtestingpy_GOOG.csv',
    {},
    2148,
    0,
    '2004-08-19T00:00:00.000Z 100 104.06 95.96 100.34 22351900',
    '2013-03-01T00:00:00.000Z 797.8 807.14 796.15 806.19 2175400',
  ],
  [
    'candles/basana_binance_btcusdt_day_2020.csv',
    {},
    366,
    0,
    '2020-01-01T00:00:00.000Z 7195.24 7255 7175.15 7200.85 16792.388165',
    '2020-12-31T00:00:00.000Z 28875.55 29300 27850 28923.63 75508.505152',
  ],
  [
    'candles/basana_bitstamp_btcusd_day_2015.csv',
    {},
    365,
    0,
    '2015-01-01T00:00:00.000Z 321 321 312.6 313.81 3087.43655395',
    '2015-12-31T00:00:00.000Z 426.09 433.89 419.99 430.89 6634.86316708',
  ],
  [
    'candles/basana_bitstamp_btcusd_min_2020_01_01.csv',
    {},
    1440,
    0,
    '2020-01-01T00:00:00.000Z 7160.69 7160.69 7159.64 7159.64 5.50169101',
    '2020-01-01T23:59:00.000Z 7178.68 7178.68 7178.68 7178.68 0.35519025',
  ],
  [
    'candles/coinbase_minute_btcusd_20161007_trade.zip',
    {},
    1419,
    0,
    '2016-10-07T00:00:00.000Z 611.78 611.91 611.78 611.9 1.13872',
    '2016-10-07T23:59:00.000Z 618.17 618.17 617.98 617.98 0.24885568',
  ],
  [
    'candles/coinbase_second_btcusd_20161007_trade.zip',
    {},
    4063,
    0,
    '2016-10-07T00:00:04.000Z 611.78 611.87 611.78 611.87 0.60046',
    '2016-10-07T23:59:58.000Z 618.04 618.04 617.98 617.98 0.2',
  ],
  [
    'candles/freqtrade_UNITTEST_BTC-1m.json.gz',
    {},
    13681,
    0,
    '2017-11-04T23:02:00.000Z 0.00162008 0.00162008 0.00162008 0.00162008 108.14853839',
    '2017-11-14T22:59:00.000Z 0.00270001 0.00270002 0.00270001 0.00270002 1.94577668',
  ],
]

describe.skipIf(isAbsent)(`recordings of others${isAbsent ? ' (skipped: ../shared/data is not there)' : ''}`, () => {
  it.each(RECORDINGS)('%s is read as it is', async (path, how, count, buys, first, last) => {
    const rows = await rowsReported({ file: `${DATA}/${path}`, symbol: 'BTC_USD', ...how })
    expect([rows.length, rows[0], rows.at(-1)]).toEqual([count, first, last])
    expect(rows.filter((row) => row.endsWith(' buy'))).toHaveLength(buys)
  })

  it.each`
    path                                                      | message
    ${'candles/basana_bitstamp_btcusd_day_2015.csv.utf16'}    | ${'expected UTF-8, got UTF-16: convert the file to UTF-8'}
    ${'candles/backtestingpy_BTCUSD.csv'}                     | ${':44:6: expected a volume with fewer digits (at most 2^53 - 1 without the point)'}
    ${'dialects/coinbase_ws_match_messages_cryptofeed.jsonl'} | ${":2:1: expected 'SKL-BTC' as in the first row, got 'SKL-USD'; choose one with market"}
    ${'dialects/barter_binance_spot_marketevents.json'}       | ${":74:1: expected '0' as in the first row, got '2'; choose one with market"}
    ${'vectors/gaps.csv'}                                     | ${'expected'}
  `('$path is refused without more words', async ({ path, message }: { path: string; message: string }) => {
    await expect(inspectTape({ file: `${DATA}/${path}`, symbol: 'BTC_USD' })).rejects.toThrow(message)
  })
})
