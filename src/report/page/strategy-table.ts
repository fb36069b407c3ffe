/** The strategies of a portfolio on the page of their wallet. */
import { readableChange, readablePercent, readableSigned } from '../readable.ts'
import type { RunReport } from '../run/run-report.ts'
import { NONE, ratioText } from './figure-forms.ts'
import type { PageTable } from './page-data.ts'
import { signTone } from './run-tables.ts'

const COLUMNS: PageTable['columns'] = [
  { key: 'strategy', label: 'Strategy', kind: 'text', definition: 'Name, which is also that of its run directory' },
  { key: 'profit', label: 'Profit', kind: 'number', definition: 'Final less initial equity, in the quote asset' },
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
  const rows = strategies.map((each) => {
    const { name, profit, contribution, drawdownContribution, maxDrawdown, fills, failure } = each
    const correlations = Object.entries(each.correlations).map(
      ([other, value]) => `${other} ${value === null ? NONE : ratioText(value)}`,
    )
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
      ],
      order: [null, Number(profit), contribution, drawdownContribution, each.return, maxDrawdown, fills, null, null],
      tone: signTone(profit),
    }
  })
  return { columns: COLUMNS, rows }
}
