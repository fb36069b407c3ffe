/**
 * Writes what a service does into its state file, many entries in one commit.
 *
 * All entries of one turn of the event loop go into one transaction at its end when someone waits for them, and at the
 * latest after
 * `LONGEST_WAIT_MS` when nobody does. Once there are many, the state is taken at the end of a turn and written beside them while more
 * come. Invariant: they are written in the order in which they happened, and after a write that failed nothing is taken
 * any more.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EntryJournal } from './journaled-exchange.ts'
import { ServiceError } from '../envelope/service-error.ts'
import { writeEntry, type StateEntry } from './state-entry.ts'

/** What agents do among themselves need not be on the disk at once: whoever is shown it waits for it first. */
const LONGEST_WAIT_MS = 100
/** So that a restart has little more than this to do again. */
export const CHECKPOINT_ENTRIES = 100_000
/** What of a long turn is in memory at most. */
export const MOST_PENDING = 10_000

/** Where it is written; what these have returned from is safe. */
export interface EntryStore {
  /** Whether nothing of it lies in a snapshot beside it. */
  readonly isInOneFile: boolean
  append(entries: string): void
  replace(snapshot: string): void
  /** See `StateFile`. */
  replaceBeside(pieces: AsyncIterable<string>, signal: AbortSignal): Promise<boolean>
}

export interface StateJournalParts {
  readonly store: EntryStore
  /** Takes the state after every entry so far; its text may be written later. */
  readonly snapshot: () => Iterable<string>
  /** Entries that the store holds behind its snapshot. */
  readonly entriesBehind: number
  /** After how many of them another snapshot is written. */
  readonly checkpointEntries: number
  /** Hears once of a write that failed. */
  readonly onFailure: (error: unknown) => void
}

interface Waiting {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: ServiceError) => void
}

/** Of the time that others have between two slices. */
const SHARE = 1 / 3
const SHORTEST_MS = 0.2
const LONGEST_MS = 8
/** Of a piece, which is more than most slices make. */
const PIECE_LENGTH = 1 << 17

/**
 * Text that is made between the turns of others: a part of the time goes into it, and nobody waits for more than a
 * slice.
 *
 * @param signal  after it the text is cut short
 */
async function* pacedText(parts: Iterable<string>, signal: AbortSignal): AsyncGenerator<string> {
  let text = ''
  let end = performance.now() + SHORTEST_MS
  for (const part of parts) {
    text += part
    const paused = performance.now()
    if (paused < end) continue
    if (text.length >= PIECE_LENGTH) {
      yield text
      text = ''
    }
    await nextTurn()
    if (signal.aborted) return
    const resumed = performance.now()
    end = resumed + Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (resumed - paused) * SHARE))
  }
  yield text
}

export class StateJournal implements EntryJournal {
  readonly #parts: StateJournalParts
  #pending: string[] = []
  #entriesBehind: number
  #waiting: Waiting | undefined
  #immediate: NodeJS.Immediate | undefined
  #timer: NodeJS.Timeout | undefined
  #failure: { readonly error: unknown } | undefined
  /** Of the snapshot that is being written beside. */
  #checkpoint: AbortController | undefined
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
    this.#pending.push(writeEntry(entry))
    if (this.#pending.length >= MOST_PENDING) this.#commit()
    else this.#timer ??= setTimeout(() => this.#endTurn(), LONGEST_WAIT_MS)
  }

  abandon(): void {
    this.#isAbandoned = true
    this.#checkpoint?.abort()
  }

  /**
   * Resolves when everything so far is safe; undefined when it is now.
   *
   * Rejected with ENGINE_TIMEOUT when it cannot be written: it may be on the disk all the same.
   */
  durable(): Promise<void> | undefined {
    if (this.#failure !== undefined) return Promise.reject(outcomeUnknown())
    if (this.#pending.length === 0) return undefined
    this.#waiting ??= newWaiting()
    this.#immediate ??= setImmediate(() => this.#endTurn())
    return this.#waiting.promise
  }

  /**
   * Writes a snapshot in the place of what came after the last one.
   *
   * @throws what the store throws, once the failure was told
   */
  checkpoint(): void {
    this.#checkpoint?.abort()
    this.#commit(true)
    if (this.#failure !== undefined) throw this.#failure.error
  }

  /** Writes what is pending, and takes nothing more. @throws what the store throws, once the failure was told */
  close(): void {
    this.#checkpoint?.abort()
    this.#commit()
    this.#isClosed = true
    if (this.#failure !== undefined) throw this.#failure.error
  }

  #endTurn(): void {
    this.#commit()
    if (this.#checkpoint !== undefined || this.#entriesBehind < this.#parts.checkpointEntries) return
    if (this.#failure === undefined && !this.#isAbandoned && !this.#isClosed) this.#beginCheckpoint()
  }

  #beginCheckpoint(): void {
    const checkpoint = new AbortController()
    this.#checkpoint = checkpoint
    const entries = this.#entriesBehind
    const text = pacedText(this.#parts.snapshot(), checkpoint.signal)
    this.#parts.store.replaceBeside(text, checkpoint.signal).then(
      (isDone) => {
        if (isDone) this.#entriesBehind -= entries
        if (this.#checkpoint === checkpoint) this.#checkpoint = undefined
      },
      (error: unknown) => this.#fail(error),
    )
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined) return
    this.#failure = { error }
    this.#parts.onFailure(error)
  }

  #commit(isCheckpoint = false): void {
    clearImmediate(this.#immediate)
    clearTimeout(this.#timer)
    this.#immediate = undefined
    this.#timer = undefined
    try {
      if (this.#failure === undefined && !this.#isClosed) this.#write(isCheckpoint)
    } catch (error) {
      this.#fail(error)
    }
    const waiting = this.#waiting
    this.#waiting = undefined
    if (this.#failure === undefined) waiting?.resolve()
    else waiting?.reject(outcomeUnknown())
  }

  #write(isCheckpoint: boolean): void {
    const entries = this.#entriesBehind + this.#pending.length
    // A state that went wrong is not written down; what led to it is.
    const isBehind = entries > 0 || !this.#parts.store.isInOneFile
    if (isCheckpoint && !this.#isAbandoned && isBehind) this.#writeSnapshot()
    else if (this.#pending.length > 0) this.#writeEntries()
  }

  #writeEntries(): void {
    this.#parts.store.append(`[${this.#pending.join(',')}]`)
    this.#entriesBehind += this.#pending.length
    this.#pending = []
  }

  #writeSnapshot(): void {
    this.#parts.store.replace([...this.#parts.snapshot()].join(''))
    this.#entriesBehind = 0
    this.#pending = []
  }
}

/** Whoever asked for it checks what became of his order before he sends it again (section 7). */
const outcomeUnknown = (): ServiceError => new ServiceError('ENGINE_TIMEOUT', 'the state could not be saved')

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
