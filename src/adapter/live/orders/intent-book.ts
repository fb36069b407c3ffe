/**
 * Active intents, in memory and in the store: those whose order is unknown, and those whose order may still change.
 *
 * Invariant: a change is in the store before it is here.
 * Known limitation: id and owner of every order of ours stay in memory until the process ends (after a start, those of
 * the last week): listings, public trades and late cancels may refer to orders that finished long ago, which must not
 * be taken for foreign or adopted again.
 */
import { invariant } from '../../../domain/errors.ts'
import type { Side } from '../../../domain/order.ts'
import { LotBook } from '../../../store/state/live/session-lots.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { Intent, IntentState, IntentStore } from './intent.ts'

/** States in which it is unknown whether there is an order. */
const UNDECIDED: ReadonlySet<IntentState> = new Set<IntentState>(['UNKNOWN', 'QUARANTINED', 'AMBIGUOUS'])
/** States in which a request of the fingerprint may be in flight. */
const IN_FLIGHT: ReadonlySet<IntentState> = new Set<IntentState>(['SENDING', 'UNKNOWN'])

export class IntentBook {
  /** Lots that all intents bought and sold, including dropped ones. */
  readonly lots: LotBook
  readonly #store: IntentStore
  readonly #intentsById = new Map<number, Intent>()
  readonly #idsByOrder = new Map<string, number>()
  readonly #ownersById = new Map<number, string>()
  #nextId: number

  constructor(store: IntentStore) {
    this.#store = store
    this.#nextId = store.nextId
    this.lots = new LotBook(store.droppedLots)
    for (const intent of store.intents()) {
      this.#index(intent)
      if (intent.isFinished) this.forget(intent)
    }
  }

  /** Saves a new intent. */
  add(parts: Omit<Intent, 'id'>): Intent {
    const intent = { id: this.#nextId, ...parts }
    this.#nextId += 1
    this.save(intent)
    return intent
  }

  save(intent: Intent): void {
    this.#store.save(intent)
    this.#index(intent)
  }

  find(id: number): Intent | undefined {
    return this.#intentsById.get(id)
  }

  get(id: number): Intent {
    const intent = this.#intentsById.get(id)
    invariant(intent !== undefined, `no intent ${id}`)
    return intent
  }

  /** Oldest first. */
  get all(): readonly Intent[] {
    return [...this.#intentsById.values()]
  }

  inState(...states: readonly IntentState[]): readonly Intent[] {
    return this.all.filter(({ state }) => states.includes(state))
  }

  /** True for the order of an intent, finished or not. */
  isOwned(orderId: string): boolean {
    return this.#idsByOrder.has(orderId)
  }

  /** Owner of a finished order; undefined if it is not finished, or not ours. */
  finishedOwner(orderId: string): string | undefined {
    const id = this.#idsByOrder.get(orderId)
    return id === undefined || this.#intentsById.has(id) ? undefined : this.#ownersById.get(id)
  }

  /** Intents of a fingerprint for which it is unknown whether there is an order, oldest first. */
  undecided(fingerprint: string): readonly Intent[] {
    return this.all.filter((intent) => UNDECIDED.has(intent.state) && fingerprintOf(intent) === fingerprint)
  }

  /** True while a request of the fingerprint is or may be in flight. */
  isInFlight(fingerprint: string): boolean {
    return this.all.some((intent) => IN_FLIGHT.has(intent.state) && fingerprintOf(intent) === fingerprint)
  }

  /** True while the outcome of a request on that side of the market is unknown. */
  isBlocked(symbol: string, side: Side): boolean {
    return this.all.some((intent) => intent.state === 'UNKNOWN' && intent.symbol === symbol && intent.side === side)
  }

  /** Drops a completed intent from memory. */
  forget({ id }: Intent): void {
    this.#intentsById.delete(id)
  }

  #index(intent: Intent): void {
    const before = this.#intentsById.get(intent.id)?.orderId
    if (before !== undefined && before !== intent.orderId) this.#idsByOrder.delete(before)
    this.#intentsById.set(intent.id, intent)
    this.lots.count(intent)
    if (intent.orderId === undefined) return
    this.#idsByOrder.set(intent.orderId, intent.id)
    this.#ownersById.set(intent.id, intent.owner)
  }
}
