/**
 * A strategy that buys after the first candle and holds, against a calculation by hand: equal to the last digit. The
 * open at which it buys is not known when it orders, so it buys what it can afford at twice the first close.
 *
 * The calculation shares no code with what it checks; it counts in integers of the ledger's last digit.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { jsonRun } from '../rig/cli-result.ts'
import { cliFolderHere } from '../rig/cli-here.ts'
import { strategySource } from '../rig/sample-files.ts'

const { cli, write } = cliFolderHere()

const GOOG = fileURLToPath(new URL('../../../../shared/data/candles/backtestingpy_GOOG.csv', import.meta.url))
/** Prices of 3 decimals, the last close below the last open; the first candle has no volume and is not there. */
const SMALL = `time,open,high,low,close,volume
2024-01-01,11.5,11.5,11.5,11.5,0
2024-01-02,12.345,13,12,12.5,1000
2024-01-03,12.5,14.125,12.4,14,1600
2024-01-04,14,14.75,13.9,13.907,1200
`

beforeAll(() => {
  write(SMALL, 'small.csv')
  const run = `
    const { quoteAsset, affordableQty } = market(params.symbol)
    const all = (price) => affordableQty(balance(quoteAsset).available, price)
    const first$ = candles(params.symbol, '1d').pipe(first())
    return first$.pipe(map(({ close }) => buyMarket(params.symbol, all(close.times(2)))))`
  write(strategySource({ name: 'buy-all', run }), 'buy-all.js')
})

interface ByHand {
  readonly finalEquity: string
  readonly fee: string
  readonly qty: string
}

const CREDIT = 10_000n

/**
 * What is left of 10 000 when what twice the first close allows was bought at the second open, and is worth the last
 * close.
 */
function byHand(csv: string, feeBps: string, qtyDecimals: number): ByHand {
  const [, ...lines] = csv.trim().split('\n')
  const rows = lines.map((line) => line.split(',').slice(1, 6)).filter(([, , , , volume]) => Number(volume) > 0)
  const decimalsOf = (text: string): number => (text.split('.')[1] ?? '').replace(/0+$/, '').length
  const priceDecimals = Math.max(...rows.flatMap((row) => row.slice(0, 4).map(decimalsOf)))
  const reference = 2n * unitsOf(rows[0]?.[3] ?? '', priceDecimals)
  const open = unitsOf(rows[1]?.[0] ?? '', priceDecimals)
  const close = unitsOf(rows.at(-1)?.[3] ?? '', priceDecimals)
  // One unit of the ledger is one tick times one lot; a fee of 7.5 basis points is 75 000 in a hundred million.
  const scale = priceDecimals + qtyDecimals
  const credit = CREDIT * 10n ** BigInt(scale)
  const rate = unitsOf(feeBps, 4)
  const feeOf = (lots: bigint, price = open): bigint => (lots * price * rate + 99_999_999n) / 100_000_000n
  const costOf = (lots: bigint): bigint => lots * reference + feeOf(lots, reference)
  let lots = (credit * 100_000_000n) / (reference * (100_000_000n + rate))
  while (costOf(lots) > credit) lots -= 1n
  const cash = credit - lots * open - feeOf(lots)
  // Not one lot more could have been paid for at twice the close.
  expect(costOf(lots + 1n) > credit).toBe(true)
  return {
    finalEquity: textOf(cash + lots * close, scale),
    fee: textOf(feeOf(lots), scale),
    qty: textOf(lots, qtyDecimals),
  }
}

/** `12.5` in units of 10^-decimals. */
function unitsOf(text: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
}

/** The same back, without trailing zeros. */
function textOf(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

async function expectAsByHand(file: string, csv: string, feeBps: string, qtyDecimals: number): Promise<void> {
  const { finalEquity, fee, qty } = byHand(csv, feeBps, qtyDecimals)
  const terms = ['--liquidity', 'ideal', '--taker-fee', feeBps, '--qty-precision', String(qtyDecimals)]
  const report = await jsonRun(cli, 'backtest', 'buy-all.js', '--tape', `A_USD=${file}`, ...terms)
  expect(report).toMatchObject({ finalEquity, audit: { ok: true }, orders: 1, fills: 1, refusals: {} })
  expect(report.balances.A).toEqual({ available: qty, locked: '0' })
  expect(report.statistics.fees).toEqual(feeBps === '0' ? {} : { USD: fee })
}

const TERMS = [
  { feeBps: '0', qtyDecimals: 0 },
  { feeBps: '7.5', qtyDecimals: 0 },
  { feeBps: '0', qtyDecimals: 4 },
  { feeBps: '7.5', qtyDecimals: 4 },
  { feeBps: '0.0001', qtyDecimals: 8 },
]

describe('on a small file of candles', () => {
  it('the calculation itself is right', () => {
    // 400 x 25 = 10 000; 400 x 12.5 = 5000 are paid, 5000 and 400 x 13.907 = 5562.8 are left.
    expect(byHand(SMALL, '0', 0)).toEqual({ finalEquity: '10562.8', fee: '0', qty: '400' })
    // 400 x 25 and 7.5 basis points are too much; 399 x 12.5 = 4987.5, of which they are 3.740625; 5008.759 and 5548.893 are left.
    expect(byHand(SMALL, '7.5', 0)).toEqual({ finalEquity: '10557.652', fee: '3.741', qty: '399' })
  })

  it.concurrent.each(TERMS)(
    'final equity with $feeBps bps and $qtyDecimals decimals of a quantity',
    ({ feeBps, qtyDecimals }) => expectAsByHand('small.csv', SMALL, feeBps, qtyDecimals),
  )
})

describe.skipIf(!existsSync(GOOG))('on GOOG (skipped without ../shared/data)', () => {
  it.concurrent.each(TERMS)(
    'final equity with $feeBps bps and $qtyDecimals decimals of a quantity',
    ({ feeBps, qtyDecimals }) => expectAsByHand(GOOG, readFileSync(GOOG, 'utf8'), feeBps, qtyDecimals),
  )
})
