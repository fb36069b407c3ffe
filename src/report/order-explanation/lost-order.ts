/**
 * Orders of a live exchange whose answer was lost, and what became of them.
 *
 * Invariant: an assumption is marked as one.
 */
import { assertNever } from '../../domain/errors.ts'
import { isOpen } from '../../domain/order.ts'
import type { LineOf } from '../../runtime/journal/journal-line.ts'
import type { OrderHistory, SettlementLine } from './order-history.ts'
import { fillsText, isZero, qtyText, sumText } from './order-text.ts'
import { readableDuration } from '../readable.ts'

/** An order as reported by its answer or a later look-up. */
type Reported = LineOf<'acknowledged'> | LineOf<'adopted'>

export function lostVerdict(history: OrderHistory, { t, reason }: LineOf<'unknown'>): string {
  const last = history.settlements.at(-1)
  const lost = `its answer was lost (${reason})`
  if (last === undefined) return `unknown whether it reached the exchange: ${reason}`
  const waited = readableDuration(last.t - t)
  const { type } = last
  switch (type) {
    case 'adopted': {
      const isLate = history.settlements.some((line) => line.type === 'absent')
      const late = isLate ? ' (it had been assumed not executed)' : ''
      return `${liveVerdict(history, last)}; ${lost}, and it was found ${waited} later${late}`
    }
    case 'absent':
      return `assumed not executed: ${lost}, and ${waited} later the exchange did not have it`
    case 'ambiguous':
      return `unknown which order of the exchange it is: ${lost}, and ${last.reason}`
    default:
      return assertNever(type)
  }
}

/** The outcome of an order, from its last known state. */
export function liveVerdict(history: OrderHistory, reported: Reported): string {
  const { fills, lastAt = reported.t } = history
  const order = history.last ?? reported.order
  const filled = sumText(fills.map(({ qty }) => qty))
  const waited = readableDuration(Math.max(0, lastAt - history.asked.t))
  if (order.status === 'FILLED') {
    return fills.length === 0
      ? `filled after ${waited}: ${qtyText(order.filledQty)}`
      : `filled after ${waited}: ${fillsText(history, fills, order.averagePrice)}`
  }
  const outcome = isZero(filled) ? 'not filled' : `partly filled, ${filled} of ${qtyText(order.qty)}`
  return isOpen(order.status)
    ? `${outcome}: still open ${history.isEnded ? 'when the session ended' : 'at the end of the journal'}`
    : `${outcome}: cancelled after ${waited}`
}

/** The result of looking for an order whose answer was lost. */
export function settlementText(line: SettlementLine): string {
  const { type } = line
  switch (type) {
    case 'adopted':
      return `found as order ${line.order.id}, ${line.order.status}`
    case 'absent':
      return 'not found, so assumed not executed'
    case 'ambiguous':
      return `ambiguous: ${line.reason}`
    default:
      return assertNever(type)
  }
}
