/**
 * Failed reads of an account: reported once, retried, and a fault of the session only if they persist.
 *
 * A rejected key is a fault immediately. An unreachable service never is: it is waited for. Anything else, such as a
 * gateway page in place of an answer, is a fault once reads of the same kind have failed without a success for
 * `haltAfterMs`.
 */
import { ExchangeError } from '../../domain/errors.ts'
import type { LiveTime } from './live-time.ts'

/** Kinds of reads, each with its own count of failures. */
export type ReadKind = 'audit' | 'account' | 'settle' | 'prepare'

export type OnReadFault = (error: ExchangeError, kind: ReadKind) => void
export type OnRead = (kind: ReadKind) => void

export interface ReadTroublesOptions {
  readonly time: Pick<LiveTime, 'monotonic'>
  /** Milliseconds. */
  readonly haltAfterMs: number
  readonly onWarning: (text: string) => void
  /** The session cannot continue. */
  readonly onFault: (error: ExchangeError) => void
}

/** Refusals that mean that the key is no longer usable. */
export const KEY_CODES: ReadonlySet<string> = new Set([
  'AUTHENTICATION_REQUIRED',
  'INVALID_API_KEY',
  'FORBIDDEN',
  'EMAIL_NOT_VERIFIED',
])

const OUTAGE_CODES: ReadonlySet<string> = new Set([
  'NO_ANSWER',
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
  'ENGINE_UNAVAILABLE',
  'ENGINE_TIMEOUT',
  'PORTFOLIO_UNAVAILABLE',
])

/** One or two failures prove nothing about the time between them, in which the machine may have slept. */
const MIN_FAILURES = 3
const MAX_GAP_MS = 60_000

interface Trouble {
  /** Monotonic milliseconds. */
  readonly since: number
  readonly lastAt: number
  readonly failures: number
}

export class ReadTroubles {
  readonly #options: ReadTroublesOptions
  readonly #failing = new Set<ReadKind>()
  readonly #troubles = new Map<ReadKind, Trouble>()
  #since = 0

  constructor(options: ReadTroublesOptions) {
    this.#options = options
  }

  onFault(error: ExchangeError, kind: ReadKind): void {
    const { onWarning, onFault } = this.#options
    if (KEY_CODES.has(error.code)) {
      onFault(error)
      return
    }
    if (this.#failing.size === 0) {
      this.#since = this.#options.time.monotonic()
      // An answer that did not come from the service was reported when it arrived.
      if (error.code !== 'SCHEMA_FAULT') onWarning(`${error.message}; retrying`)
    }
    this.#failing.add(kind)
    if (!OUTAGE_CODES.has(error.code)) this.#onStrange(error, kind)
  }

  onRead(kind: ReadKind): void {
    this.#troubles.delete(kind)
    if (!this.#failing.delete(kind) || this.#failing.size > 0) return
    const seconds = Math.max(1, Math.round((this.#options.time.monotonic() - this.#since) / 1000))
    this.#options.onWarning(`the account can be read again, after ${seconds} s`)
  }

  #onStrange(error: ExchangeError, kind: ReadKind): void {
    const now = this.#options.time.monotonic()
    const known = this.#troubles.get(kind)
    const isSame = known !== undefined && now - known.lastAt <= MAX_GAP_MS
    const trouble = isSame
      ? { ...known, lastAt: now, failures: known.failures + 1 }
      : { since: now, lastAt: now, failures: 1 }
    this.#troubles.set(kind, trouble)
    const lastedMs = now - trouble.since
    if (trouble.failures < MIN_FAILURES || lastedMs < this.#options.haltAfterMs) return
    const text = `${error.message}; this has lasted for ${Math.round(lastedMs / 1000)} s`
    this.#options.onFault(new ExchangeError(error.code, text, { cause: error, requestId: error.requestId }))
  }
}
