/**
 * One request from its arrival to the end of its response (section 4): route, key and rate, body, handler, response.
 * The checks are in the order of decision 20.
 *
 * Invariant: every response has the request id, and every error the envelope. Responses contain nothing of internal
 * errors, and are sent when all earlier changes are durable.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Answer } from '../envelope/answer.ts'
import { FileBody } from '../envelope/file-body.ts'
import { ServiceError, stopping } from '../envelope/service-error.ts'
import type { Fault, Faults } from '../faults/faults.ts'
import { triggerAfter } from '../faults/fault-trigger.ts'
import { FaultyCall } from '../faults/faulty-call.ts'
import { isOfService, type Call, type Route } from '../service/route.ts'
import type { Secrets } from '../service/secrets.ts'
import type { Service } from '../service/service.ts'
import { type AdminAccess, bearerOf } from './admin-token.ts'
import type { AddressLimit } from './address-limit.ts'
import { auditEvent, type AuditEvent } from './audit-event.ts'
import type { AnsweredRequest } from './answered-request.ts'
import { type ClientAddresses, isOfMachine } from './client-address.ts'
import { hostFault } from './origins.ts'
import type { Arrivals } from './pipelines.ts'
import { admit, admitAgain, countUnknown, NotAdmitted, type Admission } from './request-guard.ts'
import { bodyOf, keyOf, queryOf, readBody, type BodyLimit } from './request-parts.ts'
import type { FoundRoute, NoRoute, RouteTable } from './route-table.ts'
import { InvariantError } from '../../domain/errors.ts'
import type { ErrorCode } from '../../wire/error-code.ts'

export interface RequestParts {
  readonly service: Service
  readonly table: RouteTable
  readonly secrets: Secrets
  readonly faults: Faults
  readonly admin: AdminAccess
  readonly clients: ClientAddresses
  /** Requests with an invalid key. */
  readonly invalidKeys: AddressLimit
  /** Resolves when all changes so far are durable; undefined if they are. */
  readonly durable: () => Promise<void> | undefined
  readonly limits: BodyLimit & { readonly url: number }
  readonly arrivals: Arrivals
  /** Receives internal errors. After an InvariantError the engine has stopped. */
  readonly onError: (error: unknown, requestId: string) => void
  /** Records a request in the audit log; undefined for none. */
  readonly audit: ((event: AuditEvent) => void) | undefined
  /** Called for every response. */
  readonly onAnswer: (answer: AnsweredRequest) => void
}

export function serveRequest(parts: RequestParts, request: IncomingMessage, response: ServerResponse): void {
  const began = performance.now()
  const { method = '', url = '' } = request
  const answer = new Answer(parts.secrets.uuid(), response)
  const found = parts.table.find(method, url)
  response.on('finish', () => {
    const ms = performance.now() - began
    parts.onAnswer({ id: answer.id, method, route: found.placed?.url, status: response.statusCode, ms })
  })
  if (parts.audit !== undefined) record(parts, parts.audit, found, answer, response)
  const fault = parts.clients.refusalOf(request) ?? wireFault(request, found, parts.limits.url)
  if (fault !== undefined) refuseUnrouted(parts, request, answer, fault)
  else if (found.placed === undefined) answerUnrouted(parts, request, answer, found.allowed ?? [])
  else new ServedRequest(parts, found, request, answer).begin()
}

/** Records a request before it is answered, or when its client does not wait for the answer. */
function record(
  { admin, clients }: RequestParts,
  audit: (event: AuditEvent) => void,
  found: FoundRoute | NoRoute,
  answer: Answer,
  response: ServerResponse,
): void {
  // Unknown once the connection is closed.
  const address = clients.of(response.req)
  let isRecorded = false
  const recordOnce = (status: number | null): void => {
    if (isRecorded) return
    const { id, isAdmitted, refusedWith: code } = answer
    const terms = { id, address, needsToken: admin.needsToken, isAdmitted, code, status }
    const event = auditEvent(response.req, found, terms)
    if (event === undefined) return
    isRecorded = true
    audit(event)
  }
  // A client that leaves while its token is proven is recorded with the result.
  answer.onStatus = (status) => {
    recordOnce(response.destroyed ? null : status)
  }
  response.once('close', () => {
    recordOnce(response.headersSent ? response.statusCode : null)
  })
}

/** Violations of HTTP, and limits of the URL. */
function wireFault(request: IncomingMessage, found: FoundRoute | NoRoute, longest: number): ServiceError | undefined {
  const { url = '' } = request
  if (found.placed === undefined && found.allowed === undefined) return badRequest(400, 'the path is malformed')
  if (url.length > longest) return badRequest(414, `the path is longer than ${longest} bytes`)
  const fault = hostFault(request)
  return fault === undefined ? undefined : badRequest(400, fault)
}

const badRequest = (status: number, message: string): ServiceError =>
  new ServiceError('VALIDATION_ERROR', message, { status })

/** Responds to an unknown path (404), OPTIONS, or a method that the path does not have (405). */
function answerUnrouted(
  parts: RequestParts,
  request: IncomingMessage,
  answer: Answer,
  allowed: readonly string[],
): void {
  const { method = '' } = request
  const allow = allowed.join(', ')
  if (allowed.length === 0) {
    refuseUnrouted(parts, request, answer, badRequest(404, 'no such route'))
    return
  }
  if (method === 'OPTIONS') {
    count(parts, request, answer)
    answer.send(204, undefined, { headers: { allow } })
    return
  }
  answer.setHeader('allow', allow)
  refuseUnrouted(parts, request, answer, badRequest(405, `expected ${allow}, got ${method}`))
}

function refuseUnrouted(parts: RequestParts, request: IncomingMessage, answer: Answer, error: ServiceError): void {
  count(parts, request, answer)
  answer.sendError(error)
}

/** A request with a key counts even without a route (decision 20). The market does not advance, so this cannot fail. */
function count({ service }: RequestParts, { headers }: IncomingMessage, answer: Answer): void {
  answer.arrivedAt = service.present
  answer.budget = countUnknown(service, keyOf(headers), answer.arrivedAt)
}

class ServedRequest {
  readonly #parts: RequestParts
  readonly #found: FoundRoute
  readonly #request: IncomingMessage
  readonly #answer: Answer
  /** Address of the client, which is unknown once the connection is closed. */
  readonly #address: string | undefined

  constructor(parts: RequestParts, found: FoundRoute, request: IncomingMessage, answer: Answer) {
    this.#parts = parts
    this.#found = found
    this.#request = request
    this.#answer = answer
    this.#address = parts.clients.of(request)
    answer.isMutation = found.placed.route.isMutation ?? false
  }

  get #route(): Route {
    return this.#found.placed.route
  }

  begin(): void {
    const { admin } = this.#parts
    if (this.#route.access !== 'emulator' || !admin.needsToken) {
      this.#beginAdmitted()
      return
    }
    try {
      const proving = admin.prove(bearerOf(this.#request.headers), this.#address)
      if (proving === undefined) this.#beginAdmitted()
      else
        proving.then(
          () => {
            this.#beginAdmitted()
          },
          (error: unknown) => {
            this.#refuse(error)
          },
        )
    } catch (error) {
      this.#refuse(error)
    }
  }

  #beginAdmitted(): void {
    let admission: Admission
    try {
      admission = this.#letIn()
    } catch (error) {
      this.#refuse(error)
      return
    }
    if (this.#route.method === 'GET') {
      this.#execute(admission, undefined)
      return
    }
    const { limits } = this.#parts
    readBody(this.#request, { body: this.#route.longestBody ?? limits.body }, (body) => {
      // The server began to stop while the body arrived.
      if (this.#answer.isSent) return
      if (body instanceof ServiceError) this.#refuseBody(body)
      else this.#execute(admission, body)
    })
  }

  /** @throws {NotAdmitted} */
  #letIn(): Admission {
    const { service, admin, arrivals } = this.#parts
    if (arrivals.areRefused() && !arrivals.inTime.has(this.#request)) throw stopping()
    service.checkLife()
    const now = service.catchUp()
    this.#answer.arrivedAt = now
    if (this.#route.access === 'emulator') admin.check(this.#request.headers, this.#address)
    this.#takeFromAddress()
    const admission = admit(service, this.#route, keyOf(this.#request.headers), now)
    this.#answer.budget = admission.budget
    this.#answer.isAdmitted = true
    return admission
  }

  /** @throws {NotAdmitted} after too many requests of an address to a route that limits them */
  #takeFromAddress(): void {
    const { addressLimit } = this.#route
    const retryInMs = addressLimit?.take(this.#address, performance.now()) ?? 0
    if (retryInMs === 0) return
    throw new NotAdmitted(new ServiceError('RATE_LIMITED', 'too many requests from this address', { retryInMs }))
  }

  #execute(admission: Admission, body: Buffer | undefined): void {
    try {
      this.#work(admission, body)?.catch((error: unknown) => {
        this.#refuse(error)
      })
    } catch (error) {
      this.#refuse(error)
    }
  }

  /** @returns undefined if the response was sent synchronously */
  #work(admission: Admission, body: Buffer | undefined): Promise<void> | undefined {
    const { service, faults } = this.#parts
    const route = this.#route
    service.checkLife(admission.life)
    const happening = isOfService(route.access) ? faults.ofRequest(this.#found.placed.name) : []
    if (happening.length > 0) return this.#workFaulty(happening, admission, body)
    const call = this.#call(admission, body)
    const answer = route.handleAsText?.(call) ?? route.handle(call)
    if (answer instanceof Promise) return answer.then((value: unknown) => this.#sendSafely(value))
    return this.#sendSafely(answer)
  }

  async #workFaulty(faults: readonly Fault[], admission: Admission, body: Buffer | undefined): Promise<void> {
    const { service, durable } = this.#parts
    const call = new FaultyCall(faults, this.#route, {
      callOf: () => this.#call(admission, body),
      admitted: () => admitAgain(service, this.#route, admission),
    })
    if (await call.isCut(this.#answer, admission.life)) return
    const value = await call.handle()
    await durable()
    if (!triggerAfter(faults, this.#answer, this.#route, value)) this.#send(value)
  }

  /** Checks the caller and the market again: both may have changed while the body arrived. */
  #call(admission: Admission, body: Buffer | undefined): Call {
    const { service } = this.#parts
    const route = this.#route
    return {
      service,
      user: admitAgain(service, route, admission),
      params: this.#found.params,
      body: route.body === undefined ? undefined : bodyOf(this.#request.headers, body),
      query: queryOf(route, this.#found.query),
      now: service.catchUp(),
    }
  }

  #sendSafely(value: unknown): Promise<void> | undefined {
    const safe = this.#parts.durable()
    if (safe !== undefined) {
      return safe.then(() => {
        this.#send(value)
      })
    }
    this.#send(value)
    return undefined
  }

  /** @param value  a text, bytes or a file are sent unchanged, anything else as JSON */
  #send(value: unknown): void {
    const route = this.#route
    const body = isBody(value) ? value : JSON.stringify(value)
    this.#answer.send(route.statusOf?.(value) ?? route.status, body, route)
  }

  /** Delays guesses from other machines, which a valid key of the same address is not affected by. */
  #limited(error: ServiceError): ServiceError {
    if (error.code !== 'INVALID_API_KEY') return error
    const retryInMs = isOfMachine(this.#address) ? 0 : this.#parts.invalidKeys.take(this.#address, performance.now())
    if (retryInMs === 0) return error
    return new ServiceError('RATE_LIMITED', 'too many invalid API keys from this address', { retryInMs })
  }

  /** A body that is too large closes the connection: the client may still be sending it. */
  #refuseBody(error: ServiceError): void {
    if (error.status === 413) this.#answer.setHeader('connection', 'close')
    this.#refuse(error)
  }

  #refuse(error: unknown): void {
    if (error instanceof NotAdmitted) {
      this.#answer.budget = error.budget
      this.#answer.sendError(this.#limited(error.error))
    } else if (error instanceof ServiceError) this.#answer.sendError(error)
    else {
      this.#parts.onError(error, this.#answer.id)
      this.#answer.sendError(innerFault(error, this.#route.whenStopped))
    }
  }
}

const isBody = (value: unknown): value is string | Buffer | FileBody | undefined =>
  value === undefined || typeof value === 'string' || Buffer.isBuffer(value) || value instanceof FileBody

/**
 * Error of the service itself (decision 27), without a word of what went wrong inside.
 *
 * @param whenStopped  the route's own; see `Route`
 */
function innerFault(error: unknown, whenStopped: ErrorCode = 'ENGINE_UNAVAILABLE'): ServiceError {
  if (!(error instanceof InvariantError)) {
    return new ServiceError('SERVICE_UNAVAILABLE', 'the service is not available')
  }
  return new ServiceError(whenStopped, 'the engine has stopped')
}
