/**
 * Comparison of a run with the previous one as a short table.
 *
 * Invariant: no number is cut; a row is wider than 80 columns only for a number that is wider than its column.
 */
import { toDecimal } from '../../domain/decimal.ts'
import { readableAmount, readableChange, readablePercent, readableSigned } from '../readable.ts'
import type { RunReport } from '../run/run-report.ts'

/** A label, the previous run, this run, and the change. */
type Row = readonly [string, string, string, string]

const LABEL_WIDTH = 13
const COLUMN_WIDTH = 22
const DIGEST_DIGITS = 12

/** @returns whole lines */
export function runDelta(before: RunReport, now: RunReport): string {
  if (before.digest === now.digest) return `no change: digest ${digestOf(now)}, ${resultText(now)}\n`
  return rowsOf(before, now).map(lineOf).join('')
}

const resultText = ({ finalEquity, quoteAsset, orders }: RunReport): string =>
  `${readableAmount(finalEquity)} ${quoteAsset}, ${readableAmount(String(orders))} orders`

const digestOf = ({ digest }: RunReport): string => digest.replace(/^sha256:/, '').slice(0, DIGEST_DIGITS)

function rowsOf(before: RunReport, now: RunReport): readonly Row[] {
  const [was, is] = [before.statistics, now.statistics]
  return [
    ['', 'before', 'now', 'change'],
    amountRow('equity', before, now),
    fractionRow('return', was.return, is.return, readableChange),
    fractionRow('drawdown', was.maxDrawdown, is.maxDrawdown, readablePercent),
    countRow('round trips', was.roundTrips, is.roundTrips),
    countRow('orders', before.orders, now.orders),
    countRow('refused', refusedOf(before), refusedOf(now)),
    countRow('fills', before.fills, now.fills),
    ['digest', digestOf(before), digestOf(now), ''],
  ]
}

function amountRow(name: string, before: RunReport, now: RunReport): Row {
  const change = toDecimal(now.finalEquity).minus(before.finalEquity)
  const reported = before.quoteAsset === now.quoteAsset && !change.isZero() ? readableSigned(change.toFixed()) : ''
  return [name, moneyOf(before), moneyOf(now), reported]
}

const moneyOf = ({ finalEquity, quoteAsset }: RunReport): string => `${readableAmount(finalEquity)} ${quoteAsset}`

/** The change in points of a percent. */
function fractionRow(
  name: string,
  before: number | null,
  now: number | null,
  reported: (fraction: number) => string,
): Row {
  const text = (fraction: number | null): string => (fraction === null ? 'n/a' : reported(fraction))
  const change = before === null || now === null || before === now ? '' : readableChange(now - before)
  return [name, text(before), text(now), change.replace(' %', ' points')]
}

const countRow = (name: string, before: number, now: number): Row => {
  const [was, is] = [readableAmount(String(before)), readableAmount(String(now))]
  return [name, was, is, before === now ? '' : readableSigned(String(now - before))]
}

const refusedOf = ({ refusals }: RunReport): number =>
  Object.values(refusals).reduce<number>((sum, count) => sum + count, 0)

function lineOf([name, ...cells]: Row): string {
  const columns = cells.map((cell) => `${cell} `.padEnd(COLUMN_WIDTH))
  return `${name.padEnd(LABEL_WIDTH)}${columns.join('')}`.trimEnd() + '\n'
}
