/**
 * The first thing in a value that JSON cannot hold. An object with `toJSON`, such as a Date or a Decimal, is taken as
 * that.
 */
import { thrownText } from './thrown-text.ts'

/** No state needs more, and a deeper one would take long to check. */
const MAX_DEPTH = 100

export const TOO_DEEP = `arrays and objects more than ${MAX_DEPTH} deep`

/**
 * Describes a value that JSON cannot represent, such as `a bigint`, or `a function at sizes.0`; undefined if there is
 * none.
 */
export function jsonFault(value: unknown): string | undefined {
  return faultAt([], value, [])
}

function faultAt(path: readonly string[], value: unknown, above: readonly object[]): string | undefined {
  const fault = typeof value === 'object' && value !== null ? objectFault(value, above) : scalarFault(value)
  if (fault === TOO_DEEP) return fault
  if (fault !== undefined) return path.length === 0 ? fault : `${fault} at ${path.join('.')}`
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return undefined
  for (const [key, each] of Object.entries(value)) {
    // JSON leaves out an undefined property, and reading it gives undefined again.
    if (each === undefined && !Array.isArray(value)) continue
    const inside: string | undefined = faultAt([...path, key], each, [...above, value])
    if (inside !== undefined) return inside
  }
  return undefined
}

function scalarFault(value: unknown): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value)
  return value === undefined ? 'undefined' : `a ${typeof value}`
}

function objectFault(value: object, above: readonly object[]): string | undefined {
  if (above.includes(value)) return 'an object that contains itself'
  if (above.length === MAX_DEPTH) return TOO_DEEP
  if ('toJSON' in value || Array.isArray(value)) return undefined
  const name = className(value)
  return name === null || name === 'Object' ? undefined : `a ${name}`
}

/** Compared by name: user code may have objects of another realm. Null for an object without a prototype. */
function className(value: object): string | null {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null ? null : ((prototype as { constructor?: { name?: string } }).constructor?.name ?? null)
}

/** The same fields, with text in the place of each value that JSON cannot hold. */
export const jsonFields = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value === undefined || jsonFault(value) === undefined ? value : thrownText(value),
    ]),
  )
