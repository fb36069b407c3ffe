/**
 * Notices on a session on a live exchange, in full sentences, the most important first.
 */
import { auditDifference, type AuditLine } from '../../domain/audit.ts'
import { formatTrimmed } from '../../domain/fixed-point.ts'
import { readableCount, readableDecimal } from '../readable.ts'
import type { LiveReport } from './run-report.ts'

export function liveNotices(live: LiveReport, audit: readonly AuditLine[]): readonly string[] {
  const { openOrders, fault, unknown, ambiguous, recoveredFills = 0, gaps, unsent } = live
  const open = openOrders.length
  return [
    ...(fault === null ? [] : [`The account could not be used to the end: ${fault}`]),
    ...(open === 0 ? [] : [`${readableCount(open, 'order')} of the session ${open === 1 ? 'is' : 'are'} still open.`]),
    ...(ambiguous === 0
      ? []
      : [`Of ${readableCount(ambiguous, 'order creation')} nobody can tell what became: see papertape live orders.`]),
    ...audit.flatMap(differenceNotice),
    ...(unknown === 0
      ? []
      : [`${readableCount(unknown, 'order creation')} had no answer and was settled by what the service lists.`]),
    ...(recoveredFills === 0
      ? []
      : [
          `${readableCount(recoveredFills, 'fill')} happened before the session began, and no earlier session had reported ${recoveredFills === 1 ? 'it' : 'them'}.`,
        ]),
    ...(unsent === 0
      ? []
      : [
          `${readableCount(unsent, 'request')} still waited at the end, and ${unsent === 1 ? 'was' : 'were'} never sent.`,
        ]),
    ...(gaps === 0 ? [] : [`Trades are missing from the market data ${readableCount(gaps, 'time')}.`]),
  ]
}

/** Of an account that is not ours alone, and whose fees are assumed, a difference is no fault of the books. */
function differenceNotice(line: AuditLine): readonly string[] {
  const moved = -auditDifference(line)
  if (moved === 0n) return []
  const amount = readableDecimal(formatTrimmed(moved, line.scale))
  return [
    `The balance of ${line.asset} moved by ${amount} that no fill of ours explains: fees, or another client of the account.`,
  ]
}
