/**
 * Where two values differ. Strict: an absent field is not an undefined one, and -0 is not 0.
 *
 * For plain values: objects by their own fields, arrays and maps in their order.
 */

/** The exchange is not what it must be. */
export class Difference extends Error {
  override readonly name = 'Difference'
}

/** @throws {Difference} naming the first place at which `found` is not `expected` */
export function mustBeSame(what: string, found: unknown, expected: unknown): void {
  if (!isSame(found, expected)) throw new Difference(`${what}${firstDifference(found, expected)}`)
}

/** A law of the exchange; `text` is written whether it is kept or not. @throws {Difference} unless `condition` holds */
export function law(condition: unknown, text: string): asserts condition {
  if (!condition) throw new Difference(text)
}

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function isSame(found: unknown, expected: unknown): boolean {
  if (Object.is(found, expected)) return true
  if (!isObject(found) || !isObject(expected)) return false
  if (Array.isArray(found)) return Array.isArray(expected) && areSameLists(found, expected)
  if (found instanceof Map) return expected instanceof Map && areSameLists([...found], [...expected])
  return !Array.isArray(expected) && !(expected instanceof Map) && haveSameFields(found as Fields, expected as Fields)
}

function areSameLists(found: readonly unknown[], expected: readonly unknown[]): boolean {
  if (found.length !== expected.length) return false
  for (let index = 0; index < found.length; index += 1) if (!isSame(found[index], expected[index])) return false
  return true
}

function haveSameFields(found: Fields, expected: Fields): boolean {
  let count = 0
  for (const field in found) {
    if (!Object.hasOwn(expected, field) || !isSame(found[field], expected[field])) return false
    count += 1
  }
  for (const field in expected) if (field !== '') count -= 1
  return count === 0
}

/** `.trades[0].price: found 5, expected 6`, for two values that are not the same. */
function firstDifference(found: unknown, expected: unknown): string {
  if (!isObject(found) || !isObject(expected)) return `: found ${shown(found)}, expected ${shown(expected)}`
  const [left, right] = [partsOf(found), partsOf(expected)]
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const [one, other] = [left.get(key), right.get(key)]
    if (!left.has(key) || !right.has(key)) return `.${key}: found ${shown(one)}, expected ${shown(other)}`
    if (!isSame(one, other)) return `.${key}${firstDifference(one, other)}`
  }
  return `: found ${shown(found)}, expected ${shown(expected)}`
}

function partsOf(value: object): ReadonlyMap<string, unknown> {
  if (value instanceof Map) return new Map([...value].map(([key, part]) => [String(key), part]))
  return new Map(Object.entries(value))
}

/** As JSON, with bigints as digits and an `n`. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)) as
    string | undefined
  return text ?? String(value)
}
