/**
 * The tools over streamable HTTP, at one path of a port that only this machine reaches.
 *
 * Invariants: a request is read only if its Host and Origin name this server, and it has the bearer token. Each client
 * has a session of its own; the one that was used least recently ends when there are too many.
 */
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { InputError } from '../../domain/errors.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import { bearerOf } from '../../server/http/admin-token.ts'
import { isLoopbackName, isOwnPage } from '../../server/http/origins.ts'
import { TokenProof } from '../../server/http/token-proof.ts'
import { mcpServer, type ServerParts } from './mcp-server.ts'

const HOST = '127.0.0.1'
const PATH = '/mcp'
const MAX_BODY_BYTES = 1024 * 1024
const MAX_SESSIONS = 16
const MAX_CONNECTIONS = 64
const REQUEST_MS = 30_000

/** A request that is not answered, with the reason for the client. */
class HttpFault extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export class HttpClients {
  readonly #parts: ServerParts
  readonly #proof: TokenProof
  readonly #server: Server
  /** Transports by session id, the least recently used first. */
  readonly #sessions = new Map<string, StreamableHTTPServerTransport>()

  constructor(parts: ServerParts, token: string) {
    this.#parts = parts
    this.#proof = new TokenProof(token)
    this.#server = createServer((request, response) => void this.#answer(request, response))
    this.#server.requestTimeout = REQUEST_MS
    this.#server.maxConnections = MAX_CONNECTIONS
  }

  /** @returns the URL for clients @throws {InputError} if the port is taken */
  async listen(port: number): Promise<string> {
    const listening = once(this.#server, 'listening')
    this.#server.listen(port, HOST)
    try {
      await listening
    } catch (error) {
      throw new InputError('--http', `port ${port} cannot be used (${thrownText(error)})`, { cause: error })
    }
    return `http://${HOST}:${(this.#server.address() as AddressInfo).port}${PATH}`
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    await Promise.all([...this.#sessions.values()].map((each) => each.close()))
    this.#server.closeAllConnections()
    await closed
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      this.#admit(request)
      const body = request.method === 'POST' ? await jsonBody(request) : undefined
      const transport = await this.#transportOf(request, body)
      await transport.handleRequest(request, response, body)
    } catch (error) {
      if (!(error instanceof HttpFault)) this.#parts.onBug(error)
      if (response.headersSent) return void response.destroy()
      const [status, message] = error instanceof HttpFault ? [error.status, error.message] : [500, 'internal error']
      if (status === 401) response.setHeader('www-authenticate', 'Bearer')
      // The rest of the body is not read.
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
      response.end(`${JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null })}\n`)
    }
  }

  /** @throws {HttpFault} */
  #admit({ headers, url = '' }: IncomingMessage): void {
    if (!isLoopbackName(headers.host ?? '')) throw new HttpFault(403, 'the Host header does not name this machine')
    if (!isOwnPage(headers)) throw new HttpFault(403, 'pages of other origins are not answered')
    if (!this.#proof.isToken(bearerOf(headers) ?? ''))
      throw new HttpFault(401, 'expected the header Authorization: Bearer TOKEN with the token of this server')
    if (url.split('?')[0] !== PATH) throw new HttpFault(404, `the tools are at ${PATH}`)
  }

  /** Transport of the session that a request names, or a new one. */
  async #transportOf({ headers }: IncomingMessage, body: unknown): Promise<StreamableHTTPServerTransport> {
    const id = headers['mcp-session-id']
    if (typeof id === 'string') {
      const known = this.#sessions.get(id)
      if (known === undefined) throw new HttpFault(404, 'there is no such session; initialize a new one')
      this.#sessions.delete(id)
      this.#sessions.set(id, known)
      return known
    }
    if (!this.#parts.packages.schemas.isInitializeRequest(body))
      throw new HttpFault(400, 'expected an initialize request, or the header Mcp-Session-Id')
    return await this.#newTransport()
  }

  async #newTransport(): Promise<StreamableHTTPServerTransport> {
    const { StreamableHTTPServerTransport: Transports } =
      await import('@modelcontextprotocol/sdk/server/streamableHttp.js')
    const transport = new Transports({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, transport)
        const [[oldest, old] = []] = this.#sessions
        if (this.#sessions.size <= MAX_SESSIONS || oldest === undefined) return
        this.#sessions.delete(oldest)
        void old?.close()
      },
      onsessionclosed: (id) => void this.#sessions.delete(id),
    })
    await mcpServer(this.#parts).connect(transport)
    return transport
  }
}

/** @throws {HttpFault} if it is too large, or not JSON */
async function jsonBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) throw new HttpFault(413, `expected at most ${MAX_BODY_BYTES} bytes`)
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    throw new HttpFault(400, 'expected JSON')
  }
}
