/**
 * Writes changes of a service to its state file with group commit.
 *
 * All entries of one turn of the event loop are committed in one transaction: at the end of the turn if a caller waits,
 * otherwise after at most `LONGEST_WAIT_MS`. After many entries a snapshot is taken at the end of a turn and written in
 * the background. Long work before the first answer is saved as one snapshot. Invariant: entries are written in order,
 * and after a failed write nothing more is accepted.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EntryJournal } from './journaled-exchange.ts'
import { ServiceError } from '../envelope/service-error.ts'

/** Trades among agents need not be durable immediately: requests that return them wait for it. */
const LONGEST_WAIT_MS = 100
/** Limits the replay of a restart. */
export const CHECKPOINT_ENTRIES = 100_000
/** Maximum number of entries in memory during a long turn. */
export const MAX_PENDING = 10_000

/** Storage of entries; a change is durable when a method returns. */
export interface EntryStore {
  /** True without a separate snapshot. */
  readonly isInOneFile: boolean
  /** @param entries  written and joined */
  append(entries: string): void
  replace(snapshot: string): void
  /** See `StateFile`. */
  replaceBeside(pieces: AsyncIterable<string>, signal: AbortSignal): Promise<boolean>
}

export interface StateJournalParts<Entry> {
  readonly store: EntryStore
  readonly write: (entry: Entry) => string
  readonly join: (written: readonly string[]) => string
  /** Captures the state after all entries so far; the text may be serialized later. */
  readonly snapshot: () => Iterable<string>
  /** Entries in the store after its snapshot. */
  readonly entriesBehind: number
  /** Number of such entries after which a snapshot is written. */
  readonly checkpointEntries: number
  /** Called once after a failed write. */
  readonly onFailure: (error: unknown) => void
}

interface Waiting {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: ServiceError) => void
}

/** Duration of a slice relative to the time that others had since the last one. */
const SHARE = 1 / 3
const SHORTEST_MS = 0.2
const LONGEST_MS = 8
/** Length of a chunk, more than most slices produce. */
const PIECE_LENGTH = 1 << 17

/**
 * Serialization in slices between other tasks of the event loop, so that none waits longer than a slice.
 *
 * @param signal  truncates the text
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

export class StateJournal<Entry> implements Omit<EntryJournal, 'add'> {
  readonly #parts: StateJournalParts<Entry>
  #pending: string[] = []
  #entriesBehind: number
  #waiting: Waiting | undefined
  #immediate: NodeJS.Immediate | undefined
  #timer: NodeJS.Timeout | undefined
  #failure: { readonly error: unknown } | undefined
  /** Snapshot being written in the background. */
  #checkpoint: AbortController | undefined
  /** True while entries are only counted, because a snapshot follows. */
  #isInSnapshot = false
  /** Receives the text of every entry, besides the store. */
  onEntry: ((text: string) => void) | undefined
  #isAbandoned = false
  #isClosed = false

  constructor(parts: StateJournalParts<Entry>) {
    this.#parts = parts
    this.#entriesBehind = parts.entriesBehind
  }

  checkIsOpen(): void {
    if (this.#failure === undefined && !this.#isAbandoned && !this.#isClosed) return
    throw new ServiceError('ENGINE_UNAVAILABLE', 'the engine has stopped')
  }

  add(entry: Entry): void {
    this.checkIsOpen()
    if (this.#isInSnapshot) {
      this.#entriesBehind += 1
      return
    }
    const text = this.#parts.write(entry)
    this.#pending.push(text)
    this.onEntry?.(text)
    if (this.#pending.length >= MAX_PENDING) this.#commit()
    else this.#timer ??= setTimeout(() => this.#endTurn(), LONGEST_WAIT_MS)
  }

  abandon(): void {
    this.#isAbandoned = true
    this.#checkpoint?.abort()
  }

  /**
   * Resolves when all changes so far are durable; undefined if they are.
   *
   * Rejects with ENGINE_TIMEOUT if the write fails: it may be on disk all the same.
   */
  durable(): Promise<void> | undefined {
    if (this.#failure !== undefined) return Promise.reject(outcomeUnknown())
    if (this.#pending.length === 0) return undefined
    this.#waiting ??= newWaiting()
    this.#immediate ??= setImmediate(() => this.#endTurn())
    return this.#waiting.promise
  }

  /**
   * Writes a snapshot that replaces all changes since the last one.
   *
   * @throws the error of the store, after reporting the failure
   */
  checkpoint(): void {
    this.#checkpoint?.abort()
    this.#commit(true)
    if (this.#failure !== undefined) throw this.#failure.error
  }

  /** Writes a snapshot of a state that has replaced the former one. @throws as `checkpoint()` */
  replaceAll(): void {
    this.#entriesBehind += 1
    this.checkpoint()
  }

  /**
   * Saves synchronous work as one snapshot after it: after a kill before that, nothing of it has happened.
   *
   * @throws the error of the work, after which nothing more is accepted; that of the store as `checkpoint()`
   */
  saveAtOnce(work: () => void): void {
    this.#isInSnapshot = true
    try {
      work()
    } catch (error) {
      this.abandon()
      throw error
    } finally {
      this.#isInSnapshot = false
    }
    this.checkpoint()
  }

  /** Writes pending entries, and accepts no more. @throws the error of the store, after reporting the failure */
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
    // A broken state is not written; the entries that led to it are.
    const isBehind = entries > 0 || !this.#parts.store.isInOneFile
    if (isCheckpoint && !this.#isAbandoned && isBehind) this.#writeSnapshot()
    else if (this.#pending.length > 0) this.#writeEntries()
  }

  #writeEntries(): void {
    this.#parts.store.append(this.#parts.join(this.#pending))
    this.#entriesBehind += this.#pending.length
    this.#pending = []
  }

  #writeSnapshot(): void {
    this.#parts.store.replace([...this.#parts.snapshot()].join(''))
    this.#entriesBehind = 0
    this.#pending = []
  }
}

/** The client must check the order before sending it again (section 7). */
const outcomeUnknown = (): ServiceError => new ServiceError('ENGINE_TIMEOUT', 'the state could not be saved')

function newWaiting(): Waiting {
  let [resolve, reject]: [Waiting['resolve'], Waiting['reject']] = [() => undefined, () => undefined]
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  // Prevents an unhandled rejection if no caller waits.
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}
