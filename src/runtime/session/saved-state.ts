/**
 * A saved state read by the present schema of its strategy.
 *
 * Invariant: nothing of it is lost silently. A field that the schema does not read refuses the start, and any other
 * change is logged. A schema that ends with `.catch(value)` may drop everything.
 */
import { isDeepStrictEqual } from 'node:util'
import { InputError } from '../../domain/errors.ts'
import type { StateSchema } from '../../strategy/strategy-state.ts'
import { cut, firstIssue, parsedBy } from './state-schema.ts'

interface SavedStateOptions {
  /** File, for an error. */
  readonly place: string
  /** Name of the strategy. */
  readonly owner: string
  readonly log: (message: string) => void
}

/** @throws {InputError} if the schema does not accept it, or does not read one of its fields */
export function readSavedState<Value>(
  schema: StateSchema<Value>,
  saved: unknown,
  { place, owner, log }: SavedStateOptions,
): Value {
  const parsed = parsedBy(schema, saved)
  if (!parsed.success) {
    const why = `the saved state of '${owner}' does not fit its schema (${firstIssue(parsed)})`
    const remedy = 'give a new field a default, or end the schema with .catch(value) to start over from that value'
    throw new InputError(place, `${why}: ${remedy}`)
  }
  const losses = lossesIn(saved, parsed.data, [])
  const unread = losses.find(({ path, isMissing }) => isMissing && isUnread(schema, saved, path, parsed.data))
  if (unread !== undefined && !acceptsAnything(schema)) {
    const field = unread.path.join('.')
    const why = `the saved state of '${owner}' has a field that its schema does not have (${field})`
    const remedy = `keep it, such as with z.unknown().optional(), or end the schema with .catch(value) to drop it`
    throw new InputError(place, `${why}: ${remedy}`)
  }
  if (losses.length > 0)
    log(`its schema changes the saved state ${cut(JSON.stringify(saved))} to ${cut(JSON.stringify(parsed.data))}`)
  return parsed.data
}

interface Loss {
  readonly path: readonly string[]
  /** False for another value. */
  readonly isMissing: boolean
}

function lossesIn(saved: unknown, now: unknown, path: readonly string[]): readonly Loss[] {
  if (!isObject(saved)) return saved === now ? [] : [{ path, isMissing: false }]
  if (!isObject(now)) return [{ path, isMissing: false }]
  return Object.entries(saved).flatMap(([key, value]) =>
    Object.hasOwn(now, key) ? lossesIn(value, now[key], [...path, key]) : [{ path: [...path, key], isMissing: true }],
  )
}

/** False for a field that the schema reads into another, by a preprocess. */
function isUnread(schema: StateSchema<unknown>, saved: unknown, path: readonly string[], now: unknown): boolean {
  const parsed = parsedBy(schema, without(saved, path))
  return parsed.success && isDeepStrictEqual(parsed.data, now)
}

function without(value: unknown, [key = '', ...below]: readonly string[]): unknown {
  if (!isObject(value)) return value
  if (Array.isArray(value))
    return value.map((each: unknown, index) => (String(index) === key ? without(each, below) : each))
  const { [key]: inside, ...others } = value
  return below.length === 0 ? others : { ...others, [key]: without(inside, below) }
}

/** True for a schema that ends with `.catch(value)`. */
const acceptsAnything = (schema: StateSchema<unknown>): boolean => parsedBy(schema, Symbol('no JSON')).success

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
