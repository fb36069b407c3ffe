/**
 * The short way of a plain request: its path is a route's own as it stands, its body JSON of a known length or none,
 * and no fault is planned. It needs little of what Fastify does for every request, which takes longer than all the
 * rest.
 *
 * Invariant: it is checked and answered as on Fastify's way, to the byte. Whatever is not as plain goes that way, at
 * the latest when it is to be executed.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { rateHeaders, retrySeconds } from '../envelope/answer.ts'
import { JSON_TYPE } from '../envelope/bare-answer.ts'
import { innerFault } from '../envelope/inner-fault.ts'
import { envelopeOf, ServiceError } from '../envelope/service-error.ts'
import { parseStrictJson } from '../envelope/strict-json.ts'
import type { Faults } from '../faults/faults.ts'
import { isOfService, type Call, type Route } from '../service/route.ts'
import type { Secrets } from '../service/secrets.ts'
import type { Service } from '../service/service.ts'
import type { AnsweredRequest } from './answered-request.ts'
import { hostFault } from './origins.ts'
import { admit, admitAgain, NotAdmitted, type Admission } from './request-guard.ts'
import { isPlainJson, keyOf } from './request-parts.ts'

/** A request that turned out not to be plain when its body was there. */
export interface ArrivedRequest {
  readonly id: string
  readonly admission: Admission
  readonly arrivedAt: number
  readonly body: Buffer | undefined
}

export interface PlainRequestParts {
  readonly service: Service
  readonly secrets: Secrets
  readonly faults: Faults
  readonly durable: () => Promise<void> | undefined
  readonly onError: (error: unknown, requestId: string) => void
  readonly onAnswer: (answer: AnsweredRequest) => void
  /** The other way of one that was let in. */
  readonly handOver: (request: IncomingMessage, response: ServerResponse, arrived: ArrivedRequest) => void
}

interface PlainRoute {
  readonly url: string
  readonly route: Route
  readonly handle: (call: Call) => string | Buffer
}

const NOTHING: Readonly<Record<string, string>> = {}

export class PlainRequests {
  readonly #parts: PlainRequestParts
  readonly #mostBytes: number
  readonly #readsByUrl: ReadonlyMap<string, PlainRoute>
  readonly #writesByUrl: ReadonlyMap<string, PlainRoute>

  /**
   * @param routes     by prefix, such as `/v1`; those that answer with a text are the ones
   * @param mostBytes  of a body
   */
  constructor(routes: ReadonlyMap<string, readonly Route[]>, mostBytes: number, parts: PlainRequestParts) {
    this.#parts = parts
    this.#mostBytes = mostBytes
    const plain = [...routes].flatMap(([prefix, each]) => each.flatMap((route) => plainRoute(prefix, route)))
    const byUrl = (method: string): ReadonlyMap<string, PlainRoute> =>
      new Map(plain.filter(({ route }) => route.method === method).map((each) => [each.url, each]))
    this.#readsByUrl = byUrl('GET')
    this.#writesByUrl = byUrl('POST')
  }

  /** Does a plain request, and nothing with another. @returns whether it is one */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    const plain = this.#plainRouteOf(request)
    const { service, faults } = this.#parts
    if (plain === undefined || faults.arePlanned || service.closing.aborted) return false
    new PlainRequest(this.#parts, plain, request, response).begin()
    return true
  }

  #plainRouteOf(request: IncomingMessage): PlainRoute | undefined {
    const { method, url = '', headers } = request
    const isWrite = method === 'POST'
    if (!isWrite && method !== 'GET') return undefined
    const plain = (isWrite ? this.#writesByUrl : this.#readsByUrl).get(url)
    if (plain === undefined || headers['transfer-encoding'] !== undefined) return undefined
    const length = headers['content-length']
    const isBodyPlain = isWrite
      ? Number(length) > 0 && Number(length) <= this.#mostBytes && isPlainJson(headers)
      : length === undefined
    return isBodyPlain && hostFault(request) === undefined && headers['accept-version'] === undefined
      ? plain
      : undefined
  }
}

function plainRoute(prefix: string, route: Route): PlainRoute[] {
  const { path, access, handleAsText } = route
  if (handleAsText === undefined || path.includes('{') || !isOfService(access)) return []
  return [{ url: prefix + path, route, handle: handleAsText }]
}

/** One of them, from its arrival to the end of its answer. */
class PlainRequest {
  readonly #parts: PlainRequestParts
  readonly #plain: PlainRoute
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #id: string
  readonly #began = performance.now()
  #arrivedAt = 0
  #admission: Admission | undefined
  #chunks: Buffer[] | undefined
  #body: Buffer | undefined

  constructor(parts: PlainRequestParts, plain: PlainRoute, request: IncomingMessage, response: ServerResponse) {
    this.#parts = parts
    this.#plain = plain
    this.#request = request
    this.#response = response
    this.#id = parts.secrets.uuid()
  }

  begin(): void {
    const { service } = this.#parts
    const { route } = this.#plain
    try {
      service.checkLife()
      this.#arrivedAt = service.catchUp()
      this.#admission = admit(service, route, keyOf(this.#request.headers), this.#arrivedAt)
    } catch (error) {
      this.#refuse(error)
      return
    }
    if (route.body === undefined) {
      this.#execute(this.#admission)
      return
    }
    const admission = this.#admission
    this.#request.on('data', (chunk: Buffer) => {
      this.#add(chunk)
    })
    this.#request.on('end', () => {
      this.#execute(admission)
    })
  }

  #add(chunk: Buffer): void {
    if (this.#body === undefined) this.#body = chunk
    else (this.#chunks ??= [this.#body]).push(chunk)
  }

  #execute(admission: Admission): void {
    const { faults, durable, handOver } = this.#parts
    const { route } = this.#plain
    // It was refused while its body was on its way.
    if (this.#response.writableEnded) return
    if (this.#chunks !== undefined) this.#body = Buffer.concat(this.#chunks)
    if (faults.arePlanned) {
      const arrived = { id: this.#id, admission, arrivedAt: this.#arrivedAt, body: this.#body }
      handOver(this.#request, this.#response, arrived)
      return
    }
    let text: string | Buffer
    try {
      text = this.#plain.handle(this.#call(admission))
    } catch (error) {
      this.#refuse(error)
      return
    }
    const safe = durable()
    if (safe === undefined) this.#answer(route.status, text, admission.budget)
    else this.#answerWhen(safe, text, admission)
  }

  #answerWhen(safe: Promise<void>, text: string | Buffer, { budget }: Admission): void {
    safe.then(
      () => {
        this.#answer(this.#plain.route.status, text, budget)
      },
      (error: unknown) => {
        this.#refuse(error)
      },
    )
  }

  #call(admission: Admission): Call {
    const { service } = this.#parts
    const { route } = this.#plain
    return {
      service,
      user: admitAgain(service, route, admission),
      params: NOTHING,
      body: this.#body === undefined ? undefined : parseStrictJson(this.#body),
      query: NOTHING,
      now: service.catchUp(),
    }
  }

  #refuse(error: unknown): void {
    if (error instanceof NotAdmitted) {
      this.#answerError(error.error, error.budget, error.retryInMs)
      return
    }
    const isKnown = error instanceof ServiceError
    if (!isKnown) this.#parts.onError(error, this.#id)
    this.#answerError(isKnown ? error : innerFault(error, this.#plain.route.whenStopped), this.#admission?.budget)
  }

  #answerError(error: ServiceError, budget: Admission['budget'], retryInMs?: number): void {
    this.#answer(error.status, JSON.stringify(envelopeOf(error, this.#id)), budget, retryInMs)
  }

  #answer(status: number, text: string | Buffer, budget: Admission['budget'], retryInMs?: number): void {
    const response = this.#response
    // Its connection has gone, and somebody has answered for it.
    if (response.headersSent) return
    const { isMutation = false } = this.#plain.route
    const head = ['x-request-id', this.#id]
    if (budget !== undefined) {
      const [policy, left] = rateHeaders(budget, isMutation, this.#arrivedAt)
      head.push('ratelimit-policy', policy, 'ratelimit', left)
    }
    if (retryInMs !== undefined) head.push('retry-after', retrySeconds(retryInMs))
    head.push('content-type', JSON_TYPE, 'content-length', String(Buffer.byteLength(text)))
    response.on('finish', () => {
      this.#tell(status)
    })
    response.writeHead(status, head).end(text)
  }

  #tell(status: number): void {
    const { url, route } = this.#plain
    const ms = performance.now() - this.#began
    this.#parts.onAnswer({ id: this.#id, method: route.method, route: url, status, ms })
  }
}
