/** Applies decisions about intents without an answer (adopted, absent, or ambiguous), and the operator's decisions. */
import { invariant } from '../../../domain/errors.ts'
import type { WireOrder } from '../../../wire/wire-order.ts'
import { isUnreadableOrder } from '../rest/service-calls.ts'
import { inEvent } from '../live-time.ts'
import type { LiveOrderState } from './live-order-state.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { Intent } from './intent.ts'
import type { Decision } from './reconcile-decision.ts'

const OPEN_TO_SAY: ReadonlySet<Intent['state']> = new Set<Intent['state']>(['AMBIGUOUS', 'QUARANTINED'])

export const ambiguousText = (symbol: string): string =>
  `${symbol} has ambiguous intents: adopt each of them or mark it absent first, see 'papertape live orders'`

export class Reconciliations {
  readonly #core: LiveOrderState
  readonly #onChange: () => void

  /** @param onChange  requests that had to wait may be sent now */
  constructor(core: LiveOrderState, onChange: () => void) {
    this.#core = core
    this.#onChange = onChange
  }

  onDecision(decision: Exclude<Decision, { type: 'wait' }>, intents: readonly Intent[]): void {
    switch (decision.type) {
      case 'adopt':
        for (const { intent, order } of decision.adoptions) {
          if (intent.state === 'QUARANTINED') this.#blockForLateOrder(intent, order)
          this.#core.adopt(intent, order)
        }
        break
      case 'absent':
        for (const intent of intents.filter(({ state }) => state === 'UNKNOWN')) this.#quarantine(intent)
        break
      case 'ambiguous':
        this.#ambiguous(intents, decision.reason)
        break
    }
    this.#onChange()
  }

  /** A late order: it is ours although its intent was assumed absent, so something is slower than assumed. */
  onLateOrder(intents: readonly Intent[], order: WireOrder): void {
    const [oldest] = intents
    const owners = new Set(intents.map(({ owner }) => owner))
    invariant(oldest !== undefined, 'a late order is the order of an intent')
    if (owners.size > 1) this.#ambiguous(intents, `order ${order.id} could belong to ${[...owners].join(' or ')}`)
    else {
      this.#blockForLateOrder(oldest, order)
      this.#core.adopt(oldest, order)
    }
    this.#onChange()
  }

  /**
   * Operator decision: the order belongs to the intent.
   * @throws {ExchangeError} if the order cannot be read
   * @returns an error message; undefined on success
   */
  async adopt(intentId: number, orderId: string): Promise<string | undefined> {
    const order = await this.#core.calls.order(orderId, 'settle')
    return inEvent(this.#core.time, () => this.#adopt(intentId, orderId, order))
  }

  /**
   * Operator decision: the intent has no order, or its order no longer exists.
   * @throws {ExchangeError} if the service cannot be read
   * @returns an error message; undefined on success
   */
  async markAbsent(intentId: number): Promise<string | undefined> {
    const orderId = this.#core.intents.find(intentId)?.orderId
    const isThere = orderId !== undefined && (await this.#isAtService(orderId))
    return inEvent(this.#core.time, () => this.#disown(intentId, orderId, isThere))
  }

  /** Reverts an adoption by the operator: the order, once read, does not match the intent. */
  revertAdoption(intent: Intent, order: WireOrder): void {
    const reason = `order ${order.id} cannot belong to intent ${intent.id}: ${this.#whyNot(intent, order) ?? ''}`
    this.#core.block(intent.symbol, 'AMBIGUOUS', reason)
    this.#core.save(intent, { state: 'AMBIGUOUS', orderId: undefined })
    this.#core.reportSettled(intent, { type: 'ambiguous', reason })
  }

  /** False for an order that differs from the request, or existed before it. */
  isPossible(intent: Intent, order: WireOrder): boolean {
    return this.#whyNot(intent, order) === undefined
  }

  /**
   * Operator decision: resume a market after a late order.
   * @returns an error message; undefined on success
   */
  resume(symbol: string): string | undefined {
    const blocked = this.#core.blockedMarkets.of(symbol)
    if (blocked === undefined) return `${symbol} is not halted`
    if (blocked.why === 'AMBIGUOUS' && this.#isLeft(symbol)) return ambiguousText(symbol)
    this.#core.time.enter(() => {
      // The market may have been blocked for another reason meanwhile.
      if (this.#core.blockedMarkets.of(symbol) === blocked) this.#core.blockedMarkets.unblock(symbol)
      this.#onChange()
    })
    return undefined
  }

  #quarantine(intent: Intent): void {
    this.#core.save(intent, { state: 'QUARANTINED' })
    this.#core.reportSettled(intent, { type: 'absent' })
    this.#core.listener.onWarning(
      `intent ${intent.id} of ${intent.owner} is assumed not to have been executed; if its order appears later, ${intent.symbol} is halted`,
    )
  }

  #ambiguous(intents: readonly Intent[], reason: string): void {
    const [first] = intents
    invariant(first !== undefined, 'what is ambiguous is an intent')
    // Saved before the intents: if the process ends in between, the next one finds the block and reconciles them again.
    this.#core.block(first.symbol, 'AMBIGUOUS', reason)
    for (const intent of intents) {
      if (intent.state === 'AMBIGUOUS') continue
      this.#core.save(intent, { state: 'AMBIGUOUS' })
      this.#core.reportSettled(intent, { type: 'ambiguous', reason })
    }
  }

  #adopt(intentId: number, orderId: string, order: WireOrder | undefined): string | undefined {
    const intent = this.#core.intents.find(intentId)
    if (intent === undefined || !OPEN_TO_SAY.has(intent.state)) return `intent ${intentId} needs no decision`
    if (order === undefined) return `the service has no order ${orderId}`
    if (this.#core.intents.isOwned(orderId)) return `order ${orderId} belongs to another intent`
    const why = this.#whyNot(intent, order)
    if (why !== undefined) return `order ${orderId} cannot belong to intent ${intentId}: ${why}`
    this.#core.adopt(intent, order)
    this.#endAmbiguity(intent.symbol)
    return undefined
  }

  #disown(intentId: number, orderId: string | undefined, isThere: boolean): string | undefined {
    const intent = this.#core.intents.find(intentId)
    const isPlaced = intent?.state === 'PLACED' && intent.orderId === orderId
    if (intent === undefined || !(isPlaced || OPEN_TO_SAY.has(intent.state)))
      return `intent ${intentId} needs no decision`
    if (isPlaced && isThere)
      return `the service still has order ${String(orderId)} of intent ${intentId}: cancel it instead`
    const disowned = this.#core.save(intent, { state: 'DISOWNED', isFinished: true })
    if (orderId !== undefined) this.#core.own.end(orderId, this.#core.time.now())
    this.#core.intents.forget(disowned)
    // A quarantined intent was reported as absent before.
    if (intent.state === 'AMBIGUOUS') this.#core.reportSettled(intent, { type: 'absent' })
    this.#endAmbiguity(intent.symbol)
    return undefined
  }

  /** An order that is not found by its id may still be among the open ones. */
  async #isAtService(orderId: string): Promise<boolean> {
    try {
      if ((await this.#core.calls.order(orderId, 'settle')) !== undefined) return true
    } catch (error) {
      if (isUnreadableOrder(error)) return true
      throw error
    }
    const open = await this.#core.calls.openOrders('settle')
    return open.some(({ id }) => id === orderId)
  }

  #whyNot(intent: Intent, order: WireOrder): string | undefined {
    if (fingerprintOf(order) !== fingerprintOf(intent)) return 'it differs from the request'
    return this.#core.known.wasAmong(order.id, intent.knownCount) ? 'it existed before the request' : undefined
  }

  #blockForLateOrder(intent: Intent, order: WireOrder): void {
    this.#core.block(
      intent.symbol,
      'GHOST',
      `order ${order.id} of intent ${intent.id} appeared after it was assumed not to exist`,
    )
  }

  #endAmbiguity(symbol: string): void {
    if (!this.#isLeft(symbol) && this.#core.blockedMarkets.of(symbol)?.why === 'AMBIGUOUS')
      this.#core.blockedMarkets.unblock(symbol)
    this.#onChange()
  }

  #isLeft(symbol: string): boolean {
    return this.#core.intents.inState('AMBIGUOUS').some((intent) => intent.symbol === symbol)
  }
}
