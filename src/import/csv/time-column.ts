/**
 * Times of a file as Unix milliseconds, in the form of its first row.
 *
 * The unit of integers is inferred from their magnitude, so a time in seconds is before the year 5138 and one in
 * anything finer is after March 1973. Digits below a millisecond are truncated in the text.
 */
import type { TimeUnit } from '../tape-source.ts'
import { parseIsoTime, type ParsedTime } from '../../domain/iso-time.ts'
import { LocalTimes, withoutZoneName } from './local-times.ts'

/** Times that are integers of one unit, and the way from them to milliseconds. */
export interface IntegerTimes {
  /** Digits that are cut off. */
  readonly cutDigits: number
  /** The truncated integer must be in [min, max), and is then multiplied by `factor`. */
  readonly min: number
  readonly max: number
  readonly factor: number
  /** Description of such a time. */
  readonly expected: string
}

/** The one form of the times of a file: integers, dates in text, or days as spreadsheets count them. */
export type TimeForm = IntegerTimes | 'iso' | 'serial-days'

/** The largest time that a date can have, in milliseconds. */
const MAX_TIME_MS = 8.64e15

const finerThanSeconds = (unit: string, cutDigits: number): IntegerTimes => ({
  cutDigits,
  min: 1e11,
  max: 1e14,
  factor: 1,
  expected: `Unix ${unit} from 1973 to 5138, as in the first row`,
})

const BY_MAGNITUDE: readonly IntegerTimes[] = [
  { cutDigits: 0, min: 0, max: 1e11, factor: 1000, expected: 'Unix seconds up to the year 5138, as in the first row' },
  finerThanSeconds('milliseconds', 0),
  finerThanSeconds('microseconds', 3),
  finerThanSeconds('nanoseconds', 6),
]

const declared = (unit: string, cutDigits: number): IntegerTimes => ({
  cutDigits,
  min: 0,
  max: MAX_TIME_MS + 1,
  factor: 1,
  expected: `Unix ${unit} as an integer`,
})

const DECLARED: Readonly<Record<TimeUnit, IntegerTimes>> = {
  s: { cutDigits: 0, min: 0, max: MAX_TIME_MS / 1000 + 1, factor: 1000, expected: 'Unix seconds' },
  ms: declared('milliseconds', 0),
  us: declared('microseconds', 3),
  ns: declared('nanoseconds', 6),
}

const EXPECTED_DATE = 'a date from 1970 on such as 2024-08-09 or 2024-08-09T12:30:00Z'
const EXPECTED_TIME = `Unix seconds, milliseconds, microseconds or nanoseconds as an integer, or ${EXPECTED_DATE}`

const EXPECTED = { iso: EXPECTED_DATE, 'serial-days': 'a day as spreadsheets count them, such as 45292.5' } as const

/** Days since 1899-12-30 from 2000 to 2099: as seconds they would all be on the first day of 1970. */
const SERIAL_DAY = /^(?:3[6-9]|[4-6]\d|7[0-2])\d{3}(?:\.\d+)?$/
const FIRST_SERIAL_DAY = Date.UTC(1899, 11, 30)

/** Rounded to the second, the precision of the fraction of a day. */
function dateOfSerialDay(text: string): string | undefined {
  if (!SERIAL_DAY.test(text)) return undefined
  return new Date(FIRST_SERIAL_DAY + Math.round(Number(text) * 86_400) * 1_000).toISOString().slice(0, -1)
}

const INTEGER = /^[0-9]+$/
const ISO_START = /^\d{4}-\d\d-\d\d/
/** Seconds with decimal digits. */
const FRACTION = /^[0-9]+\.[0-9]+$/
/** Compact dates such as 20200131, which would pass for seconds of the year 1970. */
const COMPACT_DATE = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/

/** A column between two rows. */
export interface TimeMark {
  readonly form: TimeForm | undefined
  readonly exact: boolean
}

export class TimeColumn {
  #form: TimeForm | undefined
  #exact = true
  /** The header says milliseconds, and no row has said otherwise yet: some write dates under that name. */
  #isOpen = false
  readonly #local: LocalTimes
  #isMixed = false

  /**
   * @param declaredMs  the column's name says that it holds milliseconds
   * @param unit        what the user says, which counts more
   * @param zone        of dates without one, IANA; default: UTC
   */
  constructor(declaredMs: boolean, unit?: TimeUnit, zone?: string) {
    this.#local = new LocalTimes(zone)
    if (unit !== undefined) this.#form = DECLARED[unit]
    else if (declaredMs) {
      this.#form = DECLARED.ms
      this.#isOpen = true
    }
  }

  /** Snapshot of the present state. */
  mark(): TimeMark {
    return { form: this.#form, exact: this.#exact }
  }

  /** Restores the state before a rejected row. */
  restore({ form, exact }: TimeMark): void {
    this.#form = form
    this.#exact = exact
  }

  /** Undefined until the first row has shown it. */
  get form(): TimeForm | undefined {
    return this.#form
  }

  /** The unit of its integers, or `iso` for dates. */
  get unit(): TimeUnit | 'iso' {
    const form = this.#form
    if (form === undefined || typeof form === 'string') return 'iso'
    if (form.factor === 1000) return 's'
    return form.cutDigits === 0 ? 'ms' : form.cutDigits === 3 ? 'us' : 'ns'
  }

  /** Dates are read in a zone that they do not name. */
  get isLocal(): boolean {
    return this.#form === 'serial-days' || (this.#local.zone !== undefined && this.#form === 'iso')
  }

  /** False once a time was finer than a millisecond. */
  get exact(): boolean {
    return this.#exact
  }

  /** Records that a time read without `parse` was finer than a millisecond. */
  noteInexact(): void {
    this.#exact = false
  }

  /** Some rows count in another unit than the first: milliseconds, then microseconds. */
  get isMixed(): boolean {
    return this.#isMixed
  }

  /** A unit that was found by magnitude may change within a file. */
  #inOtherUnit(text: string, form: IntegerTimes): ParsedTime | undefined {
    if (!FINER.includes(form)) return undefined
    const parsed = FINER.map((each) => parseInteger(text, each)).find((each) => each !== undefined)
    this.#isMixed ||= parsed !== undefined
    return parsed
  }

  /** Unix milliseconds, or the expected form if it is invalid. */
  parse(text: string): number | { readonly expected: string } {
    if (this.#isOpen && ISO_START.test(text)) this.#form = 'iso'
    this.#isOpen = false
    this.#form ??= formOf(text)
    const form = this.#form
    if (form === undefined) return { expected: EXPECTED_TIME }
    const parsed =
      typeof form === 'string'
        ? this.#local.parse(form === 'iso' ? text : (dateOfSerialDay(text) ?? text))
        : (parseInteger(text, form) ?? this.#inOtherUnit(text, form))
    if (typeof parsed === 'string') return { expected: parsed }
    if (parsed === undefined || parsed.time < 0 || parsed.time > MAX_TIME_MS) {
      return { expected: typeof form === 'string' ? EXPECTED[form] : form.expected }
    }
    if (!parsed.exact) this.#exact = false
    return parsed.time
  }
}

/** The same moment cannot be meant in two of these. */
const FINER = BY_MAGNITUDE.filter(({ factor }) => factor === 1)

function formOf(text: string): TimeForm | undefined {
  if (COMPACT_DATE.test(text)) return undefined
  if (dateOfSerialDay(text) !== undefined) return 'serial-days'
  const integers = BY_MAGNITUDE.find((form) => parseInteger(text, form) !== undefined)
  return integers ?? (parseIsoTime(withoutZoneName(text)) === undefined ? undefined : 'iso')
}

function parseInteger(text: string, form: IntegerTimes): ParsedTime | undefined {
  if (form.factor === 1000 && FRACTION.test(text)) return parseSeconds(text, form)
  if (!INTEGER.test(text)) return undefined
  const cutAt = Math.max(0, text.length - form.cutDigits)
  const count = Number(text.slice(0, cutAt))
  if (count < form.min || count >= form.max) return undefined
  return { time: count * form.factor, exact: /^0*$/.test(text.slice(cutAt)) }
}

/** Truncates digits below a millisecond in the text. */
function parseSeconds(text: string, { min, max }: IntegerTimes): ParsedTime | undefined {
  const [whole = '', fraction = ''] = text.split('.')
  const seconds = Number(whole)
  if (seconds < min || seconds >= max) return undefined
  return { time: seconds * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0')), exact: /^0*$/.test(fraction.slice(3)) }
}
