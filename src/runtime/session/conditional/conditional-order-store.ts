/**
 * Write-ahead store of conditional orders, with the changes that are not written yet.
 *
 * Invariant: a change is saved before the request that follows from it is sent.
 */
import type { OrderFate } from '../../../adapter/live/orders/order-fate.ts'
import type { PersistedLink, PersistedConditional } from '../../../store/state/live/persisted-conditional.ts'

/** Persisted conditional orders of one strategy. */
export interface PersistedConditionals {
  /** Identifies this session among those of the account. */
  readonly session: string
  /** Conditional orders of earlier sessions, oldest first. @throws {InputError} if they cannot be read */
  waits(): readonly PersistedConditional[]
  /** Durable when it returns. @param over  ids of conditional orders that have ended */
  save(waits: readonly PersistedConditional[], over: readonly string[]): void
  /** Current fate of an earlier session's request. */
  fateOf(link: PersistedLink): OrderFate
}

export interface Persistable {
  readonly id: string
  readonly saved: PersistedConditional
}

export class ConditionalOrderStore {
  readonly #store: PersistedConditionals | undefined
  readonly #changed = new Set<Persistable>()
  readonly #over = new Set<string>()
  /** Last written text by id; undefined for an entry that an earlier session wrote. */
  readonly #written = new Map<string, string | undefined>()
  #isClosed = false

  /** @param store  undefined if nothing is persisted */
  constructor(store: PersistedConditionals | undefined) {
    this.#store = store
  }

  /** False if conditional orders end with the session. */
  get isPersisted(): boolean {
    return this.#store !== undefined
  }

  /** Marks an entry that may have changed. */
  change(wait: Persistable): void {
    if (this.#store !== undefined) this.#changed.add(wait)
  }

  end(wait: Persistable): void {
    if (this.#store === undefined) return
    this.#changed.delete(wait)
    if (this.#written.delete(wait.id)) this.#over.add(wait.id)
  }

  /** Conditional orders of earlier sessions. */
  waits(): readonly PersistedConditional[] {
    const waits = this.#store?.waits() ?? []
    for (const { id } of waits) this.#written.set(id, undefined)
    return waits
  }

  link(reference: number): PersistedLink | undefined {
    return this.#store === undefined ? undefined : { session: this.#store.session, reference }
  }

  fateOf(link: PersistedLink): OrderFate {
    return this.#store?.fateOf(link) ?? { type: 'unknown' }
  }

  /** Saves the changes since the last call. */
  save(): void {
    if (this.#isClosed) return
    const changed = [...this.#changed].flatMap(({ saved }) => {
      const text = JSON.stringify(saved)
      return text === this.#written.get(saved.id) ? [] : [{ saved, text }]
    })
    this.#changed.clear()
    if (changed.length === 0 && this.#over.size === 0) return
    this.#store?.save(
      changed.map(({ saved }) => saved),
      [...this.#over],
    )
    for (const { saved, text } of changed) this.#written.set(saved.id, text)
    this.#over.clear()
  }

  /** Saves, and then leaves the store unchanged for the next session. */
  close(): void {
    this.save()
    this.#isClosed = true
  }

  /** Deletes everything. */
  forget(): void {
    const ids = [...this.#written.keys(), ...this.#over]
    this.#written.clear()
    if (ids.length > 0) this.#store?.save([], ids)
  }
}
