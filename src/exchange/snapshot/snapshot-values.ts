/** Validation of values in a snapshot, which may come from a damaged file. */
import { InputError } from '../../domain/errors.ts'

/**
 * Reason why a part of a snapshot is invalid; undefined if it is valid. A text rather than an error, since nearly none
 * is needed.
 */
export type Fault = string | undefined

export const isWhole = (value: unknown, from = 0, to = Number.MAX_SAFE_INTEGER): value is number =>
  Number.isSafeInteger(value) && (value as number) >= from && (value as number) <= to

const UNITS = /^(?:0|-?[1-9][0-9]*)$/

/** A whole number of any size as decimal text. */
export const isUnitsText = (value: unknown): value is string => typeof value === 'string' && UNITS.test(value)

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** Not as a type guard, which would take the type of the items away. */
export const isList = (value: unknown): boolean => Array.isArray(value)

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** @throws {InputError} when it is none */
export function checkObject(place: string, value: unknown): void {
  if (!isObject(value) || isList(value)) throw new InputError(`snapshot ${place}`, 'expected an object')
}

/**
 * Validates a list and each of its items.
 *
 * @throws {InputError} naming the first invalid item
 */
export function checkEach<T>(
  place: string,
  list: readonly T[],
  faultOf: (item: T, index: number, before: T | undefined) => Fault,
): void {
  if (!isList(list)) throw new InputError(`snapshot ${place}`, 'expected a list')
  list.forEach((item: T, index) => {
    const fault = isObject(item) ? faultOf(item, index, list[index - 1]) : 'expected an object or a list'
    if (fault !== undefined) throw new InputError(`snapshot ${place}.${index}`, fault)
  })
}

/** @throws {InputError} unless it is a list of so many amounts */
export function checkUnits(place: string, list: readonly string[], length: number): void {
  if (isList(list) && list.length === length && list.every(isUnitsText)) return
  throw new InputError(`snapshot ${place}`, `expected a whole number as text for each of ${length} assets`)
}
