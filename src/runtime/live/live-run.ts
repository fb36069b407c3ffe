/**
 * Sessions that share an account, from their beginning to the end of the last one.
 *
 * One that fails ends alone. What nobody can be told apart to have thrown ends them all.
 * Invariant: each session is ended once and in order, whatever ends it, and what it left behind is told.
 */
import type { ExchangeError } from '../../domain/errors.ts'
import { InputError, InvariantError } from '../../domain/errors.ts'
import type { SessionState } from '../session/risk/session-state.ts'
import type { FlattenedSession } from './flatten-account.ts'
import type { LiveLoop } from './live-loop.ts'
import type { LiveSession } from './live-session.ts'
import { endSession, type SessionEnd } from './session-end.ts'
import type { TradingAccount } from './trading-account.ts'

/** A wait for cancels that is worth a word. */
const LONG_HOLD_MS = 2_000
/** Whether a strategy has failed is looked at this often. */
const LOOK_MS = 100

export interface LiveRunOptions {
  readonly loop: LiveLoop
  readonly account: TradingAccount
  readonly sessions: readonly LiveSession[]
  /** Leave open orders where they are at the end. */
  readonly keepOrders: boolean
  /** Sell the position of each session at its end. */
  readonly flattens: boolean
  /** Milliseconds that the end of a session takes at most. */
  readonly stopTimeoutMs: number
  /** Called once a session, when it has ended. */
  readonly onEnd: (session: LiveSession, end: SessionEnd) => void
  /** For whoever watches: something that a person should know at once. */
  readonly onWarning: (text: string) => void
}

export class LiveRun {
  /** Resolves when every session has ended, and rejects then with what was no strategy's error: the first one. */
  readonly ended: Promise<void>
  readonly #options: LiveRunOptions
  readonly #running: Set<LiveSession>
  readonly #ending = new Map<LiveSession, Promise<void>>()
  /** For all of them. */
  #fault: ExchangeError | undefined
  /** Of the first end that could not be done. */
  #endFault: ExchangeError | undefined
  /** An error of ours, or of the disk: it is thrown once the sessions have ended in order. */
  #failure: { readonly error: unknown } | undefined
  #isStopping = false
  #resolve: () => void = () => undefined
  #reject: (error: unknown) => void = () => undefined

  constructor(options: LiveRunOptions) {
    this.#options = options
    this.#running = new Set(options.sessions)
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    // Whoever waits hears of it; until then it is nobody's.
    this.ended.catch(() => undefined)
  }

  /** Why the account could not be used to the end. */
  get fault(): ExchangeError | undefined {
    return this.#fault ?? this.#endFault
  }

  /** An error of ours, or of the disk, that ended the sessions. */
  get failure(): unknown {
    return this.#failure?.error
  }

  /** Lets the strategies run. @throws {InputError} when one asks for what is not there */
  start(): void {
    const { loop, sessions } = this.#options
    for (const session of sessions)
      runInside(loop, () => {
        session.start()
      })
    this.#look()
  }

  /** Moves every session that goes on. */
  setState(state: SessionState, why: string): void {
    this.#options.loop.enter(() => {
      for (const session of this.#running) session.setState(state, why)
    })
  }

  /** For whoever flattens them. */
  running(): readonly FlattenedSession[] {
    return [...this.#running].map((session) => ({
      owner: session.options.owner,
      quoteAsset: session.options.quoteAsset,
      flatten: (why, withinMs, onDone) => {
        session.flatten(why, withinMs, onDone)
      },
    }))
  }

  /** Ends every session that goes on. */
  stop(): void {
    if (!this.#isStopping) this.#warnOfHeldCancels()
    this.#isStopping = true
    for (const session of this.#running) this.#end(session)
    if (this.#running.size === 0) this.#finish()
  }

  /** Every session is over, or on its way there. */
  get isEnding(): boolean {
    return [...this.#running].every((session) => this.#ending.has(session))
  }

  /** A read of the account failed for good: nothing can be relied on any more. */
  onFault(error: ExchangeError): void {
    // What fails while they end is theirs to repeat.
    if (this.#fault !== undefined || this.isEnding) return
    this.#fault = error
    this.#options.onWarning(`HALTED: ${error.message}`)
    this.setState('HALTED', error.message)
    this.stop()
  }

  /**
   * Something threw where no session saw it: a strategy's own subscriber, timer or promise, or a bug of ours.
   */
  onError(error: unknown): void {
    if (error instanceof InvariantError || error instanceof InputError) {
      if (this.#failure !== undefined) return
      this.#failure = { error }
      this.#options.onWarning(`all sessions end: ${error.message}`)
      this.stop()
      return
    }
    const { stack = '' } = error instanceof Error ? error : {}
    const running = [...this.#running]
    const own = running.filter(({ options: { loaded } }) => loaded.path !== null && stack.includes(loaded.path))
    for (const session of own.length > 0 ? own : running) session.fail(error)
  }

  #look(): void {
    this.#options.loop.after(LOOK_MS, () => {
      for (const session of this.#running) if (session.failure !== undefined) this.#end(session)
      if (this.#running.size > 0) this.#look()
    })
  }

  #end(session: LiveSession): void {
    if (this.#ending.has(session)) return
    this.#ending.set(
      session,
      this.#endOf(session).catch((error: unknown) => {
        this.#failure ??= { error }
        this.#left(session)
      }),
    )
  }

  async #endOf(session: LiveSession): Promise<void> {
    const { loop, account, keepOrders, flattens, stopTimeoutMs: timeoutMs, onEnd } = this.#options
    const onError = (error: unknown): void => {
      this.onError(error)
    }
    const ended = await endSession(session, {
      loop,
      account,
      cancels: !keepOrders,
      flattens,
      fault: this.#fault,
      timeoutMs,
      onError,
    })
    this.#endFault ??= ended.fault
    const end = { ...ended, fault: ended.fault ?? this.#fault }
    // An end that could not cancel leaves it, with the orders, to the next session.
    if (!keepOrders && end.fault === undefined && end.openOrders.length === 0) {
      loop.enter(() => {
        session.giveUpWaiting()
      })
    }
    loop.enter(() => {
      session.finish()
    })
    onEnd(session, end)
    this.#left(session)
  }

  #left(session: LiveSession): void {
    this.#running.delete(session)
    if (this.#running.size === 0) this.#finish()
  }

  #finish(): void {
    if (this.#failure === undefined) this.#resolve()
    else this.#reject(this.#failure.error)
  }

  #warnOfHeldCancels(): void {
    const { account, keepOrders, sessions, stopTimeoutMs, onWarning } = this.#options
    const open = sessions.flatMap(({ options: { owner } }) => account.openOrderIds(owner)).length
    const heldForMs = account.cancelsHeldForMs()
    if (keepOrders || open === 0 || heldForMs < LONG_HOLD_MS) return
    const [wait, most] = [Math.ceil(heldForMs / 1000), stopTimeoutMs / 1000]
    onWarning(
      `the rate limit of the service delays ${open === 1 ? 'a cancel' : `${open} cancels`} by ${wait} s; papertape still tries one at a time, and the session ends within ${most} s (--stop-timeout)`,
    )
  }
}

/** What it throws is for whoever started it. */
function runInside(loop: LiveLoop, action: () => void): void {
  const thrown: unknown[] = []
  loop.enter(() => {
    try {
      action()
    } catch (error) {
      thrown.push(error)
    }
  })
  if (thrown.length > 0) throw thrown[0]
}
