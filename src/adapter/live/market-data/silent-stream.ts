/**
 * Detects a stream of trades that is silent though its connection lives: reads show trades that it does not bring.
 */

/** Trades of reads that the stream has not brought yet, at most. */
const MAX_UNHEARD = 1_000

export class SilentStream {
  readonly #patienceMs: number
  /** Time of the read that showed a trade first, by id; on the monotonic clock. */
  readonly #unheard = new Map<string, number>()
  #isSilent = false

  /** @param patienceMs  that a stream may lag behind a read */
  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs
  }

  get isSilent(): boolean {
    return this.#isSilent
  }

  /** A new connection. */
  reset(): void {
    this.#unheard.clear()
    this.#isSilent = false
  }

  /** The stream has brought a trade, new or not. */
  arrived(id: string): void {
    this.#unheard.delete(id)
    this.#isSilent = false
  }

  /**
   * A read has shown trades that neither the stream nor an earlier read has.
   *
   * @param now  on the monotonic clock
   * @returns    true when that shows, for the first time, that the stream is silent
   */
  read(ids: readonly string[], now: number): boolean {
    if (this.#isSilent) return false
    this.#isSilent = [...this.#unheard.values()].some((since) => now - since >= this.#patienceMs)
    if (this.#isSilent) this.#unheard.clear()
    else for (const id of ids.slice(0, MAX_UNHEARD - this.#unheard.size)) this.#unheard.set(id, now)
    return this.#isSilent
  }
}
