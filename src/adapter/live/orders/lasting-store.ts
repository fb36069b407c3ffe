/**
 * Store of an account that survives disk failures while orders are open.
 *
 * Invariant: an intent that cannot be written is not sent. Changes that follow from answers apply in memory even if
 * writing fails, and the failure is reported: the next start reads them from the service again.
 */
import { DiskError } from '../../../domain/errors.ts'
import type { BlockedMarket } from '../../../store/state/live/persisted-intent.ts'
import type { Intent, IntentStore } from './intent.ts'

export class LastingStore implements IntentStore {
  readonly #store: IntentStore
  readonly #onError: (error: DiskError) => void
  #isBehind = false

  constructor(store: IntentStore, onError: (error: DiskError) => void) {
    this.#store = store
    this.#onError = onError
  }

  /** A write failed: the session files must not be marked as reported, and the next start has to read them back. */
  get isBehind(): boolean {
    return this.#isBehind
  }

  get nextId(): number {
    return this.#store.nextId
  }

  intents(): readonly Intent[] {
    return this.#store.intents()
  }

  intentOfOrder(orderId: string): Intent | undefined {
    return this.#store.intentOfOrder(orderId)
  }

  get droppedLots(): IntentStore['droppedLots'] {
    return this.#store.droppedLots
  }

  knownIds(): readonly string[] {
    return this.#store.knownIds()
  }

  blockedMarkets(): readonly BlockedMarket[] {
    return this.#store.blockedMarkets()
  }

  /** @throws {DiskError} for an intent that is about to be sent */
  save(intent: Intent): void {
    if (intent.state === 'SENDING') this.#store.save(intent)
    else this.attempt(() => this.#store.save(intent))
  }

  addKnownIds(ids: readonly string[]): void {
    this.attempt(() => this.#store.addKnownIds(ids))
  }

  block(market: BlockedMarket): void {
    this.attempt(() => this.#store.block(market))
  }

  unblock(symbol: string): void {
    this.attempt(() => this.#store.unblock(symbol))
  }

  together<T>(action: () => T): T {
    const done: T[] = []
    this.attempt(() => {
      this.#store.together(() => done.push(action()))
    })
    return done.length === 0 ? action() : (done[0] as T)
  }

  /** Writes, or reports that it failed. */
  readonly attempt = (write: () => void): void => {
    try {
      write()
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
      this.#isBehind = true
      this.#onError(error)
    }
  }
}
