/**
 * Waits between attempts: exponential backoff with full jitter, so that clients that failed together do not come back
 * together.
 */
import type { ExchangeError } from '../../../domain/errors.ts'
import { isoTime } from '../../../domain/time.ts'
import type { LiveTime } from '../live-time.ts'

interface StartPatienceOptions {
  readonly time: LiveTime
  /** 0 for none. */
  readonly waitMs: number
  readonly onWarning: (text: string) => void
}

/** A first failure may pass within a moment and is not reported. */
const REPORTED_ATTEMPT = 2

/** Patience of a start: until it ends, reads are retried indefinitely after transient failures, such as maintenance. */
export class StartPatience {
  readonly #options: StartPatienceOptions
  readonly #endsAt: number
  #isOver: boolean
  #isReported = false

  constructor(options: StartPatienceOptions) {
    const { time, waitMs } = options
    this.#options = options
    this.#endsAt = time.monotonic() + waitMs
    this.#isOver = waitMs === 0
  }

  get isOver(): boolean {
    return this.#isOver || this.#options.time.monotonic() >= this.#endsAt
  }

  /** The start is over: from now on reads fail normally. */
  end(): void {
    this.#isOver = true
  }

  /** A read will be retried. @param attempt  the one that failed, from 1 */
  onFailure(failure: ExchangeError, attempt: number): void {
    if (this.isOver || this.#isReported || attempt < REPORTED_ATTEMPT) return
    this.#isReported = true
    const { time, onWarning } = this.#options
    const until = isoTime(time.now() + this.#endsAt - time.monotonic())
    onWarning(`waiting for the service until ${until} (--wait); press Ctrl-C to stop. ${failure.message}`)
  }

  /** A read was answered. */
  onAnswer(): void {
    if (!this.#isReported) return
    this.#isReported = false
    this.#options.onWarning('the service answers again; starting')
  }
}

export interface RetryOptions {
  readonly time: LiveTime
  /** Returns numbers in [0, 1). */
  readonly random: () => number
  /** Attempts per request, including the first. */
  readonly attempts: number
}

const FIRST_MS = 250
const MAX_MS = 8_000

export class RetryWaits {
  readonly attempts: number
  readonly #options: RetryOptions
  /** Functions that end each wait immediately. */
  readonly #waiting = new Set<() => void>()

  constructor(options: RetryOptions) {
    this.#options = options
    this.attempts = options.attempts
  }

  /**
   * Resolves when it is time for the next attempt, or when all waits are ended.
   * @param attempt  the one that failed, from 1
   * @param leastMs  minimum wait that the service asked for
   */
  wait(attempt: number, leastMs = 0): Promise<void> {
    const most = Math.min(FIRST_MS * 2 ** (attempt - 1), MAX_MS)
    return this.pause(leastMs + this.#options.random() * most)
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        timer.cancel()
        this.#waiting.delete(end)
        resolve()
      }
      const timer = this.#options.time.after(ms, end)
      this.#waiting.add(end)
    })
  }

  endAll(): void {
    for (const end of this.#waiting) end()
  }
}
