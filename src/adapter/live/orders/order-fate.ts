/**
 * The fate of an earlier session's order creation, as far as this one knows.
 *
 * A request without an intent was never sent: an intent is on disk before its request is sent.
 */
import { decimalOf, type Decimal } from '../../../domain/decimal.ts'
import type { Market } from '../../../domain/market.ts'
import type { PersistedLink } from '../../../store/state/live/persisted-conditional.ts'
import type { Intent } from './intent.ts'
import type { OwnOrders } from './own-orders.ts'

export type OrderFate =
  /** Its fills up to `filled` are reported; later ones are reported like those of any order. */
  | { readonly type: 'open'; readonly orderId: string; readonly filled: Decimal }
  /** It is final. */
  | { readonly type: 'over'; readonly orderId: string; readonly filled: Decimal }
  /** It was never sent. */
  | { readonly type: 'unsent' }
  /** It was refused, or is assumed not to have been executed. */
  | { readonly type: 'absent' }
  /** An operator must decide. */
  | { readonly type: 'unknown' }

export interface FateParts {
  readonly markets: readonly Market[]
  readonly own: Pick<OwnOrders, 'find'>
  readonly intentOf: (owner: string, link: PersistedLink) => Intent | undefined
}

const ABSENT: readonly Intent['state'][] = ['REFUSED', 'QUARANTINED', 'DISOWNED']

export function orderFate({ markets, own, intentOf }: FateParts, owner: string, link: PersistedLink): OrderFate {
  const intent = intentOf(owner, link)
  if (intent === undefined) return { type: 'unsent' }
  const { orderId, state, isFinished, symbol } = intent
  if (orderId === undefined) return { type: ABSENT.includes(state) ? 'absent' : 'unknown' }
  const lots = own.find(orderId)?.order.filledQty
  const precision = markets.find((market) => market.symbol === symbol)?.qtyPrecision
  if (precision === undefined || (lots === undefined && !isFinished)) return { type: 'unknown' }
  const filled = decimalOf(lots ?? intent.filledQty, precision)
  return { type: lots === undefined ? 'over' : 'open', orderId, filled }
}
