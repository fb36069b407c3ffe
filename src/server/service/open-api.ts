/** The OpenAPI document of a set of routes, derived from the routes and their schemas only. */
import { z } from 'zod'
import type { ErrorCode } from '../../wire/error-code.ts'
import { errorDetailSchema, requestIdSchema } from '../../wire/schemas.ts'
import { isScope, SCOPES } from './api-key.ts'
import { isBodyless, type Json, JsonShapes } from './json-shapes.ts'
import { errorsOf } from './route-errors.ts'
import { paramsOf, type Route, type RouteExample, type RouteExamples, TAGS } from './route.ts'
import { SERVICE_EXAMPLES } from './service-examples.ts'

/** Parts of a document besides its routes. */
export interface DocumentHead {
  readonly title: string
  readonly description: string
  /** Base address of the paths. */
  readonly server: Json
  /** Authentication schemes by the names used in `securityOf`. */
  readonly securitySchemes: Json
  readonly securityOf: (route: Route) => readonly Json[]
  readonly examples: RouteExamples
}

const SCOPE_ALLOWS: Readonly<Record<(typeof SCOPES)[number], string>> = {
  ACCOUNT_READ: 'read balances and portfolio performance',
  ORDER_READ: 'read orders and private trade history',
  ORDER_CREATE: 'create limit and market orders; also needs a verified account',
  ORDER_CANCEL: 'cancel open orders; also needs a verified account',
}

const KEY_DESCRIPTION = [
  'An API key, complete and without an added prefix. Its scopes decide what it may do:',
  ...SCOPES.map((scope) => `- \`${scope}\`: ${SCOPE_ALLOWS[scope]}`),
].join('\n')

const SERVICE_HEAD: DocumentHead = {
  title: 'Trading service',
  description:
    'Simulated, credit-funded spot markets: public market data, orders and accounts. ' +
    'Prices, quantities, balances and volumes are decimal strings; symbols are written as `GET /markets` lists them.',
  server: { url: '/v1', description: 'this server' },
  securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: KEY_DESCRIPTION } },
  securityOf: ({ access }) => (isScope(access) ? [{ apiKey: [] }] : []),
  examples: SERVICE_EXAMPLES,
}

/** Response headers in an OpenAPI document (sections 1 and 8, decision 23). */
const HEADERS = {
  'X-Request-Id': {
    description: 'the id of the request; error bodies repeat it as requestId',
    required: true,
    schema: { type: 'string', format: 'uuid' },
    example: '8c2f0a5e-6a3c-4b0e-9d55-6a2f3f1c9b10',
  },
  RateLimit: {
    description: 'requests left in each bucket of the key, and seconds until it resets; only if a key was sent',
    schema: { type: 'string' },
    example: '"general";r=599;t=42',
  },
  'RateLimit-Policy': {
    description: 'allowance of each bucket of the key: requests per seconds; only if a key was sent',
    schema: { type: 'string' },
    example: '"general";q=600;w=60',
  },
  'Retry-After': {
    description: 'seconds until the next request is accepted',
    required: true,
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 86_400 },
    example: 42,
  },
} satisfies Readonly<Record<string, Json>>

/** Statuses sent before the key is known. */
const BEFORE_KEY = new Set([401, 408, 417, 431])

/** References to the possible headers of a response. */
function headersOf({ access }: Route, status: number): Json {
  const isCounted = access !== 'emulator' && access !== 'open' && !BEFORE_KEY.has(status)
  const names = [
    'X-Request-Id',
    ...(isCounted ? ['RateLimit', 'RateLimit-Policy'] : []),
    ...(status === 429 ? ['Retry-After'] : []),
  ]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** @param routes  with paths relative to the server of the document */
function openApiDocument(routes: readonly Route[], head: DocumentHead = SERVICE_HEAD): Json {
  const shapes = new JsonShapes()
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of routes) {
    const described = operation(route, shapes, head)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: described }
  }
  const tags = Object.entries(TAGS).filter(([name]) => routes.some(({ tag }) => tag === name))
  return {
    openapi: '3.1.0',
    info: {
      title: head.title,
      version: '1.0.0',
      description: head.description,
      contact: { name: 'papertape', url: 'https://www.npmjs.com/package/papertape' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [head.server],
    tags: tags.map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: shapes.named,
      headers: Object.fromEntries(
        Object.entries(HEADERS).filter(([name]) => routes.some((route) => isSent(name, route))),
      ),
      securitySchemes: head.securitySchemes,
    },
  }
}

const isSent = (header: string, route: Route): boolean =>
  [route.status, ...errorsOf(route).keys()].some((status) => Object.hasOwn(headersOf(route, status), header))

const made = new Map<string, z.ZodType>()

/**
 * The error envelope (section 2) as a schema for a set of codes, named after them.
 *
 * @param codes  at least one
 */
function errorSchemaOf(codes: readonly ErrorCode[]): z.ZodType {
  const id = nameOf(codes)
  let schema = made.get(id)
  if (schema === undefined) {
    schema = z
      .strictObject({ error: errorOf(codes), requestId: requestIdSchema })
      .meta({ id, description: codes.join(' or ') })
    made.set(id, schema)
  }
  return schema
}

/** Section 2: details only for validation errors. */
function errorOf(codes: readonly ErrorCode[]): z.ZodType {
  const code = z.enum(codes)
  const message = z.string().meta({ description: 'a message for a person', examples: ['the reason'] })
  return codes.includes('VALIDATION_ERROR')
    ? z.strictObject({ code, message, details: z.array(errorDetailSchema).optional() })
    : z.strictObject({ code, message })
}

const nameOf = (codes: readonly ErrorCode[]): string => {
  const name = codes.map(pascalCase).join('Or')
  return name.endsWith('Error') ? name : `${name}Error`
}

const pascalCase = (code: ErrorCode): string =>
  code
    .toLowerCase()
    .split('_')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')

/** `GET /openapi.json`, readable by everyone who may call one of its routes without a key. */
export function openApiRoute(routes: readonly Route[], head?: DocumentHead): Route {
  let document: Json | undefined
  let text: Buffer | undefined
  const made = (): Json => (document ??= openApiDocument(routes, head))
  return {
    method: 'GET',
    path: '/openapi.json',
    operationId: 'getDescription',
    tag: 'Server',
    summary: 'this document',
    access: 'public',
    status: 200,
    answer: z.record(z.string(), z.unknown()),
    handle: made,
    handleAsText: () => (text ??= Buffer.from(JSON.stringify(made()))),
  }
}

function operation(route: Route, shapes: JsonShapes, { securityOf, examples }: DocumentHead): Json {
  const { operationId, tag, summary, query = {}, body } = route
  const example = examples[operationId]
  const parameters = [
    ...paramsOf(route.path).map((name) => ({ name, in: 'path', required: true, ...(PARAMS[name] ?? NO_PARAM) })),
    ...Object.entries(query).map(([name, schema]) => parameterOf(name, shapes.of(schema, 'input'))),
  ]
  return {
    operationId,
    tags: [tag],
    summary,
    description: descriptionOf(route),
    security: securityOf(route),
    ...scopeOf(route),
    parameters,
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': bodyOf(body, shapes, example) } } }),
    responses: {
      [route.status]: success(route, route.status, 'done', shapes, example?.answer),
      ...Object.fromEntries(
        Object.entries(route.otherStatuses ?? {}).map(([status, description]) => [
          status,
          success(route, Number(status), description, shapes, example?.others?.[Number(status)]),
        ]),
      ),
      ...Object.fromEntries(
        Array.from(errorsOf(route), ([status, codes]) => [status, failure(route, status, codes, shapes)]),
      ),
    },
  }
}

function bodyOf(body: z.ZodType, shapes: JsonShapes, { bodies = {} }: RouteExample = {}): Json {
  const examples = Object.fromEntries(Object.entries(bodies).map(([name, value]) => [name, { value }]))
  return { schema: shapes.of(body, 'input'), examples }
}

function success(route: Route, status: number, description: string, shapes: JsonShapes, example: unknown): Json {
  const { answer, contentType = 'application/json' } = route
  const headers = headersOf(route, status)
  if (isBodyless(answer)) return { description, headers }
  return { description, headers, content: { [contentType]: { schema: shapes.of(answer, 'output'), example } } }
}

/** Extension for scopes: OpenAPI allows scopes only for OAuth, and linters reject them for keys. */
const scopeOf = ({ access }: Route): Json => (isScope(access) ? { 'x-required-scopes': [access] } : {})

/** Descriptions of path parameters. */
const PARAMS: Readonly<Record<string, Json>> = {
  symbol: parameterShape('a market, as `GET /markets` lists it', 'BTC_USD'),
  orderId: parameterShape('the id of an order', '17'),
  id: parameterShape('an id from an earlier response', 'user-1'),
  name: parameterShape('the name of a snapshot or a branch', 'before-news'),
}
const NO_PARAM: Json = { schema: { type: 'string', minLength: 1 } }

function parameterShape(description: string, example: string): Json {
  return { description, schema: { type: 'string', minLength: 1 }, example }
}

/** Moves description and example from the schema to the parameter. */
function parameterOf(name: string, { description, examples, ...schema }: Json): Json {
  const [example] = (examples ?? []) as readonly unknown[]
  return { name, in: 'query', required: false, description, ...(example === undefined ? {} : { example }), schema }
}

function descriptionOf({ summary, access, isMutation = false, description }: Route): string {
  const sentence = `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`
  const more = description === undefined ? '' : ` ${description}`
  if (!isScope(access)) return sentence + more
  return `${sentence}${more} Needs a key with the scope \`${access}\`${isMutation ? ' and a verified account' : ''}.`
}

function failure(route: Route, status: number, codes: readonly ErrorCode[], shapes: JsonShapes): Json {
  return {
    description: codes.join(' or '),
    headers: headersOf(route, status),
    content: { 'application/json': { schema: shapes.of(errorSchemaOf(codes), 'output') } },
  }
}
