/**
 * Estimates the exchange's clock from the arrival times of trades: the machine's clock minus the minimum recent
 * latency.
 *
 * This way a machine whose clock is a minute off closes no candle a minute early or late. A time ahead of both clocks
 * is rejected, unless the exchange's clock really is ahead: then no trade is within bounds any more.
 * Known limitation: without a trade stream it is the machine's own time.
 */
import type { Clock } from '../../../domain/time.ts'

/** Bucket of arrivals; the minimum is taken over this one and the one before. */
const BUCKET_MS = 60_000
/** Tolerance for a trade or ticker ahead of the clocks. */
export const MAX_AHEAD_MS = 5_000
/** Number of trades ahead, with none within bounds, after which the exchange's clock is assumed to be ahead. */
const MIN_TRADES_AHEAD = 3
/** Minimum duration of that state if the clock was right before. */
const MIN_AHEAD_FOR_MS = 300_000

export class ExchangeClock implements Clock {
  readonly #machine: Clock
  #bucket = Number.NEGATIVE_INFINITY
  #least: number | undefined
  #leastBefore: number | undefined
  /** Trades ahead since the last one within bounds, and the machine's time of the first. */
  #ahead = { count: 0, since: 0 }
  /** Whether a trade within bounds has arrived. */
  #isProven = false
  /** Whether trades from before the beginning were ahead. */
  #wasAhead = false

  constructor(machine: Clock) {
    this.#machine = machine
  }

  now(): number {
    return this.#machine.now() - this.#offset
  }

  /** Whether a time is further ahead than an exchange's clock can be. */
  isAhead(time: number): boolean {
    return time > Math.max(this.#machine.now(), this.now()) + MAX_AHEAD_MS
  }

  /** Takes a trade of this time that has just arrived by the stream. */
  arrived(createdAt: number): void {
    const now = this.#machine.now()
    const bucket = Math.floor(now / BUCKET_MS)
    if (bucket !== this.#bucket) {
      this.#leastBefore = this.#least
      this.#least = undefined
      this.#bucket = bucket
    }
    this.#least = Math.min(this.#least ?? Number.POSITIVE_INFINITY, now - createdAt)
  }

  /**
   * Takes the trades from before the beginning, newest first: several that are ahead mean that the exchange's clock is.
   */
  begin(times: readonly number[]): void {
    const inBounds = times.findIndex((time) => !this.isAhead(time))
    const count = inBounds === -1 ? times.length : inBounds
    this.#ahead = { count, since: this.#machine.now() }
    if (count < MIN_TRADES_AHEAD) return
    this.#wasAhead = true
    this.#follow(Math.max(...times.slice(0, count)))
  }

  /** Checks a trade that is seen for the first time. @returns false if its time is rejected */
  accepts(createdAt: number): boolean {
    if (!this.isAhead(createdAt)) {
      this.#ahead = { count: 0, since: 0 }
      this.#isProven = true
      return true
    }
    const now = this.#machine.now()
    const { count, since } = this.#ahead
    this.#ahead = { count: count + 1, since: count === 0 ? now : since }
    const isLasting = this.#isProven
      ? count + 1 >= MIN_TRADES_AHEAD && now - this.#ahead.since >= MIN_AHEAD_FOR_MS
      : count + 1 >= MIN_TRADES_AHEAD || this.#wasAhead
    if (isLasting) this.#follow(createdAt)
    return isLasting
  }

  #follow(createdAt: number): void {
    this.arrived(createdAt)
    this.#ahead = { count: 0, since: 0 }
  }

  get #offset(): number {
    const offset = Math.min(this.#least ?? Number.POSITIVE_INFINITY, this.#leastBefore ?? Number.POSITIVE_INFINITY)
    return Number.isFinite(offset) ? offset : 0
  }
}
