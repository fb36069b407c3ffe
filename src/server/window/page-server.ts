/**
 * HTTP server for a page on this machine: its files, JSON calls, and a WebSocket for updates.
 *
 * Invariant: requests must use a host name of this machine, and come from the page itself; only a POST changes
 * anything, and it needs the token. It does no work while no page is open.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { InputError } from '../../domain/errors.ts'
import { asFaultOfAddress } from '../http/address.ts'
import { TokenProof } from '../http/token-proof.ts'
import { bearerOf } from '../http/admin-token.ts'
import { isLoopbackName, isOwnPage } from '../http/origins.ts'
import { isPlainJson } from '../http/request-parts.ts'
import { PAGE_HEADERS, pageFile, pageType } from './page-files.ts'

/** A call of the page: a query without body, or a command with one. */
export type PageCall = (query: Readonly<Record<string, string>>, body: unknown) => unknown

export interface PageServerOptions {
  /** TCP port; 0 for a free one. */
  readonly port: number
  /** Name of the page in the build, such as `session`. */
  readonly page: string
  /** Handlers by method and name, such as `GET state`. An InputError becomes the response. */
  readonly calls: Readonly<Record<string, PageCall>>
  /** Texts by path, such as `/metrics`; default: none. */
  readonly texts?: Readonly<Record<string, { readonly type: string; readonly text: () => string }>>
  /** Token that every POST needs, as `authorization: Bearer TOKEN`; undefined for a page without such calls. */
  readonly token?: string | undefined
  /** First message to a new page; undefined for none. */
  readonly hello?: () => unknown
  /** Called ten times a second per page. @returns the changes since the last call; undefined for none */
  readonly news?: (reported: Map<string, string>) => unknown
}

export interface PageServer {
  /** URL of the page. */
  readonly url: string
  close(): Promise<void>
}

const HOST = '127.0.0.1'
const EACH_MS = 100
const MAX_BODY = 16 * 1024
const MAX_WAITING = 256 * 1024
const GOING_AWAY = 1001

/** @throws {InputError} if the port is in use, or the pages were not built */
export async function servePage(options: PageServerOptions): Promise<PageServer> {
  const files = [`${options.page}.html`, `${options.page}.js`, 'window.css']
  for (const file of files) pageFile(file)
  const server = createServer((request, response) => {
    answer(options, files, request, response).catch(() => response.destroy())
  })
  server.headersTimeout = 10_000
  server.requestTimeout = 20_000
  const line = new PageLine(server, options)
  const listening = once(server.listen({ host: HOST, port: options.port }), 'listening')
  await asFaultOfAddress(HOST, options.port, listening)
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    line.close()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { url: `http://${HOST}:${port}/`, close }
}

/** Reason for refusing a request; undefined if it is allowed. */
function refusalOf({ headers }: IncomingMessage): string | undefined {
  if (!isLoopbackName(headers.host ?? '')) return 'this page is available only from this machine'
  return isOwnPage(headers) ? undefined : 'this is not available to pages of that origin'
}

/** A file of the page, or a text at a path of its own. */
function fixedText(
  { page, texts }: PageServerOptions,
  files: readonly string[],
  pathname: string,
): { readonly type: string; readonly text: string } | undefined {
  const name = pathname === '/' ? `${page}.html` : pathname.replace(/^\/window\//, '')
  if (files.includes(name)) return { type: pageType(name), text: pageFile(name) }
  const own = texts?.[pathname]
  return own && { type: own.type, text: own.text() }
}

async function answer(
  options: PageServerOptions,
  files: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { calls, token } = options
  const send = (status: number, type: string, text: string): void => {
    response.writeHead(status, { ...PAGE_HEADERS, 'content-type': type }).end(text)
  }
  const json = (status: number, value: unknown): void => {
    send(status, 'application/json; charset=utf-8', JSON.stringify(value))
  }
  const refusal = refusalOf(request)
  if (refusal !== undefined) {
    json(403, { error: { code: 'FORBIDDEN', message: refusal } })
    return
  }
  const { pathname, searchParams } = new URL(request.url ?? '/', `http://${HOST}`)
  const fixed = request.method === 'GET' ? fixedText(options, files, pathname) : undefined
  if (fixed !== undefined) {
    send(200, fixed.type, fixed.text)
    return
  }
  const call = calls[`${request.method ?? ''} ${pathname.slice(1)}`]
  if (call === undefined) {
    json(404, { error: { code: 'NOT FOUND', message: 'no such page' } })
    return
  }
  if (request.method === 'POST' && !hasToken(request, token)) {
    json(401, { error: { code: 'TOKEN', message: 'the token of this window is missing or wrong' } })
    return
  }
  try {
    const body = request.method === 'POST' ? await bodyOf(request) : undefined
    json(200, (await call(Object.fromEntries(searchParams), body)) ?? {})
  } catch (error) {
    const isInput = error instanceof InputError
    const message = error instanceof Error ? error.message : 'failed'
    json(isInput ? 400 : 500, { error: { code: isInput ? 'NOT DONE' : 'FAILED', message } })
  }
}

function hasToken({ headers }: IncomingMessage, token: string | undefined): boolean {
  return token === undefined || new TokenProof(token).isToken(bearerOf(headers) ?? '')
}

/**
 * @throws {InputError} without the JSON content type, which a form of another page cannot send, and for invalid JSON
 */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  if (!isPlainJson(request.headers)) throw new InputError('body', 'expected content-type application/json')
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > MAX_BODY) throw new InputError('body', `is larger than ${MAX_BODY} bytes`)
    pieces.push(piece)
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString())
  } catch (error) {
    throw new InputError('body', 'is not JSON', { cause: error })
  }
}

/** WebSocket connections of the open pages. */
class PageLine {
  readonly #options: PageServerOptions
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY, perMessageDeflate: false })
  readonly #reportedBySocket = new Map<WebSocket, Map<string, string>>()
  #timer: NodeJS.Timeout | undefined

  constructor(server: Server, options: PageServerOptions) {
    this.#options = options
    server.on('upgrade', (request, socket, head) => {
      if (refusalOf(request) === undefined && request.url === '/line') {
        this.#sockets.handleUpgrade(request, socket, head, (client) => {
          this.#open(client)
        })
      } else socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n')
    })
  }

  close(): void {
    clearInterval(this.#timer)
    for (const socket of this.#reportedBySocket.keys()) {
      socket.close(GOING_AWAY, 'the session has ended')
      socket.terminate()
    }
  }

  #open(socket: WebSocket): void {
    this.#reportedBySocket.set(socket, new Map())
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.#reportedBySocket.delete(socket)
      if (this.#reportedBySocket.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    })
    const hello = this.#options.hello?.()
    if (hello !== undefined) socket.send(JSON.stringify(hello))
    this.#timer ??= setInterval(() => {
      this.#report()
    }, EACH_MS).unref()
  }

  #report(): void {
    for (const [socket, reported] of this.#reportedBySocket) {
      if (socket.bufferedAmount > MAX_WAITING) continue
      const news = this.#options.news?.(reported)
      if (news !== undefined) socket.send(JSON.stringify(news))
    }
  }
}
