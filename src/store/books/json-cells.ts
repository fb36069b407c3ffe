/** Validated members of book messages. */
import { InputError } from '../../domain/errors.ts'
import { isJsonArray, jsonKind, memberOf, textOf, type JsonValue } from '../../import/json/json-value.ts'
import type { LevelText } from './book-event.ts'

/** An element of a recording, with its place. */
export interface JsonMessage {
  /** `file:line`. */
  readonly where: string
  readonly value: JsonValue
  /** Unix nanoseconds of its receipt as text; undefined if not recorded. */
  readonly received: string | undefined
}

/** @throws {InputError} when the member is no text, and no number */
export function textIn({ where }: JsonMessage, value: JsonValue | undefined, key: string): string {
  const member = memberOf(value, key)
  const text = textOf(member)
  if (text === undefined) throw new InputError(where, `expected a text or a number '${key}', got ${jsonKind(member)}`)
  return text
}

/** @throws {InputError} when the member is no integer from 0 to 2^53 - 1 */
export function integerIn(message: JsonMessage, value: JsonValue | undefined, key: string): number {
  const text = textIn(message, value, key)
  const integer = Number(text)
  if (!/^[0-9]+$/.test(text) || !Number.isSafeInteger(integer)) {
    throw new InputError(message.where, `expected an integer '${key}', got '${text.slice(0, 40)}'`)
  }
  return integer
}

/** The same of a member that may be missing. */
export const integerOr = (message: JsonMessage, value: JsonValue | undefined, key: string): number | undefined =>
  memberOf(value, key) === undefined ? undefined : integerIn(message, value, key)

/** @throws {InputError} when the member is neither true nor false */
export function booleanIn({ where }: JsonMessage, value: JsonValue | undefined, key: string): boolean {
  const member = memberOf(value, key)
  if (typeof member !== 'boolean')
    throw new InputError(where, `expected true or false '${key}', got ${jsonKind(member)}`)
  return member
}

/** Levels as lists of a price and a quantity. @throws {InputError} when they are none */
export function levelsIn({ where }: JsonMessage, value: JsonValue | undefined, key: string): readonly LevelText[] {
  const list = memberOf(value, key)
  if (!isJsonArray(list)) throw new InputError(where, `expected a list '${key}', got ${jsonKind(list)}`)
  return list.map((each): LevelText => {
    const [price, qty] = isJsonArray(each) ? [textOf(each[0]), textOf(each[1])] : []
    if (price === undefined || qty === undefined) {
      throw new InputError(where, `expected levels of a price and a quantity in '${key}', got ${jsonKind(each)}`)
    }
    return [price, qty]
  })
}
