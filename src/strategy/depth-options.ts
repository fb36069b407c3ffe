/** Options of `depth`: number of levels and update interval. */
import { knownLengthMs, LONGEST_MS, type CandleLength } from '../domain/candle-length.ts'
import { InputError } from '../domain/errors.ts'

const MAX_LEVELS = 1_000
const DEFAULT_LEVELS = 10

/** Options of `depth`. */
export interface DepthOptions {
  /** Number of levels per side, best first: 1 to 1000; default 10. */
  readonly levels?: number | undefined
  /** Emit at most once per interval, such as `'1s'`, or a number of milliseconds; default: after each update. */
  readonly every?: CandleLength | number | undefined
}

/** The same, checked. */
export interface DepthTerms {
  readonly levels: number
  /** Milliseconds; undefined for each frame. */
  readonly everyMs: number | undefined
}

/**
 * @param place  the call, such as `depth('BTC_USD')`
 * @throws {InputError} for invalid options
 */
export function depthTermsOf(place: string, { levels = DEFAULT_LEVELS, every }: DepthOptions): DepthTerms {
  checkLevels(place, levels)
  return { levels, everyMs: every === undefined ? undefined : everyMsOf(place, every) }
}

/** @throws {InputError} for no whole number of 1 to 1000 */
export function checkLevels(place: string, levels: number): void {
  if (Number.isInteger(levels) && levels >= 1 && levels <= MAX_LEVELS) return
  throw new InputError(place, `expected levels of 1 to ${MAX_LEVELS}, a whole number, got ${String(levels)}`)
}

function everyMsOf(place: string, every: CandleLength | number): number {
  const ms = typeof every === 'number' ? every : knownLengthMs(every)
  if (ms !== undefined && Number.isInteger(ms) && ms >= 1 && ms <= LONGEST_MS) return ms
  const reported = typeof every === 'string' ? `'${every}'` : String(every)
  throw new InputError(
    place,
    `expected every to be a length such as '1s', or whole milliseconds up to 366 days, got ${reported}`,
  )
}
