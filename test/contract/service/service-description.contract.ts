/**
 * The OpenAPI document that is served: a valid 3.1 document of the routes of sections 2 and 4.
 *
 * Known limit: its structure is checked by the rules that it can break here, not by the schema of OpenAPI.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { paramsOf } from '../../../src/server/service/route.ts'
import { errorsOf } from '../../../src/server/service/route-errors.ts'
import { SERVICE_ROUTES } from './service-routes.ts'
import type { ServiceStage } from './service-stage.ts'

const schema = z.record(z.string(), z.unknown())
const named = z.record(z.string(), z.strictObject({ value: z.unknown() }))
const content = z.strictObject({
  'application/json': z.strictObject({ schema, example: z.unknown().optional(), examples: named.optional() }),
})
const headers = z.record(z.string(), z.strictObject({ $ref: z.string() }))
const response = z.strictObject({ description: z.string().min(1), headers, content })
const scalar = z.union([z.string(), z.number()])
const operation = z.strictObject({
  operationId: z.string().regex(/^[a-z][A-Za-z]+$/),
  tags: z.array(z.string()).length(1),
  summary: z.string().min(1),
  description: z.string().min(1),
  security: z.array(z.record(z.string(), z.array(z.string()).length(0))),
  'x-required-scopes': z.array(z.string()).optional(),
  parameters: z.array(
    z.strictObject({
      name: z.string(),
      in: z.enum(['path', 'query']),
      required: z.boolean(),
      description: z.string().min(1),
      example: scalar.optional(),
      schema,
    }),
  ),
  requestBody: z.strictObject({ required: z.literal(true), content }).optional(),
  responses: z.record(z.string().regex(/^[1-5]\d\d$/), response),
})
const documentSchema = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({
    title: z.string(),
    version: z.literal('1.0.0'),
    description: z.string(),
    contact: z.strictObject({ name: z.string(), url: z.url() }),
    license: z.strictObject({ name: z.literal('MIT'), identifier: z.literal('MIT') }),
  }),
  servers: z.array(z.strictObject({ url: z.string(), description: z.string() })).length(1),
  tags: z.array(z.strictObject({ name: z.string(), description: z.string() })),
  paths: z.record(
    z.string().regex(/^\/[^?#]*$/),
    z.partialRecord(z.enum(['get', 'post', 'delete', 'patch']), operation),
  ),
  components: z.strictObject({
    schemas: z.record(z.string().regex(/^[A-Za-z0-9._-]+$/), schema),
    headers: z.record(
      z.string(),
      z.strictObject({ description: z.string(), required: z.literal(true).optional(), schema, example: scalar }),
    ),
    securitySchemes: z.record(
      z.string(),
      z.strictObject({
        type: z.literal('apiKey'),
        in: z.literal('header'),
        name: z.literal('x-api-key'),
        description: z.string(),
      }),
    ),
  }),
})

type Document = z.output<typeof documentSchema>

/** Keywords of JSON Schema 2020-12 that the document may use. */
const KEYWORDS = new Set(
  (
    '$ref type enum pattern format description default examples minimum maximum minLength maxLength items prefixItems ' +
    'minItems maxItems properties required additionalProperties oneOf x-enum-varnames'
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

/** Every object in a value, itself included. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as Record<string, unknown>
  for (const each of Object.values(value)) yield* objectsIn(each)
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
    for (const route of SERVICE_ROUTES) {
      const { method, path, access, query = {}, body, status } = route
      const [, found] = operations().find(([name]) => name === `${method} ${path}`) ?? []
      const named = (place: string): string[] =>
        (found?.parameters ?? []).filter((parameter) => parameter.in === place).map(({ name }) => name)
      expect(named('path')).toEqual(paramsOf(path))
      expect(named('query')).toEqual(Object.keys(query))
      expect(found?.requestBody === undefined).toBe(body === undefined)
      const statuses = Object.keys(found?.responses ?? {}).map(Number)
      expect(statuses).toEqual([status, ...errorsOf(route).keys()])
      expect(found?.security).toEqual(access === 'public' ? [] : [{ apiKey: [] }])
      expect(found?.['x-required-scopes']).toEqual(access === 'public' ? undefined : [access])
      if (access !== 'public') {
        expect(found?.description).toContain(access)
        expect(document.components.securitySchemes.apiKey?.description).toContain(access)
      }
    }
  })

  it('every reference leads to a schema, and every schema is referred to', () => {
    const { schemas, headers: sent } = document.components
    const names = new Set(
      Object.entries({ schemas, headers: sent }).flatMap(([kind, all]) =>
        Object.keys(all).map((name) => `#/components/${kind}/${name}`),
      ),
    )
    const references = new Set(referencesIn(document))
    expect(references).toEqual(names)
    for (const [name, named] of Object.entries(document.components.schemas)) expect(named.$ref, name).toBeUndefined()
    for (const [, { security }] of operations()) {
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
  })

  it('reports for every error what codes it comes with, in the envelope of section 2', () => {
    for (const [name, { responses }] of operations()) {
      for (const [status, { content: sent }] of Object.entries(responses).filter(([each]) => each >= '400')) {
        const [found] = [...referencesIn(sent)].map((reference) => resolved(reference))
        const { properties } = found as { properties: Record<string, { properties?: Record<string, Schema> }> }
        expect(Object.keys(properties), `${name} ${status}`).toEqual(['error', 'requestId'])
        expect(properties.error?.properties?.code?.enum, `${name} ${status}`).not.toEqual([])
      }
    }
    expect(codesOf('POST /orders', 422)).toEqual(['INSUFFICIENT_BALANCE', 'NO_LIQUIDITY', 'ORDER_REJECTED'])
    expect(codesOf('POST /orders', 403)).toEqual(['FORBIDDEN', 'EMAIL_NOT_VERIFIED'])
    expect(codesOf('DELETE /orders/{orderId}', 409)).toEqual(['ORDER_NOT_CANCELLABLE'])
    expect(codesOf('GET /portfolio', 503)).toContain('PORTFOLIO_UNAVAILABLE')
    expect(codesOf('GET /markets', 401)).toBeUndefined()
  })

  it('describes the headers of answers', () => {
    for (const [name, { responses }] of operations()) {
      for (const [status, { headers: sent }] of Object.entries(responses)) {
        expect(Object.keys(sent), `${name} ${status}`).toContain('X-Request-Id')
        expect('Retry-After' in sent, `${name} ${status}`).toBe(status === '429')
      }
      expect(Object.keys(responses['200']?.headers ?? responses['201']?.headers ?? {})).toContain('RateLimit')
    }
  })

  describe('what generators of clients trip over', () => {
    const everySchema = (): Record<string, unknown>[] => [...objectsIn(document)].filter((each) => 'type' in each)

    it('a time has 64 bits, and every integer says how many it has', () => {
      const integers = everySchema().filter(({ type }) => type === 'integer')
      expect(integers.length).toBeGreaterThan(10)
      for (const each of integers) expect(each.format).toBe(Number(each.maximum) <= 2 ** 31 - 1 ? 'int32' : 'int64')
      expect(document.components.schemas.Trade).toMatchObject({ properties: { createdAt: { format: 'int64' } } })
    })

    it('a limit that is served however large it is has no maximum', () => {
      const [, found] = operations().find(([name]) => name === 'GET /orders') ?? []
      const { schema: limit } = found?.parameters.find(({ name }) => name === 'limit') ?? {}
      expect(limit).toEqual({ type: 'integer', minimum: 1, default: 50, format: 'int64' })
    })

    it('no pattern stands beside a format', () => {
      expect(everySchema().filter((each) => 'pattern' in each && 'format' in each)).toEqual([])
    })

    it('both kinds of order have a name and the one type that they can have, and no discriminator, which some send twice', () => {
      const { OrderRequest, LimitOrderRequest, MarketOrderRequest } = document.components.schemas
      const names = ['LimitOrderRequest', 'MarketOrderRequest'].map((name) => ({
        $ref: `#/components/schemas/${name}`,
      }))
      expect(OrderRequest).toMatchObject({ oneOf: names })
      expect(OrderRequest).not.toHaveProperty('discriminator')
      expect(LimitOrderRequest).toMatchObject({ properties: { type: { type: 'string', enum: ['LIMIT'] } } })
      expect(MarketOrderRequest).toMatchObject({ properties: { type: { type: 'string', enum: ['MARKET'] } } })
    })

    it('an interval has a name that no language refuses', () => {
      const intervals = everySchema().find((each) => 'x-enum-varnames' in each)
      expect(intervals?.enum).toEqual(['1m', '5m', '15m', '30m', '1h', '4h', '1d'])
      expect(intervals?.['x-enum-varnames']).toEqual(['M1', 'M5', 'M15', 'M30', 'H1', 'H4', 'D1'])
    })

    it('an operation has one id of its own', () => {
      const ids = operations().map(([, { operationId }]) => operationId)
      expect(new Set(ids).size).toBe(ids.length)
    })
  })

  type Schema = Record<string, unknown>

  const resolved = (reference: string): Schema | undefined =>
    document.components.schemas[reference.replace('#/components/schemas/', '')]

  const codesOf = (name: string, status: number): unknown => {
    const [, found] = operations().find(([each]) => each === name) ?? []
    const reference = [...referencesIn(found?.responses[String(status)]?.content)].at(0)
    const codes = [...objectsIn(resolved(reference ?? ''))].find((each) => 'enum' in each)
    return codes?.enum
  }
}
