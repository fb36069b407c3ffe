/**
 * The exchange's time, guessed from when its trades arrive: what the machine's clock says, less the least that a trade took lately.
 *
 * So a machine whose clock is off by a minute closes no candle a minute early or late.
 * Known limit: without trades of a stream it is the machine's own time.
 */
import type { Clock } from '../../../domain/time.ts'

/** A bucket of arrivals; the least of this one and the one before it counts. */
const BUCKET_MS = 60_000

export class ExchangeClock implements Clock {
  readonly #machine: Clock
  #bucket = Number.NEGATIVE_INFINITY
  #least: number | undefined
  #leastBefore: number | undefined

  constructor(machine: Clock) {
    this.#machine = machine
  }

  now(): number {
    return this.#machine.now() - this.#offset
  }

  /** A trade of this time has arrived, just now. */
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

  get #offset(): number {
    const offset = Math.min(this.#least ?? Number.POSITIVE_INFINITY, this.#leastBefore ?? Number.POSITIVE_INFINITY)
    return Number.isFinite(offset) ? offset : 0
  }
}
