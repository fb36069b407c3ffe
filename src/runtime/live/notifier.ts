/**
 * Sends events of a live process to a webhook: batched, rate-limited and non-blocking.
 *
 * Invariant: at most one message is in flight, no more than the limit are sent in any minute (except a last one at the
 * end), and every event is either in a sent message or counted as dropped.
 * Known limitation: an event whose message got no answer may have arrived; it is then counted as dropped or, after the
 * second attempt, sent twice.
 */
import type { MachineClocks } from '../../adapter/live/machine-clocks.ts'
import { MINUTE_MS } from '../../domain/time.ts'
import type { NumberedEvent } from './live-event.ts'

export type PostOutcome =
  | { readonly type: 'accepted' }
  /** @property isRetryable whether the same message may be accepted later */
  | { readonly type: 'failed'; readonly reason: string; readonly isRetryable: boolean }

export interface NotifierOptions {
  readonly clocks: Pick<MachineClocks, 'monotonic' | 'setTimer'>
  /** Sends one message, JSON text, within some seconds. Never rejects. */
  readonly post: (body: string) => Promise<PostOutcome>
  /** The webhook does not work; called once. */
  readonly onTrouble: (reason: string) => void
  readonly baseUrl: string
  /** Maximum number of messages in any minute. */
  readonly perMinute?: number
}

const TYPES: ReadonlySet<NumberedEvent['type']> = new Set<NumberedEvent['type']>([
  ...(['started', 'fill', 'state', 'halt', 'fault', 'twin', 'ended'] as const),
])

const PER_MINUTE = 30
/** Events within this time share a message. */
const BUNDLE_MS = 1_000
const RETRY_MS = 2_000
const MAX_IN_MESSAGE = 100
const MAX_WAITING = 1_000

export class Notifier {
  readonly #options: NotifierOptions
  readonly #perMinute: number
  readonly #waiting: NumberedEvent[] = []
  /** Monotonic milliseconds of the messages of the last minute. */
  readonly #sentAt: number[] = []
  #dropped = 0
  #isTroubleReported = false
  #isClosing = false
  #cancelTimer: (() => void) | undefined
  #underWay: Promise<void> | undefined
  #endPause: (() => void) | undefined

  constructor(options: NotifierOptions) {
    this.#options = options
    this.#perMinute = options.perMinute ?? PER_MINUTE
  }

  /** Events that did not fit into a message, or whose message failed. */
  get dropped(): number {
    return this.#dropped
  }

  /** Returns immediately, whatever the webhook does. */
  report(event: NumberedEvent): void {
    if (!TYPES.has(event.type) || this.#isClosing) return
    this.#waiting.push(event)
    if (this.#waiting.length > MAX_WAITING) {
      this.#waiting.shift()
      this.#dropped += 1
    }
    this.#schedule()
  }

  /** Sends the rest; resolves then, or at the time limit. */
  async close(limitMs: number): Promise<void> {
    this.#isClosing = true
    this.#cancelTimer?.()
    this.#endPause?.()
    let cancel = (): void => undefined
    const isOver = new Promise<void>((resolve) => {
      cancel = this.#options.clocks.setTimer(limitMs, resolve)
    })
    await Promise.race([this.#sendRest(), isOver])
    cancel()
  }

  async #sendRest(): Promise<void> {
    await this.#underWay
    while (this.#waiting.length > 0) await this.#send()
  }

  #schedule(): void {
    if (this.#cancelTimer !== undefined || this.#underWay !== undefined || this.#isClosing) return
    this.#cancelTimer = this.#options.clocks.setTimer(Math.max(BUNDLE_MS, this.#untilAllowed()), () => {
      this.#cancelTimer = undefined
      this.#underWay = this.#send().finally(() => {
        this.#underWay = undefined
        if (this.#waiting.length > 0) this.#schedule()
      })
    })
  }

  /** Milliseconds until the rate limit allows another message. */
  #untilAllowed(): number {
    const now = this.#options.clocks.monotonic()
    while ((this.#sentAt[0] ?? now) <= now - MINUTE_MS) this.#sentAt.shift()
    const { length } = this.#sentAt
    const freeing = this.#sentAt[length - this.#perMinute]
    return freeing === undefined ? 0 : freeing + MINUTE_MS - now
  }

  /** Sends one message, with one retry. */
  async #send(): Promise<void> {
    const events = this.#waiting.splice(0, MAX_IN_MESSAGE)
    const body = JSON.stringify({ source: 'papertape', baseUrl: this.#options.baseUrl, dropped: this.#dropped, events })
    let outcome = await this.#post(body)
    if (outcome.type === 'failed' && outcome.isRetryable && !this.#isClosing) {
      await this.#pause(Math.max(RETRY_MS, this.#untilAllowed()))
      outcome = await this.#post(body)
    }
    if (outcome.type === 'accepted') return
    this.#dropped += events.length
    if (this.#isTroubleReported) return
    this.#isTroubleReported = true
    this.#options.onTrouble(outcome.reason)
  }

  async #post(body: string): Promise<PostOutcome> {
    this.#sentAt.push(this.#options.clocks.monotonic())
    return this.#options.post(body)
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
