/** Detects a silent trade stream on a living connection: reads show trades that the stream does not bring. */

/** Maximum number of trades seen in reads and not yet on the stream. */
const MAX_UNHEARD = 1_000

export class SilentStream {
  readonly #patienceMs: number
  /** Monotonic time of the read that showed a trade first, by id. */
  readonly #unheard = new Map<string, number>()
  #isSilent = false

  /** @param patienceMs  allowed lag of a stream behind a read */
  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs
  }

  get isSilent(): boolean {
    return this.#isSilent
  }

  /** Starts over for a new connection. */
  reset(): void {
    this.#unheard.clear()
    this.#isSilent = false
  }

  /** Takes a trade that the stream has brought, new or not. */
  arrived(id: string): void {
    this.#unheard.delete(id)
    this.#isSilent = false
  }

  /**
   * Takes trades that a read has shown and neither the stream nor an earlier read has.
   * @param now  monotonic milliseconds
   * @returns    true when the stream is found to be silent for the first time
   */
  read(ids: readonly string[], now: number): boolean {
    if (this.#isSilent) return false
    this.#isSilent = [...this.#unheard.values()].some((since) => now - since >= this.#patienceMs)
    if (this.#isSilent) this.#unheard.clear()
    else for (const id of ids.slice(0, MAX_UNHEARD - this.#unheard.size)) this.#unheard.set(id, now)
    return this.#isSilent
  }
}
