/**
 * The place where what waits is kept beyond the process, and the changes that are on their way there.
 *
 * Invariant: a change is kept before a request leaves that follows from it.
 */
import type { OrderFate } from '../../../adapter/live/orders/order-fate.ts'
import type { PersistedLink, PersistedConditional } from '../../../store/state/live/persisted-conditional.ts'

/** Of one strategy. */
export interface PersistedConditionals {
  /** Names this session among all of the account. */
  readonly session: string
  /** What earlier sessions have left, oldest first. @throws {InputError} when it cannot be read */
  waits(): readonly PersistedConditional[]
  /** It is on the disk when it returns. @param over  ids of what waits no more */
  save(waits: readonly PersistedConditional[], over: readonly string[]): void
  /** What became of a request of an earlier session, as of now. */
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
  /** Those that are kept, as they were written last; undefined for one that an earlier session wrote. */
  readonly #written = new Map<string, string | undefined>()
  #isClosed = false

  /** @param keep  undefined where nothing is kept */
  constructor(keep: PersistedConditionals | undefined) {
    this.#keep = keep
  }

  /** False where what waits ends with the session. */
  get isKept(): boolean {
    return this.#keep !== undefined
  }

  /** It may be another than it was. */
  change(wait: Persistable): void {
    if (this.#keep !== undefined) this.#changed.add(wait)
  }

  end(wait: Persistable): void {
    if (this.#keep === undefined) return
    this.#changed.delete(wait)
    if (this.#written.delete(wait.id)) this.#over.add(wait.id)
  }

  /** What earlier sessions have left. */
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

  /** Keeps what has changed since. */
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

  /** What is kept stays as it is from now on, for the next session. */
  close(): void {
    this.save()
    this.#isClosed = true
  }

  /** Nothing is kept any more. */
  forget(): void {
    const ids = [...this.#written.keys(), ...this.#over]
    this.#written.clear()
    if (ids.length > 0) this.#keep?.save([], ids)
  }
}
