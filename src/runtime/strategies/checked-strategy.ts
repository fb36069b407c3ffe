/** Validates the strategy that a file exports, or explains in one line what is there instead and how to fix it. */
import { InputError } from '../../domain/errors.ts'
import { jsonFault } from '../../domain/json-fault.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import type { Strategy } from '../../strategy/strategy.ts'
import type { Exports } from '../modules/user-code.ts'

const WRITE = 'write `export default defineStrategy({ ... })`'

/** File names of strategies, as the user gave them. */
const references = new WeakMap<object, string>()

/** The strategy's file as the user named it, for an error; its name if it came from no file. */
export const strategyPlace = (strategy: Pick<Strategy, 'name'>): string =>
  references.get(strategy) ?? `strategy '${strategy.name}'`

/** Inspecting it may run user code. @throws {InputError} if it is not a strategy */
export function checkedStrategy(reference: string, exports: Exports): Strategy {
  try {
    const strategy = strategyIn(reference, exports)
    references.set(strategy, reference)
    return strategy
  } catch (error) {
    if (error instanceof InputError) throw error
    throw new InputError(reference, `its default export cannot be read: ${thrownText(error)}`, { cause: error })
  }
}

function strategyIn(reference: string, exports: Exports): Strategy {
  // A CommonJS file may be the strategy itself.
  const candidate: unknown = exports.default ?? (Object.hasOwn(exports, 'run') ? exports : undefined)
  if (candidate === undefined || candidate === null) throw new InputError(reference, withoutDefault(exports))
  const other = otherThanStrategy(candidate)
  if (other !== undefined) throw new InputError(reference, `its default export is ${other}`)
  const { name, params, run } = candidate as Partial<Record<keyof Strategy, unknown>>
  if (typeof name !== 'string' || name === '') {
    throw new InputError(reference, "its strategy has no name: add one, such as `name: 'mine'`")
  }
  if (typeof run !== 'function') {
    throw new InputError(
      reference,
      `strategy '${name}' has no function run: give it one, \`run: ({ candles }) => ...\``,
    )
  }
  if (!isObjectSchema(params)) {
    throw new InputError(
      reference,
      `the params of strategy '${name}' are not a z.object: if it has none, write \`params: z.object({})\``,
    )
  }
  checkDefaults(reference, params.def.shape)
  return candidate as Strategy
}

/**
 * A run saves its parameters as JSON, and is repeated from there.
 * @throws {InputError} for a default that JSON cannot represent
 */
function checkDefaults(reference: string, shape: unknown): void {
  for (const [name, schema] of Object.entries(shape ?? {})) {
    let fault: string | undefined
    try {
      fault = defaultFault(schema)
    } catch (error) {
      throw new InputError(reference, `the default of parameter '${name}' throws: ${oneLine(error)}`, { cause: error })
    }
    if (fault !== undefined) {
      throw new InputError(
        reference,
        `the default of parameter '${name}' is not JSON (${fault}): use a string, a finite number, a boolean, null, or ` +
          'a plain array or object, and convert it in `run`',
      )
    }
  }
}

const oneLine = (error: unknown): string => thrownText(error).split('\n')[0] ?? ''

/** The fault of a schema's default, however deeply zod has wrapped it, or of a property's. */
function defaultFault(schema: unknown): string | undefined {
  if (typeof schema !== 'object' || schema === null || !('def' in schema)) return undefined
  const def = schema.def as Readonly<Record<string, unknown>>
  if (def.type === 'default' || def.type === 'prefault') {
    const fault = jsonFault(def.defaultValue)
    if (fault !== undefined) return fault
  }
  const properties: readonly unknown[] = def.type === 'object' ? Object.values(def.shape as object) : []
  const inside = [def.innerType, def.in, ...properties]
  return inside.map(defaultFault).find((fault) => fault !== undefined)
}

/** Names the export if a strategy is exported under a name. */
function withoutDefault(exports: Exports): string {
  const named = Object.entries(exports).find(([, value]) => isLikeStrategy(value))?.[0]
  return named === undefined
    ? `has no default export; ${WRITE}`
    : `has no default export; '${named}' is a strategy: write \`export default ${named}\``
}

/** Description of the value and how to fix it; undefined for an object that may be a strategy. */
function otherThanStrategy(value: unknown): string | undefined {
  if (Array.isArray(value)) return `an array, but a file holds one strategy: ${WRITE}`
  if (typeof value === 'function') return `a function; ${WRITE}, with the function as its \`run\``
  if (typeof value !== 'object' || value === null) return `${value === null ? 'null' : `a ${typeof value}`}; ${WRITE}`
  if (isThenable(value)) return 'a Promise: write `export default await ...`'
  return undefined
}

const isLikeStrategy = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'run' in value && typeof value.run === 'function'

/** True for every Promise implementation. */
const isThenable = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

/** True for a zod object schema, by its structure: the file may import another copy of zod. */
function isObjectSchema(value: unknown): value is { readonly def: { readonly shape?: unknown } } {
  if (typeof value !== 'object' || value === null || !('def' in value)) return false
  const { def } = value
  return typeof def === 'object' && def !== null && 'type' in def && def.type === 'object'
}
