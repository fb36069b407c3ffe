/**
 * ISO 8601 dates and date-times as Unix milliseconds; without a zone they are UTC.
 *
 * Known limit: calendar dates of the years 1000 to 9999, no leap seconds.
 */

/** The time of a text; `exact` is false when it is finer than a millisecond and was rounded down. */
export interface ParsedTime {
  /** Unix milliseconds, negative before 1970. */
  readonly time: number
  readonly exact: boolean
}

const DATE = String.raw`(?<year>[1-9]\d{3})-(?<month>\d\d)-(?<day>\d\d)`
const TIME_OF_DAY = String.raw`(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.(?<fraction>\d+))?)?`
const ZONE = String.raw`Z|(?<sign>[+-])(?<zoneHours>\d\d)(?::?(?<zoneMinutes>\d\d))?`
const ISO_TIME = new RegExp(`^${DATE}(?:[T ]${TIME_OF_DAY}(?:${ZONE})?)?$`)

import { MINUTE_MS } from './time.ts'

/** Undefined when the text is no such date, or one that does not exist, such as 2015-02-30. */
export function parseIsoTime(text: string): ParsedTime | undefined {
  const groups = ISO_TIME.exec(text)?.groups
  if (groups === undefined) return undefined
  const part = (name: string): number => Number(groups[name] ?? 0)
  const [year, month, day] = [part('year'), part('month'), part('day')]
  const [hour, minute, second] = [part('hour'), part('minute'), part('second')]
  const isReal = isDate(year, month, day) && isTimeOfDay(hour, minute, second)
  if (!isReal || !isTimeOfDay(part('zoneHours'), part('zoneMinutes'), 0)) return undefined
  const { fraction = '', sign } = groups
  const zoneMinutes = (part('zoneHours') * 60 + part('zoneMinutes')) * (sign === '-' ? -1 : 1)
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'))
  const local = Date.UTC(year, month - 1, day, hour, minute, second, ms)
  return { time: local - zoneMinutes * MINUTE_MS, exact: /^0*$/.test(fraction.slice(3)) }
}

const isDate = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()

const isTimeOfDay = (hour: number, minute: number, second: number): boolean => hour < 24 && minute < 60 && second < 60
