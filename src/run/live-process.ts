/**
 * A process in real time, on paper, live or recording: its clock, its warnings and its end, and the files of its
 * sessions.
 *
 * Order of an end: a signal, a time limit or a failure comes, the sessions end, each completes its files, and only then
 * is the failure thrown. From the first of these on, a file that cannot be written stops nothing.
 */
import { join } from 'node:path'
import { MACHINE_CLOCKS, type MachineClocks } from '../adapter/live/machine-clocks.ts'
import { InputError, InvariantError, throwIfAborted } from '../domain/errors.ts'
import type { Market } from '../domain/market.ts'
import { setting } from '../domain/setting-name.ts'
import { thrownText } from '../domain/thrown-text.ts'
import { inVirtualWorld } from '../runtime/backtest/virtual-world.ts'
import { LiveLoop } from '../runtime/live/live-loop.ts'
import { keepReceived, type ReceivedParts } from '../runtime/recording/received-data.ts'
import { WarningLimiter } from '../runtime/live/warning-limiter.ts'
import { outsideListener, type WarningListener } from '../runtime/session/outside-listener.ts'
import type { Turn } from '../runtime/session/turn.ts'
import { RECEIVED_FILE, ReceivedFile } from '../store/runs/received-file.ts'
import { makeRunDirectory } from '../store/state/data-directory.ts'
import { LiveFiles, type FileEvents } from './live-files.ts'

const STATUS_MS = 1_000

/** End of a process that runs until a signal, a time limit or a failure. */
class AwaitedEnd {
  /** Resolves at the end, for any reason. */
  readonly came: Promise<void>
  readonly #signal: AbortSignal | undefined
  readonly #turn: Turn
  readonly #over = new AbortController()
  #failure: { readonly error: unknown } | undefined

  constructor(signal: AbortSignal | undefined, turn: Turn) {
    this.#signal = signal
    this.#turn = turn
    this.came = new Promise((resolve) => {
      this.atOnce(resolve)
    })
    if (signal?.aborted === true) this.stop()
    else signal?.addEventListener('abort', this.stop, { signal: this.#over.signal })
  }

  readonly stop = (): void => {
    this.#over.abort()
  }

  /** Only the first failure is stored. */
  readonly fail = (error: unknown): void => {
    this.#failure ??= { error }
    this.stop()
  }

  /**
   * Calls it when the end comes, before anything else happens; at once if it has come. The call is outside the
   * strategy's turn, also if the strategy itself aborts the signal.
   */
  atOnce(action: () => void): void {
    const act = (): void => {
      this.#turn.outside(action)
    }
    if (this.isOver) act()
    else this.#over.signal.addEventListener('abort', act)
  }

  /** The result of the promise, or undefined if the process is stopped first. @throws if the promise or it fails */
  async before<T>(promise: Promise<T>): Promise<T | undefined> {
    // Prevents an unhandled rejection after the end.
    promise.catch(() => undefined)
    const end = this.came.then(() => {
      this.throwFailure()
      return undefined
    })
    return await Promise.race([promise, end])
  }

  get isOver(): boolean {
    return this.#over.signal.aborted
  }

  /** The first failure; undefined if there is none. */
  get failure(): unknown {
    return this.#failure?.error
  }

  /** @throws the failure that ended it, if any */
  throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error
  }

  /** @throws the failure that ended it, if any. @throws {AbortError} if its signal did */
  throwIfOver(): void {
    this.throwFailure()
    throwIfAborted(this.#signal)
  }
}

export interface ProcessOptions<Listener extends object> {
  /** Default: the machine's. */
  readonly clocks?: MachineClocks | undefined
  /** Stops it. */
  readonly signal?: AbortSignal | undefined
  readonly listener?: Partial<Listener> | undefined
  /** Receives warnings, and the first error of each method of the listener. */
  readonly warned: WarningListener
  /** Reads everything again, because the clock has jumped; default: nothing is to be read. */
  readonly readAgain?: () => void
}

/** The sessions of a process, once they exist. */
export interface ProcessSessions {
  /** Takes an error of a strategy outside its session. */
  fail(error: unknown): void
  /** True if each of them is over or ending, although the process goes on. */
  readonly isEnding: boolean
}

/** Directory for the trades of a session as they arrive, and false in `received` for none. */
export interface ReceivedOptions {
  readonly out?: string | undefined
  readonly received?: boolean | undefined
}

export interface FilesOptions extends FileEvents {
  /** Default: a new directory in that of the data. */
  readonly out: string | undefined
  readonly dataDirectory: string
  readonly markets: readonly Market[]
  /** A file cannot be written. */
  readonly onLost?: () => void
}

export class LiveProcess<Listener extends object> {
  readonly loop: LiveLoop
  readonly end: AwaitedEnd
  /** Listener of the program. Events leave only through it: outside a strategy's turn, and without its errors. */
  readonly listener: Partial<Listener>
  readonly warnings: WarningLimiter
  readonly #closings: (() => unknown)[] = [
    () => {
      this.warnings.flush()
      this.end.stop()
      this.loop.stop()
    },
  ]
  #sessions: ProcessSessions | undefined

  constructor({ clocks = MACHINE_CLOCKS, signal, listener = {}, warned, readAgain }: ProcessOptions<Listener>) {
    this.loop = new LiveLoop(clocks, {
      onJump: (byMs) => {
        this.warn(`the clock jumped by ${byMs} ms${readAgain === undefined ? '' : '; reading the account again'}`)
        readAgain?.()
      },
      onSetBack: (byMs) => {
        this.warn(`the clock of this machine was set back by ${byMs} ms; the session keeps its own time`)
      },
      onError: this.onError,
    })
    const { turn } = this.loop
    this.end = new AwaitedEnd(signal, turn)
    this.listener = outsideListener(turn, listener, warned)
    const outside = outsideListener(turn, warned)
    this.warnings = new WarningLimiter(this.loop, (text) => outside.onWarning?.(text))
  }

  /**
   * Starts the strategies, and keeps the trades as they arrive until the end of the process, unless that is off.
   *
   * @returns writes those that wait to be written, and throws if some are lost
   */
  startKeeping(
    { out, received }: ReceivedOptions,
    parts: () => Omit<ReceivedParts, 'file' | 'time'>,
    session: { start(): void; readonly begunAt: number | undefined },
  ): () => void {
    if (out === undefined || received === false) {
      session.start()
      return () => undefined
    }
    const file = new ReceivedFile(out, (error) => {
      this.warn(`the trades as they arrive are no longer kept, so the session has no twin: ${thrownText(error)}`)
    })
    const stop = keepReceived({ ...parts(), file, time: this.loop })
    this.end.atOnce(stop)
    this.#closings.unshift(stop)
    session.start()
    file.append({ arrivedAt: session.begunAt, symbol: '', createdAt: 0, trade: undefined, isStart: true })
    return () => {
      file.flush()
      if (file.isOver) throw new InputError(join(out, RECEIVED_FILE), 'is not complete: it could not be written')
    }
  }

  /** Something that a person should know. */
  readonly warn = (text: string): void => {
    this.warnings.warn(text)
  }

  /** The recording of a market has stopped, without which everything else continues. */
  readonly onRecordingLost = (error: unknown): void => {
    this.warn(`a market is no longer recorded: ${thrownText(error)}`)
  }

  /** Takes what an event threw: an internal error, and one of a file, ends the process; another is a strategy's. */
  readonly onError = (error: unknown): void => {
    const isOurs = error instanceof InvariantError || error instanceof InputError
    if (isOurs || this.#sessions === undefined) this.fail(error)
    else this.#sessions.fail(error)
  }

  readonly fail = (error: unknown): void => {
    if (this.#sessions !== undefined && this.end.failure === undefined) {
      this.warn(`all sessions end: ${thrownText(error)}`)
    }
    this.end.fail(error)
  }

  /** From now on errors of strategies are theirs. */
  adopt(sessions: ProcessSessions): void {
    this.#sessions = sessions
  }

  /** Opens the files of a session. @throws {InputError} if nothing can be written there */
  openFiles(owner: string, { out, dataDirectory, markets, onLost, ...events }: FilesOptions): LiveFiles {
    const where = setting('out')
    const path = out ?? makeRunDirectory(where, dataDirectory, owner, this.loop.now())
    return new LiveFiles(where, path, markets, events, {
      isEnding: () => this.end.isOver || this.#sessions?.isEnding === true,
      onError: (error) => {
        onLost?.()
        this.fail(error)
      },
    })
  }

  /** Runs strategies in a world whose time is that of the loop. */
  inWorld<T>(onInexactMath: (name: string) => void, life: () => Promise<T>): Promise<T> {
    const { queue, turn } = this.loop
    return inVirtualWorld({ queue, turn, onError: this.onError, onInexactMath }, life)
  }

  /** Calls it now, and then about once a second. @returns stops it */
  readonly everySecond = (action: () => void): (() => void) => {
    action()
    return this.loop.every(STATUS_MS, action)
  }

  /** Closes something after everything else of the process. */
  atClose(close: () => Promise<void>): void {
    this.#closings.push(close)
  }

  /** Runs `life`, then closes the process. @throws the first error of both */
  during<T>(life: () => Promise<T>): Promise<T> {
    return closedAfter(life(), this.#closings)
  }
}

/**
 * Runs the closing actions in turn after `work`, each of them even if others fail. @param closings  read after `work`
 * @throws the first error: a later one is often its consequence
 */
export async function closedAfter<T>(work: Promise<T>, closings: readonly (() => unknown)[]): Promise<T> {
  const ends: Promise<unknown>[] = [work]
  await Promise.allSettled(ends)
  for (const close of closings) {
    ends.push((async () => await close())())
    await Promise.allSettled(ends)
  }
  await Promise.all(ends)
  return await work
}
