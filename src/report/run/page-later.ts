/** A long run has no page until `papertape report` makes it: a second for each 20,000 of its orders and fills. */
import type { RunReport } from './run-report.ts'

const MAX_ROWS = 20_000

/** Whether a run has too many orders and fills for a page that is made at its end. */
export const hasPageLater = ({ orders, fills }: Pick<RunReport, 'orders' | 'fills'>): boolean =>
  orders + fills > MAX_ROWS
