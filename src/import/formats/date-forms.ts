/**
 * Date formats of chart and broker exports, converted to ISO 8601 followed by the name of the zone.
 *
 * Invariant: a format must fit all dates of the sample. If day and month are ambiguous, none is chosen.
 */
import { parseIsoTime } from '../../domain/iso-time.ts'
import { withoutZoneName } from '../csv/local-times.ts'

/** Undefined for a text in another format. */
export type DateForm = (text: string) => string | undefined

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Hour, minute, second and fraction after a date, with separator, and AM or PM. */
const CLOCK = String.raw`(?:[ TD]+(\d{1,2})(?::?(\d\d))?(?::?(\d\d)(?:[.,](\d+))?)?(?:[ -]?([AaPp][Mm]))?)?`
/** UTC, or the name of a zone. */
const ZONE = String.raw`(?<zone> ?(?:UTC|GMT|Z)(?:\+0{1,4})?| [A-Za-z]+(?:/[A-Za-z_+-]+)+)?`

/** Group numbers of year, month and day in a pattern. */
interface Order {
  readonly pattern: RegExp
  readonly year: number
  readonly month: number
  readonly day: number
}

const pattern = (date: string, clock = CLOCK): RegExp => new RegExp(`^${date}${clock}${ZONE}$`)

const YEAR_FIRST: readonly Order[] = [
  { pattern: pattern(String.raw`(\d{4})-(\d\d)-(\d\d)`), year: 1, month: 2, day: 3 },
  { pattern: pattern(String.raw`(\d{4})[./](\d{1,2})[./](\d{1,2})`), year: 1, month: 2, day: 3 },
  { pattern: pattern(String.raw`((?:19|20)\d\d)(\d\d)(\d\d)`), year: 1, month: 2, day: 3 },
  {
    pattern: new RegExp(String.raw`^((?:19|20)\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.?(\d{1,9}))?$`),
    year: 1,
    month: 2,
    day: 3,
  },
]
const DAY_FIRST: Order = {
  pattern: pattern(String.raw`(\d{1,2})[./-](\d{1,2})[./-](\d{4})`),
  year: 3,
  month: 2,
  day: 1,
}
const MONTH_FIRST: Order = { ...DAY_FIRST, month: 1, day: 2 }
const DAY_NAMED_MONTH: Order = {
  pattern: pattern(String.raw`(\d{1,2})[ -]([A-Za-z]{3})[a-z]*[ -](\d{4}|\d\d)`),
  year: 3,
  month: 2,
  day: 1,
}
const NAMED_MONTH_DAY: Order = {
  pattern: pattern(String.raw`([A-Za-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})`),
  year: 3,
  month: 1,
  day: 2,
}

const CLEAR: readonly Order[] = [...YEAR_FIRST, DAY_NAMED_MONTH, NAMED_MONTH_DAY]

/** The common format of all texts; `either` if day and month are ambiguous; undefined if there is none. */
export function dateForm(texts: readonly string[]): DateForm | 'either' | undefined {
  if (texts.length === 0) return undefined
  const fits = (order: Order): boolean => texts.every((text) => isDate(isoOf(order, text)))
  const clear = CLEAR.find(fits)
  if (clear !== undefined) return (text) => isoOf(clear, text)
  const [isDayFirst, isMonthFirst] = [fits(DAY_FIRST), fits(MONTH_FIRST)]
  // Dots as separators imply that the day comes first.
  if (isDayFirst && (!isMonthFirst || texts.every((text) => /^\d+\./.test(text))))
    return (text) => isoOf(DAY_FIRST, text)
  if (isDayFirst) return 'either'
  return isMonthFirst ? (text) => isoOf(MONTH_FIRST, text) : undefined
}

/** The format for a known order of day and month. */
export const dateFormOf = (isDayFirst: boolean): DateForm => {
  const order = isDayFirst ? DAY_FIRST : MONTH_FIRST
  return (text) => isoOf(order, text)
}

const isDate = (iso: string | undefined): boolean =>
  iso !== undefined && parseIsoTime(withoutZoneName(iso)) !== undefined

function isoOf(order: Order, text: string): string | undefined {
  const groups = order.pattern.exec(text)
  if (groups === null) return undefined
  const part = (index: number): string => groups[index] ?? ''
  const year = part(order.year)
  const month = monthOf(part(order.month))
  const date = `${year.length === 2 ? `20${year}` : year}-${month}-${part(order.day).padStart(2, '0')}`
  const [hour, minute, second, fraction, half] = [groups[4], groups[5], groups[6], groups[7], groups[8]]
  if (hour === undefined) return date
  const clock = `${hourOf(Number(hour), half)}:${minute ?? '00'}:${second ?? '00'}`
  return `${date}T${clock}${fraction === undefined ? '' : `.${fraction}`}${zoneOf(groups.groups?.zone)}`
}

const zoneOf = (text = ''): string => (text === '' || text.includes('/') ? text : 'Z')

function monthOf(text: string): string {
  const named = MONTHS.indexOf(text.slice(0, 3).toLowerCase())
  return (named < 0 ? text : String(named + 1)).padStart(2, '0')
}

/** Hour in 24-hour format. */
function hourOf(hour: number, half: string | undefined): string {
  if (half === undefined) return String(hour).padStart(2, '0')
  if (hour < 1 || hour > 12) return '99'
  return String((hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)).padStart(2, '0')
}
