/**
 * The store of an account whose disk may fail while orders are open.
 *
 * Invariant: an intent that cannot be written is not sent. What follows from answers holds in memory all the same, and
 * the failure is reported: the next start learns it from the service again.
 */
import { DiskError } from '../../../domain/errors.ts'
import type { SymbolHalt } from '../../../store/state/live/persisted-intent.ts'
import type { Intent } from './intent.ts'
import type { IntentStore } from './intent-store.ts'

export class LastingStore implements IntentStore {
  readonly #store: IntentStore
  readonly #onError: (error: DiskError) => void
  #isBehind = false

  constructor(store: IntentStore, onError: (error: DiskError) => void) {
    this.#store = store
    this.#onError = onError
  }

  /**
   * Something could not be written: what the files of sessions have may not be put down, and has to be read back by the
   * next start.
   */
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

  halts(): readonly SymbolHalt[] {
    return this.#store.halts()
  }

  /** @throws {DiskError} for one that is about to be sent */
  save(intent: Intent): void {
    if (intent.state === 'SENDING') this.#store.save(intent)
    else this.#lasting(() => this.#store.save(intent))
  }

  addKnownIds(ids: readonly string[]): void {
    this.#lasting(() => this.#store.addKnownIds(ids))
  }

  halt(halt: SymbolHalt): void {
    this.#lasting(() => this.#store.halt(halt))
  }

  endHalt(symbol: string): void {
    this.#lasting(() => this.#store.endHalt(symbol))
  }

  together<T>(action: () => T): T {
    const done: T[] = []
    this.#lasting(() => {
      this.#store.together(() => done.push(action()))
    })
    return done.length === 0 ? action() : (done[0] as T)
  }

  #lasting(write: () => void): void {
    try {
      write()
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
      this.#isBehind = true
      this.#onError(error)
    }
  }
}
