/**
 * Sessions that share an account, from the first start to the last end.
 *
 * A failed session ends alone. A fault of the account, and an error of their process, end them all.
 * Invariant: each session is ended once and in order, whatever ends it, and what it leaves behind is reported.
 */
import type { ExchangeError } from '../../domain/errors.ts'
import type { SessionState } from '../session-state.ts'
import type { FlattenedSession } from './flatten-account.ts'
import type { LiveLoop } from './live-loop.ts'
import type { LiveSession } from './live-session.ts'
import { endSession, type SessionEnd } from './session-end.ts'
import type { TradingAccount } from './trading-account.ts'

/** Minimum wait for cancels that is reported. */
const LONG_HOLD_MS = 2_000
/** Interval of checks for failed strategies. */
const LOOK_MS = 100

export interface LiveRunOptions {
  readonly loop: LiveLoop
  readonly account: TradingAccount
  readonly sessions: readonly LiveSession[]
  /** Keeps open orders at the end. */
  readonly keepOrders: boolean
  /** Sells the position of each session at its end. */
  readonly flattens: boolean
  /** Time limit of a session's end, milliseconds. */
  readonly stopTimeoutMs: number
  /** Called once per session, when it has ended. */
  readonly onEnd: (session: LiveSession, end: SessionEnd) => void
  /** Reports an urgent warning to the operator. */
  readonly onWarning: (text: string) => void
  /** Takes an error outside any session: of a strategy's own code, or an internal one. */
  readonly onError: (error: unknown) => void
  /** An end has failed. */
  readonly onFailure: (error: unknown) => void
}

export class LiveRun {
  /** Resolves when every session has ended. */
  readonly ended: Promise<void>
  readonly #options: LiveRunOptions
  readonly #running: Set<LiveSession>
  readonly #ending = new Map<LiveSession, Promise<void>>()
  /** Fault that ends all sessions. */
  #fault: ExchangeError | undefined
  /** Fault of the first end that did not complete. */
  #endFault: ExchangeError | undefined
  #isStopping = false
  /** Unix milliseconds at which the strategies started; undefined before. */
  begunAt: number | undefined
  #isBegun = false
  #finish: () => void = () => undefined
  #stopLooking: () => void = () => undefined

  constructor(options: LiveRunOptions) {
    this.#options = options
    this.#running = new Set(options.sessions)
    this.ended = new Promise((resolve) => {
      this.#finish = resolve
    })
  }

  /** False if a strategy could not start, so that none did: orders of earlier sessions then stay. */
  get isBegun(): boolean {
    return this.#isBegun
  }

  /** Why the account became unusable. */
  get fault(): ExchangeError | undefined {
    return this.#fault ?? this.#endFault
  }

  /** Starts the strategies, none if one cannot. @throws {InputError} if one requests unavailable data */
  start(): void {
    const { loop, sessions } = this.#options
    loop.enterOrThrow(() => {
      this.begunAt = loop.now()
      for (const session of sessions) session.prepare()
      this.#isBegun = true
      for (const session of sessions) session.begin()
    })
    this.#stopLooking = loop.every(LOOK_MS, () => {
      for (const session of this.#running) if (session.failure !== undefined) this.#end(session)
    })
  }

  /** Sets the state of every running session. */
  setState(state: SessionState, why: string): void {
    this.#options.loop.enter(() => {
      for (const session of this.#running) session.setState(state, why)
    })
  }

  /** Running sessions, for flattening. */
  running(): readonly FlattenedSession[] {
    return [...this.#running].map((session) => ({
      owner: session.options.owner,
      quoteAsset: session.options.quoteAsset,
      flatten: (why, withinMs, onDone) => {
        session.flatten(why, withinMs, onDone)
      },
    }))
  }

  /** Running sessions, for changes of their parameters. */
  adjusted(): readonly LiveSession[] {
    return [...this.#running].filter((session) => !this.#ending.has(session) && session.failure === undefined)
  }

  /** Ends every running session. */
  stop(): void {
    if (!this.#isStopping && this.#running.size > 0) this.#warnOfHeldCancels()
    this.#isStopping = true
    for (const session of this.#running) this.#end(session)
    if (this.#running.size === 0) this.#finish()
  }

  /** Whether strategies receive series: at least one runs, and none is warming up. */
  get isListening(): boolean {
    const running = this.adjusted()
    return this.#isBegun && running.length > 0 && running.every(({ isWarming }) => !isWarming)
  }

  /** Every session is over or ending. */
  get isEnding(): boolean {
    return [...this.#running].every((session) => this.#ending.has(session))
  }

  /** A read of the account failed permanently: its state is no longer reliable. */
  onFault(error: ExchangeError): void {
    // Failures during their end are retried by the ends.
    if (this.#fault !== undefined || this.isEnding) return
    this.#fault = error
    this.#options.onWarning(`HALTED: ${error.message}`)
    this.setState('HALTED', error.message)
    this.stop()
  }

  /** Takes an error of a strategy's own subscriber, timer or promise. One that no file explains is that of each. */
  fail(error: unknown): void {
    const { stack = '' } = error instanceof Error ? error : {}
    const running = [...this.#running]
    const own = running.filter(({ options: { loaded } }) => loaded.path !== null && stack.includes(loaded.path))
    for (const session of own.length > 0 ? own : running) session.fail(error)
  }

  #end(session: LiveSession): void {
    if (this.#ending.has(session)) return
    this.#ending.set(
      session,
      this.#endOf(session).catch((error: unknown) => {
        this.#options.onFailure(error)
        this.#left(session)
      }),
    )
  }

  async #endOf(session: LiveSession): Promise<void> {
    const { loop, account, stopTimeoutMs: timeoutMs, onEnd, onError } = this.#options
    const keepOrders = this.#options.keepOrders || !this.#isBegun
    const flattens = this.#options.flattens && this.#isBegun
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
    // An end that could not cancel leaves its conditional orders, with the orders, to the next session.
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
    if (this.#running.size > 0) return
    this.#stopLooking()
    this.#finish()
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
