/**
 * Everything that can be wrong with what a user gives is found before anything runs.
 */
import { describe, expect, it } from 'vitest'
import { InputError } from '../../../src/domain/errors.ts'
import type { BacktestSettings } from '../../../src/runtime/settings/backtest-settings.ts'
import { prepareBacktest, type PreparedBacktest } from '../../../src/runtime/backtest/prepared-backtest.ts'
import type { TapeSource } from '../../../src/import/tape-source.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { SETTINGS } from '../rig/run-strategy.ts'

const files = temporaryFiles()
const HEADER = 'trade_id,time_ms,price,qty,is_buyer_maker\n'

const btc: TapeSource = {
  file: files.write(`${HEADER}1,1000,100.5,0.25,true\n2,2000,101,1,false\n3,9000,99.25,2,true\n`, 'btc.csv'),
  symbol: 'BTC_USDT',
}
const eth: TapeSource = {
  file: files.write(`${HEADER}1,500,20,1,true\n2,12000,21.125,0.5,false\n`, 'eth.csv'),
  symbol: 'ETH_USDT',
}

const prepare = (settings: Partial<BacktestSettings> = {}): Promise<PreparedBacktest> =>
  prepareBacktest({ ...SETTINGS, strategy: 'sma-cross', tapes: [btc], credit: {}, ...settings })

/** The message of the refusal. */
async function refusalOf(settings: Partial<BacktestSettings>): Promise<string> {
  try {
    await prepare(settings)
  } catch (error) {
    expect(error).toBeInstanceOf(InputError)
    return (error as InputError).message
  }
  throw new Error('it was not refused')
}

describe('a backtest', () => {
  it('has the market of its tape, with the precisions that it needs and the fees that were given', async () => {
    const { markets, quoteAsset } = await prepare({ makerFeeBps: '1', takerFeeBps: '2.5' })
    expect(markets).toEqual([
      {
        id: 'BTC_USDT',
        name: 'BTC_USDT',
        symbol: 'BTC_USDT',
        baseAsset: 'BTC',
        quoteAsset: 'USDT',
        pricePrecision: 2,
        qtyPrecision: 2,
        makerFeeBps: '1',
        takerFeeBps: '2.5',
        selfTrade: 'allow',
      },
    ])
    expect(quoteAsset).toBe('USDT')
  })

  it('of several tapes has their markets in the order in which they were named, and is valued in the first’s quote asset', async () => {
    const prepared = await prepare({ tapes: [eth, btc] })
    expect(
      prepared.markets.map(({ symbol, pricePrecision, qtyPrecision }) => [symbol, pricePrecision, qtyPrecision]),
    ).toEqual([
      ['ETH_USDT', 3, 1],
      ['BTC_USDT', 2, 2],
    ])
    expect([prepared.params.symbol, prepared.from, prepared.to]).toEqual(['ETH_USDT', 500, 12_000])
  })

  it('of two tapes of one market has one market, with the precisions that hold both', async () => {
    const { markets, tapes } = await prepare({ tapes: [btc, { ...eth, symbol: 'BTC_USDT' }] })
    expect(markets.map(({ pricePrecision, qtyPrecision }) => [pricePrecision, qtyPrecision])).toEqual([[3, 2]])
    expect(tapes.map(({ info }) => [info.pricePrecision, info.qtyPrecision])).toEqual([
      [3, 2],
      [3, 2],
    ])
  })

  it('has 10 000 of the quote asset, unless credit was given', async () => {
    const byDefault = await prepare()
    expect([byDefault.credit, byDefault.creditTexts]).toEqual([new Map([['USDT', 100_000_000n]]), { USDT: '10000' }])
    const given = await prepare({ credit: { BTC: '1.50', USDT: '0' } })
    expect([given.credit, given.creditTexts]).toEqual([
      new Map([
        ['BTC', 150n],
        ['USDT', 0n],
      ]),
      { BTC: '1.5', USDT: '0' },
    ])
  })

  it('goes from the first to the last recorded trade, or as far as was asked', async () => {
    const spans = await Promise.all(
      [{}, { from: 1_500 }, { to: 5_000 }, { from: 0, to: 99_000 }, { from: 9_000 }].map(async (window) => {
        const { from, to } = await prepare(window)
        return [from, to]
      }),
    )
    expect(spans).toEqual([
      [1_000, 9_000],
      [1_500, 9_000],
      [1_000, 5_000],
      [1_000, 9_000],
      [9_000, 9_000],
    ])
  })

  it('plays only what was recorded from its beginning on and before its end', async () => {
    const { tapes } = await prepare({ from: 2_000, to: 9_000 })
    const times: number[] = []
    for (const tape of tapes) for await (const block of tape.blocks()) times.push(...block.time.slice(0, block.length))
    expect(times).toEqual([2_000])
  })
})

describe('is refused', () => {
  it.each`
    settings                             | message                                                                                      | why
    ${{ tapes: [] }}                     | ${'tapes: expected at least one tape'}                                                       | ${'without a tape'}
    ${{ makerFeeBps: '10001' }}          | ${"fees.makerBps: expected basis points from 0 to 10000 with up to 4 decimals, got '10001'"} | ${'a fee out of range'}
    ${{ takerFeeBps: '-1' }}             | ${"fees.takerBps: expected basis points from 0 to 10000 with up to 4 decimals, got '-1'"}    | ${'a fee below nothing'}
    ${{ strategy: 'sma-cros' }}          | ${/^sma-cros: .*did you mean 'sma-cross'/}                                                   | ${'a strategy that is not there'}
    ${{ paramTexts: { fats: '1' } }}     | ${/^params.fats: .*did you mean 'fast'/}                                                     | ${'a parameter that is not there'}
    ${{ params: { fast: 'x' } }}         | ${/^params.fast: /}                                                                          | ${'a parameter of the wrong form'}
    ${{ credit: { DOGE: '1' } }}         | ${"credits: no market has the asset 'DOGE'; there is BTC, USDT"}                             | ${'credit of an asset that is not there'}
    ${{ credit: { USDT: '-1' } }}        | ${"credits.USDT: expected an amount of 0 or more, got '-1'"}                                 | ${'a debit'}
    ${{ credit: { USDT: '1e3' } }}       | ${"credits.USDT: expected a decimal such as 12.5, got '1e3'"}                                | ${'credit with an exponent'}
    ${{ credit: { USDT: '0.00001' } }}   | ${"credits.USDT: '0.00001' has more than 4 decimals"}                                        | ${'credit below the ledger'}
    ${{ from: 9_001 }}                   | ${/^from: nothing was recorded in that time; the tapes cover 1970-01-01T00:00:01.000Z to /}  | ${'a beginning after the end of the tape'}
    ${{ to: 999 }}                       | ${/^to: nothing was recorded in that time; the tapes cover 1970-01-01T00:00:01.000Z to /}    | ${'an end before its beginning'}
    ${{ from: 5_000, to: 4_000 }}        | ${'to: expected a time after from, 1970-01-01T00:00:05.000Z'}                                | ${'an end before the beginning'}
    ${{ to: 1_000 }}                     | ${/^to: nothing was recorded in that time; the tapes cover 1970-01-01T00:00:01.000Z to /}    | ${'an end at the first trade'}
    ${{ paramTexts: { symbol: 'A_B' } }} | ${/^params.symbol: no tape has the symbol 'A_B'; there is /}                                 | ${'a market without a tape'}
    ${{ tapes: [{ file: 'gone.csv' }] }} | ${/^gone\.csv: /}                                                                            | ${'a file that is not there'}
  `('$settings: $why', async ({ settings, message }) => {
    expect(await refusalOf(settings as Partial<BacktestSettings>)).toMatch(message)
  })
})
