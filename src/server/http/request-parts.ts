/**
 * The parts of a request that a route reads: key, query and body, each as it was sent or not at all.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Route } from '../service/route.ts'
import { fieldError, ServiceError } from '../envelope/service-error.ts'
import { parseStrictJson } from '../envelope/strict-json.ts'

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*(?:utf-?8|"utf-?8")\s*)?;?$/i

const PLAIN_TYPE = 'application/json'

/** Whether a body says that it is JSON in UTF-8, as it stands. */
export function isPlainJson(headers: IncomingHttpHeaders): boolean {
  const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = headers
  return (type === PLAIN_TYPE || JSON_TYPE.test(type.trim())) && coding.toLowerCase() === 'identity'
}

/** The header whole; undefined when there is none. Two of them are no key. */
export function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key']
  return Array.isArray(key) ? key.join(',') : key
}

/** @throws {ServiceError} 415 for a body that does not say that it is plain JSON, and what `parseStrictJson` throws */
export function bodyOf(request: FastifyRequest): unknown {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  // What is not there has no type: it is not JSON either.
  if (body.length > 0 && !isPlainJson(request.headers)) {
    throw new ServiceError('VALIDATION_ERROR', 'expected a body of content-type application/json, in UTF-8', {
      status: 415,
    })
  }
  return parseStrictJson(body)
}

/** @throws {ServiceError} for a parameter that the route does not have, or that is there twice */
export function queryOf(route: Route, query: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(query)) {
    if (route.query === undefined || !Object.hasOwn(route.query, name)) throw fieldError(name, 'unknown parameter')
    if (typeof value !== 'string') throw fieldError(name, 'is given twice')
    texts[name] = value
  }
  return texts
}
