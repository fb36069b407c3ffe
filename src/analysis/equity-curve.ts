/**
 * Equity of a run on a regular grid of time, in bounded memory.
 *
 * Invariant: the sample at grid time g holds the equity after every state change at or before g, and before any later
 * one.
 * Known limit: extremes between two grid times are not recorded.
 */
import { ALL_CANDLE_INTERVALS } from '../domain/candle.ts'
import { invariant } from '../domain/errors.ts'
import { DAY_MS } from '../domain/time.ts'

export const MAX_EQUITY_SAMPLES = 2000

export interface EquitySample {
  /** Unix milliseconds. */
  readonly time: number
  /** Equity in units of the portfolio's valueScale. */
  readonly equity: bigint
}

/** First grid step of a curve with an unknown end. */
const FIRST_STEP_MS = 1_000

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
 * Records the curve during a run. The grid is from, from + step, from + 2 step, ..., and always `to`, so the last step
 * may be shorter.
 *
 * Contract: call `advance(time, equity)` BEFORE anything at `time` changes a mark or a balance, and `finish(equity)`
 * once after the last change; times never decrease. The state at `advance(time)` then holds for every moment since the
 * previous change. `equity` is read once for all grid times before `time`, and only if there are any: otherwise a call
 * costs one comparison. The grid time `time` itself is recorded later, because more may happen at that moment.
 *
 * ```ts
 * curve.advance(trade.time, () => exchange.portfolio(account, trade.time).equity)
 * exchange.print(trade)
 * ...
 * curve.finish(() => exchange.portfolio(account, to).equity)
 * ```
 */
export class EquityCurve {
  #stepMs: number
  /** Infinity until it is known. */
  #to: number
  #samples: EquitySample[] = []
  /** The first grid time without a sample; Infinity after the last. */
  #next: number

  /**
   * @param from  time of the first sample, Unix milliseconds, and
   * @param to    of the last one; undefined for a curve whose end is not known yet, whose step doubles whenever it has
   * too many samples
   * @throws {InvariantError} unless both are safe integers and from <= to
   */
  constructor(from: number, to: number | undefined) {
    const end = to ?? from
    invariant(Number.isSafeInteger(from) && Number.isSafeInteger(end), `${from} to ${end} is not in milliseconds`)
    invariant(from <= end, `an equity curve cannot go back from ${from} to ${end}`)
    this.#stepMs = to === undefined ? FIRST_STEP_MS : equityStep(from, to)
    this.#to = to ?? Infinity
    this.#next = from
  }

  /** Milliseconds between two samples. */
  get stepMs(): number {
    return this.#stepMs
  }

  /** The grid time that has no sample yet; Infinity after the last. */
  get next(): number {
    return this.#next
  }

  /** Oldest first; complete after `finish`. */
  get samples(): readonly EquitySample[] {
    return this.#samples
  }

  /**
   * Announces that the state is about to change at `time`; `equity` returns its present value and is called at most
   * once.
   */
  advance(time: number, equity: () => bigint): void {
    if (time > this.#next) this.#record(time, equity())
  }

  /**
   * Completes the curve up to its end; a second call changes nothing.
   *
   * @param to  of a curve whose end was not known, or that ends early
   */
  finish(equity: () => bigint, to?: number): void {
    if (this.#next === Infinity) return
    if (to !== undefined || this.#to === Infinity) this.#end(to)
    if (this.#next <= this.#to) this.#record(Infinity, equity())
  }

  /** Samples every grid time before `end`. */
  #record(end: number, equity: bigint): void {
    while (this.#next < end) {
      this.#samples.push({ time: this.#next, equity })
      if (this.#samples.length > MAX_EQUITY_SAMPLES) this.#coarsen()
      this.#next = this.#next === this.#to ? Infinity : Math.min(this.#next + this.#stepMs, this.#to)
    }
  }

  #end(to: number | undefined): void {
    const last = this.#samples.at(-1)?.time ?? this.#next
    invariant(to !== undefined && to >= last, `a curve that has come to ${last} cannot end at ${to ?? 'no time'}`)
    this.#to = to
    this.#next = this.#samples.length > 0 && last === to ? Infinity : Math.min(this.#next, to)
  }

  /** Drops every second sample, except the last one of a complete curve. */
  #coarsen(): void {
    this.#stepMs *= 2
    this.#samples = this.#samples.filter(({ time }, index) => index % 2 === 0 || time === this.#to)
    this.#next = this.#samples.at(-1)?.time ?? this.#next
  }
}
