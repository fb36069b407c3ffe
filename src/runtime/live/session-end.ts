/**
 * The end of a session: no new requests, its open orders cancelled, unknown outcomes reconciled, and reads that confirm
 * that nothing is left.
 *
 * Orders are cancelled by id, which needs no read, and again after each read while some are open. Failed reads are
 * retried.
 * Invariant: it ends within its time limit, whatever the service does, and what is left is named.
 */
import type { RequestOutcome } from '../../adapter/exchange-adapter.ts'
import { ExchangeError } from '../../domain/errors.ts'
import type { FlatReport } from '../session/flatten/flat-report.ts'
import type { LiveLoop } from './live-loop.ts'
import type { LiveSession } from './live-session.ts'
import type { TradingAccount } from './trading-account.ts'

const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 4_000
/** A cancel that is answered later than this does not indicate an outage. */
const MAX_PROBE_MS = 3_000
/** Cancel rounds with a key that is no longer valid. */
const MAX_ROUNDS_WITHOUT_KEY = 2
/** The key is no longer usable, neither for cancels nor for reads. */
const KEY_CODES: readonly string[] = ['AUTHENTICATION_REQUIRED', 'INVALID_API_KEY', 'EMAIL_NOT_VERIFIED', 'FORBIDDEN']

/** Codes that apply to all orders. Other refusals, such as for a finished order, say nothing about the other orders. */
const UNREACHED_CODES: readonly string[] = [...KEY_CODES, 'NO_ANSWER', 'RATE_LIMITED']

export interface SessionEndOptions {
  readonly loop: LiveLoop
  readonly account: TradingAccount
  /** False to keep open orders. */
  readonly cancels: boolean
  /** True to sell the position once its orders are cancelled. */
  readonly flattens: boolean
  /** Fault of the account that ends the session, if any. */
  readonly fault: ExchangeError | undefined
  /** Time limit, milliseconds. */
  readonly timeoutMs: number
  /** Reports an internal error, without stopping the end. */
  readonly onError: (error: unknown) => void
}

/** Result of a session's end. */
export interface SessionEnd {
  /** Ids of open orders; the last known ones if they could not be read. */
  readonly openOrders: readonly string[]
  /** Order creations with an unknown outcome, each described in a few words. */
  readonly undecided: readonly string[]
  /** Why orders could not be cancelled and read; undefined on success. */
  readonly fault: ExchangeError | undefined
  /** Result of the sale at the end; undefined if nothing was to be sold. */
  readonly flat: FlatReport | undefined
}

/** Ends a session except for its last lines. Never rejects because of the service. */
export async function endSession(session: LiveSession, options: SessionEndOptions): Promise<SessionEnd> {
  const { loop, account } = options
  const { owner } = session.options
  loop.enter(() => {
    session.stopIntake()
    account.dropWaiting(owner)
  })
  const endTries = account.tryHeld(options.timeoutMs)
  const until = loop.monotonic() + options.timeoutMs
  const ending = new Ending(session, options)
  await Promise.race([ending.closed(), pause(loop, options.timeoutMs)])
  const fault = ending.stop()
  const flat = options.flattens ? await flatAtEnd(session, loop, until - loop.monotonic()) : undefined
  endTries()
  return { openOrders: account.openOrderIds(owner), undecided: account.undecided(owner), fault, flat }
}

/** Sells in the remaining time of the end; without any it only reports what is not sold. */
const flatAtEnd = (session: LiveSession, loop: LiveLoop, withinMs: number): Promise<FlatReport> =>
  new Promise((resolve) => {
    loop.enter(() => {
      session.flatten('the session ends', Math.max(0, withinMs), resolve)
    })
  })

class Ending {
  readonly #session: LiveSession
  readonly #options: SessionEndOptions
  #isOver = false
  #fault: ExchangeError | undefined
  /** Error of the last failed cancel. */
  #cancelFault: ExchangeError | undefined

  constructor(session: LiveSession, options: SessionEndOptions) {
    this.#session = session
    this.#options = options
    this.#fault = options.fault
  }

  /** Resolves when nothing is left to do, or nothing can be done. */
  async closed(): Promise<void> {
    const { loop, account, cancels } = this.#options
    // The session may end inside a turn of its own.
    await Promise.resolve()
    const settled = this.#allSettled(account)
    for (let round = 1; !this.#isOver; round += 1) {
      if (cancels) await this.#cancelOpen(round)
      this.#fault = await this.#audited()
      if (this.#isDone(round)) return
      const wait = pause(loop, Math.min(FIRST_PAUSE_MS * 2 ** (round - 1), MAX_PAUSE_MS))
      await (this.#isOpen ? wait : Promise.race([wait, settled]))
    }
  }

  /** Ends it, complete or not. @returns why it is not complete */
  stop(): ExchangeError | undefined {
    const { timeoutMs } = this.#options
    const isDone = this.#isDone(MAX_ROUNDS_WITHOUT_KEY)
    this.#isOver = true
    if (this.#fault !== undefined) return this.#fault
    if (this.#isOpen) return this.#cancelFault ?? notWithin(timeoutMs, 'the cancels had no answer')
    if (isDone) return undefined
    return notWithin(
      timeoutMs,
      this.#isSettled ? 'the account was not readable' : 'some orders still had no known outcome',
    )
  }

  /** Whether own orders that must be cancelled are open. */
  get #isOpen(): boolean {
    const { account, cancels } = this.#options
    return cancels && account.openOrderIds(this.#session.options.owner).length > 0
  }

  #isDone(round: number): boolean {
    const fault = this.#fault ?? (this.#isOpen ? this.#cancelFault : undefined)
    if (fault !== undefined && KEY_CODES.includes(fault.code)) return round >= MAX_ROUNDS_WITHOUT_KEY
    // A permanently failing read is no reason to stop cancelling.
    return this.#isSettled && !this.#isOpen && (this.#fault === undefined || !this.#fault.isRetryable)
  }

  /** Whether none of its own order creations has an unknown outcome; other sessions wait for theirs. */
  get #isSettled(): boolean {
    const { account } = this.#options
    return account.undecided(this.#session.options.owner).length === 0
  }

  /** Resolves when the account has no unknown outcome. */
  async #allSettled(account: TradingAccount): Promise<void> {
    try {
      await account.settled()
    } catch (error) {
      this.#options.onError(error)
    }
  }

  async #audited(): Promise<ExchangeError | undefined> {
    try {
      await this.#options.account.audited()
      return undefined
    } catch (error) {
      if (error instanceof ExchangeError) return error
      this.#options.onError(error)
      return new ExchangeError('NOT_KEPT', error instanceof Error ? error.message : String(error))
    }
  }

  /**
   * Cancels one order first, another one in each round: during an outage, or with an invalid key, the others would
   * exhaust the rate limit without an answer either. A slow answer says nothing about the others.
   */
  async #cancelOpen(round: number): Promise<void> {
    const { loop, account } = this.#options
    const open = account.openOrderIds(this.#session.options.owner)
    const first = open[(round - 1) % open.length]
    if (first === undefined) return
    this.#cancelFault = undefined
    const probe = this.#cancel(first)
    const fault = await Promise.race([probe, pause(loop, MAX_PROBE_MS)])
    if (this.#isOver || (fault instanceof ExchangeError && UNREACHED_CODES.includes(fault.code))) return
    await Promise.all([probe, ...open.filter((id) => id !== first).map((id) => this.#cancel(id))])
  }

  /** @returns why it failed; undefined on success */
  async #cancel(orderId: string): Promise<ExchangeError | undefined> {
    const outcome = await this.#outcomeOf(orderId)
    const fault = outcome === undefined ? undefined : faultOf(orderId, outcome)
    if (fault !== undefined) this.#cancelFault = fault
    return fault
  }

  /** Resolves when the cancel was answered, with any outcome; with undefined if it could not be sent. */
  #outcomeOf(orderId: string): Promise<RequestOutcome | undefined> {
    return new Promise((resolve) => {
      this.#options.loop.enter(() => {
        try {
          this.#session.cancel(orderId, resolve)
        } catch (error) {
          this.#options.onError(error)
          resolve(undefined)
        }
      })
    })
  }
}

function faultOf(orderId: string, outcome: RequestOutcome): ExchangeError | undefined {
  const call = `DELETE /orders/${orderId}`
  if (outcome.type === 'unknown') return new ExchangeError('NO_ANSWER', `${call}: ${outcome.reason}`)
  if (outcome.type !== 'refused') return undefined
  const { code, message } = outcome.refusal
  return new ExchangeError(code, `${call}: ${code}: ${message}`)
}

const notWithin = (timeoutMs: number, what: string): ExchangeError =>
  new ExchangeError('NO_ANSWER', `${what} after ${timeoutMs / 1000} s`)

const pause = (loop: LiveLoop, delayMs: number): Promise<void> =>
  new Promise((resolve) => {
    loop.after(delayMs, resolve)
  })
