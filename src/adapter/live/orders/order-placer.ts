/**
 * Places single orders of a program that has no session and no files, each at most once.
 *
 * Invariant: a creation is sent once. If there is no answer, the account's orders are read until they show whether it
 * exists, or until the settle time is over. An order that existed `FRESH_MS` before is never taken for ours.
 * Known limitations: an order that another program places with the same key and equal fields between that moment and
 * the end of the search cannot be distinguished. Intents stay in memory.
 */
import { assertNever, ExchangeError } from '../../../domain/errors.ts'
import type { OrderRequest } from '../../../domain/order.ts'
import type { Refusal, RefusalCode } from '../../../domain/refusal.ts'
import type { WireOrder } from '../../../wire/wire-order.ts'
import type { LiveTime } from '../live-time.ts'
import { CREATE_REFUSALS } from '../rest/answer-meaning.ts'
import type { MutationGate, OnLimit } from '../rest/mutation-queue.ts'
import type { OrderCalls } from '../rest/service-calls.ts'
import { IntentBook } from './intent-book.ts'
import type { Intent } from './intent.ts'
import { KnownOrders } from './known-orders.ts'
import { MemoryIntentStore } from './memory-intent-store.ts'
import { leavingIntent } from './order-sender.ts'
import type { Decision } from './reconcile-decision.ts'
import { Reconciler, type ReconcileTimes } from './reconciler.ts'
import { SymbolBook } from './symbol-book.ts'

export type PlacerOutcome =
  /** `isFound` for an order whose answer was lost, and that was found among the account's orders. */
  | { readonly type: 'placed'; readonly order: WireOrder; readonly isFound: boolean }
  | { readonly type: 'refused'; readonly refusal: Refusal }
  /** It was not sent, or the account's orders did not show it within the settle time. */
  | { readonly type: 'absent'; readonly reason: string }
  | { readonly type: 'unknown'; readonly reason: string }

export interface OrderPlacerParts extends ReconcileTimes {
  readonly calls: Pick<OrderCalls, 'create' | 'orders'>
  readonly gate: MutationGate
  readonly time: LiveTime
  readonly onLimit: OnLimit
  /** A read of the account's orders failed and is retried. */
  readonly onFault: (error: ExchangeError) => void
}

interface Undecided {
  /** Why its outcome is unknown. */
  readonly reason: string
  readonly end: (outcome: PlacerOutcome) => void
  /** An internal error. */
  readonly fail: (error: unknown) => void
}

interface Listing {
  /** Monotonic milliseconds at which it began. */
  readonly at: number
  readonly read: Promise<void>
}

/** Age of a listing of the account's orders after which the next order is not sent before another one. */
const FRESH_MS = 5_000

const OVER_LIMIT: PlacerOutcome = {
  type: 'refused',
  refusal: { code: 'RATE_LIMITED', message: 'the rate limit of the API key is used up' },
}

const closedBefore = (reason: string): string => `${reason}; the client was closed before it was known`

/** Outcome of an order that was not sent, because a read before it failed. */
export function notSent(error: unknown): PlacerOutcome & { readonly type: 'refused' | 'absent' } {
  if (!(error instanceof ExchangeError)) throw error
  const { code, message } = error
  const isRefusal = (CREATE_REFUSALS as ReadonlySet<string>).has(code)
  if (!isRefusal) return { type: 'absent', reason: `it was not sent: ${message}` }
  return { type: 'refused', refusal: { code: code as RefusalCode, message } }
}

export class OrderPlacer {
  readonly #parts: OrderPlacerParts
  readonly #intents: IntentBook
  readonly #known: KnownOrders
  readonly #symbols: SymbolBook
  readonly #reconciler: Reconciler
  readonly #undecidedById = new Map<number, Undecided>()
  readonly #listingBySymbol = new Map<string, Listing>()
  #isClosed = false

  constructor(parts: OrderPlacerParts) {
    const { calls, time, settleMs, holdMs, onFault } = parts
    const store = new MemoryIntentStore()
    const [intents, known] = [new IntentBook(store), new KnownOrders(store)]
    const symbols = new SymbolBook(calls, known, intents, () => undefined)
    this.#parts = parts
    this.#intents = intents
    this.#known = known
    this.#symbols = symbols
    this.#reconciler = new Reconciler({
      ...{ time, intents, known, symbols, settleMs, holdMs },
      onRead: () => undefined,
      onFault: (error) => {
        onFault(error)
        if (!error.isRetryable) this.#giveUp((reason) => `${reason}; ${error.message}`)
      },
      onError: (error) => {
        for (const { fail } of this.#undecidedById.values()) fail(error)
      },
      onDecision: (decision, undecided) => {
        this.#onDecision(decision, undecided)
      },
    })
  }

  async place(request: OrderRequest): Promise<PlacerOutcome> {
    const { calls, time } = this.#parts
    let isAdmitted: boolean
    try {
      await this.#seeOrders(request.symbol)
      isAdmitted = await this.#isAdmitted()
      // It may have waited for the rate limit.
      if (isAdmitted) await this.#seeOrders(request.symbol)
    } catch (error) {
      return notSent(error)
    }
    if (this.#isClosed) return { type: 'absent', reason: 'the client was closed before it was sent' }
    if (!isAdmitted) return OVER_LIMIT
    const placement = { request, reference: 0 }
    const sent = { owner: '', session: '', placement, qty: request.qty, known: this.#known, now: time.now() }
    const intent = this.#intents.add(leavingIntent(sent))
    const answer = await calls.create(request)
    switch (answer.type) {
      case 'created': {
        const { order } = answer
        const isOther = this.#known.wasAmong(order.id, intent.knownCount) || this.#intents.isOwned(order.id)
        if (isOther) return this.#lookFor(intent, `the service answered with order ${order.id}, which already existed`)
        this.#take(intent, order)
        return { type: 'placed', order, isFound: false }
      }
      case 'refused':
        this.#finish(intent, 'REFUSED')
        return answer
      case 'unknown':
        return this.#lookFor(intent, answer.reason)
      default:
        return assertNever(answer)
    }
  }

  /** Ends the search for orders without an answer: their outcomes are unknown. */
  close(): void {
    this.#isClosed = true
    this.#reconciler.close()
    this.#giveUp(closedBefore)
  }

  /**
   * Reads which orders exist, unless that was done a moment ago. The order of two events decides, not a clock: the
   * service's may be off, or virtual.
   */
  async #seeOrders(symbol: string): Promise<void> {
    const now = this.#parts.time.monotonic()
    let listing = this.#listingBySymbol.get(symbol)
    if (listing === undefined || now > listing.at + FRESH_MS) {
      const read = this.#symbols.isReady(symbol) ? this.#seeNewest(symbol) : this.#symbols.prepare(symbol)
      listing = { at: now, read }
      this.#listingBySymbol.set(symbol, listing)
    }
    try {
      await listing.read
    } catch (error) {
      if (this.#listingBySymbol.get(symbol) === listing) this.#listingBySymbol.delete(symbol)
      throw error
    }
  }

  /** One page: orders behind it are older than the newest one, and are no candidates. */
  async #seeNewest(symbol: string): Promise<void> {
    const { orders, unreadable } = await this.#parts.calls.orders({ symbol, limit: 500, page: 1 }, 'settle')
    this.#known.see(orders)
    this.#known.seeIds(unreadable.flatMap(({ id }) => id ?? []))
  }

  #isAdmitted(): Promise<boolean> {
    const { gate, onLimit } = this.#parts
    return new Promise((resolve) => {
      const answered = (isAdmitted: boolean) => (): boolean => {
        resolve(isAdmitted)
        return true
      }
      gate.submit({ urgency: 'entry', onLimit, send: answered(true), refuse: answered(false) })
    })
  }

  #lookFor(intent: Intent, reason: string): Promise<PlacerOutcome> {
    const unknown: Intent = { ...intent, state: 'UNKNOWN' }
    this.#intents.save(unknown)
    if (this.#isClosed) return Promise.resolve({ type: 'unknown', reason: closedBefore(reason) })
    return new Promise((end, fail) => {
      this.#undecidedById.set(intent.id, { reason, end, fail })
      this.#reconciler.reconcile(unknown)
    })
  }

  #onDecision(decision: Exclude<Decision, { readonly type: 'wait' }>, undecided: readonly Intent[]): void {
    switch (decision.type) {
      case 'adopt':
        for (const { intent, order } of decision.adoptions) {
          this.#take(intent, order)
          this.#end(intent, () => ({ type: 'placed', order, isFound: true }))
        }
        break
      case 'absent':
        for (const intent of undecided.filter(({ state }) => state === 'UNKNOWN')) {
          // Its order may still appear, and is then not taken for that of a later request.
          this.#intents.save({ ...intent, state: 'QUARANTINED' })
          this.#end(intent, (reason) => ({ type: 'absent', reason }))
        }
        break
      case 'ambiguous':
        for (const intent of undecided) this.#isAmbiguous(intent, (reason) => `${reason}; ${decision.reason}`)
        break
      default:
        assertNever(decision)
    }
  }

  #giveUp(because: (reason: string) => string): void {
    for (const intent of this.#intents.inState('UNKNOWN')) this.#isAmbiguous(intent, because)
  }

  #isAmbiguous(intent: Intent, because: (reason: string) => string): void {
    this.#intents.save({ ...intent, state: 'AMBIGUOUS' })
    this.#end(intent, (reason) => ({ type: 'unknown', reason: because(reason) }))
  }

  #take(intent: Intent, order: WireOrder): void {
    this.#finish({ ...intent, orderId: order.id }, 'PLACED')
    this.#symbols.absorb([order])
    this.#symbols.explain(order.id)
  }

  #finish(intent: Intent, state: 'PLACED' | 'REFUSED'): void {
    const finished: Intent = { ...intent, state, isFinished: true }
    this.#intents.save(finished)
    this.#intents.forget(finished)
  }

  /** A late order of an intent that was reported as absent has no one waiting. */
  #end({ id }: Intent, outcome: (reason: string) => PlacerOutcome): void {
    const undecided = this.#undecidedById.get(id)
    this.#undecidedById.delete(id)
    undecided?.end(outcome(undecided.reason))
  }
}
