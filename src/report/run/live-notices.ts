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
    ...(fault === null ? [] : [`The account became unusable before the end: ${fault}`]),
    ...(open === 0 ? [] : [`${readableCount(open, 'order')} of this session ${open === 1 ? 'is' : 'are'} still open.`]),
    ...(ambiguous === 0
      ? []
      : [`The outcome of ${readableCount(ambiguous, 'order')} is unknown: run \`papertape live orders\`.`]),
    ...audit.flatMap(differenceNotice),
    ...(unknown === 0
      ? []
      : [
          `${readableCount(unknown, 'order')} got no answer: the outcome was read from the orders that the service lists.`,
        ]),
    ...(recoveredFills === 0
      ? []
      : [
          `${readableCount(recoveredFills, 'fill')} happened before this session started and had not been reported by an earlier one.`,
        ]),
    ...(unsent === 0
      ? []
      : [
          `${readableCount(unsent, 'request')} ${unsent === 1 ? 'was' : 'were'} still queued at the end and never sent.`,
        ]),
    ...(gaps === 0 ? [] : [`The market data has ${readableCount(gaps, 'gap')} where trades are missing.`]),
  ]
}

/** The account may have other clients and its fees are assumed, so a difference is not an accounting error. */
function differenceNotice(line: AuditLine): readonly string[] {
  const moved = -auditDifference(line)
  if (moved === 0n) return []
  const amount = readableDecimal(formatTrimmed(moved, line.scale))
  return [
    `The balance of ${line.asset} changed by ${amount} without a fill of this session: fees, or another client of the account.`,
  ]
}
