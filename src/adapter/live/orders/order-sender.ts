/**
 * Sends order creations, each once, and handles their answers: an order, a refusal, or an unknown outcome.
 *
 * Invariant: an intent is on disk before its request is sent.
 */
import type { OrderRequest } from '../../../domain/order.ts'
import { DAY_MS } from '../../../domain/time.ts'
import { NOTHING_REPORTED } from '../../../store/state/live/persisted-intent.ts'
import type { WireOrder } from '../../../wire/wire-order.ts'
import type { Placement } from '../../exchange-adapter.ts'
import { inEvent } from '../live-time.ts'
import type { CreateAnswer } from '../rest/service-calls.ts'
import { fingerprintOf, requestOf } from './fingerprint.ts'
import type { Intent } from './intent.ts'
import type { KnownOrders } from './known-orders.ts'
import type { LiveOrderState, Reply } from './live-order-state.ts'
import type { Reconciler } from './reconciler.ts'
import type { WaitingPlacement } from './send-queue.ts'

/**
 * Makes quantities unique per price among open orders and those of the last day, so that every order has its own
 * fingerprint.
 */
export class UniqueQuantities {
  /** Last use of each, Unix milliseconds. */
  readonly #usedAt = new Map<string, number>()

  readonly #current: () => readonly Intent[]

  /**
   * @param earlier  intents of an earlier session
   * @param current  intents whose order is open or may still appear, of any age
   */
  constructor(earlier: readonly Intent[], current: () => readonly Intent[]) {
    this.#current = current
    for (const intent of earlier) this.#usedAt.set(fingerprintOf(intent), intent.sentAt)
  }

  /** @returns lots, reduced as little as possible; the requested ones if every smaller quantity is in use */
  take(request: OrderRequest, now: number): number {
    const qty = this.#free(request, now)
    this.#usedAt.set(fingerprintOf({ ...request, qty }), now)
    return qty
  }

  #free(request: OrderRequest, now: number): number {
    const current = new Set(this.#current().map(fingerprintOf))
    for (let { qty } = request; qty > 0; qty -= 1) {
      const fingerprint = fingerprintOf({ ...request, qty })
      const usedAt = this.#usedAt.get(fingerprint) ?? Number.NEGATIVE_INFINITY
      if (now >= usedAt + DAY_MS && !current.has(fingerprint)) return qty
    }
    return request.qty
  }
}

interface Leaving {
  readonly owner: string
  readonly session: string
  readonly placement: Placement
  /** Lots as sent. */
  readonly qty: number
  readonly known: KnownOrders
  /** Unix milliseconds. */
  readonly now: number
}

/** The intent of a placement that is about to be sent. */
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

export interface OrderSenderParts {
  readonly core: LiveOrderState
  readonly reconciler: Reconciler
  /** Defined if no two orders may have the same fingerprint. */
  readonly unique: UniqueQuantities | undefined
  /** An answer arrived, so that requests queued after its order may be sent. */
  readonly onAnswered: () => void
}

export class OrderSender {
  readonly #parts: OrderSenderParts
  readonly #core: LiveOrderState
  readonly #sending = new Set<Promise<void>>()

  constructor(parts: OrderSenderParts) {
    this.#parts = parts
    this.#core = parts.core
  }

  /** Creations that were sent and not answered. */
  get inFlight(): number {
    return this.#sending.size
  }

  /** Saves the intent of a request that is about to be sent. */
  writeDown({ owner, placement }: WaitingPlacement): Intent {
    const { intents, known, session, time } = this.#core
    const now = time.now()
    const qty = this.#parts.unique?.take(placement.request, now) ?? placement.request.qty
    return intents.add(leavingIntent({ owner, session, placement, qty, known, now }))
  }

  send(intent: Intent, reply: Reply): void {
    const sending = this.#answerOf(intent, reply)
      .catch((error: unknown) => {
        this.#core.listener.onError(error)
      })
      .then(() => {
        this.#sending.delete(sending)
      })
    this.#sending.add(sending)
  }

  /** Resolves when everything in flight now is answered. */
  async answered(): Promise<void> {
    await Promise.all(this.#sending)
  }

  async #answerOf(intent: Intent, reply: Reply): Promise<void> {
    const answer = await this.#core.calls.create(requestOf(intent))
    await inEvent(this.#core.time, () => {
      this.#onAnswer(intent, answer, reply)
      this.#parts.onAnswered()
    })
  }

  #onAnswer(intent: Intent, answer: CreateAnswer, reply: Reply): void {
    switch (answer.type) {
      case 'created':
        this.#onCreated(intent, answer.order, reply)
        break
      case 'refused':
        this.#core.intents.forget(this.#core.save(intent, { state: 'REFUSED', isFinished: true }))
        reply({ type: 'refused', refusal: answer.refusal })
        this.#core.faultOf(answer.refusal.code, answer.refusal.message)
        break
      case 'unknown':
        this.#onUnknown(intent, answer.reason, reply)
        break
    }
  }

  #onCreated(intent: Intent, order: WireOrder, reply: Reply): void {
    if (this.#core.known.wasAmong(order.id, intent.knownCount) || this.#core.intents.isOwned(order.id)) {
      // An answer with an order that existed before: the outcome must be read from the orders.
      this.#onUnknown(intent, `the service answered with order ${order.id}, which already existed`, reply)
      return
    }
    const own = this.#core.take(intent, order)
    reply({ type: 'acknowledged', order: own.order.seen })
    this.#core.own.reportFirst(own)
    this.#core.listener.onActivity(order.filledQty > 0)
  }

  #onUnknown(intent: Intent, reason: string, reply: Reply): void {
    this.#parts.reconciler.reconcile(this.#core.save(intent, { state: 'UNKNOWN' }))
    reply({ type: 'unknown', reason })
  }
}
