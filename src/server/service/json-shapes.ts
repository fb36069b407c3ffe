/**
 * Converts schemas to the JSON Schema of an OpenAPI document, in a form that all client generators accept.
 *
 * A schema with an `id` becomes a named component that is referenced.
 */
import { z } from 'zod'

export type Json = Readonly<Record<string, unknown>>

const SCHEMAS = '#/components/schemas/'
const LARGEST_INT32 = 2 ** 31 - 1

/** Whether a route answers with it by an empty body. */
export const isBodyless = (schema: z.ZodType): boolean => schema instanceof z.ZodUndefined

export class JsonShapes {
  readonly #named = new Map<string, Json>()

  /** Those that were referred to, by their names. */
  get named(): Json {
    return Object.fromEntries([...this.#named].sort(([left], [right]) => (left < right ? -1 : 1)))
  }

  of(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { $defs = {}, ...shape } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' })
    delete shape.$schema
    for (const [name, named] of Object.entries($defs)) this.#name(name, named)
    const { id } = schema.meta() ?? {}
    if (id === undefined) return shapeOf(shape)
    // One that has a name may come as a reference to itself among the others.
    if (!Object.hasOwn($defs, id)) this.#name(id, shape)
    return { $ref: SCHEMAS + id }
  }

  #name(name: string, shape: object): void {
    this.#named.set(name, shapeOf(shape as Json))
  }
}

/** The same for everything in it. */
function reported(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reported)
  return typeof value === 'object' && value !== null ? shapeOf(value as Json) : value
}

function shapeOf(shape: Json): Json {
  const entries = Object.entries(shape).flatMap(([keyword, value]): (readonly [string, unknown])[] => {
    switch (keyword) {
      case 'properties':
        return [
          [keyword, Object.fromEntries(Object.entries(value as Json).map(([name, each]) => [name, reported(each)]))],
        ]
      case '$ref':
        return [[keyword, String(value).replace('#/$defs/', SCHEMAS)]]
      case 'const':
        // A generator makes a type of an enum of one, and often a value of anything of a constant.
        return [['enum', [value]]]
      case 'pattern':
        // With a format, some clients apply it to the parsed date.
        return shape.format === undefined ? [[keyword, value]] : []
      case 'default':
      case 'examples':
        return [[keyword, value]]
      case 'propertyNames':
        return []
      default:
        return [[keyword, reported(value)]]
    }
  })
  // Without it a client may read 32 bits, and a time has more.
  const width = shape.type === 'integer' && shape.format === undefined ? { format: integerFormat(shape) } : {}
  return { ...Object.fromEntries(entries), ...width }
}

const integerFormat = ({ maximum }: Json): string =>
  typeof maximum === 'number' && maximum <= LARGEST_INT32 ? 'int32' : 'int64'
