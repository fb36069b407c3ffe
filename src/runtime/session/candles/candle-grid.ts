/**
 * Grids of intervals, for candles that are aggregated from shorter ones or aligned with those of other markets. An
 * interval is identified by its nominal opening time. There are three grids:
 * - calendar: days from midnight, weeks from Monday, months from their first day, in UTC or in a time zone;
 * - UTC: every other length, if the parts begin on multiples of their own length;
 * - session: parts that do not, such as hours from 09:30; it begins with the first candle after a pause of four hours.
 */
import { isOfCalendar } from '../../../domain/calendar.ts'
import { closeTimeOf, lengthText, openTimeOf, type CandleLength } from '../../../domain/candle-length.ts'
import { InputError } from '../../../domain/errors.ts'
import { DAY_MS, WEEK_MS, HOUR_MS } from '../../../domain/time.ts'
import type { ZoneClock } from '../../../domain/zone-clock.ts'

/** Shorter pauses are intervals without a trade. */
const PAUSE_MS = 4 * HOUR_MS

/** The candles of one market from which longer ones are aggregated. */
export interface CandleParts {
  readonly symbol: string
  readonly interval: CandleLength
  /** Milliseconds. */
  readonly lengthMs: number
  /** They open on the UTC grid. */
  readonly isAligned: boolean
  /** Each closes when the next one opens. */
  readonly hasNoLength?: boolean | undefined
}

export interface CandleGrid {
  /**
   * The interval of a candle, by its nominal opening time, Unix milliseconds. Call once per candle, in order of time.
   */
  rowOf(openTime: number, part: CandleParts): number
  /** Nominal end of an interval, where the next one begins. */
  endOf(row: number): number
  /** Whether a candle that is still running belongs to an interval. */
  isIn(row: number, openTime: number, part: CandleParts): boolean
}

/** Multiples of the length in UTC. */
export function utcGrid(lengthMs: number): CandleGrid {
  const rowOf = (openTime: number): number => openTimeOf(openTime, lengthMs)
  return { rowOf, endOf: (row) => closeTimeOf(row, lengthMs), isIn: (row, openTime) => rowOf(openTime) === row }
}

/**
 * A day that opens at 15:00 UTC or later counts as the next date: it is midnight in Tokyo, or the evening before in New
 * York.
 */
const EVENING_MS = DAY_MS - 15 * HOUR_MS

/** Offset from a candle's open to a moment that identifies its date. */
function dateShiftOf(partMs: number): number {
  if (!isOfCalendar(partMs)) return 0
  return partMs < WEEK_MS ? EVENING_MS : partMs / 2
}

/**
 * Dates in UTC. A day belongs to the date of its open, one that opens in the evening to the next; a week or a month
 * belongs to the date of its middle, so that weeks from Sunday and from Monday are the same.
 */
export function dateGrid(lengthMs: number): CandleGrid {
  const rowOf = (openTime: number, part: CandleParts): number =>
    openTimeOf(openTime + dateShiftOf(part.lengthMs), lengthMs)
  return {
    rowOf,
    endOf: (row) => closeTimeOf(row, lengthMs),
    isIn: (row, openTime, part) => rowOf(openTime, part) === row,
  }
}

/**
 * Local dates, and lengths of less than a day from midnight on.
 * @param isStrict  refuses candles that cross midnight in the zone; otherwise a day belongs to a date as in `dateGrid`
 */
export function zoneGrid(lengthMs: number, { zone, aheadMs, utcOf }: ZoneClock, isStrict: boolean): CandleGrid {
  const isDaily = isOfCalendar(lengthMs)
  const midnightOf = (local: number): number => openTimeOf(local, DAY_MS)
  const localRow = (time: number): number => {
    const local = time + aheadMs(time)
    if (isDaily) return openTimeOf(local, lengthMs)
    return midnightOf(local) + openTimeOf(local - midnightOf(local), lengthMs)
  }
  const startOf = (time: number): number => utcOf(localRow(time))
  const shiftOf = ({ lengthMs: partMs }: CandleParts): number => (isStrict ? 0 : dateShiftOf(partMs))
  const rowOf = (openTime: number, part: CandleParts): number => {
    const row = startOf(openTime + shiftOf(part))
    if (!isStrict) return row
    const last = isOfCalendar(part.lengthMs) ? openTime + part.lengthMs - DAY_MS / 2 : openTime + part.lengthMs - 1
    const isWhole = !isOfCalendar(part.lengthMs) || (openTime + aheadMs(openTime)) % DAY_MS === 0
    if (isWhole && startOf(last) === row) return row
    const message = `the tape has candles of ${lengthText(part.lengthMs)} that cross midnight or an interval's end in ${zone}`
    throw new InputError(
      `candles('${part.symbol}', '${lengthText(lengthMs)}')`,
      `${message}; request them without a zone`,
    )
  }
  return {
    rowOf,
    endOf: (row) => {
      const local = row + aheadMs(row)
      return utcOf(isDaily ? closeTimeOf(local, lengthMs) : Math.min(local + lengthMs, midnightOf(local) + DAY_MS))
    },
    isIn: (row, openTime, part) => startOf(openTime + shiftOf(part)) === row,
  }
}

/** Trading sessions. */
export function sessionGrid(lengthMs: number): CandleGrid {
  let session = Number.NEGATIVE_INFINITY
  let closedAt = Number.NEGATIVE_INFINITY
  return {
    rowOf: (openTime, part) => {
      if (openTime - closedAt >= PAUSE_MS) session = openTime
      closedAt = Math.max(closedAt, openTime + part.lengthMs)
      return session + Math.floor((openTime - session) / lengthMs) * lengthMs
    },
    endOf: (row) => row + lengthMs,
    isIn: (row, openTime) => openTime >= row && openTime < row + lengthMs,
  }
}
