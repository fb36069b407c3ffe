/**
 * Comparison of a run with another one as a short table.
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

/** A run and the one before it. @returns whole lines */
export function runDelta(before: RunReport, now: RunReport): string {
  if (before.digest === now.digest) return `no change: digest ${digestOf(now)}, ${resultText(now)}\n`
  const digests: Row = ['digest', digestOf(before), digestOf(now), '']
  return tableOf([['', 'before', 'now', 'change'], ...rowsOf(before, now), digests])
}

/** A live run and its shadow on paper. @returns whole lines */
export function shadowDelta(live: RunReport, shadow: RunReport): string {
  return tableOf([
    ['', 'live', 'shadow', 'difference'],
    ['strategy', live.strategy.name, shadow.strategy.name, ''],
    amountRow('at start', live, shadow, ({ initialEquity }) => initialEquity),
    ...rowsOf(live, shadow),
    amountRow('fees', live, shadow, ({ statistics }) => statistics.feesInQuote),
  ])
}

const resultText = ({ finalEquity, quoteAsset, orders }: RunReport): string =>
  `${readableAmount(finalEquity)} ${quoteAsset}, ${readableAmount(String(orders))} orders`

const digestOf = ({ digest }: RunReport): string => digest.replace(/^sha256:/, '').slice(0, DIGEST_DIGITS)

function rowsOf(before: RunReport, now: RunReport): readonly Row[] {
  const [was, is] = [before.statistics, now.statistics]
  return [
    amountRow('equity', before, now, ({ finalEquity }) => finalEquity),
    fractionRow('return', was.return, is.return, readableChange),
    fractionRow('drawdown', was.maxDrawdown, is.maxDrawdown, readablePercent),
    countRow('round trips', was.roundTrips, is.roundTrips),
    countRow('orders', before.orders, now.orders),
    countRow('refused', refusedOf(before), refusedOf(now)),
    countRow('fills', before.fills, now.fills),
  ]
}

function amountRow(name: string, before: RunReport, now: RunReport, of: (run: RunReport) => string | null): Row {
  const [was, is] = [of(before), of(now)]
  const text = (amount: string | null, { quoteAsset }: RunReport): string =>
    amount === null ? 'n/a' : `${readableAmount(amount)} ${quoteAsset}`
  const isComparable = was !== null && is !== null && before.quoteAsset === now.quoteAsset
  const change = isComparable ? toDecimal(is).minus(was) : undefined
  const reported = change === undefined || change.isZero() ? '' : readableSigned(change.toFixed())
  return [name, text(was, before), text(is, now), reported]
}

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

const tableOf = (rows: readonly Row[]): string => rows.map(lineOf).join('')

function lineOf([name, ...cells]: Row): string {
  const columns = cells.map((cell) => `${cell} `.padEnd(COLUMN_WIDTH))
  return `${name.padEnd(LABEL_WIDTH)}${columns.join('')}`.trimEnd() + '\n'
}
