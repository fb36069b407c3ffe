/**
 * Connections of undici to one service, direct or through the proxy of the environment.
 *
 * Invariant: a connection carries one request at a time, also through a proxy, and nothing is sent twice.
 */
import type { Agent } from 'node:http'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { Pool, ProxyAgent, type Dispatcher } from 'undici'
import { proxyAuthorization } from './proxy.ts'

export interface ConnectionLimits {
  readonly connections: number
  /** Time limit for connecting, and for a proxy's answer to a tunnel request, milliseconds. */
  readonly timeoutMs: number
  /** Maximum size of an answer's headers. Default: undici's. */
  readonly maxHeaderSize?: number
}

export function dispatcherFor(
  origin: string,
  proxy: URL | undefined,
  { connections, timeoutMs, maxHeaderSize }: ConnectionLimits,
): Dispatcher {
  // The caller limits the time of the whole request.
  const own = { connections, pipelining: 1, allowH2: false, headersTimeout: 0, bodyTimeout: 0 }
  const limits = { ...own, ...(maxHeaderSize !== undefined && { maxHeaderSize }) }
  const connect = { timeout: timeoutMs }
  if (proxy === undefined) return new Pool(origin, { ...limits, connect })
  const token = proxyAuthorization(proxy)
  return new ProxyAgent({
    ...limits,
    uri: proxy.origin,
    // Like curl: a tunnel for https only.
    proxyTunnel: false,
    proxyTls: connect,
    requestTls: connect,
    ...(token !== undefined && { token }),
    factory: (address, options) => new Pool(address, { ...limits, connect: connectOf(options) }),
    clientFactory: (address, options) =>
      new Pool(address, { headersTimeout: timeoutMs, allowH2: false, connect: connectOf(options) }),
  })
}

/** How a proxy agent opens a connection. */
const connectOf = (options: object): NonNullable<Pool.Options['connect']> => (options as Pool.Options).connect ?? {}

/** Agent for a WebSocket, which tunnels through any proxy; undefined for a direct connection. */
export function streamAgentFor(proxy: URL | undefined): Agent | undefined {
  if (proxy === undefined) return undefined
  const token = proxyAuthorization(proxy)
  return new HttpsProxyAgent(proxy.origin, token === undefined ? {} : { headers: { 'proxy-authorization': token } })
}
