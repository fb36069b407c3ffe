/**
 * Writes what a service does into its state file, many entries in one commit.
 *
 * All entries of one turn of the event loop go into one transaction at its end when someone waits for them, and at the latest after
 * `LONGEST_WAIT_MS` when nobody does. Invariant: they are written in the order in which they happened, and after a write that
 * failed nothing is taken any more.
 */
import { InvariantError } from '../../domain/errors.ts'
import type { EntryJournal } from './journaled-exchange.ts'
import { ServiceError } from '../envelope/service-error.ts'
import { writeEntry, type StateEntry } from './state-entry.ts'

/** What agents do among themselves need not be on the disk at once: whoever is shown it waits for it first. */
const LONGEST_WAIT_MS = 100
/** So that a restart has at most this much to do again. */
export const CHECKPOINT_ENTRIES = 100_000

/** Where it is written; what these have returned from is safe. */
export interface EntryStore {
  append(entries: string): void
  replace(snapshot: string): void
}

export interface StateJournalParts {
  readonly store: EntryStore
  /** The state after every entry so far. */
  readonly snapshot: () => string
  /** Entries that the store holds behind its snapshot. */
  readonly entriesBehind: number
  /** Hears once of a write that failed. */
  readonly onFailure: (error: unknown) => void
}

interface Waiting {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: ServiceError) => void
}

export class StateJournal implements EntryJournal {
  readonly #parts: StateJournalParts
  #pending: string[] = []
  /** More came in one turn than a snapshot is worth: one will be written in its place, and it was not kept. */
  #isOverfull = false
  #entriesBehind: number
  #waiting: Waiting | undefined
  #immediate: NodeJS.Immediate | undefined
  #timer: NodeJS.Timeout | undefined
  #failure: { readonly error: unknown } | undefined
  #isAbandoned = false
  #isClosed = false

  constructor(parts: StateJournalParts) {
    this.#parts = parts
    this.#entriesBehind = parts.entriesBehind
  }

  checkIsOpen(): void {
    if (this.#failure === undefined && !this.#isAbandoned && !this.#isClosed) return
    throw new ServiceError('ENGINE_UNAVAILABLE', 'the engine has stopped')
  }

  add(entry: StateEntry): void {
    this.checkIsOpen()
    if (!this.#isOverfull) this.#pending.push(writeEntry(entry))
    if (this.#pending.length > CHECKPOINT_ENTRIES) {
      this.#isOverfull = true
      this.#pending = []
    }
    this.#timer ??= setTimeout(() => this.#commit(), LONGEST_WAIT_MS)
  }

  abandon(): void {
    this.#isAbandoned = true
  }

  /**
   * Resolves when everything so far is safe; undefined when it is now.
   *
   * Rejected with ENGINE_TIMEOUT when it cannot be written: it may be on the disk all the same.
   */
  durable(): Promise<void> | undefined {
    if (this.#failure !== undefined) return Promise.reject(outcomeUnknown())
    if (!this.#isPending) return undefined
    this.#waiting ??= newWaiting()
    this.#immediate ??= setImmediate(() => this.#commit())
    return this.#waiting.promise
  }

  /** Writes a snapshot in the place of what came after the last one. @throws what the store throws, once the failure was told */
  checkpoint(): void {
    this.#commit(true)
    if (this.#failure !== undefined) throw this.#failure.error
  }

  /** Writes what is pending, and takes nothing more. @throws what the store throws, once the failure was told */
  close(): void {
    this.#commit()
    this.#isClosed = true
    if (this.#failure !== undefined) throw this.#failure.error
  }

  get #isPending(): boolean {
    return this.#isOverfull || this.#pending.length > 0
  }

  #commit(isCheckpoint = false): void {
    clearImmediate(this.#immediate)
    clearTimeout(this.#timer)
    this.#immediate = undefined
    this.#timer = undefined
    try {
      if (this.#failure === undefined && !this.#isClosed) this.#write(isCheckpoint)
    } catch (error) {
      this.#failure = { error }
      this.#parts.onFailure(error)
    }
    const waiting = this.#waiting
    this.#waiting = undefined
    if (this.#failure === undefined) waiting?.resolve()
    else waiting?.reject(outcomeUnknown())
  }

  #write(isCheckpoint: boolean): void {
    const entries = this.#entriesBehind + this.#pending.length
    if (this.#isOverfull) this.#writeSnapshot()
    // A state that went wrong is not written down; what led to it is.
    else if (!this.#isAbandoned && entries >= (isCheckpoint ? 1 : CHECKPOINT_ENTRIES)) this.#writeSnapshot()
    else if (this.#pending.length > 0) this.#writeEntries()
  }

  #writeEntries(): void {
    this.#parts.store.append(`[${this.#pending.join(',')}]`)
    this.#entriesBehind += this.#pending.length
    this.#pending = []
  }

  #writeSnapshot(): void {
    if (this.#isAbandoned) throw new InvariantError('the engine has stopped in the middle of more than can be written')
    this.#parts.store.replace(this.#parts.snapshot())
    this.#entriesBehind = 0
    this.#pending = []
    this.#isOverfull = false
  }
}

/** Whoever asked for it checks what became of his order before he sends it again (section 7). */
const outcomeUnknown = (): ServiceError => new ServiceError('ENGINE_TIMEOUT', 'what was done could not be written down')

function newWaiting(): Waiting {
  let [resolve, reject]: [Waiting['resolve'], Waiting['reject']] = [() => undefined, () => undefined]
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  // Whoever waits hears of it; that nobody does is no error of its own.
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}
