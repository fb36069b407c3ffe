/**
 * Local times of a file: the zone follows each one, such as `2024-01-02 09:30:00 US/Eastern`, or is given by the user.
 *
 * The order of the rows, oldest or newest first, decides which of the two hours at the end of daylight saving time is
 * meant. Known limit: if all rows of the first hour are missing, those of the second are taken for it.
 */
import { InputError } from '../../domain/errors.ts'
import { parseIsoTime, type ParsedTime } from '../../domain/iso-time.ts'
import { setting } from '../../domain/setting-name.ts'
import { zoneClock, type ZoneClock } from '../../domain/zone-clock.ts'

const ZONE_NAME = / ([A-Za-z]+(?:\/[A-Za-z_+-]+)+)$/
const OFFSET = /\d(?:Z|[+-]\d\d(?::?\d\d)?)$/
const DATE_LENGTH = '2024-01-02'.length
/** Rows of one hour may be a little out of order. */
const TOLERANCE_MS = 15 * 60_000

/** The text without the name of a zone at its end. */
export const withoutZoneName = (text: string): string => text.replace(ZONE_NAME, '')

export class LocalTimes {
  readonly zone: string | undefined
  readonly #clocks = new Map<string, ZoneClock>()
  #last = Number.NaN
  #isNewestFirst = false

  /** @param zone  of texts that name none; default: UTC @throws {InputError} for an unknown zone */
  constructor(zone: string | undefined) {
    this.zone = zone
    if (zone !== undefined) this.#clocks.set(zone, zoneClock(zone, setting('zone')))
  }

  /** Parsed time; or the expected form if it is invalid, undefined for any date. */
  parse(text: string): ParsedTime | string | undefined {
    const [, named] = ZONE_NAME.exec(text) ?? []
    const zone = named ?? this.zone
    const bare = named === undefined ? text : withoutZoneName(text)
    const parsed = parseIsoTime(bare)
    if (zone === undefined || parsed === undefined) return parsed
    if (bare.length > DATE_LENGTH && OFFSET.test(bare)) return parsed
    const clock = this.#clockOf(zone)
    if (clock === undefined) return `a zone such as America/New_York`
    const time = this.#utcOf(parsed.time, clock)
    if (time + clock.aheadMs(time) !== parsed.time)
      return `a local time that exists in ${zone}, where clocks go forward then`
    this.#note(time)
    return { ...parsed, time }
  }

  #utcOf(local: number, { utcOf }: ZoneClock): number {
    const [first, second] = [utcOf(local), utcOf(local, true)]
    if (first === second || Number.isNaN(this.#last)) return first
    if (this.#isNewestFirst) return second < this.#last ? second : first
    return first > this.#last - TOLERANCE_MS && first !== this.#last ? first : second
  }

  #note(time: number): void {
    if (time !== this.#last && !Number.isNaN(this.#last)) this.#isNewestFirst = time < this.#last
    this.#last = time
  }

  #clockOf(zone: string): ZoneClock | undefined {
    const known = this.#clocks.get(zone)
    if (known !== undefined) return known
    try {
      const clock = zoneClock(zone, zone)
      this.#clocks.set(zone, clock)
      return clock
    } catch (error) {
      if (error instanceof InputError) return undefined
      throw error
    }
  }
}
