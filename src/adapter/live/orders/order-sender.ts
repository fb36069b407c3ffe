/**
 * Sends order creations, each once, and handles their answers: an order, a refusal, or an unknown outcome.
 *
 * Invariant: an intent is on disk before its request is sent.
 */
import type { WireOrder } from '../../../wire/wire-order.ts'
import { inEvent } from '../in-event.ts'
import type { CreateAnswer } from '../rest/service-calls.ts'
import type { LiveOrderState, Reply } from './live-order-state.ts'
import { requestOf } from './fingerprint.ts'
import type { Intent } from './intent.ts'
import type { WaitingPlacement } from './send-queue.ts'
import { leavingIntent } from './leaving-intent.ts'
import type { Reconciler } from './reconciler.ts'
import type { UniqueQuantities } from './unique-quantities.ts'

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
    this.#core.own.tellFirst(own)
    this.#core.listener.onActivity(order.filledQty > 0)
  }

  #onUnknown(intent: Intent, reason: string, reply: Reply): void {
    this.#parts.reconciler.reconcile(this.#core.save(intent, { state: 'UNKNOWN' }))
    reply({ type: 'unknown', reason })
  }
}
