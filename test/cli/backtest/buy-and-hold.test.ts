/**
 * A strategy that buys all at the first trade and holds, against a calculation by hand: equal to the last digit.
 *
 * The calculation shares no code with what it checks; it counts in integers of the ledger's last digit.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { cliFolder, jsonRun } from '../rig/run-cli.ts'
import { strategySource } from '../rig/sample-files.ts'

const { cli, write } = cliFolder()

const GOOG = fileURLToPath(new URL('../../../../shared/data/candles/backtestingpy_GOOG.csv', import.meta.url))
/** Prices of 3 decimals, the last close below the last open; the first candle without volume yields no trade. */
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
    return trades(params.symbol).pipe(first(), map(({ price }) => buyMarket(params.symbol, all(price))))`
  write(strategySource({ name: 'buy-all', run }), 'buy-all.js')
})

interface ByHand {
  readonly finalEquity: string
  readonly fee: string
  readonly qty: string
}

const CREDIT = 10_000n

/** What is left of 10 000 when as much as possible was bought at the first open, and is worth the last close. */
function byHand(csv: string, feeBps: string, qtyDecimals: number): ByHand {
  const [, ...lines] = csv.trim().split('\n')
  const rows = lines.map((line) => line.split(',').slice(1, 6)).filter(([, , , , volume]) => Number(volume) > 0)
  const decimalsOf = (text: string): number => (text.split('.')[1] ?? '').replace(/0+$/, '').length
  const priceDecimals = Math.max(...rows.flatMap((row) => row.slice(0, 4).map(decimalsOf)))
  const open = unitsOf(rows[0]?.[0] ?? '', priceDecimals)
  const close = unitsOf(rows.at(-1)?.[3] ?? '', priceDecimals)
  // One unit of the ledger is one tick times one lot; a fee of 7.5 basis points is 75 000 in a hundred million.
  const scale = priceDecimals + qtyDecimals
  const credit = CREDIT * 10n ** BigInt(scale)
  const rate = unitsOf(feeBps, 4)
  const feeOf = (lots: bigint): bigint => (lots * open * rate + 99_999_999n) / 100_000_000n
  let lots = (credit * 100_000_000n) / (open * (100_000_000n + rate))
  while (lots * open + feeOf(lots) > credit) lots -= 1n
  const cash = credit - lots * open - feeOf(lots)
  // Not one lot more could have been paid for, and nothing was bought on credit.
  expect(cash >= 0n && (lots + 1n) * open + feeOf(lots + 1n) > credit).toBe(true)
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
    // 810 x 12.345 = 9999.45, and 811 would be 10 011.795; 0.55 and 810 x 13.907 = 11 264.67 are left.
    expect(byHand(SMALL, '0', 0)).toEqual({ finalEquity: '11265.22', fee: '0', qty: '810' })
    // 809 x 12.345 = 9987.105, of which 7.5 basis points are 7.49032875; 5.404 and 809 x 13.907 = 11 250.763 are left.
    expect(byHand(SMALL, '7.5', 0)).toEqual({ finalEquity: '11256.167', fee: '7.491', qty: '809' })
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
