/**
 * Local time of a zone and back, through changes of the clock.
 *
 * A local time skipped when clocks go forward is shifted by the change: 02:30 becomes 03:30. A repeated one is the
 * first occurrence, unless the second is requested. Java and Temporal do the same.
 * Known limit: zones are those of the ICU of this Node; another version may have other rules for the present.
 */
import { InputError, type Place } from './errors.ts'
import { DAY_MS } from './time.ts'

const { DateTimeFormat } = Intl
const { UTC } = Date
/** Zones move their clocks at multiples of this. */
const QUARTER_MS = 900_000

export interface ZoneClock {
  /** IANA name. */
  readonly zone: string
  /**
   * Offset of local time from UTC in milliseconds.
   *
   * @param time  Unix milliseconds
   */
  readonly aheadMs: (time: number) => number
  /**
   * Unix milliseconds of a local time given as if it were UTC.
   *
   * @param isSecond  the second occurrence of a repeated time
   */
  readonly utcOf: (local: number, isSecond?: boolean) => number
}

/**
 * @param zone  IANA, such as Europe/Berlin @param where  what names the zone @throws {InputError} for an unknown zone
 */
export function zoneClock(zone: string, where: Place): ZoneClock {
  const format = formatOf(zone, where)
  const read = (time: number): number => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]))
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
    const local = UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
    return local - Math.floor(time / 1_000) * 1_000
  }
  let quarter = Number.NaN
  let known = 0
  const aheadMs = (time: number): number => {
    const at = Math.floor(time / QUARTER_MS)
    if (at !== quarter) [quarter, known] = [at, read(time)]
    return known
  }
  const utcOf = (local: number, isSecond = false): number => {
    const [before, behind] = [aheadMs(local - DAY_MS), aheadMs(local + DAY_MS)]
    if (before === behind) return local - before
    const early = local - Math.max(before, behind)
    const late = local - Math.min(before, behind)
    // When the clock goes back both moments have that local time; when it goes forward one or none has.
    if (isSecond && aheadMs(late) === Math.min(before, behind)) return late
    return aheadMs(early) === Math.max(before, behind) ? early : late
  }
  return { zone, aheadMs, utcOf }
}

function formatOf(zone: string, where: Place): Intl.DateTimeFormat {
  const numeric = 'numeric'
  try {
    return new DateTimeFormat('en-US-u-ca-iso8601-nu-latn', {
      timeZone: zone,
      hourCycle: 'h23',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    })
  } catch (cause) {
    throw new InputError(where, `no zone '${zone}'; expected one such as Europe/Berlin or UTC`, { cause })
  }
}
