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
  readonly kept: PersistedConditional
}

export class ConditionalOrderStore {
  readonly #keep: PersistedConditionals | undefined
  readonly #changed = new Set<Persistable>()
  readonly #over = new Set<string>()
  /** Last written text by id; undefined for an entry that an earlier session wrote. */
  readonly #written = new Map<string, string | undefined>()
  #isClosed = false

  /** @param keep  undefined if nothing is persisted */
  constructor(keep: PersistedConditionals | undefined) {
    this.#keep = keep
  }

  /** False if conditional orders end with the session. */
  get isKept(): boolean {
    return this.#keep !== undefined
  }

  /** Marks an entry that may have changed. */
  change(wait: Persistable): void {
    if (this.#keep !== undefined) this.#changed.add(wait)
  }

  end(wait: Persistable): void {
    if (this.#keep === undefined) return
    this.#changed.delete(wait)
    if (this.#written.delete(wait.id)) this.#over.add(wait.id)
  }

  /** Conditional orders of earlier sessions. */
  waits(): readonly PersistedConditional[] {
    const waits = this.#keep?.waits() ?? []
    for (const { id } of waits) this.#written.set(id, undefined)
    return waits
  }

  link(reference: number): PersistedLink | undefined {
    return this.#keep === undefined ? undefined : { session: this.#keep.session, reference }
  }

  fateOf(link: PersistedLink): OrderFate {
    return this.#keep?.fateOf(link) ?? { type: 'unknown' }
  }

  /** Saves the changes since the last call. */
  save(): void {
    if (this.#isClosed) return
    const changed = [...this.#changed].flatMap(({ kept }) => {
      const text = JSON.stringify(kept)
      return text === this.#written.get(kept.id) ? [] : [{ kept, text }]
    })
    this.#changed.clear()
    if (changed.length === 0 && this.#over.size === 0) return
    this.#keep?.save(
      changed.map(({ kept }) => kept),
      [...this.#over],
    )
    for (const { kept, text } of changed) this.#written.set(kept.id, text)
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
    if (ids.length > 0) this.#keep?.save([], ids)
  }
}
