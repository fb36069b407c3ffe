/**
 * A limit order that is given up at a time.
 */
import type { RequestOutcome } from '../../../adapter/exchange-adapter.ts'
import type { OrderListener } from '../followed-orders.ts'

/** A cancel that could not be sent is tried again after this. */
const AGAIN_MS = 1_000

export interface ExpiryParts {
  readonly now: () => number
  readonly after: (delayMs: number, action: () => void) => void
  readonly cancel: (orderId: string, reply: (outcome: RequestOutcome) => void) => void
}

/** @param expires  Unix milliseconds */
export function expiring(expires: number, { now, after, cancel }: ExpiryParts): OrderListener {
  const order: { id?: string; isOver: boolean; isDue: boolean } = { isOver: false, isDue: false }
  const giveUp = (): void => {
    if (order.id === undefined || order.isOver) return
    cancel(order.id, (outcome) => {
      if (outcome.type !== 'acknowledged') after(AGAIN_MS, giveUp)
    })
  }
  after(Math.max(0, expires - now()), () => {
    order.isDue = true
    giveUp()
  })
  return {
    onTaken: ({ id }) => {
      order.id = id
      if (order.isDue) giveUp()
    },
    onRefused: () => void (order.isOver = true),
    onEnd: () => void (order.isOver = true),
  }
}
