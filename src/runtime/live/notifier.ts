/**
 * Sends events of a live process to a webhook or a person: batched, rate-limited and non-blocking.
 *
 * Invariant: at most one message is in flight, no more than the limit are sent in any minute (except at the
 * end), none before the time that the receiver named, and every event is either in a sent message or counted as
 * dropped. Known limitation: an event whose message got no answer may have arrived; it is then counted as dropped or,
 * after the second attempt, sent twice.
 */
import type { MachineClocks } from '../../adapter/live/machine-clocks.ts'
import { MINUTE_MS } from '../../domain/time.ts'
import type { NumberedEvent } from './live-event.ts'

export type PostOutcome =
  | { readonly type: 'accepted' }
  /**
   * @property isRetryable   whether the same message may be accepted later
   * @property retryAfterMs  how long the receiver wants no message
   */
  | { readonly type: 'failed'; readonly reason: string; readonly isRetryable: boolean; readonly retryAfterMs?: number }

export interface NotifierOptions {
  readonly clocks: Pick<MachineClocks, 'monotonic' | 'setTimer'>
  /** Sends one message within some seconds. Never rejects. */
  readonly post: (body: string) => Promise<PostOutcome>
  /** The receiver does not work; called once. */
  readonly onTrouble: (reason: string) => void
  /** Types of the events to send. */
  readonly types: ReadonlySet<NumberedEvent['type']>
  /**
   * @param dropped  number of events so far that could not be delivered
   * @param unsaid   those of them that no delivered message has counted
   */
  readonly messageOf: (events: readonly NumberedEvent[], dropped: number, unsaid: number) => string
  readonly maxInMessage: number
  /** Maximum number of messages in any minute. */
  readonly perMinute: number
}

/** Events within this time share a message. */
const BUNDLE_MS = 1_000
const RETRY_MS = 2_000
/** Attempts for a message that the receiver wants later. */
const MAX_ATTEMPTS = 4
const MAX_RETRY_AFTER_MS = 60 * MINUTE_MS
const MAX_WAITING = 1_000

export class Notifier {
  readonly #options: NotifierOptions
  readonly #waiting: NumberedEvent[] = []
  /** Monotonic milliseconds of the messages of the last minute. */
  readonly #sentAt: number[] = []
  /** Monotonic milliseconds before which the receiver wants no message. */
  #notBefore = 0
  #dropped = 0
  /** `#dropped` of the last delivered message. */
  #said = 0
  /** Events of the message under way. */
  #inFlight = 0
  #isTroubleReported = false
  /** Monotonic milliseconds of the limit; undefined before `close`. */
  #closesAt: number | undefined
  #isClosed = false
  #cancelTimer: (() => void) | undefined
  #underWay: Promise<void> | undefined
  #endPause: (() => void) | undefined

  constructor(options: NotifierOptions) {
    this.#options = options
  }

  /** Events that did not fit into a message, or whose message failed. */
  get dropped(): number {
    return this.#dropped
  }

  /** Returns immediately, whatever the webhook does. */
  report(event: NumberedEvent): void {
    if (!this.#options.types.has(event.type) || this.#closesAt !== undefined) return
    this.#waiting.push(event)
    if (this.#waiting.length > MAX_WAITING) {
      this.#waiting.shift()
      this.#dropped += 1
    }
    this.#schedule()
  }

  /** Sends the rest; resolves then, or at the time limit, when what is not delivered counts as dropped. */
  async close(limitMs: number): Promise<void> {
    this.#closesAt = this.#options.clocks.monotonic() + limitMs
    this.#cancelTimer?.()
    this.#endPause?.()
    let cancel = (): void => undefined
    const isOver = new Promise<void>((resolve) => {
      cancel = this.#options.clocks.setTimer(limitMs, resolve)
    })
    await Promise.race([this.#sendRest(), isOver])
    cancel()
    this.#isClosed = true
    this.#endPause?.()
    const lost = this.#waiting.length + this.#inFlight
    if (lost > 0) this.#drop(lost, `the last message was not delivered in ${limitMs / 1_000} s`)
  }

  async #sendRest(): Promise<void> {
    await this.#underWay
    while (this.#waiting.length > 0) {
      const early = this.#notBefore - this.#options.clocks.monotonic()
      if (early > 0) await this.#pause(early)
      if (this.#hasClosed()) return
      await this.#send()
    }
  }

  #schedule(): void {
    if (this.#cancelTimer !== undefined || this.#underWay !== undefined || this.#closesAt !== undefined) return
    this.#cancelTimer = this.#options.clocks.setTimer(Math.max(BUNDLE_MS, this.#untilAllowed()), () => {
      this.#cancelTimer = undefined
      this.#underWay = this.#send().finally(() => {
        this.#underWay = undefined
        if (this.#waiting.length > 0) this.#schedule()
      })
    })
  }

  #hasClosed(): boolean {
    return this.#isClosed
  }

  /** Milliseconds until the receiver and the rate limit allow another message. */
  #untilAllowed(): number {
    const now = this.#options.clocks.monotonic()
    while ((this.#sentAt[0] ?? now) <= now - MINUTE_MS) this.#sentAt.shift()
    const { length } = this.#sentAt
    const freeing = this.#sentAt[length - this.#options.perMinute]
    return Math.max(this.#notBefore - now, freeing === undefined ? 0 : freeing + MINUTE_MS - now, 0)
  }

  /** Sends one message, with one retry, or a few if the receiver names the time, or while it closes. */
  async #send(): Promise<void> {
    const events = this.#waiting.splice(0, this.#options.maxInMessage)
    const dropped = this.#dropped
    const body = this.#options.messageOf(events, dropped, dropped - this.#said)
    this.#inFlight = events.length
    let outcome = await this.#post(body)
    for (let attempt = 2; outcome.type === 'failed' && this.#mayRepeat(outcome, attempt); attempt += 1) {
      await this.#pause(this.#untilRepeat())
      if (this.#hasClosed()) return
      if (this.#closesAt !== undefined && this.#notBefore > this.#options.clocks.monotonic()) {
        // The close cut the pause short: the rest is sent when the receiver wants it.
        this.#waiting.unshift(...events)
        this.#inFlight = 0
        return
      }
      outcome = await this.#post(body)
    }
    if (this.#hasClosed()) return
    this.#inFlight = 0
    if (outcome.type === 'accepted') this.#said = dropped
    else this.#drop(events.length, outcome.reason)
  }

  #drop(count: number, reason: string): void {
    this.#dropped += count
    if (this.#isTroubleReported) return
    this.#isTroubleReported = true
    this.#options.onTrouble(reason)
  }

  /** Whether a failed message is sent again: while it closes as often as there is time, otherwise a few times. */
  #mayRepeat({ isRetryable, retryAfterMs }: PostOutcome & { type: 'failed' }, attempt: number): boolean {
    if (!isRetryable || this.#isClosed) return false
    if (this.#closesAt !== undefined) return this.#options.clocks.monotonic() + this.#untilRepeat() < this.#closesAt
    return attempt <= (retryAfterMs === undefined ? 2 : MAX_ATTEMPTS)
  }

  /** The rate limit ends with the session. */
  #untilRepeat(): number {
    if (this.#closesAt === undefined) return Math.max(RETRY_MS, this.#untilAllowed())
    return Math.max(RETRY_MS, this.#notBefore - this.#options.clocks.monotonic())
  }

  async #post(body: string): Promise<PostOutcome> {
    const { clocks, post } = this.#options
    this.#sentAt.push(clocks.monotonic())
    const outcome = await post(body)
    if (outcome.type === 'failed' && outcome.retryAfterMs !== undefined) {
      this.#notBefore = clocks.monotonic() + Math.min(outcome.retryAfterMs, MAX_RETRY_AFTER_MS)
    }
    return outcome
  }

  /** Ends early when the notifier closes. */
  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#options.clocks.setTimer(ms, resolve)
      this.#endPause = () => {
        cancel()
        resolve()
      }
    })
    this.#endPause = undefined
  }
}
