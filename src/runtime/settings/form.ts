/**
 * Forms of settings: which values are accepted in a file or option and as the text of a flag, defined once for both.
 *
 * Nothing is coerced: invalid values are refused with their place.
 */
import { z } from 'zod'
import { knownLengthMs, lengthMsOf } from '../../domain/candle-length.ts'
import { InputError, type Place } from '../../domain/errors.ts'
import { parseIsoTime } from '../../domain/iso-time.ts'

/** @typeParam Given  the type in a file or option */
export interface Form<Given> {
  readonly schema: z.ZodType<Given>
  /** Parses the text of a flag; undefined for a switch, which has none. @throws {InputError} at `place` */
  readonly ofText: ((place: Place, text: string) => Given) | undefined
}

/** A form with a flag that takes text. */
export interface TextForm<Given> extends Form<Given> {
  readonly ofText: (place: Place, text: string) => Given
}

/** Error message for a schema that cannot describe what it expects. */
export const expected = (what: string): { error: string } => ({ error: `Invalid input: expected ${what}` })

export const anyText: TextForm<string> = { schema: z.string(), ofText: (_, text) => text }

/** True or false; on the command line `--name` or `--no-name`. */
export const onOrOff: Form<boolean> = { schema: z.boolean(), ofText: undefined }

/** An integer of `min` to `max`. */
export const integer = (min: number, max: number): TextForm<number> => ({
  schema: z.int().min(min).max(max),
  ofText: (place, text) => {
    const value = /^-?[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new InputError(place, `expected an integer from ${min} to ${max}, got '${text}'`)
  },
})

/** A number of 0 to `max` in plain digits, such as 0.5. */
export const plainNumber = (max: number): TextForm<number> => ({
  schema: z.number().min(0).max(max),
  ofText: (place, text) => {
    const value = /^[0-9]+(?:\.[0-9]+)?$/.test(text) ? Number(text) : Number.NaN
    if (value <= max) return value
    throw new InputError(place, `expected a number from 0 to ${max}, got '${text}'`)
  },
})

/** A number from `min` to `max` in plain digits, such as -0.5. */
export const numberBetween = (min: number, max: number): TextForm<number> => ({
  schema: z.number().min(min).max(max),
  ofText: (place, text) => {
    const value = /^-?[0-9]+(?:\.[0-9]+)?$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new InputError(place, `expected a number from ${min} to ${max}, got '${text}'`)
  },
})

const POSITIVE_DECIMAL = /^(?=.*[1-9])[0-9]{1,20}(?:\.[0-9]{1,20})?$/

/** A decimal string above 0 in plain digits, such as 0.5, kept as it is written. */
export const positiveDecimal: TextForm<string> = {
  schema: z
    .string({ error: 'Invalid input: expected a decimal string above 0, such as "0.5"' })
    .regex(POSITIVE_DECIMAL, { error: 'Invalid input: expected a decimal string above 0, such as "0.5"' }),
  ofText: (place, text) => {
    if (POSITIVE_DECIMAL.test(text)) return text
    throw new InputError(place, `expected a decimal above 0, such as 0.5, got '${text}'`)
  },
}

/** The form, or `off`. */
export const orOff = <Given>({ schema, ofText }: TextForm<Given>): TextForm<Given | 'off'> => ({
  schema: z.union([schema, z.literal('off')], {
    error: ({ input }) => `${schema.safeParse(input).error?.issues[0]?.message ?? 'Invalid input'}, or off`,
  }),
  ofText: (place, text) => (text === 'off' ? text : ofText(place, text)),
})

export const choice = <const Name extends string>(names: readonly Name[]): TextForm<Name> => ({
  schema: z.enum(names),
  ofText: (place, text) => {
    const found = names.find((name) => name === text)
    if (found !== undefined) return found
    throw new InputError(place, `expected ${names.join(' or ')}, got '${text}'`)
  },
})

/** Unix milliseconds as far as a date can go. */
export const unixMs = z.int().min(0).max(8.64e15)

/** ISO 8601 or Unix milliseconds. */
export const anyTime: TextForm<string | number> = {
  schema: z.union([z.string(), unixMs], expected('ISO 8601 or Unix ms')),
  ofText: (_, text) => text,
}

/** @returns Unix milliseconds. @throws {InputError} at `place` */
export function readTime(place: Place, value: string | number): number {
  const time = typeof value === 'number' || /^[0-9]+$/.test(value) ? Number(value) : parseIsoTime(value)?.time
  if (unixMs.safeParse(time).success && time !== undefined) return time
  throw new InputError(place, `expected a date such as 2024-08-09 or 2024-08-09T12:00:00Z, or Unix ms, got '${value}'`)
}

/** The name of a candle interval, or milliseconds. */
export const anyInterval: TextForm<string | number> = {
  schema: z.union([z.string(), z.int().min(1)], expected('a name such as 1m, or milliseconds')),
  ofText: (_, text) => text,
}

/** @returns milliseconds. @throws {InputError} at `place` */
export function readInterval(place: Place, value: string | number): number {
  if (typeof value === 'number') return value
  if (/^[0-9]{1,15}$/.test(value)) return Number(value)
  try {
    return lengthMsOf(value)
  } catch (cause) {
    throw new InputError(place, `expected a length such as 1m, 4h, 1d, 1w or 1M, or milliseconds, got '${value}'`, {
      cause,
    })
  }
}

/** A length of time such as 30d or 12h. @returns milliseconds. @throws {InputError} at `place` */
export function readLength(place: Place, value: string): number {
  const ms = knownLengthMs(value)
  if (ms !== undefined) return ms
  throw new InputError(place, `expected a length such as 12h, 30d or 4w, up to 366d, got '${value}'`)
}

const DURATION = /^(\d{1,9})(ms|s|m|h|d)$/
const DURATION_UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const DURATION_EXPECTED = 'a time such as 90s, 30m or 8h'

/** A time with its unit, longer than none. */
export const duration: TextForm<string> = {
  schema: z.string().refine((text) => msOfDuration(text) !== undefined, `expected ${DURATION_EXPECTED}`),
  ofText: (place, text) => {
    readDuration(place, text)
    return text
  },
}

/** @returns milliseconds @throws {InputError} for an invalid duration */
export function readDuration(place: Place, text: string): number {
  const ms = msOfDuration(text)
  if (ms !== undefined) return ms
  throw new InputError(place, `expected ${DURATION_EXPECTED}, got '${text}'`)
}

function msOfDuration(text: string): number | undefined {
  const [, count = '', unit = ''] = DURATION.exec(text) ?? []
  const ms = Number(count) * (DURATION_UNITS_MS[unit] ?? 0)
  return ms > 0 ? ms : undefined
}
