/** The intent of a placement that is about to be sent. */
import { NOTHING_REPORTED } from '../../../store/state/live/persisted-intent.ts'
import type { Placement } from '../../exchange-adapter.ts'
import type { Intent } from './intent.ts'
import type { KnownOrders } from './known-orders.ts'

export interface Leaving {
  readonly owner: string
  readonly session: string
  readonly placement: Placement
  /** Lots as sent. */
  readonly qty: number
  readonly known: KnownOrders
  /** Unix milliseconds. */
  readonly now: number
}

export function leavingIntent({ owner, session, placement, qty, known, now }: Leaving): Omit<Intent, 'id'> {
  const { request, reference, tag } = placement
  const newest = known.newest(request.symbol)
  // Fields are listed because object spreads cost as much as everything else here, in the path of every order.
  return {
    owner,
    session,
    reference,
    tag,
    symbol: request.symbol,
    side: request.side,
    type: request.type,
    price: request.type === 'LIMIT' ? request.price : undefined,
    qty,
    state: 'SENDING',
    watermark: newest?.id,
    watermarkAt: newest?.createdAt,
    knownCount: known.count,
    orderId: undefined,
    filledQty: 0,
    isFinished: false,
    report: NOTHING_REPORTED,
    sentAt: now,
    changedAt: now,
  }
}
