/**
 * Requests to no route: the path is unknown (404), is asked what it takes (OPTIONS), has no such method (405), or is
 * none (400). A keyed one is counted even so (decision 20).
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerHead, sendError } from '../envelope/answer.ts'
import { countUnknown } from './request-guard.ts'
import { keyOf } from './request-parts.ts'
import type { Route } from '../service/route.ts'
import { ServiceError } from '../envelope/service-error.ts'
import type { Service } from '../service/service.ts'

interface KnownPath {
  readonly pattern: RegExp
  readonly methods: readonly string[]
}

export class UnknownRoutes {
  readonly #service: Service
  readonly #paths: readonly KnownPath[]

  /** @param routes  by prefix, such as `/v1` */
  constructor(service: Service, routes: ReadonlyMap<string, readonly Route[]>) {
    this.#service = service
    const methodsByPath = new Map<string, string[]>()
    for (const [prefix, { method, path }] of [...routes].flatMap(([prefix, each]) =>
      each.map((route) => [prefix, route] as const),
    )) {
      const whole = prefix + path
      methodsByPath.set(whole, [...(methodsByPath.get(whole) ?? []), method])
    }
    this.#paths = Array.from(methodsByPath, ([path, methods]) => ({ pattern: patternOf(path), methods }))
  }

  refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const allowed = this.#methodsOf(pathOf(request))
    if (allowed.length === 0) return this.answer(request, reply, 404, 'no such route')
    const allow = allowed.join(', ')
    if (request.method === 'OPTIONS') {
      this.#count(request)
      answerHead(request, reply, false)
      return reply.code(204).header('allow', allow).send()
    }
    return this.answer(request, reply.header('allow', allow), 405, `expected ${allow}, got ${request.method}`)
  }

  /** Counts and answers a request that reaches no route. It moves nothing on, so that it cannot fail. */
  answer(request: FastifyRequest, reply: FastifyReply, status: number, message: string): FastifyReply {
    this.#count(request)
    return sendError(request, reply, new ServiceError('VALIDATION_ERROR', message, { status }))
  }

  #count(request: FastifyRequest): void {
    request.arrivedAt = this.#service.present
    request.budget = countUnknown(this.#service, keyOf(request.headers), request.arrivedAt)
  }

  /** Each once. Whatever can be got can be asked for its head. */
  #methodsOf(path: string): readonly string[] {
    const methods = this.#paths.flatMap(({ pattern, methods: each }) => (pattern.test(path) ? each : []))
    if (methods.length === 0) return []
    return [...new Set([...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'])]
  }
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)

/** Without its query; what stands before the path when a proxy is spoken to is left out. */
const pathOf = ({ url }: FastifyRequest): string => url.replace(/[?#].*$/s, '').replace(/^[a-z]+:\/\/[^/]*/i, '')
