/**
 * Cancels of our own orders, and no others.
 *
 * Invariant: a cancel ends an order only by an answer that says so; without an answer the order stays open. Concurrent
 * cancels of one order share a request.
 */
import { ExchangeError } from '../../../domain/errors.ts'
import type { WireOrder } from '../../../wire/wire-order.ts'
import type { CancelAnswer } from '../rest/service-calls.ts'
import { OVER_BUDGET, refusedHere, type LiveOrderState, type Reply } from './live-order-state.ts'
import type { MutationGate, OnLimit } from '../rest/mutation-queue.ts'
import type { OwnOrder } from './own-orders.ts'

export class Cancels {
  readonly #core: LiveOrderState
  readonly #gate: MutationGate
  /** Reads all orders again, because one differs from its known state. */
  readonly #audit: () => void
  /** Callers that wait for the answer to a cancel, by order id. */
  readonly #repliesById = new Map<string, Reply[]>()

  constructor(core: LiveOrderState, gate: MutationGate, audit: () => void) {
    this.#core = core
    this.#gate = gate
    this.#audit = audit
  }

  get inFlight(): number {
    return this.#repliesById.size
  }

  submit(owner: string, orderId: string, onLimit: OnLimit, reply: Reply): void {
    const own = this.#core.own.find(orderId)
    if (own?.owner !== owner) {
      const isFinished = this.#core.intents.finishedOwner(orderId) === owner
      const outcome = isFinished
        ? refusedHere('ORDER_NOT_CANCELLABLE', `order ${orderId} is finished`)
        : refusedHere('ORDER_NOT_FOUND', 'this session has no such order')
      this.#core.replyLater(reply, outcome)
      return
    }
    const underWay = this.#repliesById.get(orderId)
    if (underWay !== undefined) {
      underWay.push(reply)
      return
    }
    this.#repliesById.set(orderId, [reply])
    this.#gate.submit({
      urgency: 'cancel',
      onLimit,
      refuse: () => {
        for (const each of this.#takeReplies(orderId)) this.#core.replyLater(each, OVER_BUDGET)
      },
      send: () => {
        this.#cancel(own).catch((error: unknown) => {
          this.#core.listener.onError(error)
        })
        return true
      },
    })
  }

  #takeReplies(orderId: string): readonly Reply[] {
    const replies = this.#repliesById.get(orderId) ?? []
    this.#repliesById.delete(orderId)
    return replies
  }

  async #cancel(own: OwnOrder): Promise<void> {
    const { id } = own.order
    const answer = await this.#core.calls.cancel(id)
    const order = answer.type === 'cancelled' ? (answer.order ?? (await this.#read(id))) : undefined
    this.#core.time.enter(() => {
      const replies = this.#takeReplies(id)
      this.#onAnswer(own, answer, order, (outcome) => {
        for (const reply of replies) reply(outcome)
      })
    })
  }

  /** A service may confirm a cancel without the order's remaining quantity. */
  async #read(id: string): Promise<WireOrder | undefined> {
    try {
      return await this.#core.calls.order(id, 'settle')
    } catch (error) {
      if (error instanceof ExchangeError) return undefined
      throw error
    }
  }

  #onAnswer(own: OwnOrder, answer: CancelAnswer, order: WireOrder | undefined, reply: Reply): void {
    if (answer.type === 'cancelled' && order !== undefined) {
      own.order.see(order)
      reply({ type: 'acknowledged', order: own.order.seen })
      this.#core.own.see([order])
      this.#core.listener.onActivity(true)
      // An answer that is older than the cancel shows the order as open.
      if (!own.order.isSeenFinished) this.#audit()
      return
    }
    if (answer.type === 'refused') {
      reply({ type: 'refused', refusal: answer.refusal })
      this.#core.faultOf(answer.refusal.code, answer.refusal.message)
    } else {
      const unreported = 'the cancel was accepted, but the order cannot be read'
      reply({ type: 'unknown', reason: answer.type === 'unknown' ? answer.reason : unreported })
    }
    // Filled or cancelled meanwhile, or unknown: only an answer about the order itself ends it.
    this.#audit()
  }
}
