/**
 * By which name a server is called, and from which pages: a browser lets every page send to this machine, so it is
 * asked which one does.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'

const LOOPBACK_NAME = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i
const LOOPBACK_ORIGIN = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i

/** True for a `Host` that is this machine, on any port. */
export const isLoopbackName = (host: string): boolean => LOOPBACK_NAME.test(host)

/** What is wrong with the `Host` of a request (RFC 9112, 3.2). */
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
 * Whether a page may follow the streams, which a browser keeps from no page by itself: one of this machine, or the one
 * that is allowed. What is no browser names no origin.
 *
 * @param cors  the origin that is allowed, or `*`
 */
export function mayFollow({ origin, host }: IncomingMessage['headers'], cors: string | undefined): boolean {
  if (origin === undefined || isAllowed(origin, cors)) return true
  return LOOPBACK_ORIGIN.test(origin) && isLoopbackName(host ?? 'localhost')
}

/**
 * Whether a request comes from a page that this server gave, or from what is no page: a browser names the origin of the
 * page with whatever may change something, and no page can name another.
 */
export function isOwnPage({ origin, host = 'localhost' }: IncomingMessage['headers']): boolean {
  return origin === undefined || origin === `http://${host}` || origin === `https://${host}`
}

/** Whether a page may use what is the emulator's own: one that it gave, or the one that was named; not every page. */
export const mayControl = (headers: IncomingMessage['headers'], cors: string | undefined): boolean =>
  isOwnPage(headers) || (cors !== undefined && headers.origin === cors)

const isAllowed = (origin: string, cors: string | undefined): boolean => cors === '*' || origin === cors

const EXPOSED = 'x-request-id, ratelimit, ratelimit-policy, retry-after'
const ASKED_HEADERS = 'content-type, x-api-key, authorization'
const ASKED_METHODS = 'GET, HEAD, POST, PATCH, DELETE'

/** Lets pages of an origin, or of every one for `*`, read the answers. */
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
