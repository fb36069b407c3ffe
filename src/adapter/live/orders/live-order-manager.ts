/**
 * The orders of one account at a service: one order an intent, whatever becomes of the answers.
 *
 * An intent is on disk before its request leaves, and is sent once. Without an answer its side of the market waits
 * until it is known what became of it. See docs/live.md. Invariant: no request is sent twice, no order belongs to two
 * intents, and no order of a stranger is touched.
 */
import { ExchangeError } from '../../../domain/errors.ts'
import type { WireFill } from '../../../wire/wire-trade.ts'
import type { WireOrder } from '../../../wire/wire-order.ts'
import type { Placement } from '../../exchange-adapter.ts'
import { isUnreadableOrder } from '../rest/service-calls.ts'
import { Auditor } from './auditor.ts'
import { Cancels } from './cancels.ts'
import {
  LiveOrderState,
  OVER_BUDGET,
  refusedHere,
  type LiveOrderStateParts,
  type LiveOrderListener,
  type Reply,
} from './live-order-state.ts'
import type { HaltBook } from './halt-book.ts'
import type { IntentBook } from './intent-book.ts'
import type { Intent } from './intent.ts'
import { SendQueue, type WaitingPlacement } from './send-queue.ts'
import type { MutationGate, OnLimit } from '../rest/mutation-gate.ts'
import type { OwnOrder, OwnOrders } from './own-orders.ts'
import { OrderSender } from './order-sender.ts'
import type { EarlierFills } from './reported-fills.ts'
import { Reconciliations } from './reconciliations.ts'
import { Reconciler, type ReconcileTimes } from './reconciler.ts'
import { UniqueQuantities } from './unique-quantities.ts'

export interface LiveOrderManagerParts extends LiveOrderStateParts, ReconcileTimes {
  readonly gate: MutationGate
  /** Milliseconds for which an order that was given up may still come. */
  readonly quarantineMs: number
  /** Whether quantities are made smaller by some lots so that no two orders look alike. */
  readonly isUnique: boolean
}

/** Between two looks at what is undecided, milliseconds. */
const LOOK_MS = 100

export class LiveOrderManager {
  readonly auditor: Auditor
  readonly reconciliations: Reconciliations
  readonly #core: LiveOrderState
  readonly #gate: MutationGate
  readonly #reconciler: Reconciler
  readonly #sendQueue: SendQueue
  readonly #cancels: Cancels
  readonly #sender: OrderSender
  readonly #onLimitByOwner = new Map<string, OnLimit>()
  #placed = 0
  #isClosed = false
  /** Behind their lane, and not sent yet for want of budget. */
  readonly #atGate = new Set<WaitingPlacement>()
  /** Looked at a moment ago by whoever placed it. */
  #justPlaced: WaitingPlacement | undefined

  constructor(parts: LiveOrderManagerParts) {
    const { time, calls, listener, settleMs, holdMs, quarantineMs } = parts
    const core = new LiveOrderState(parts)
    this.#core = core
    this.#gate = parts.gate
    this.reconciliations = new Reconciliations(core, () => {
      this.#onAnswered()
    })
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
      onGhost: (given, order) => {
        this.reconciliations.onGhost(given, order)
      },
      onStranger: (order) => {
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
      onAnswered: () => {
        this.#onAnswered()
      },
    })
  }

  get own(): OwnOrders {
    return this.#core.own
  }

  get intents(): IntentBook {
    return this.#core.intents
  }

  get halts(): HaltBook {
    return this.#core.halts
  }

  /** The account's own name at the service, once an order of it was seen. */
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
   * Learns the orders of markets, and settles what an earlier session left without an answer.
   *
   * @throws {ExchangeError} when they cannot be read
   */
  async begin(symbols: readonly string[]): Promise<void> {
    const { intents } = this.#core
    await this.#checkAccount()
    // Nobody hears the answer of what was being sent when the process ended.
    for (const intent of intents.inState('SENDING')) this.#core.save(intent, { state: 'UNKNOWN' })
    const left = intents.inState('UNKNOWN', 'QUARANTINED', 'AMBIGUOUS').map(({ symbol }) => symbol)
    for (const symbol of new Set([...symbols, ...left])) {
      if (this.#core.hasMarket(symbol)) await this.#core.symbols.prepare(symbol)
    }
    for (const intent of intents.inState('UNKNOWN')) this.#reconciler.reconcile(intent)
    await this.#reconciler.idle()
  }

  /** Sends one order creation, once, when its turn comes. */
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

  /** Cancels an order of the owner's; of no other. */
  cancel(owner: string, orderId: string, reply: Reply): void {
    this.#cancels.submit(owner, orderId, this.#onLimitOf(owner), reply)
  }

  /**
   * Refuses what waits and was not sent, for its lane or for the budget. Its cancels wait for the budget from now on.
   */
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

  /** Takes an open order of an earlier session as its owner's again. */
  recover(intent: Intent, order: WireOrder, fills: readonly WireFill[]): OwnOrder {
    return this.#core.recover(intent, order, fills)
  }

  /** Puts down which fills of an owner's orders are in its files. */
  saveReports(owner: string): void {
    this.#core.saveReports(owner)
  }

  /** Takes what the files of earlier sessions hold, which a process that was killed could not put down. */
  takeReported(fills: EarlierFills): void {
    for (const [orderId, rows] of fills) this.#core.addReported(orderId, rows)
  }

  /** Resolves when every request that was sent is answered, and no outcome is unknown. */
  async settled(): Promise<void> {
    do {
      await this.#sender.answered()
      await this.#reconciler.idle()
    } while (this.#sender.inFlight > 0)
  }

  /** Resolves when no outcome of the owner's order creations is unknown; those of others are theirs to wait for. */
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

  /** Ids that another account uses again would hide its orders from us. */
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

  /** A market of whose orders nothing is known takes none of ours: what came later could not be told from them. */
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
  #onAnswered(): void {
    this.#advance()
    if (this.own.hasOpenMarket) this.#audit()
  }

  /** Lets go what may go, and refuses what a halt keeps. */
  #advance(): void {
    for (const { symbol, reason } of this.#core.halts.all) {
      for (const { reply } of this.#sendQueue.remove(isOf(symbol))) {
        this.#core.replyLater(reply, refusedHere('ORDER_REJECTED', `${symbol} is halted: ${reason}`))
      }
    }
    for (const waiting of this.#sendQueue.take()) this.#submit(waiting)
  }

  #advanceLater(): void {
    this.#core.time.after(0, () => {
      this.#advance()
    })
  }

  /** Another of its fingerprint may go in its place. */
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
        if (!this.#atGate.has(waiting)) return
        this.#leaveGate(waiting)
        this.#core.replyLater(waiting.reply, OVER_BUDGET)
        this.#advanceLater()
      },
      send: () => this.#sendUnlessBlocked(waiting),
    })
  }

  /** While it waited for the budget, another may have ended without an answer. @returns whether it was sent */
  #sendUnlessBlocked(waiting: WaitingPlacement): boolean {
    if (!this.#atGate.has(waiting)) return false
    const refusal = waiting === this.#justPlaced ? undefined : waiting.placement.lastLook?.()
    if (refusal !== undefined) {
      this.#leaveGate(waiting)
      this.#core.replyLater(waiting.reply, { type: 'refused', refusal, by: 'risk' })
      this.#advanceLater()
      return false
    }
    this.#atGate.delete(waiting)
    const isHalted = this.#core.halts.of(waiting.placement.request.symbol) !== undefined
    if (!isHalted && this.#sendQueue.mayStillSend(waiting)) {
      this.#send(waiting)
      return true
    }
    this.#sendQueue.putBack(waiting)
    if (isHalted) this.#advance()
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

/** Not bound: a listener may be any object. */
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
