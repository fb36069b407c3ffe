/**
 * The HTTP server of a service: limits, and the path of a request from a connection to its route.
 */
import type { Server } from 'node:http'
import type { Route } from '../service/route.ts'
import type { BareSockets } from './bare-socket.ts'
import type { FairScheduler } from './fair-scheduler.ts'
import { allowOrigin } from './origins.ts'
import { shareTurns, type Arrivals } from './pipelines.ts'
import { RouteTable } from './route-table.ts'
import { serveRequest, type RequestParts } from './served-request.ts'
import { wireServer, type TlsFiles } from './tls-files.ts'

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

export interface HttpServerOptions extends Omit<RequestParts, 'table' | 'arrivals'> {
  /** Routes by prefix, such as `/v1`. */
  readonly routes: ReadonlyMap<string, readonly Route[]>
  readonly sockets: BareSockets
  readonly limits: WireLimits
  /** Scheduler shared by all senders to this server. */
  readonly turns: FairScheduler
  /** Origin of pages that may read responses; undefined for none. */
  readonly cors: string | undefined
  /** Undefined for a server without TLS. */
  readonly tls: TlsFiles | undefined
  /** Receives warnings. */
  readonly onNotice: (message: string) => void
}

/** Creates a server that does not listen yet. */
export function createHttpServer(options: HttpServerOptions): Server {
  const { sockets, service, turns, cors } = options
  const arrivals: Arrivals = { areRefused: () => service.closing.aborted, inTime: new WeakSet() }
  const parts: RequestParts = { ...options, table: new RouteTable(options.routes), arrivals }
  const server = limitedServer(options)
  shareTurns(server, turns, arrivals, (request, response) => {
    // The server is stopping: the client must not use the connection again.
    if (!server.listening) response.setHeader('Connection', 'close')
    serveRequest(parts, request, response)
  })
  server.on('clientError', (error, socket) => {
    sockets.refuse(error, socket)
  })
  sockets.attach(server)
  if (cors !== undefined) allowOrigin(server, cors)
  return server
}

/** @throws {InputError} for a certificate that cannot be used */
function limitedServer({ limits, tls, onNotice }: HttpServerOptions): Server {
  const settings = {
    maxHeaderSize: limits.headers,
    connectionsCheckingInterval: limits.checkMs,
    // Node would answer without the envelope; see `hostFault`.
    requireHostHeader: false,
  }
  const server = wireServer(settings, tls, limits.headersMs, onNotice)
  server.headersTimeout = limits.headersMs
  server.requestTimeout = limits.requestMs
  server.keepAliveTimeout = limits.keepAliveMs
  server.maxConnections = limits.connections
  return server.setTimeout(limits.silentMs)
}
