/**
 * The parts of a request that a route reads: key, query and body, each as it was sent or not at all.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { parse } from 'node:querystring'
import type { Route } from '../service/route.ts'
import { fieldError, ServiceError } from '../envelope/service-error.ts'
import { parseStrictJson } from '../envelope/strict-json.ts'

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*(?:utf-?8|"utf-?8")\s*)?;?$/i

const NO_BYTES = Buffer.alloc(0)

const PLAIN_TYPE = 'application/json'

/** `type/subtype`, with parameters of any kind (RFC 9110, 8.3.1). */
const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;.*)?$/

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

export interface BodyLimit {
  /** Bytes of a body. */
  readonly body: number
}

/** @param then  gets the body, or an error with status 413 or 415 */
export function readBody(
  request: IncomingMessage,
  limit: BodyLimit,
  then: (body: Buffer | ServiceError) => void,
): void {
  const { 'content-type': type, 'content-length': length } = request.headers
  if (type !== undefined && type !== PLAIN_TYPE && !MEDIA_TYPE.test(type)) {
    then(new ServiceError('VALIDATION_ERROR', 'the content-type is not supported', { status: 415 }))
    return
  }
  if (Number(length) > limit.body) {
    then(tooLarge(limit))
    return
  }
  const chunks: Buffer[] = []
  let bytes = 0
  const add = (chunk: Buffer): void => {
    bytes += chunk.length
    chunks.push(chunk)
    if (bytes <= limit.body) return
    request.off('data', add).off('end', end).resume()
    then(tooLarge(limit))
  }
  const end = (): void => {
    const [first] = chunks
    then(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks))
  }
  request.on('data', add).on('end', end)
}

const tooLarge = ({ body }: BodyLimit): ServiceError =>
  new ServiceError('VALIDATION_ERROR', `the body is larger than ${body} bytes`, { status: 413 })

/** @throws {ServiceError} 415 for a body that does not say that it is plain JSON, and what `parseStrictJson` throws */
export function bodyOf(headers: IncomingHttpHeaders, body: Buffer = NO_BYTES): unknown {
  // An absent body has no type: it is not JSON either.
  if (body.length > 0 && !isPlainJson(headers)) {
    throw new ServiceError('VALIDATION_ERROR', 'expected a body of content-type application/json, in UTF-8', {
      status: 415,
    })
  }
  return parseStrictJson(body)
}

const NOTHING: Readonly<Record<string, string>> = {}

/** @throws {ServiceError} for a parameter that the route does not have, or that is there twice */
export function queryOf(route: Route, query: string): Readonly<Record<string, string>> {
  if (query === '') return NOTHING
  const texts: Record<string, string> = {}
  const given = parse(query.replaceAll('+', ' '), '&', '=', { maxKeys: 0, decodeURIComponent: decodedOrAsSent })
  for (const [name, value] of Object.entries(given)) {
    if (route.query === undefined || !Object.hasOwn(route.query, name)) throw fieldError(name, 'unknown parameter')
    if (typeof value !== 'string') throw fieldError(name, 'is given twice')
    texts[name] = value
  }
  return texts
}

function decodedOrAsSent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}
