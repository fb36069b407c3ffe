/**
 * Sessions that share an account, from their beginning to the end of the last one.
 *
 * One that fails ends alone. What nobody can be told apart to have thrown ends them all.
 * Invariant: each session is ended once, and what it left behind is told.
 */
import type { ExchangeError } from '../../domain/errors.ts'
import { InputError, InvariantError } from '../../domain/errors.ts'
import type { SessionState } from '../session/risk/session-state.ts'
import type { FlattenedSession } from './flatten-account.ts'
import type { LiveLoop } from './live-loop.ts'
import type { LiveSession } from './live-session.ts'
import { endSession, type SessionEnd } from './session-end.ts'
import type { TradingAccount } from './trading-account.ts'

/** Reads that tell that the key can do nothing more: neither cancel nor read. */
const KEY_CODES: readonly string[] = ['AUTHENTICATION_REQUIRED', 'INVALID_API_KEY', 'EMAIL_NOT_VERIFIED']
/** The end of a session whose account cannot be read any more. */
const LONGEST_END_MS = 30_000
/** Whether a strategy has failed is looked at this often. */
const LOOK_MS = 100

export interface LiveRunOptions {
  readonly loop: LiveLoop
  readonly account: TradingAccount
  readonly sessions: readonly LiveSession[]
  /** Leave open orders where they are at the end. */
  readonly keepOrders: boolean
  /** Called once a session, when it has ended. */
  readonly onEnd: (session: LiveSession, end: SessionEnd) => void
  /** For whoever watches: something that a person should know at once. */
  readonly onWarning: (text: string) => void
}

export class LiveRun {
  /** Resolves when every session has ended. @throws what was no strategy's error, and {InvariantError} */
  readonly ended: Promise<void>
  readonly #options: LiveRunOptions
  readonly #running: Set<LiveSession>
  readonly #ending = new Map<LiveSession, Promise<void>>()
  #fault: ExchangeError | undefined
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
    return this.#fault
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
    for (const session of this.#running) this.#end(session)
    if (this.#running.size === 0) this.#resolve()
  }

  /** A read of the account failed for good: nothing can be relied on any more. */
  onFault(error: ExchangeError): void {
    if (this.#fault !== undefined) return
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
      this.#reject(error)
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
        this.#reject(error)
      }),
    )
  }

  /** A key that is gone cancels nothing, and a service that cannot be read may never answer. */
  async #orderlyEnd(session: LiveSession): Promise<SessionEnd> {
    const { loop, account, keepOrders } = this.#options
    const fault = this.#fault
    const asKnown = (): SessionEnd => ({ openOrders: account.openOrderIds(session.options.owner), fault })
    if (fault !== undefined && KEY_CODES.includes(fault.code)) return asKnown()
    const end = endSession(session, { loop, account, cancels: !keepOrders })
    return fault === undefined ? await end : await Promise.race([end, later(loop, LONGEST_END_MS).then(asKnown)])
  }

  async #endOf(session: LiveSession): Promise<void> {
    const { loop, keepOrders, onEnd } = this.#options
    const ended = await this.#orderlyEnd(session)
    this.#fault ??= ended.fault
    const end = { ...ended, fault: ended.fault ?? this.#fault }
    loop.enter(() => {
      session.stopIntake()
      // An end that could not cancel leaves it, with the orders, to the next session.
      if (!keepOrders && end.fault === undefined && end.openOrders.length === 0) session.giveUpWaiting()
      session.finish()
    })
    this.#running.delete(session)
    onEnd(session, end)
    if (this.#running.size === 0) this.#resolve()
  }
}

const later = (loop: LiveLoop, delayMs: number): Promise<void> =>
  new Promise((resolve) => {
    loop.after(delayMs, resolve)
  })

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
