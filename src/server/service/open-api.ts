/**
 * The OpenAPI document of a set of routes: what the schemas say, and nothing beside them.
 */
import { z } from 'zod'
import { paramsOf, type Route } from './route.ts'
import { errorSchema } from '../../wire/schemas.ts'

type Json = Readonly<Record<string, unknown>>

const SCHEMAS = '#/components/schemas/'

function openApiDocument(routes: readonly Route[]): Json {
  const shapes = new Shapes()
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route, shapes) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Trading service', version: '1.0.0' },
    servers: [{ url: '/v1' }],
    paths,
    components: {
      schemas: shapes.named,
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
    },
  }
}

/** `GET /openapi.json`, public. */
export function openApiRoute(routes: readonly Route[]): Route {
  let document: Json | undefined
  return {
    method: 'GET',
    path: '/openapi.json',
    summary: 'this document',
    access: 'public',
    status: 200,
    answer: z.record(z.string(), z.unknown()),
    handle: () => (document ??= openApiDocument(routes)),
  }
}

/** Schemas as JSON; those that have a name are told once and referred to. */
class Shapes {
  readonly named: Record<string, unknown> = {}

  of(schema: z.ZodType, io: 'input' | 'output'): unknown {
    const { $defs = {}, ...shape } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' })
    delete shape.$schema
    for (const [name, named] of Object.entries($defs)) this.#name(name, named)
    const { id } = schema.meta() ?? {}
    if (id === undefined) return pointed(shape)
    // One that has a name may come as a reference to itself among the others.
    if (!Object.hasOwn($defs, id)) this.#name(id, shape)
    return { $ref: SCHEMAS + id }
  }

  #name(name: string, shape: object): void {
    this.named[name] = pointed(shape)
  }
}

/** References to where the named schemas stand in the document. */
const pointed = (shape: object): unknown => JSON.parse(JSON.stringify(shape).replaceAll('"#/$defs/', `"${SCHEMAS}`))

function operation(route: Route, shapes: Shapes): Json {
  const { summary, access, query = {}, body, status, answer } = route
  const parameters = [
    ...paramsOf(route.path).map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...Object.entries(query).map(([name, schema]) => ({ name, in: 'query', schema: shapes.of(schema, 'input') })),
  ]
  const content = (schema: z.ZodType, io: 'input' | 'output'): Json => ({
    content: { 'application/json': { schema: shapes.of(schema, io) } },
  })
  return {
    summary,
    ...(access === 'public' ? {} : { security: [{ apiKey: [access] }] }),
    parameters,
    ...(body === undefined ? {} : { requestBody: { required: true, ...content(body, 'input') } }),
    responses: {
      [status]: { description: 'done', ...content(answer, 'output') },
      default: { description: 'an error', ...content(errorSchema, 'output') },
    },
  }
}
