/**
 * Recorded files as they are found, read in place: `../shared/data` beside the project. Skipped where that folder is
 * not.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { inspectTape } from '../../../src/store/tapes/inspect-tape.ts'
import { openTape } from '../../../src/store/tapes/open-tape.ts'
import { isCandleBlock, SIDE_UNKNOWN } from '../../../src/tape/tape.ts'

const DATA = fileURLToPath(new URL('../../../../shared/data', import.meta.url))
const isAbsent = !existsSync(DATA)

const BINANCE_TRADES = 'id,price,qty,-,time,is_buyer_maker,-'
const BINANCE_CANDLES = 'time,open,high,low,close,volume,-,-,-,-,-,-'

const read = async (path: string, columns: string | undefined) => {
  const source = { file: `${DATA}/${path}`, symbol: 'BASE_QUOTE', ...(columns === undefined ? {} : { columns }) }
  const inspected = await inspectTape(source)
  let played = 0
  let sided = 0
  let last = 0
  for await (const block of openTape(inspected, inspected.info).blocks()) {
    played += block.length
    for (let row = 0; row < block.length; row += 1) {
      const time = block.time[row] ?? NaN
      if (!(time >= last)) throw new Error(`row ${row} goes back in time`)
      last = time
      if (!isCandleBlock(block) && block.side[row] !== SIDE_UNKNOWN) sided += 1
    }
  }
  return { ...inspected.info, played, sided }
}

describe.skipIf(isAbsent)(`recorded files${isAbsent ? ' (skipped: ../shared/data is not there)' : ''}`, () => {
  it.each`
    path                                                                      | columns                                                    | rows      | price | qty  | isSided
    ${'tapes/binance_spot_btcusdt_trades_20240808T2354-20240809T0005.csv.gz'} | ${undefined}                                               | ${19904}  | ${2}  | ${5} | ${true}
    ${'tapes/binance_spot_ethusdt_trades_20240808T2354-20240809T0005.csv.gz'} | ${undefined}                                               | ${14515}  | ${2}  | ${4} | ${true}
    ${'tapes/normalised_bac_20131008_trades.csv.gz'}                          | ${undefined}                                               | ${125872} | ${2}  | ${0} | ${false}
    ${'tapes/normalised_ibm_20131008_trades.csv.gz'}                          | ${undefined}                                               | ${33381}  | ${2}  | ${0} | ${false}
    ${'tapes/normalised_spy_20131008_trades.csv.gz'}                          | ${undefined}                                               | ${451545} | ${2}  | ${0} | ${false}
    ${'dialects/coinbase_btcusd_trades_questdb.csv'}                          | ${undefined}                                               | ${5882}   | ${2}  | ${8} | ${true}
    ${'dialects/tardis_trades_bitmex_XBTUSD_us.csv'}                          | ${undefined}                                               | ${10}     | ${1}  | ${0} | ${true}
    ${'dialects/tardis_trades_bitmex_XBTUSD_ns_variant.csv'}                  | ${undefined}                                               | ${2}      | ${1}  | ${0} | ${true}
    ${'dialects/trade_aggregation_Bitstamp_BTCEUR_1M_stub.csv'}               | ${undefined}                                               | ${11}     | ${2}  | ${8} | ${false}
    ${'dialects/binance_public_trades_format_btcusdt_first2000_derived.csv'}  | ${BINANCE_TRADES}                                          | ${2000}   | ${2}  | ${5} | ${true}
    ${'dialects/binance_public_trades_format_ethusdt_first2000_derived.csv'}  | ${BINANCE_TRADES}                                          | ${2000}   | ${2}  | ${4} | ${true}
    ${'dialects/kraken_trades_BCHEUR_freqtrade.csv'}                          | ${'time,price,qty'}                                        | ${148}    | ${2}  | ${8} | ${false}
    ${'dialects/kraken_trades_BCHEUR_q2_freqtrade.csv'}                       | ${'time,price,qty'}                                        | ${486}    | ${2}  | ${8} | ${false}
    ${'dialects/mtgox_trades_2013-01-01_pyalgotrade.csv'}                     | ${'time=id,price=price,qty=amount'}                        | ${2331}   | ${5}  | ${8} | ${false}
    ${'dialects/ccxt_public_trades_list_binance_eth_freqtrade.csv'}           | ${'time=timestamp,id=id,side=side,price=price,qty=amount'} | ${1000}   | ${2}  | ${3} | ${true}
    ${'dialects/backtrader_ticksample_estx50.csv'}                            | ${'time=Datetime,price=Close,qty=Volume'}                  | ${135}    | ${0}  | ${0} | ${false}
  `('trades of $path', async ({ path, columns, rows, price, qty, isSided }: Record<string, unknown>) => {
    const info = await read(String(path), typeof columns === 'string' ? columns : undefined)
    expect(info).toMatchObject({ kind: 'trades', rows, played: rows, pricePrecision: price, qtyPrecision: qty })
    expect(info.sided).toBe(isSided === true ? rows : 0)
  })

  it.each`
    path                                                              | columns            | rows    | empty | interval
    ${'candles/backtestingpy_EURUSD.csv'}                             | ${undefined}       | ${5000} | ${0}  | ${3_600_000}
    ${'candles/backtestingpy_GOOG.csv'}                               | ${undefined}       | ${2148} | ${0}  | ${86_400_000}
    ${'candles/basana_binance_btcusdt_day_2020.csv'}                  | ${undefined}       | ${366}  | ${1}  | ${86_400_000}
    ${'candles/basana_bitstamp_btcusd_day_2015.csv'}                  | ${undefined}       | ${365}  | ${3}  | ${86_400_000}
    ${'candles/basana_bitstamp_btcusd_min_2020_01_01.csv'}            | ${undefined}       | ${1440} | ${45} | ${60_000}
    ${'dialects/binance_public_klines_ADABTC-1m-2021-11-27_head.csv'} | ${BINANCE_CANDLES} | ${10}   | ${0}  | ${60_000}
    ${'dialects/binance_public_klines_ADABTC-1m-2021-11-28_head.csv'} | ${BINANCE_CANDLES} | ${11}   | ${0}  | ${60_000}
  `('candles of $path', async ({ path, columns, rows, empty, interval }: Record<string, unknown>) => {
    const info = await read(String(path), typeof columns === 'string' ? columns : undefined)
    expect(info).toMatchObject({
      kind: 'candles',
      rows,
      played: rows,
      emptyCandles: empty,
      intervalMs: interval,
      sided: 0,
    })
  })

  it.each`
    path                                                    | columns             | message                                                                                                        | why
    ${'candles/basana_bitstamp_btcusd_day_2015.csv.utf16'}  | ${undefined}        | ${'convert the file to UTF-8'}                                                                                 | ${'UTF-16'}
    ${'candles/backtestingpy_BTCUSD.csv'}                   | ${undefined}        | ${":44:6: expected a volume with fewer digits (at most 2^53 - 1 without the point), got '397787.41249925003'"} | ${'a float that was written with all its digits'}
    ${'dialects/bitcoincharts_bitstampUSD_pyalgotrade.csv'} | ${'time,price,qty'} | ${":8524:3: expected a quantity above 0, got '0.000000000000'"}                                                | ${'a trade of nothing'}
  `('refuses $path: $why', async ({ path, columns, message }: Record<string, unknown>) => {
    await expect(read(String(path), typeof columns === 'string' ? columns : undefined)).rejects.toThrow(String(message))
  })
})
