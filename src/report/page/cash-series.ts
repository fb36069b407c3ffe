/**
 * Cash of a run over time, from its starting balance and its fills, and the share of the equity that is not cash.
 *
 * Invariant: the cash after the last fill is the final balance of `run.json`, to the last digit; where it is not,
 * because of transfers or of an unknown start, there is no line.
 */
import { InputError } from '../../domain/errors.ts'
import { parseAmount, parseUnits, powerOfTen } from '../../domain/fixed-point.ts'
import { csvTable } from '../run/csv-table.ts'
import type { RunReport } from '../run/run-report.ts'
import type { Line } from './page-data.ts'

/** Decimals of prices, quantities and fees, at most. */
const DECIMALS = 18
/** Decimals of most of them: products of such are summed up in shorter integers. */
const FEW = 8

/**
 * @param csv    fills.csv
 * @param times  of the samples, oldest first
 * @returns cash at each of them; undefined if it cannot be known
 * @throws {InputError} for a field that is no decimal number
 */
export function cashLine(report: RunReport, where: string, csv: string, times: readonly number[]): Line | undefined {
  const { config, balances, quoteAsset } = report
  const [start, end] = [config.credit[quoteAsset] ?? '0', balances[quoteAsset]]
  if (end === undefined || report.live !== undefined) return undefined
  const exact = (text: string): bigint => {
    const parsed = parseAmount(text, DECIMALS)
    if (parsed.ok) return parsed.value
    throw new InputError(where, `expected a decimal number of at most ${DECIMALS} decimals, found '${text}'`)
  }
  // A product of a price and a quantity has twice as many decimals.
  const unitsOf = (text: string): bigint => exact(text) * powerOfTen(DECIMALS)
  let cash = unitsOf(start)
  let ofShort = 0n
  const atNow = (): bigint => cash + ofShort * powerOfTen(2 * (DECIMALS - FEW))
  const values: number[] = []
  const sample = (before: number): void => {
    while (values.length < times.length && (times[values.length] ?? 0) < before) values.push(drawn(atNow()))
  }
  for (const row of csvTable(where, csv)) {
    sample(Number(row('time_ms')))
    if (row('fee_asset') !== quoteAsset) continue
    const [price, qty, fee, isBuy] = [row('price'), row('qty'), row('fee'), row('side') === 'BUY']
    const [ticks, lots] = [parseUnits(price, FEW), parseUnits(qty, FEW)]
    if (ticks.ok && lots.ok) ofShort += BigInt(isBuy ? -ticks.value : ticks.value) * BigInt(lots.value)
    else cash += isBuy ? -exact(price) * exact(qty) : exact(price) * exact(qty)
    if (fee !== '0') cash -= unitsOf(fee)
  }
  sample(Infinity)
  return atNow() === unitsOf(end.available) + unitsOf(end.locked) ? { times, values } : undefined
}

/** A double, only for drawing. */
const drawn = (units: bigint): number => Number((Number(units) / 10 ** (2 * DECIMALS)).toPrecision(9))

/** Share of the equity that is not cash; below 0 for more short than long. */
export function exposureLine(equity: Line, cash: Line): Line {
  const values = equity.values.map((value, index) => {
    const held = cash.values[index] ?? null
    return value === null || held === null || value <= 0 ? null : Number((1 - held / value).toPrecision(6))
  })
  return { times: equity.times, values }
}
