/**
 * The outcome of a parity run, for people.
 */
import { escapeControls } from '../../domain/escape-controls.ts'
import { isoTime } from '../../domain/time.ts'
import { readableCount } from '../../report/readable.ts'
import { hangingLines } from '../../report/terminal-text.ts'
import { marketWords, type LineDifference, type ParityDifference } from '../../runtime/parity/compare-logs.ts'
import type { ParityResult } from '../../server/parity/parity.ts'

const WIDTH = 80

export function parityText({ strategy, counts, difference, marketData, failure }: ParityResult): string {
  const { request, order, fill } = counts
  const verdict =
    difference === undefined
      ? [
          ...wrapped(
            `equal: ${strategy}, ${readableCount(request, 'request')}, ${readableCount(fill, 'fill')}, ` +
              `${readableCount(order, 'order state')}, ${readableCount(counts.balances, 'balance')}`,
          ),
        ]
      : differenceLines(difference)
  const threw = failure === undefined ? [] : wrapped(`the strategy threw: ${failure}`)
  return [...verdict, ...threw, ...marketLines(difference, marketData)].map((line) => `${line}\n`).join('')
}

const differenceLines = ({ cause, time, why, ...lines }: ParityDifference): readonly string[] => [
  `different: ${cause}`,
  ...hangingLines(`  at ${isoTime(time)}: `, why, WIDTH, 4),
  ...bothLines(lines),
]

/** Market data that differs is told where it is a cause, and where it has changed nothing. */
function marketLines(
  difference: ParityDifference | undefined,
  marketData: LineDifference | undefined,
): readonly string[] {
  if (marketData === undefined || (difference !== undefined && difference.cause !== 'market data')) return []
  const head =
    difference === undefined
      ? `the strategy received different market data, without an effect: ${marketWords(marketData)}`
      : 'the first market data that differs'
  return [...wrapped(head), `  at ${isoTime(marketData.time)}`, ...bothLines(marketData)]
}

const wrapped = (text: string): readonly string[] => hangingLines('', text, WIDTH, 2)

/** The logs' own lines, which are not broken. */
const bothLines = ({ inProcess, live }: Pick<LineDifference, 'inProcess' | 'live'>): readonly string[] => [
  `  in process  ${printable(inProcess)}`,
  `  live        ${printable(live)}`,
]

const printable = (line: string | undefined): string => (line === undefined ? '(no line)' : escapeControls(line))
