/** The strategies of a portfolio on the page of their wallet. */
import { readableChange, readablePercent, readableSigned } from '../readable.ts'
import { toDecimal } from '../../domain/decimal.ts'
import type { PortfolioPart, RunReport } from '../run/run-report.ts'
import { NONE, ratioText } from './figure-forms.ts'
import type { PageTable } from './page-data.ts'
import { signTone } from './run-tables.ts'

/** Only if capital moved. */
const TRANSFERS: PageTable['columns'][number] = {
  key: 'transfers',
  label: 'Transfers',
  kind: 'number',
  definition: 'Capital that came from the other strategies less what went to them, in the quote asset: no profit',
}

const COLUMNS: PageTable['columns'] = [
  { key: 'strategy', label: 'Strategy', kind: 'text', definition: 'Name, which is also that of its run directory' },
  {
    key: 'profit',
    label: 'Profit',
    kind: 'number',
    definition: 'Final less initial equity and transfers, in the quote asset',
  },
  { key: 'contribution', label: 'Of the wallet', kind: 'number', definition: 'Profit / initial equity of the wallet' },
  {
    key: 'fall',
    label: 'In its worst fall',
    kind: 'number',
    definition: 'Change of its equity in the deepest fall of the wallet between two samples / equity before that fall',
  },
  { key: 'return', label: 'Own return', kind: 'number', definition: 'Profit / its own initial equity' },
  { key: 'drawdown', label: 'Own max drawdown', kind: 'number', definition: '' },
  { key: 'fills', label: 'Fills', kind: 'number', definition: '' },
  { key: 'correlations', label: 'Correlation', kind: 'text', definition: 'Of its returns per period with the others' },
  { key: 'end', label: 'End', kind: 'text', definition: '' },
]

/** Without rows for a run of one strategy. */
export function strategyTable({ strategies = [] }: Pick<RunReport, 'strategies'>): PageTable {
  const changeOf = (share: number | null): string => (share === null ? NONE : readableChange(share))
  const isRebalanced = strategies.some(({ transfers }) => transfers !== undefined)
  const rows = strategies.map((each) => {
    const { name, profit, contribution, drawdownContribution, maxDrawdown, fills, failure } = each
    const correlations = Object.entries(each.correlations).map(
      ([other, value]) => `${other} ${value === null ? NONE : ratioText(value)}`,
    )
    const transferred = isRebalanced ? [netOf(each)] : []
    return {
      cells: [
        name,
        readableSigned(profit),
        changeOf(contribution),
        changeOf(drawdownContribution),
        changeOf(each.return),
        readablePercent(maxDrawdown),
        String(fills),
        correlations.join(', '),
        failure === null ? '' : `failed: ${failure.message}`,
        ...transferred.map(readableSigned),
      ],
      order: [
        ...[null, Number(profit), contribution, drawdownContribution, each.return, maxDrawdown, fills, null, null],
        ...transferred.map(Number),
      ],
      tone: signTone(profit),
    }
  })
  return { columns: isRebalanced ? [...COLUMNS, TRANSFERS] : COLUMNS, rows }
}

const netOf = ({ transfers }: PortfolioPart): string =>
  transfers === undefined ? '0' : toDecimal(transfers.in).minus(transfers.out).toFixed()
