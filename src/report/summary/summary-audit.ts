/** Lines of a summary about its audit. */
import type { AuditJson } from '../../domain/audit.ts'
import { readableDecimal } from '../readable.ts'
import { type SummaryLine, unlabelled } from './summary-line.ts'

const MAX_ASSETS = 3

type AuditRow = AuditJson['assets'][string]

const isBalanced = (row: AuditRow): boolean => row.difference === '0'

/** Unbalanced assets first, then credited ones, then the rest. */
function rank(row: AuditRow): number {
  if (!isBalanced(row)) return 0
  return row.credited === '0' ? 2 : 1
}

/**
 * The audit in words: credited = held + fees. One line per asset; with more than three, the last line sums up the rest.
 */
export function auditLines(audit: AuditJson): SummaryLine[] {
  const rows = Object.entries(audit.assets).toSorted(([, a], [, b]) => rank(a) - rank(b))
  if (rows.length <= MAX_ASSETS) return rows.map(assetLine)
  const shown = rows.slice(0, MAX_ASSETS - 1)
  const left = rows.slice(MAX_ASSETS - 1)
  return [...shown.map(assetLine), restLine(left.map(([, row]) => row))]
}

function assetLine([asset, row]: readonly [string, AuditRow]): SummaryLine {
  const [credited, held, fees] = [row.credited, row.held, row.fees].map((text) => readableDecimal(text))
  if (isBalanced(row)) return unlabelled(`audit ${asset}: credited ${credited} = held ${held} + fees ${fees}`)
  // The difference first: the end of a line may be cut.
  return unlabelled(
    `audit ${asset}: OFF BY ${readableDecimal(row.difference)}: credited ${credited}, held ${held} + fees ${fees}`,
    'bad',
  )
}

function restLine(rows: readonly AuditRow[]): SummaryLine {
  const off = rows.filter((row) => !isBalanced(row)).length
  if (off === 0) return unlabelled(`audit: ${rows.length} more assets, all balanced`)
  return unlabelled(`audit: ${rows.length} more assets, ${off} OFF`, 'bad')
}
