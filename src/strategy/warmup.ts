/** Warm-up of a strategy: the candles that it needs before its first order. */
import { monthsLater, monthsOf } from '../domain/calendar.ts'
import { lengthMsOf, openTimeOf, type CandleLength } from '../domain/candle-length.ts'
import { InputError } from '../domain/errors.ts'
import { setting } from '../domain/setting-name.ts'

const MAX_CANDLES = 1_000_000

/** Number of candles per interval, such as `{ '1h': 200 }`: 1 to 1,000,000 each. */
export type Warmup = Readonly<Partial<Record<CandleLength, number>>>

/** Warm-up requirement of one candle length. */
export interface WarmupNeed {
  readonly length: string
  readonly lengthMs: number
  readonly count: number
}

/** @throws {InputError} for an invalid candle length, or a count that is not an integer of 1 or more */
export function warmupNeeds(warmup: Warmup = {}): readonly WarmupNeed[] {
  return Object.entries(warmup).map(([length, count = Number.NaN]) => {
    if (Number.isInteger(count) && count >= 1 && count <= MAX_CANDLES)
      return { length, lengthMs: lengthMsOf(length), count }
    throw new InputError(setting(`warmup.${length}`), `expected a number of candles, 1 to ${MAX_CANDLES}, got ${count}`)
  })
}

/** The time at which the first of them begins, if the last ones are over at `from`; `from` when nothing is needed. */
export const warmupBegin = (needs: readonly WarmupNeed[], from: number): number =>
  Math.min(from, ...needs.map((need) => beginOf(need, from)))

function beginOf({ lengthMs, count }: WarmupNeed, from: number): number {
  const open = openTimeOf(from, lengthMs)
  const months = monthsOf(lengthMs)
  return months === undefined ? open - lengthMs * count : monthsLater(open, -months * count)
}
