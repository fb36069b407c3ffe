/**
 * Order manager of one account at a service: sends requests and tracks their outcomes, one order per intent.
 *
 * Purpose: an intent is on disk before its request is sent, and is sent once. If there is no answer, its side of the
 * market waits until the outcome is reconciled.
 * Invariants: no request is sent twice, no order belongs to two intents, and foreign orders are never touched.
 * Known limitation: the service takes no ids of clients, so an order is identified by what it asks for.
 * Complexity: linear in the account's unfinished intents per request; finished ones are dropped.
 * Source: docs/live.md.
 */
import { ExchangeError } from '../../../domain/errors.ts'
import type { OrderRequest } from '../../../domain/order.ts'
import type { Refusal } from '../../../domain/refusal.ts'
import type { WireFill } from '../../../wire/wire-trade.ts'
import type { WireOrder } from '../../../wire/wire-order.ts'
import type { Placement, RequestOutcome } from '../../exchange-adapter.ts'
import { isUnreadableOrder } from '../rest/service-calls.ts'
import { Auditor } from './auditor.ts'
import { Cancels } from './cancels.ts'
import {
  type BlockedMarkets,
  type LiveOrderListener,
  LiveOrderState,
  type LiveOrderStateParts,
  OVER_BUDGET,
  refusedHere,
  type Reply,
} from './live-order-state.ts'
import type { IntentBook } from './intent-book.ts'
import type { Intent } from './intent.ts'
import { SendQueue, type WaitingPlacement } from './send-queue.ts'
import type { MutationGate, OnLimit } from '../rest/mutation-queue.ts'
import type { OwnOrder, OwnOrders } from './own-orders.ts'
import { OrderSender, UniqueQuantities } from './order-sender.ts'
import type { EarlierFills } from './reported-fills.ts'
import { Reconciliations } from './reconciliations.ts'
import { Reconciler, type ReconcileTimes } from './reconciler.ts'

export interface LiveOrderManagerParts extends LiveOrderStateParts, ReconcileTimes {
  readonly gate: MutationGate
  /** Milliseconds for which an order that was assumed absent may still appear. */
  readonly quarantineMs: number
  /** Why an order may not be sent now; default: it may. */
  readonly refusal?: ((owner: string, request: OrderRequest) => Refusal | undefined) | undefined
  /** Whether quantities are reduced by some lots so that no two orders have the same fingerprint. */
  readonly isUnique: boolean
}

/** Interval between two checks of undecided intents, milliseconds. */
const LOOK_MS = 100

export class LiveOrderManager {
  readonly auditor: Auditor
  readonly reconciliations: Reconciliations
  readonly #core: LiveOrderState
  readonly #gate: MutationGate
  readonly #refusal: LiveOrderManagerParts['refusal']
  readonly #reconciler: Reconciler
  readonly #sendQueue: SendQueue
  readonly #cancels: Cancels
  readonly #sender: OrderSender
  readonly #onLimitByOwner = new Map<string, OnLimit>()
  #placed = 0
  #isClosed = false
  /** Requests that left their send queue and wait for budget. */
  readonly #atGate = new Set<WaitingPlacement>()
  /** The request that its caller has just checked. */
  #justPlaced: WaitingPlacement | undefined

  constructor(parts: LiveOrderManagerParts) {
    const { time, calls, listener, settleMs, holdMs, quarantineMs } = parts
    const core = new LiveOrderState(parts)
    this.#core = core
    this.#gate = parts.gate
    this.#refusal = parts.refusal
    this.reconciliations = new Reconciliations(core, this.#onAnswered)
    const { intents, known, symbols, own } = core
    const reads = readsOf(listener)
    this.#reconciler = new Reconciler({
      ...{ time, intents, known, symbols, settleMs, holdMs },
      onError: (error) => {
        listener.onError(error)
      },
      ...reads,
      onDecision: (decision, undecided) => {
        this.reconciliations.onDecision(decision, undecided)
      },
    })
    this.auditor = new Auditor({
      ...{ time, calls, intents, own, symbols, quarantineMs },
      onLateOrder: (given, order) => {
        this.reconciliations.onLateOrder(given, order)
      },
      onForeign: (order) => {
        listener.onWarning(
          `order ${order.id} of ${order.symbol} was placed by another program on this account; it is left alone`,
        )
      },
      onWarning: (text) => {
        listener.onWarning(text)
      },
      ...reads,
    })
    this.#sendQueue = new SendQueue(intents, (symbol) => symbols.isReady(symbol))
    this.#cancels = new Cancels(core, parts.gate, () => {
      this.#audit()
    })
    this.#sender = new OrderSender({
      core,
      reconciler: this.#reconciler,
      unique: parts.isUnique ? new UniqueQuantities(parts.store.intents(), () => intents.all) : undefined,
      onAnswered: this.#onAnswered,
    })
  }

  get own(): OwnOrders {
    return this.#core.own
  }

  get intents(): IntentBook {
    return this.#core.intents
  }

  get blockedMarkets(): BlockedMarkets {
    return this.#core.blockedMarkets
  }

  /** The service's user id of the account, once one of its orders was seen. */
  get userId(): string | undefined {
    return this.#core.userId
  }

  /** Requests that were neither answered nor refused. */
  get underWay(): number {
    return this.#sender.inFlight + this.#cancels.inFlight + this.#sendQueue.waiting + this.#atGate.size
  }

  /** Creations that were sent and not answered: each may be an open order. */
  get inFlight(): number {
    return this.#sender.inFlight
  }

  addOwner(owner: string, onLimit: OnLimit): void {
    this.#onLimitByOwner.set(owner, onLimit)
  }

  /**
   * Reads the orders of markets, and reconciles intents of earlier sessions without an answer.
   * @throws {ExchangeError} if they cannot be read
   */
  async begin(symbols: readonly string[]): Promise<void> {
    const { intents } = this.#core
    await this.#checkAccount()
    // The answer to a request in flight at the end of the last process is lost.
    for (const intent of intents.inState('SENDING')) this.#core.save(intent, { state: 'UNKNOWN' })
    const left = intents.inState('UNKNOWN', 'QUARANTINED', 'AMBIGUOUS').map(({ symbol }) => symbol)
    for (const symbol of new Set([...symbols, ...left])) {
      if (this.#core.hasMarket(symbol)) await this.#core.symbols.prepare(symbol)
    }
    for (const intent of intents.inState('UNKNOWN')) this.#reconciler.reconcile(intent)
    await this.#reconciler.idle()
  }

  /** Sends one order creation, once, when it reaches the head of its queue. */
  place(owner: string, placement: Placement, reply: Reply): void {
    const { symbol } = placement.request
    if (!this.#core.hasMarket(symbol)) {
      this.#core.replyLater(reply, refusedHere('MARKET_NOT_FOUND', `no market '${symbol}'`))
      return
    }
    this.#placed += 1
    const waiting = { owner, placement, reply, turn: this.#placed }
    this.#sendQueue.push(waiting)
    if (!this.#core.symbols.isReady(symbol)) this.#prepare(symbol)
    this.#justPlaced = waiting
    this.#advance()
    this.#justPlaced = undefined
  }

  /** Cancels an order of that owner. */
  cancel(owner: string, orderId: string, reply: Reply): void {
    this.#cancels.submit(owner, orderId, this.#onLimitOf(owner), reply)
  }

  /** Refuses requests that wait in a send queue or for budget. The owner's cancels wait for budget from now on. */
  dropWaiting(owner: string): void {
    this.#onLimitByOwner.set(owner, 'wait')
    const isOfOwner = (each: WaitingPlacement): boolean => each.owner === owner
    const atGate = [...this.#atGate].filter(isOfOwner)
    for (const waiting of atGate) this.#leaveGate(waiting)
    for (const { reply } of [...atGate, ...this.#sendQueue.remove(isOfOwner)]) {
      this.#core.replyLater(reply, refusedHere('ORDER_REJECTED', 'the session ends'))
    }
    this.#advanceLater()
  }

  /** Restores an open order of an earlier session to its owner. */
  recover(intent: Intent, order: WireOrder, fills: readonly WireFill[]): OwnOrder {
    return this.#core.recover(intent, order, fills)
  }

  /** Saves which fills of an owner's orders are in its files. */
  saveReports(owner: string): void {
    this.#core.saveReports(owner)
  }

  /** Adds fills from the files of earlier sessions, which a killed process could not record. */
  takeReported(fills: EarlierFills): void {
    for (const [orderId, rows] of fills) this.#core.addReported(orderId, rows)
  }

  /** Resolves when every sent request is answered and no outcome is unknown. */
  async settled(): Promise<void> {
    do {
      await this.#sender.answered()
      await this.#reconciler.idle()
    } while (this.#sender.inFlight > 0)
  }

  /** Resolves when none of the owner's order creations has an unknown outcome. */
  async settledOf(owner: string): Promise<void> {
    const isUndecided = (intent: Intent): boolean => intent.owner === owner
    while (!this.#isClosed && this.intents.inState('SENDING', 'UNKNOWN').some(isUndecided)) {
      await new Promise<void>((resolve) => this.#core.time.after(LOOK_MS, resolve))
    }
  }

  close(): void {
    this.#isClosed = true
    this.#reconciler.close()
  }

  /** Guards against a state directory of another account: reused ids would mask its orders. */
  async #checkAccount(): Promise<void> {
    const { last } = this.#core.known
    if (last === undefined || (await this.#isAtService(last))) return
    const why = `the service does not know order ${last} of an earlier session: this is another account, or it was reset`
    throw new ExchangeError('OTHER_ACCOUNT', `${why}; pass another state directory with --state`)
  }

  async #isAtService(orderId: string): Promise<boolean> {
    try {
      return (await this.#core.calls.order(orderId, 'settle')) !== undefined
    } catch (error) {
      if (isUnreadableOrder(error)) return true
      throw error
    }
  }

  #prepare(symbol: string): void {
    this.#core.symbols
      .prepare(symbol)
      .then(() => {
        this.#core.listener.onRead('prepare')
        this.#core.time.enter(() => {
          this.#advance()
        })
      })
      .catch((error: unknown) => {
        this.#refuseUnprepared(symbol, error)
      })
  }

  /** A market whose orders could not be read takes none of ours: later orders could not be distinguished from those. */
  #refuseUnprepared(symbol: string, error: unknown): void {
    if (!(error instanceof ExchangeError)) {
      this.#core.listener.onError(error)
      return
    }
    this.#core.time.enter(() => {
      for (const { reply } of this.#sendQueue.remove(isOf(symbol))) {
        reply(refusedHere('ORDER_REJECTED', `the orders of ${symbol} cannot be read: ${error.message}`))
      }
      this.#core.listener.onFault(error, 'prepare')
    })
  }

  /** A market order ends by a read that begins now. */
  readonly #onAnswered = (): void => {
    this.#advance()
    if (this.own.hasOpenMarket) this.#audit()
  }

  /** Sends what may be sent, and refuses requests in blocked markets. */
  readonly #advance = (): void => {
    for (const { symbol, reason } of this.#core.blockedMarkets.all) {
      for (const { reply } of this.#sendQueue.remove(isOf(symbol))) {
        this.#core.replyLater(reply, refusedHere('ORDER_REJECTED', `${symbol} is halted: ${reason}`))
      }
    }
    for (const waiting of this.#sendQueue.take()) this.#submit(waiting)
  }

  #advanceLater(): void {
    this.#core.time.after(0, this.#advance)
  }

  /** Another request of the same fingerprint may take its place. */
  #leaveGate(waiting: WaitingPlacement): void {
    this.#atGate.delete(waiting)
    this.#sendQueue.left(waiting)
  }

  #submit(waiting: WaitingPlacement): void {
    this.#atGate.add(waiting)
    this.#gate.submit({
      urgency: waiting.placement.isExit === true ? 'exit' : 'entry',
      onLimit: this.#onLimitOf(waiting.owner),
      refuse: () => {
        if (this.#atGate.has(waiting)) this.#refuse(waiting, OVER_BUDGET)
      },
      send: () => this.#sendUnlessBlocked(waiting),
    })
  }

  /** While it waited for budget, another may have ended without an answer. @returns whether it was sent */
  #sendUnlessBlocked(waiting: WaitingPlacement): boolean {
    if (!this.#atGate.has(waiting)) return false
    const refusal = waiting === this.#justPlaced ? undefined : waiting.placement.lastLook?.()
    if (refusal !== undefined) return this.#refuse(waiting, { type: 'refused', refusal, by: 'risk' })
    const isBlocked = this.#core.blockedMarkets.of(waiting.placement.request.symbol) !== undefined
    if (!isBlocked && this.#sendQueue.mayStillSend(waiting)) {
      const unpaid = this.#refusal?.(waiting.owner, waiting.placement.request)
      if (unpaid !== undefined) return this.#refuse(waiting, { type: 'refused', refusal: unpaid, by: 'book' })
      this.#atGate.delete(waiting)
      this.#send(waiting)
      return true
    }
    this.#atGate.delete(waiting)
    this.#sendQueue.putBack(waiting)
    if (isBlocked) this.#advance()
    return false
  }

  /** @returns that it was not sent */
  #refuse(waiting: WaitingPlacement, outcome: RequestOutcome): false {
    this.#leaveGate(waiting)
    this.#core.replyLater(waiting.reply, outcome)
    this.#advanceLater()
    return false
  }

  #send(waiting: WaitingPlacement): void {
    const intent = this.#sender.writeDown(waiting)
    this.#sendQueue.left(waiting)
    this.#sender.send(intent, waiting.reply)
  }

  #audit(): void {
    this.auditor.audit().catch((error: unknown) => {
      this.#core.listener.onError(error)
    })
    this.#core.listener.onActivity(true)
  }

  #onLimitOf(owner: string): OnLimit {
    return this.#onLimitByOwner.get(owner) ?? 'wait'
  }
}

/** Wrapped, because methods of a listener need their `this`. */
const readsOf = (listener: LiveOrderListener): Pick<LiveOrderListener, 'onFault' | 'onRead'> => ({
  onFault: (error, kind) => {
    listener.onFault(error, kind)
  },
  onRead: (kind) => {
    listener.onRead(kind)
  },
})

const isOf =
  (symbol: string) =>
  ({ placement }: WaitingPlacement): boolean =>
    placement.request.symbol === symbol
