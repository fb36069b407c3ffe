/**
 * Reads the fields of a JSON object with validation; unknown fields are ignored.
 *
 * An invalid field is a fault that names its path, such as `[3].price`, and its value.
 */
import { ExchangeError } from '../domain/errors.ts'
import { escapedExcerpt } from '../domain/escape-controls.ts'
import { parseIsoTime } from '../domain/iso-time.ts'
import { amountOf, DecimalFault, plainDecimal, plainSignedDecimal, unitsOf } from './read-decimal.ts'

/** The last moment that a date can be. */
const LAST_MS = 8.64e15

/** @param path  empty for the whole answer */
export function schemaFault(path: string, expected: string, found: unknown): ExchangeError {
  return new ExchangeError(
    'SCHEMA_FAULT',
    `${path === '' ? 'the answer' : path}: expected ${expected}, got ${reported(found)}`,
  )
}

function reported(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (typeof value === 'string') return `'${escapedExcerpt(value)}'`
  if (typeof value === 'object') return Array.isArray(value) ? 'an array' : 'an object'
  return typeof value === 'number' || typeof value === 'boolean' ? `${typeof value} ${String(value)}` : typeof value
}

/** @throws {ExchangeError} SCHEMA_FAULT when it is no array, or an item is not of its form */
export function readArray<T>(value: unknown, path: string, read: (item: unknown, path: string) => T): T[] {
  if (!Array.isArray(value)) throw schemaFault(path, 'an array', value)
  return value.map((item: unknown, index) => read(item, `${path}[${index}]`))
}

/** Hears of an item of a list that is left out because it is not of its form. */
export type OnUnreadable = (item: unknown, error: ExchangeError) => void

/** Strict handler: every item of the list must be valid. */
export const throwUnreadable: OnUnreadable = (_item, error) => {
  throw error
}

/** The items that are of their form. @throws {ExchangeError} SCHEMA_FAULT when it is no array */
export function readRows<T>(
  value: unknown,
  path: string,
  read: (item: unknown, path: string) => T,
  onUnreadable: OnUnreadable,
): T[] {
  const rows = readArray(value, path, (item, itemPath) => [item, attempt(() => read(item, itemPath))] as const)
  return rows.flatMap(([item, row]) => {
    if (!(row instanceof ExchangeError)) return [row]
    onUnreadable(item, row)
    return []
  })
}

/** Result of `read`, or the fault that it throws. */
export function attempt<T>(read: () => T): T | ExchangeError {
  try {
    return read()
  } catch (error) {
    if (error instanceof ExchangeError) return error
    throw error
  }
}

export class Fields {
  readonly #fields: Readonly<Record<string, unknown>>
  readonly #path: string

  /** @throws {ExchangeError} SCHEMA_FAULT when it is no object, as are those of the methods below */
  constructor(value: unknown, path: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw schemaFault(path, 'an object', value)
    this.#fields = value as Readonly<Record<string, unknown>>
    this.#path = path
  }

  get names(): readonly string[] {
    return Object.keys(this.#fields)
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#fields, name)
  }

  /** Raw value. */
  value(name: string): unknown {
    return this.has(name) ? this.#fields[name] : undefined
  }

  pathOf(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`
  }

  fault(name: string, expected: string): ExchangeError {
    return schemaFault(this.pathOf(name), expected, this.value(name))
  }

  /** A string that is not empty. */
  text(name: string): string {
    const value = this.value(name)
    if (typeof value !== 'string' || value === '') throw this.fault(name, 'a string')
    return value
  }

  /** A string that may be empty. */
  words(name: string): string {
    const value = this.value(name)
    if (typeof value !== 'string') throw this.fault(name, 'a string')
    return value
  }

  choice<T extends string>(name: string, choices: readonly T[]): T {
    const value = this.value(name)
    const found = choices.find((choice) => choice === value)
    if (found === undefined) throw this.fault(name, choices.join(' or '))
    return found
  }

  flag(name: string): boolean {
    const value = this.value(name)
    if (typeof value !== 'boolean') throw this.fault(name, 'true or false')
    return value
  }

  integer(name: string, least: number, most: number): number {
    const value = this.value(name)
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least || value > most) {
      throw this.fault(name, `an integer from ${least} to ${most}`)
    }
    return value
  }

  /** Units of 10^-decimals. */
  units(name: string, decimals: number): number {
    return this.#decimal(name, (text) => unitsOf(text, decimals))
  }

  /** Units of 10^-decimals, of any size. */
  amount(name: string, decimals: number): bigint {
    return this.#decimal(name, (text) => amountOf(text, decimals))
  }

  /** Decimal without redundant zeros. */
  decimal(name: string): string {
    return this.#decimal(name, plainDecimal)
  }

  signedDecimal(name: string): string {
    return this.#decimal(name, plainSignedDecimal)
  }

  /** Unix milliseconds of an ISO 8601 date-time; digits below a millisecond are truncated. */
  isoTime(name: string): number {
    const time = parseIsoTime(this.text(name))?.time
    if (time === undefined) throw this.fault(name, 'an ISO 8601 date-time')
    return time
  }

  unixMs(name: string): number {
    return this.integer(name, 0, LAST_MS)
  }

  #decimal<T>(name: string, read: (text: string) => T | DecimalFault): T {
    const value = this.value(name)
    const units = typeof value === 'string' ? read(value) : new DecimalFault('a decimal string')
    if (units instanceof DecimalFault) throw this.fault(name, units.expected)
    return units
  }
}
