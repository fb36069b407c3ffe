/**
 * The place where what waits is kept beyond the process, and the changes that are on their way there.
 *
 * Invariant: a change is kept before a request leaves that follows from it.
 */
import type { OrderFate } from '../../../adapter/live/orders/order-fate.ts'
import type { KeptLink, KeptWait } from '../../../store/state/live/kept-wait.ts'

/** Of one strategy. */
export interface WaitKeep {
  /** Names this session among all of the account. */
  readonly session: string
  /** What earlier sessions have left, oldest first. @throws {InputError} when it cannot be read */
  waits(): readonly KeptWait[]
  /** It is on the disk when it returns. @param over  ids of what waits no more */
  save(waits: readonly KeptWait[], over: readonly string[]): void
  /** What became of a request of an earlier session, as of now. */
  fateOf(link: KeptLink): OrderFate
}

export interface Keepable {
  readonly id: string
  readonly kept: KeptWait
}

export class WaitBook {
  readonly #keep: WaitKeep | undefined
  readonly #changed = new Set<Keepable>()
  readonly #over = new Set<string>()
  /** Those that are kept, as they were written last; undefined for one that an earlier session wrote. */
  readonly #written = new Map<string, string | undefined>()
  #isClosed = false

  /** @param keep  undefined where nothing is kept */
  constructor(keep: WaitKeep | undefined) {
    this.#keep = keep
  }

  /** False where what waits ends with the session. */
  get isKept(): boolean {
    return this.#keep !== undefined
  }

  /** It may be another than it was. */
  change(wait: Keepable): void {
    if (this.#keep !== undefined) this.#changed.add(wait)
  }

  end(wait: Keepable): void {
    if (this.#keep === undefined) return
    this.#changed.delete(wait)
    if (this.#written.delete(wait.id)) this.#over.add(wait.id)
  }

  /** What earlier sessions have left. */
  waits(): readonly KeptWait[] {
    const waits = this.#keep?.waits() ?? []
    for (const { id } of waits) this.#written.set(id, undefined)
    return waits
  }

  link(reference: number): KeptLink | undefined {
    return this.#keep === undefined ? undefined : { session: this.#keep.session, reference }
  }

  fateOf(link: KeptLink): OrderFate {
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
