/**
 * Leaky bucket of intents, which detects a strategy that answers its own events in an endless loop.
 *
 * Without rate limits, an order for every emitted trade, its own included, multiplies orders while tape time hardly
 * advances. Intents fill the bucket and tape time drains it. A strategy that reacts to the market, even with a hundred
 * intents a second and ten thousand at once now and then, never fills it. More at once are possible with
 * `maxOrdersAtOnce`.
 */
import { MisuseError } from '../../domain/errors.ts'
import { isoTime } from '../../domain/time.ts'

/** Default limit for intents without any time between them. */
const MAX_AT_ONE_MOMENT = 10_000
/** Rate at which the bucket drains. */
const PER_SECOND = 2_000
const NOTICE_AT = 100_000
const END_AT = 1_000_000

const ADVICE = 'does it react to its own trades? filter them out with `isOwn`'

export class IntentPace {
  readonly #notice: (message: string) => void
  readonly #maxAtOneMoment: number
  #moment = Number.NEGATIVE_INFINITY
  #atMoment = 0
  #inBucket = 0
  #isNoticed = false

  /**
   * @param notice          informs the user, once
   * @param maxAtOneMoment  null for the default
   */
  constructor(notice: (message: string) => void, maxAtOneMoment: number | null = null) {
    this.#notice = notice
    this.#maxAtOneMoment = maxAtOneMoment ?? MAX_AT_ONE_MOMENT
  }

  /** Counts an intent. @throws {Error} if there are too many to be intended */
  add(now: number): void {
    if (now !== this.#moment) this.#pass(now)
    this.#atMoment += 1
    this.#inBucket += 1
    if (this.#atMoment > this.#maxAtOneMoment) {
      throw new MisuseError(
        'endless-orders',
        `more than ${this.#maxAtOneMoment} orders and cancels at the same moment, as in an endless loop: does the strategy react to itself? if they are intended, raise --max-orders-at-once`,
      )
    }
    if (this.#inBucket > NOTICE_AT && !this.#isNoticed) {
      this.#isNoticed = true
      this.#notice(`${this.#text(NOTICE_AT, now)}; at ${END_AT} the run ends; ${ADVICE}`)
    }
    if (this.#inBucket > END_AT)
      throw new MisuseError('endless-orders', `${this.#text(END_AT, now)}, as in an endless loop; ${ADVICE}`)
  }

  #pass(now: number): void {
    // The clock of a live session may be set back.
    const passed = (Math.max(0, now - this.#moment) / 1_000) * PER_SECOND
    this.#inBucket = Math.max(0, this.#inBucket - passed)
    this.#moment = now
    this.#atMoment = 0
  }

  #text(intents: number, now: number): string {
    const at = `${this.#atMoment} of them at ${isoTime(now)} alone`
    return `the strategy is ${intents} orders and cancels above a pace of ${PER_SECOND} per second of the tape, ${at}`
  }
}
