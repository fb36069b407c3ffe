/**
 * Connections of undici to one service, direct or through the proxy of the environment.
 *
 * Invariant: a connection carries one request at a time, with a proxy as well, and nothing is sent twice.
 */
import type { Agent } from 'node:http'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { Pool, ProxyAgent, type Dispatcher } from 'undici'
import { proxyAuthorization } from './proxy.ts'

export interface ConnectionLimits {
  readonly connections: number
  /** For a connection, and for the answer of a proxy to a tunnel, milliseconds. */
  readonly timeoutMs: number
  /** Of the headers of an answer. Default: undici's. */
  readonly maxHeaderSize?: number
}

export function dispatcherFor(
  origin: string,
  proxy: URL | undefined,
  { connections, timeoutMs, maxHeaderSize }: ConnectionLimits,
): Dispatcher {
  // The limit of a whole request is its sender's.
  const own = { connections, pipelining: 1, allowH2: false, headersTimeout: 0, bodyTimeout: 0 }
  const limits = { ...own, ...(maxHeaderSize !== undefined && { maxHeaderSize }) }
  const connect = { timeout: timeoutMs }
  if (proxy === undefined) return new Pool(origin, { ...limits, connect })
  const token = proxyAuthorization(proxy)
  return new ProxyAgent({
    ...limits,
    uri: proxy.origin,
    // As curl does it: a tunnel for https alone.
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

/** For a WebSocket, which takes a tunnel through any proxy; undefined for a direct connection. */
export function streamAgentFor(proxy: URL | undefined): Agent | undefined {
  if (proxy === undefined) return undefined
  const token = proxyAuthorization(proxy)
  return new HttpsProxyAgent(proxy.origin, token === undefined ? {} : { headers: { 'proxy-authorization': token } })
}
