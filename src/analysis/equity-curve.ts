/**
 * Equity of a run on a regular grid of time, in bounded memory.
 *
 * Invariant: the sample at grid time g holds the equity after every state change at or before g, and before any later
 * one.
 * Known limit: what happened between two grid times is not seen.
 */
import { ALL_CANDLE_INTERVALS } from '../domain/candle.ts'
import { invariant } from '../domain/errors.ts'

export const MAX_EQUITY_SAMPLES = 2000

export interface EquitySample {
  /** Unix milliseconds. */
  readonly time: number
  /** In units of the portfolio's valueScale. */
  readonly equity: bigint
}

const DAY_MS = ALL_CANDLE_INTERVALS['1d']

/** Samples at from, from + step, ... below to, and at to itself. */
const sampleCount = (spanMs: number, stepMs: number): number => Math.ceil(spanMs / stepMs) + 1

/**
 * The smallest candle interval, or multiple of a day, that covers [from, to] with at most 2000 samples.
 *
 * @returns milliseconds
 */
export function equityStep(from: number, to: number): number {
  const span = to - from
  const interval = Object.values(ALL_CANDLE_INTERVALS).find((step) => sampleCount(span, step) <= MAX_EQUITY_SAMPLES)
  return interval ?? Math.ceil(span / ((MAX_EQUITY_SAMPLES - 1) * DAY_MS)) * DAY_MS
}

/**
 * Records the curve while a run goes on. The grid is from, from + step, from + 2 step, ..., and always `to`, so that
 * the last step may be shorter.
 *
 * Contract: call `advance(time, equity)` BEFORE anything at `time` changes a mark or a balance, and `finish(equity)`
 * once after the last change; times never decrease. Then the state at `advance(time)` is that of every moment since the
 * change before, and `equity` is read once for all grid times before `time`, and only when there is one: an advance that
 * passes none costs one comparison. The grid time `time` itself waits, since more may happen at that moment.
 *
 * ```ts
 * curve.advance(trade.time, () => exchange.portfolio(account, trade.time).equity)
 * exchange.print(trade)
 * ...
 * curve.finish(() => exchange.portfolio(account, to).equity)
 * ```
 */
export class EquityCurve {
  /** Milliseconds between two samples. */
  readonly stepMs: number
  readonly #to: number
  readonly #samples: EquitySample[] = []
  /** The first grid time without a sample; Infinity after the last. */
  #next: number

  /**
   * @param from  time of the first sample, Unix milliseconds, and
   * @param to    of the last one
   * @throws {InvariantError} unless both are safe integers and from <= to
   */
  constructor(from: number, to: number) {
    invariant(Number.isSafeInteger(from) && Number.isSafeInteger(to), `${from} to ${to} is not in milliseconds`)
    invariant(from <= to, `an equity curve cannot go back from ${from} to ${to}`)
    this.stepMs = equityStep(from, to)
    this.#to = to
    this.#next = from
  }

  /** Oldest first; complete after `finish`. */
  get samples(): readonly EquitySample[] {
    return this.#samples
  }

  /** Tells that the state is about to change at `time`; `equity` gives its present value and is called at most once. */
  advance(time: number, equity: () => bigint): void {
    if (time > this.#next) this.#record(time, equity())
  }

  /** Completes the curve up to `to`; a second call changes nothing. */
  finish(equity: () => bigint): void {
    if (this.#next <= this.#to) this.#record(Infinity, equity())
  }

  /** Samples every grid time before `end`. */
  #record(end: number, equity: bigint): void {
    while (this.#next < end) {
      this.#samples.push({ time: this.#next, equity })
      this.#next = this.#next === this.#to ? Infinity : Math.min(this.#next + this.stepMs, this.#to)
    }
  }
}
