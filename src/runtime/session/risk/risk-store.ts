/**
 * Persistence of a session's risk state, and when it is written.
 *
 * Invariant: a session state is written before it applies, and every other change within a second.
 */
import type { PersistedRisk } from '../../../store/state/live/persisted-risk.ts'

/** Persisted risk state of one strategy. */
export interface RiskStore {
  /** Undefined if there is none. @throws {InputError} if it cannot be read */
  load(): PersistedRisk | undefined
  /** Durable when it returns, unless a warning was given. */
  save(risk: PersistedRisk): void
  /** Times of order creations by earlier sessions since `time`: Unix milliseconds, oldest first. */
  sentSince(time: number): readonly number[]
}

const EACH_MS = 1_000

export interface RiskNotesOptions {
  readonly store: RiskStore
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

  /** Call after a change that may wait: the first is written immediately, those of the following second together. */
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

  /** Writes pending changes; nothing is written afterwards. */
  stop(): void {
    this.#flush()
    this.#isOver = true
  }

  #flush(): void {
    if (!this.#hasChanged || this.#isOver) return
    this.#hasChanged = false
    const { store, current } = this.#options
    store.save(current())
  }
}
