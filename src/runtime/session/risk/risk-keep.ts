/**
 * The place where the limits of a session keep what they remember beyond its process, and when they write.
 *
 * Invariant: a state is written before it holds, and every other change within a second.
 */
import type { PersistedRisk } from '../../../store/state/live/persisted-risk.ts'

/** Of one strategy. */
export interface RiskKeep {
  /** Undefined when there is nothing. @throws {InputError} when it cannot be read */
  load(): PersistedRisk | undefined
  /** It is on the disk when it returns, or a warning was given. */
  save(risk: PersistedRisk): void
  /** Times at which earlier sessions sent an order creation since then: Unix milliseconds, oldest first. */
  sentSince(time: number): readonly number[]
}

const EACH_MS = 1_000

export interface RiskNotesOptions {
  readonly keep: RiskKeep
  readonly after: (delayMs: number, action: () => void) => void
  readonly current: () => PersistedRisk
}

export class RiskNotes {
  readonly #options: RiskNotesOptions
  #isPaused = false
  #hasChanged = false
  #isOver = false

  constructor(options: RiskNotesOptions) {
    this.#options = options
  }

  /** Call after a change that may wait: the first is written at once, those of the second after it together. */
  change(): void {
    this.#hasChanged = true
    if (this.#isPaused) return
    this.#isPaused = true
    this.#flush()
    this.#options.after(EACH_MS, () => {
      this.#isPaused = false
      if (this.#hasChanged) this.change()
    })
  }

  /** Writes now. */
  save(): void {
    this.#hasChanged = true
    this.#flush()
  }

  /** Writes what is left; nothing is written after it. */
  stop(): void {
    this.#flush()
    this.#isOver = true
  }

  #flush(): void {
    if (!this.#hasChanged || this.#isOver) return
    this.#hasChanged = false
    const { keep, current } = this.#options
    keep.save(current())
  }
}
