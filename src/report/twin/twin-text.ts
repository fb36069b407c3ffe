/** The gap between a session and its twin as text: a table of its parts, and the orders that contribute most. */
import { toDecimal } from '../../domain/decimal.ts'
import { isoTime } from '../../domain/time.ts'
import { alignedNumbers } from '../aligned-numbers.ts'
import { readableAmount, readablePercent, readableSigned } from '../readable.ts'
import { printable } from '../terminal-text.ts'
import { PART_NAMES, TWIN_PARTS, type TwinPart } from './twin-part.ts'
import type { TwinOrderReport, TwinReport, TwinTotal } from './twin-report.ts'

/** Orders that are listed for each part. */
const MAX_ORDERS = 3

/** Text without a final newline. */
export function twinText(reports: readonly TwinReport[], totals: readonly TwinTotal[]): string {
  const single = reports.length === 1
  const sections = [
    ...reports.map((report) =>
      [`${printable(report.name)}: ${verdictOf(report)}`, '', ...tableOf(report), ...worstOf(report)].join('\n'),
    ),
    ...(single ? [] : totals.map((total) => [`all strategies: ${verdictOf(total)}`, '', ...tableOf(total)].join('\n'))),
  ]
  return sections.join('\n\n')
}

/** One line, such as `the session made 4.17 USD less than its twin: latency -3.05 USD, fees -1.12 USD`. */
export function twinLine(total: TwinTotal): string {
  const parts = partsOf(total).map((part) => `${PART_NAMES[part]} ${amountOf(total.parts[part], total)}`)
  return [verdictOf(total), ...(parts.length === 0 ? [] : [parts.join(', ')])].join(': ')
}

/** The parts that are not zero. */
const partsOf = ({ parts }: TwinTotal): readonly TwinPart[] =>
  TWIN_PARTS.filter((part) => !toDecimal(parts[part]).isZero())

const amountOf = (amount: string, { quoteAsset }: TwinTotal): string => `${readableSigned(amount)} ${quoteAsset}`

function verdictOf({ gap, quoteAsset }: TwinTotal): string {
  const amount = toDecimal(gap)
  if (amount.isZero()) return 'the session made what its twin made'
  const words = amount.isNegative() ? 'less' : 'more'
  return `the session made ${readableAmount(amount.abs().toFixed())} ${quoteAsset} ${words} than its twin`
}

/** Shares are those of all amounts without their signs, since parts may cancel each other. */
function tableOf(total: TwinTotal): readonly string[] {
  const { gap, parts } = total
  const shown = partsOf(total)
  const sum = shown.reduce((all, part) => all.plus(toDecimal(parts[part]).abs()), toDecimal(0))
  const rows = shown.map((part) => ({
    name: PART_NAMES[part],
    amount: parts[part],
    share: readablePercent(toDecimal(parts[part]).abs().div(sum).toNumber()),
  }))
  const all = [...rows, { name: 'gap', amount: gap, share: '' }]
  const amounts = alignedNumbers(all.map(({ amount }) => amountOf(amount, total)))
  const shares = alignedNumbers(all.map(({ share }) => share))
  const width = Math.max(...Object.values(PART_NAMES).map((name) => name.length))
  return all.map(({ name }, index) =>
    `${name.padEnd(width)}  ${amounts[index] ?? ''}  ${shares[index] ?? ''}`.trimEnd(),
  )
}

function worstOf(report: TwinReport): readonly string[] {
  const lines = TWIN_PARTS.flatMap((part) => {
    const pieces = report.orders.flatMap((order) =>
      order.pieces.flatMap((piece) => (piece.part === part ? [{ order, ...piece }] : [])),
    )
    const worst = pieces.sort((one, other) => toDecimal(other.amount).abs().comparedTo(toDecimal(one.amount).abs()))
    return worst
      .slice(0, MAX_ORDERS)
      .flatMap(({ order, amount, why }, index) => [
        ...(index === 0 ? ['', PART_NAMES[part]] : []),
        `  ${readableSigned(amount)} ${report.quoteAsset}  ${printable(order.words)}, ${timeOf(order)}`,
        `    ${printable(why)}`,
        ...whyLines(order, report).map((line) => `    ${line}`),
      ])
  })
  return lines
}

const timeOf = ({ session, twin }: TwinOrderReport): string => isoTime((session ?? twin)?.time ?? 0)

function whyLines({ session, twin }: TwinOrderReport, report: TwinReport): readonly string[] {
  const line = (directory: string | null, request: TwinOrderReport['session']): readonly string[] =>
    directory === null || request === null
      ? []
      : [`papertape why ${printable(directory)} ${request.orderId ?? `ref:${request.ref}`}`]
  return [...line(report.session, session), ...line(report.out, twin)]
}
