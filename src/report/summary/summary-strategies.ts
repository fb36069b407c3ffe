/** The strategies of a portfolio in the summary of their wallet. */
import { isoTime } from '../../domain/time.ts'
import { readableAmount, readableChange, readableCount, readablePercent, readableSigned } from '../readable.ts'
import type { RunReport, TransfersReport } from '../run/run-report.ts'
import { labelled, type SummaryLine, toneOf } from './summary-line.ts'

/** Replaces the lines of the strategy and its parameters. */
export const portfolioLine = ({ version }: RunReport, count: number): SummaryLine =>
  labelled('portfolio', `${count === 1 ? '1 strategy' : `${count} strategies`} on one wallet (papertape ${version})`)

/** Capital that moved between the strategies of a wallet. */
export const transfersText = ({ count, in: into, out }: TransfersReport, quoteAsset: string): string =>
  `${readableCount(count, 'transfer')}: ${readableAmount(into)} ${quoteAsset} in, ${readableAmount(out)} out`

/** Two lines for each strategy of a portfolio. */
export function strategyLines({ strategies = [], quoteAsset }: RunReport): SummaryLine[] {
  return strategies.flatMap((each): SummaryLine[] => {
    const { name, profit, contribution, return: own, maxDrawdown, orders, fills, failure, transfers } = each
    const share = contribution === null ? '' : ` (${readableChange(contribution)} of the wallet)`
    const rest = [
      `return ${own === null ? 'n/a' : readableChange(own)}`,
      `max drawdown ${readablePercent(maxDrawdown)}`,
      `${readableCount(orders, 'order')}, ${readableCount(fills, 'fill')}`,
    ]
    const moved = transfers === undefined ? [] : [labelled('', transfersText(transfers, quoteAsset))]
    const failed =
      failure === null ? [] : [labelled('', `FAILED at ${isoTime(failure.time)}: ${failure.message}`, 'bad')]
    return [
      labelled('strategy', `${name}: ${readableSigned(profit)} ${quoteAsset}${share}`, toneOf(Number(profit))),
      labelled('', rest.join(', ')),
      ...moved,
      ...failed,
    ]
  })
}
