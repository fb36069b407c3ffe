/** Checks of Host and Origin: a browser lets every page send requests to this machine. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'

const LOOPBACK_NAME = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i
const LOOPBACK_ORIGIN = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i

/** True for a `Host` that names this machine, on any port. */
export const isLoopbackName = (host: string): boolean => LOOPBACK_NAME.test(host)

/** Fault of the `Host` header (RFC 9112, 3.2). */
export function hostFault({ httpVersion, headers, rawHeaders }: IncomingMessage): string | undefined {
  if (headers.host === undefined) return httpVersion === '1.1' ? 'expected a host header' : undefined
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1 ? 'expected one host header' : undefined
}

/**
 * True if a page may subscribe to streams, which browsers never restrict: pages of this machine, and of the allowed
 * origin. Other clients send no origin.
 *
 * @param cors  the allowed origin, or `*`
 */
export function mayFollow({ origin, host }: IncomingMessage['headers'], cors: string | undefined): boolean {
  if (origin === undefined || isAllowed(origin, cors)) return true
  return LOOPBACK_ORIGIN.test(origin) && isLoopbackName(host ?? 'localhost')
}

/**
 * True for a page of this server, and for clients that are not browsers: browsers send the origin of a page with every
 * request that may change something, and a page cannot forge it.
 */
export function isOwnPage({ origin, host = 'localhost' }: IncomingMessage['headers']): boolean {
  return origin === undefined || origin === `http://${host}` || origin === `https://${host}`
}

/** True if a page may use the control API: pages of this server and of the named origin, but not of `*`. */
export const mayControl = (headers: IncomingMessage['headers'], cors: string | undefined): boolean =>
  isOwnPage(headers) || (cors !== undefined && headers.origin === cors)

const isAllowed = (origin: string, cors: string | undefined): boolean => cors === '*' || origin === cors

const EXPOSED = 'x-request-id, ratelimit, ratelimit-policy, retry-after'
const ASKED_HEADERS = 'content-type, x-api-key, authorization'
const ASKED_METHODS = 'GET, HEAD, POST, PATCH, DELETE'

/** Lets pages of an origin read responses; `*` for all pages. */
export function allowOrigin(server: Server, cors: string): void {
  server.prependListener('request', ({ method, headers }: IncomingMessage, response: ServerResponse) => {
    if (cors !== '*') response.setHeader('vary', 'origin')
    if (headers.origin === undefined || !isAllowed(headers.origin, cors)) return
    response.setHeader('access-control-allow-origin', cors)
    response.setHeader('access-control-expose-headers', EXPOSED)
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return
    response.setHeader('access-control-allow-methods', ASKED_METHODS)
    response.setHeader('access-control-allow-headers', ASKED_HEADERS)
    response.setHeader('access-control-max-age', '600')
  })
}
