/**
 * Sampling times of an account's equity: those of its curve, and the boundaries between the periods of its returns.
 *
 * Invariant: a call without a due sample costs one comparison.
 */
import { EquityCurve } from '../../analysis/equity-curve.ts'
import { PeriodSamples, type AccountSample } from '../../analysis/returns/period-samples.ts'

export interface EquityClockSetup {
  /** Unix milliseconds. */
  readonly from: number
  /** Undefined while it is not known. */
  readonly to: number | undefined
  readonly periodMs: number
  /** Reads the present state of the account. */
  readonly look: () => AccountSample
}

export class EquityClock {
  readonly curve: EquityCurve
  readonly periods: PeriodSamples
  readonly #look: () => AccountSample
  readonly #equity: () => bigint
  /** The next millisecond at which a sample is due. */
  #due: number

  constructor({ from, to, periodMs, look }: EquityClockSetup) {
    this.curve = new EquityCurve(from, to)
    this.periods = new PeriodSamples(from, to, periodMs)
    this.#look = look
    this.#equity = () => look().equity
    this.#due = this.#nextDue()
  }

  /** Call before anything at `time` changes a mark or a balance. */
  advance(time: number): void {
    if (time >= this.#due) this.#pass(time, time)
  }

  /** The same for data from before `time` that is emitted at `time`: the end of a candle. */
  advanceUpTo(time: number): void {
    if (time >= this.#due) this.#pass(time, time - 1)
  }

  /** Call once, after the last change. */
  finish(to?: number): void {
    this.curve.finish(this.#equity, to)
    this.periods.finish(this.#look, to)
  }

  #pass(time: number, happenedAt: number): void {
    this.curve.advance(time, this.#equity)
    this.periods.advance(happenedAt, this.#look)
    this.#due = this.#nextDue()
  }

  /** The curve samples a moment once it is over. */
  #nextDue(): number {
    return Math.min(this.curve.next + 1, this.periods.next)
  }
}
