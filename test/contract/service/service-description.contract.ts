/**
 * The OpenAPI document that is served: a valid 3.1 document of the routes of sections 2 and 4.
 *
 * Known limit: its structure is checked by the rules that it can break here, not by the schema of OpenAPI.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { paramsOf } from '../../../src/server/service/route.ts'
import { SERVICE_ROUTES } from './service-routes.ts'
import type { ServiceStage } from './service-stage.ts'

const schema = z.record(z.string(), z.unknown())
const content = z.strictObject({ 'application/json': z.strictObject({ schema }) })
const response = z.strictObject({ description: z.string().min(1), content })
const operation = z.strictObject({
  summary: z.string().min(1),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  parameters: z.array(
    z.union([
      z.strictObject({ name: z.string(), in: z.literal('path'), required: z.literal(true), schema }),
      z.strictObject({ name: z.string(), in: z.literal('query'), schema }),
    ]),
  ),
  requestBody: z.strictObject({ required: z.literal(true), content }).optional(),
  responses: z.record(z.string().regex(/^(?:[1-5]\d\d|default)$/), response),
})
const documentSchema = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({ title: z.string(), version: z.literal('1.0.0') }),
  servers: z.array(z.strictObject({ url: z.string() })).length(1),
  paths: z.record(
    z.string().regex(/^\/[^?#]*$/),
    z.partialRecord(z.enum(['get', 'post', 'delete', 'patch']), operation),
  ),
  components: z.strictObject({
    schemas: z.record(z.string().regex(/^[A-Za-z0-9._-]+$/), schema),
    securitySchemes: z.record(
      z.string(),
      z.strictObject({ type: z.literal('apiKey'), in: z.literal('header'), name: z.literal('x-api-key') }),
    ),
  }),
})

type Document = z.output<typeof documentSchema>

/** Keywords of JSON Schema 2020-12 that the document may use. */
const KEYWORDS = new Set(
  (
    '$ref type enum const pattern format description default examples minimum maximum minLength maxLength items prefixItems ' +
    'minItems maxItems properties required additionalProperties propertyNames oneOf anyOf allOf'
  ).split(' '),
)

/** Every schema in a schema, itself included. */
function* schemasIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  const each = value as Record<string, unknown>
  yield each
  const { properties, items, additionalProperties, propertyNames, oneOf, anyOf, allOf, prefixItems } = each
  for (const inner of [items, additionalProperties, propertyNames]) yield* schemasIn(inner)
  for (const inner of [oneOf, anyOf, allOf, prefixItems]) {
    if (Array.isArray(inner)) for (const one of inner) yield* schemasIn(one)
  }
  if (typeof properties === 'object' && properties !== null) {
    for (const one of Object.values(properties)) yield* schemasIn(one)
  }
}

function* referencesIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const each of value) yield* referencesIn(each)
  else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      if (name === '$ref') yield String(each)
      else yield* referencesIn(each)
    }
  }
}

export function describeDescription(open: () => Promise<ServiceStage>): void {
  let service: ServiceStage
  let document: Document

  beforeAll(async () => {
    service = await open()
    document = documentSchema.parse((await service.ask('GET', '/openapi.json')).json)
  })
  afterAll(() => service.close())

  const operations = (): [string, z.output<typeof operation>][] =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, each]) => [
        [`${method.toUpperCase()} ${path}`, each] as [string, typeof each],
      ]),
    )

  it('has every route, with its parameters, body, status and scope', () => {
    expect(operations().length).toBe(SERVICE_ROUTES.length)
    for (const { method, path, access, query = {}, body, status } of SERVICE_ROUTES) {
      const [, found] = operations().find(([name]) => name === `${method} ${path}`) ?? []
      const named = (place: string): string[] =>
        (found?.parameters ?? []).filter((parameter) => parameter.in === place).map(({ name }) => name)
      expect(named('path')).toEqual(paramsOf(path))
      expect(named('query')).toEqual(Object.keys(query))
      expect(found?.requestBody === undefined).toBe(body === undefined)
      expect(Object.keys(found?.responses ?? {})).toEqual([String(status), 'default'])
      expect(found?.security).toEqual(access === 'public' ? undefined : [{ apiKey: [access] }])
    }
  })

  it('every reference leads to a schema, and every schema is referred to', () => {
    const names = new Set(Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`))
    const references = new Set(referencesIn(document))
    expect(references).toEqual(names)
    for (const [name, named] of Object.entries(document.components.schemas)) expect(named.$ref, name).toBeUndefined()
    for (const [, { security = [] }] of operations()) {
      for (const name of security.flatMap((each) => Object.keys(each))) {
        expect(Object.keys(document.components.securitySchemes)).toContain(name)
      }
    }
  })

  it('every schema is one of JSON Schema 2020-12, as OpenAPI 3.1 wants it', () => {
    const contents = operations().flatMap(([, { requestBody, responses, parameters }]) => [
      ...parameters.map((parameter) => parameter.schema),
      ...[requestBody, ...Object.values(responses)].flatMap((each) => each?.content['application/json'].schema ?? []),
    ])
    const all = [...contents, ...Object.values(document.components.schemas)].flatMap((each) => [...schemasIn(each)])
    expect(all.length).toBeGreaterThan(50)
    const unknown = all.flatMap((each) => Object.keys(each)).filter((keyword) => !KEYWORDS.has(keyword))
    expect(unknown).toEqual([])
    for (const { required = [], properties = {}, pattern } of all) {
      for (const name of required as string[]) expect(Object.keys(properties as object)).toContain(name)
      if (typeof pattern === 'string') expect(() => new RegExp(pattern, 'u')).not.toThrow()
    }
  })

  it('names the resources of section 2 with their fields', () => {
    const fieldsOf = (name: string): string[] =>
      Object.keys((document.components.schemas[name] as { properties?: object } | undefined)?.properties ?? {})
    expect(fieldsOf('Market')).toEqual('id name symbol baseAsset quoteAsset pricePrecision qtyPrecision'.split(' '))
    expect(fieldsOf('Order')).toEqual(
      'id userId symbol side type status price qty filledQty averagePrice createdAt'.split(' '),
    )
    expect(fieldsOf('Candle')).toEqual('time symbol open high low close volume'.split(' '))
    expect(fieldsOf('Error')).toEqual(['error', 'requestId'])
  })
}
