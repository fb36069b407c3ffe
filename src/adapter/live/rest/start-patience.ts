/** Patience of a start: until it ends, reads are retried indefinitely after transient failures, such as maintenance. */
import type { ExchangeError } from '../../../domain/errors.ts'
import { isoTime } from '../../../domain/time.ts'
import type { LiveTime } from '../live-time.ts'

export interface StartPatienceOptions {
  readonly time: LiveTime
  /** 0 for none. */
  readonly waitMs: number
  readonly onWarning: (text: string) => void
}

/** A first failure may pass within a moment and is not reported. */
const REPORTED_ATTEMPT = 2

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
