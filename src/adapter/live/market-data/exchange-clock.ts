/**
 * The exchange's time, guessed from when its trades arrive: what the machine's clock says, less the least that a trade
 * took lately.
 *
 * So a machine whose clock is off by a minute closes no candle a minute early or late. A time ahead of both clocks is
 * not believed, unless the exchange's clock is really ahead: then no trade is within bounds any more. Known limit:
 * without trades of a stream it is the machine's own time.
 */
import type { Clock } from '../../../domain/time.ts'

/** A bucket of arrivals; the least of this one and the one before it counts. */
const BUCKET_MS = 60_000
/** A trade or ticker may be this far ahead of the clocks: they are off by a little. */
export const MAX_AHEAD_MS = 5_000
/** Trades ahead of the clocks, and none within bounds, after which the exchange's clock is taken to be ahead. */
const MIN_TRADES_AHEAD = 3
/** A clock that was right before has to be ahead for so long. */
const MIN_AHEAD_FOR_MS = 300_000

export class ExchangeClock implements Clock {
  readonly #machine: Clock
  #bucket = Number.NEGATIVE_INFINITY
  #least: number | undefined
  #leastBefore: number | undefined
  /** Trades ahead since the last one within bounds, and the machine's time of the first. */
  #ahead = { count: 0, since: 0 }
  /** Whether a trade within bounds has come. */
  #isProven = false
  /** Whether trades from before the beginning were ahead. */
  #wasAhead = false

  constructor(machine: Clock) {
    this.#machine = machine
  }

  now(): number {
    return this.#machine.now() - this.#offset
  }

  /** Whether a time is further ahead than an exchange can be. */
  isAhead(time: number): boolean {
    return time > Math.max(this.#machine.now(), this.now()) + MAX_AHEAD_MS
  }

  /** A trade of this time has arrived by the stream, just now. */
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

  /** The trades from before the beginning, newest first: several that are ahead show an exchange whose clock is. */
  begin(times: readonly number[]): void {
    const inBounds = times.findIndex((time) => !this.isAhead(time))
    const count = inBounds === -1 ? times.length : inBounds
    this.#ahead = { count, since: this.#machine.now() }
    if (count < MIN_TRADES_AHEAD) return
    this.#wasAhead = true
    this.#follow(Math.max(...times.slice(0, count)))
  }

  /** A trade is seen for the first time. @returns false when its time is not believed */
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
