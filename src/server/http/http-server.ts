/**
 * The REST API of a service (section 4) on Fastify, with checks in the order of decision 20.
 *
 * Invariant: every response has the request id, and every error the envelope. Responses contain nothing of internal
 * errors.
 */
import type { IncomingMessage, Server } from 'node:http'
import { Readable } from 'node:stream'
import {
  fastify,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type preParsingHookHandler,
} from 'fastify'
import { InvariantError } from '../../domain/errors.ts'
import { answerHead, sendError, sendJson, sendJsonText } from '../envelope/answer.ts'
import { innerFault } from '../envelope/inner-fault.ts'
import type { BareSockets } from './bare-socket.ts'
import { triggerAfter } from '../faults/fault-trigger.ts'
import { FaultyCall } from '../faults/faulty-call.ts'
import type { Faults } from '../faults/faults.ts'
import type { AnsweredRequest } from './answered-request.ts'
import { shareTurns, type Arrivals } from './pipelines.ts'
import { PlainRequests, type ArrivedRequest } from './plain-requests.ts'
import type { FairScheduler } from './fair-scheduler.ts'
import { admit, admitAgain, NotAdmitted, type Admission } from './request-guard.ts'
import { checkToken } from './admin-token.ts'
import { allowOrigin, hostFault } from './origins.ts'
import { bodyOf, keyOf, queryOf } from './request-parts.ts'
import { isOfService, type Call, type Route } from '../service/route.ts'
import type { Secrets } from '../service/secrets.ts'
import { ServiceError, stopping } from '../envelope/service-error.ts'
import type { Service } from '../service/service.ts'
import type { User } from '../service/user-registry.ts'
import { UnknownRoutes } from './unknown-route.ts'

/** Limits per client, in bytes and milliseconds. */
export const LIMITS = {
  body: 16 * 1024,
  headers: 16 * 1024,
  url: 8 * 1024,
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 10_000,
  /** Timeout without a byte in either direction: the client does not read its response. */
  silentMs: 60_000,
  /** Interval of checking the timeouts. */
  checkMs: 1_000,
  connections: 10_000,
}

export type WireLimits = typeof LIMITS

export interface HttpServerOptions {
  readonly service: Service
  /** Routes by prefix, such as `/v1`. */
  readonly routes: ReadonlyMap<string, readonly Route[]>
  readonly secrets: Secrets
  readonly sockets: BareSockets
  readonly faults: Faults
  /** Bearer token of the control API; undefined for none. */
  readonly adminToken: string | undefined
  /** Origin of pages that may read responses; undefined for none. */
  readonly cors: string | undefined
  /** Resolves when all changes so far are durable; undefined if they are. */
  readonly durable: () => Promise<void> | undefined
  readonly limits: WireLimits
  /** Scheduler shared by all senders to this server. */
  readonly turns: FairScheduler
  /** Receives internal errors. After an InvariantError the engine has stopped. */
  readonly onError: (error: unknown, requestId: string) => void
  /** Called for every response. */
  readonly onAnswer: (answer: AnsweredRequest) => void
}

interface ServerArrivals extends Arrivals {
  /** Requests admitted on the fast path that must continue here. */
  readonly letIn: WeakMap<IncomingMessage, ArrivedRequest>
}

interface RouteOptions extends HttpServerOptions {
  readonly arrivals: ServerArrivals
}

export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { sockets, service, routes, limits } = options
  const unknown = new UnknownRoutes(service, routes)
  const arrivals: ServerArrivals = {
    areRefused: () => service.closing.aborted,
    inTime: new WeakSet(),
    letIn: new WeakMap(),
  }
  const app = fastify(fastifyOptions(options, unknown, arrivals))
  app.server.maxConnections = limits.connections
  const plain = plainRequests(app, options, arrivals)
  shareTurns(app, options.turns, arrivals, (request, response) => {
    if (!plain.take(request, response)) app.routing(request, response)
  })
  sockets.attach(app.server)
  if (options.cors !== undefined) allowOrigin(app.server, options.cors)
  app.decorateRequest('budget', undefined)
  app.decorateRequest('arrivedAt', 0)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body)
  })
  app.setErrorHandler((error, request, reply) => answerError(options, error, request, reply))
  // Before the body is read: a request without a route has no valid body.
  app.addHook('onRequest', (request, reply, next) => {
    const fault = wireFault(request, limits)
    if (fault !== undefined) void unknown.answer(request, reply, ...fault)
    else if (request.is404) void unknown.refuse(request, reply)
    else next()
  })
  app.setNotFoundHandler((request, reply) => unknown.refuse(request, reply))
  app.addHook('onResponse', ({ id, method, routeOptions }, { statusCode: status, elapsedTime: ms }, done) => {
    options.onAnswer({ id, method, route: routeOptions.url, status, ms })
    done()
  })
  for (const [prefix, each] of routes) {
    for (const route of each) {
      addRoute(app, { ...options, arrivals }, prefix + route.path.replaceAll(/\{(\w+)\}/g, ':$1'), route)
    }
  }
  return app
}

function fastifyOptions(
  { limits, secrets, sockets }: HttpServerOptions,
  unknown: UnknownRoutes,
  arrivals: ServerArrivals,
): FastifyHttpOptions<Server> {
  return {
    logger: false,
    bodyLimit: limits.body,
    connectionTimeout: limits.silentMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    http: {
      headersTimeout: limits.headersMs,
      maxHeaderSize: limits.headers,
      connectionsCheckingInterval: limits.checkMs,
      // Node would answer without the envelope; see `wireFault`.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: limits.headers },
    genReqId: (request: IncomingMessage) => arrivals.letIn.get(request)?.id ?? secrets.uuid(),
    requestIdHeader: false,
    exposeHeadRoutes: true,
    // Fastify would answer without the envelope. What comes on open connections until they close is answered.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: (error, socket) => {
      sockets.refuse(error, socket)
    },
    // No route has a schema of Fastify's: what would compile one takes longer to load than all the rest.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    frameworkErrors: (_error, request, reply) => {
      void unknown.answer(request, reply, 400, 'the path is malformed')
    },
  }
}

function plainRequests(app: FastifyInstance, options: HttpServerOptions, arrivals: ServerArrivals): PlainRequests {
  return new PlainRequests(options.routes, options.limits.body, {
    ...options,
    handOver: (request, response, each) => {
      arrivals.letIn.set(request, each)
      app.routing(request, response)
    },
  })
}

function noSchemas(): never {
  throw new InvariantError('no route has a schema of its own')
}

/** Violations of HTTP, and limits of the URL. */
function wireFault({ raw }: FastifyRequest, limits: WireLimits): [status: number, message: string] | undefined {
  const { url = '' } = raw
  if (url.length > limits.url) return [414, `the path is longer than ${limits.url} bytes`]
  const fault = hostFault(raw)
  return fault === undefined ? undefined : [400, fault]
}

function addRoute(app: FastifyInstance, options: RouteOptions, url: string, route: Route): void {
  const { service, faults, durable } = options
  const { isMutation = false, whenStopped = 'ENGINE_UNAVAILABLE' } = route
  const name = `${route.method} ${route.path}`
  const admissions = new WeakMap<FastifyRequest, Admission>()
  const callOf = (request: FastifyRequest): Call => ({
    service,
    user: admitAgain(service, route, admissions.get(request)),
    params: request.params as Record<string, string>,
    body: route.body === undefined ? undefined : bodyOf(request),
    query: queryOf(route, request.query as Record<string, unknown>),
    // Others may have traded while the body arrived.
    now: service.catchUp(),
  })
  app.route({
    method: route.method,
    url,
    config: { isMutation, whenStopped },
    preParsing: bodyAgain(options.arrivals),
    onRequest: (request, reply, next) => {
      try {
        admissions.set(request, letIn(options, route, request))
        next()
      } catch (error) {
        if (!(error instanceof NotAdmitted)) throw error
        request.budget = error.budget
        void sendError(request, reply, error.error, { isMutation, retryInMs: error.retryInMs })
      }
    },
    handler: async (request, reply) => {
      const life = admissions.get(request)?.life
      service.checkLife(life)
      const happening = isOfService(route.access) ? faults.ofRequest(name) : []
      const admitted = (): User | undefined => admitAgain(service, route, admissions.get(request))
      const source = { callOf: () => callOf(request), admitted }
      const bent = happening.length === 0 ? undefined : new FaultyCall(happening, route, source)
      if (bent !== undefined && (await bent.isCut(request, reply, life ?? service.life))) return reply
      const text = bent === undefined ? route.handleAsText?.(callOf(request)) : undefined
      const answer = text ?? (await (bent === undefined ? route.handle(callOf(request)) : bent.handle()))
      const safe = durable()
      if (safe !== undefined) await safe
      if (bent !== undefined && triggerAfter(happening, request, reply, route, answer)) return reply
      answerHead(request, reply, isMutation)
      return text === undefined ? send(reply, route, answer) : sendJsonText(reply, route.status, text)
    },
  })
}

/** Provides a body that was already read. */
const bodyAgain =
  ({ letIn: before }: ServerArrivals): preParsingHookHandler =>
  (request, _reply, payload, next) => {
    const body = before.get(request.raw)?.body
    next(null, body === undefined ? payload : Readable.from([body]))
  }

/** @throws {NotAdmitted} */
function letIn(
  { service, adminToken, cors, arrivals }: RouteOptions,
  route: Route,
  request: FastifyRequest,
): Admission {
  const before = arrivals.letIn.get(request.raw)
  if (before === undefined) {
    if (arrivals.areRefused() && !arrivals.inTime.has(request.raw)) throw new NotAdmitted(stopping())
    service.checkLife()
  }
  request.arrivedAt = before?.arrivedAt ?? service.catchUp()
  if (route.access === 'emulator') checkToken(adminToken, cors, request)
  const admission = before?.admission ?? admit(service, route, keyOf(request.headers), request.arrivedAt)
  request.budget = admission.budget
  return admission
}

function send(reply: FastifyReply, route: Route, answer: unknown): FastifyReply {
  const { contentType, headers } = route
  if (headers !== undefined) reply.headers(headers)
  const status = route.statusOf?.(answer) ?? route.status
  if (answer === undefined) return reply.code(status).send()
  if (contentType === undefined) return sendJson(reply, status, answer)
  return reply.code(status).header('content-type', contentType).send(answer)
}

function answerError(
  { limits, onError }: HttpServerOptions,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const isMutation = request.routeOptions.config.isMutation === true
  const known = error instanceof ServiceError ? error : frameworkFault(error, limits)
  if (known === undefined) onError(error, request.id)
  return sendError(request, reply, known ?? innerFault(error, request.routeOptions.config.whenStopped), { isMutation })
}

/** Errors of Fastify for requests that it rejects (decision 26). */
function frameworkFault(error: unknown, limits: WireLimits): ServiceError | undefined {
  const status = (error as { statusCode?: unknown }).statusCode
  if (status === 413) {
    return new ServiceError('VALIDATION_ERROR', `the body is larger than ${limits.body} bytes`, { status })
  }
  if (status === 415) return new ServiceError('VALIDATION_ERROR', 'the content-type is not supported', { status })
  if (status === 400)
    return new ServiceError('MALFORMED_JSON', 'the body does not have the length of its content-length header')
  return undefined
}
