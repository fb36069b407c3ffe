/**
 * Samples of an account at the ends of periods: the multiples of the period since 1970 in UTC, and the end of the run.
 *
 * Invariant: the sample of boundary b holds what happened before b, and nothing that happened at b or later.
 * Known limit: a run that ends on a boundary has one sample there, the end.
 */
import { invariant } from '../../domain/errors.ts'

/** An account at one moment. */
export interface AccountSample {
  /** Equity in units of the portfolio's valueScale. */
  readonly equity: bigint
  /** Factor by which the equity continues that of before all transfers; absent without transfers. */
  readonly factor?: number
  /** A holding has no price. */
  readonly isPartial: boolean
  /** Marks in ticks, market by market; 0 before the first. */
  readonly marks: readonly number[]
}

export interface PeriodSample extends AccountSample {
  /** Unix milliseconds. */
  readonly time: number
  /** Some market traded in the period that ends here. */
  readonly isTraded: boolean
}

/**
 * Records the samples during a run.
 *
 * Contract: call `advance(time, look)` BEFORE anything at `time` changes a mark or a balance, and `finish(look)` once
 * after the last change; times never decrease. `look` is called only when a boundary was passed, and once for all of
 * them. Set `tradedAt` after `advance`.
 */
export class PeriodSamples {
  readonly #periodMs: number
  #to: number
  #next: number
  readonly #samples: PeriodSample[] = []
  readonly #from: number
  /** Unix milliseconds of the last trade in any market, or just before the end of its last candle. */
  tradedAt = Number.NEGATIVE_INFINITY

  /**
   * @param from      Unix milliseconds; the start itself is no sample here
   * @param to        the end; undefined when it is not known yet
   * @param periodMs  above 0
   */
  constructor(from: number, to: number | undefined, periodMs: number) {
    invariant(Number.isSafeInteger(periodMs) && periodMs > 0, `a period of ${periodMs} ms has no end`)
    this.#periodMs = periodMs
    this.#from = from
    this.#to = to ?? Infinity
    this.#next = (Math.floor(from / periodMs) + 1) * periodMs
    this.#stop()
  }

  /** Next boundary; Infinity when none is left before the end. */
  get next(): number {
    return this.#next
  }

  /** Oldest first; complete after `finish`. */
  get samples(): readonly PeriodSample[] {
    return this.#samples
  }

  /** Announces that the account is about to change at `time`. */
  advance(time: number, look: () => AccountSample): void {
    if (time >= this.#next) this.#record(time, look())
  }

  /**
   * Completes them, once.
   *
   * @param to  of a run whose end was not known, or that ends early
   */
  finish(look: () => AccountSample, to?: number): void {
    if (to !== undefined) this.#to = to
    const end = this.#to
    invariant(end !== Infinity, 'the samples of a run have an end')
    this.#stop()
    const sample = look()
    this.#record(end, sample)
    // If the run ends on a boundary, the final sample replaces that boundary's: it includes everything that happened
    // then.
    if ((this.#samples.at(-1)?.time ?? 0) >= end) this.#samples.pop()
    const isTraded = this.tradedAt >= (this.#samples.at(-1)?.time ?? this.#from)
    this.#samples.push({ ...sample, time: end, isTraded })
    this.#next = Infinity
  }

  #record(time: number, sample: AccountSample): void {
    while (this.#next <= time) {
      const isTraded = this.tradedAt < this.#next && this.tradedAt >= this.#next - this.#periodMs
      this.#samples.push({ ...sample, time: this.#next, isTraded })
      this.#next += this.#periodMs
      this.#stop()
    }
  }

  #stop(): void {
    if (this.#next >= this.#to) this.#next = Infinity
  }
}
