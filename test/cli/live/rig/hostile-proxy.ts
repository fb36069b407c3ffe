/**
 * An HTTP and WebSocket proxy in front of a service. It passes everything through until a hook decides otherwise.
 */
import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'

export interface ProxiedRequest {
  readonly at: number
  readonly method: string
  /** Path and query below `/v1`, such as `/orders/open`. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Status that the client received; 0 for a connection that was reset, undefined before that. */
  status?: number
  /** Status of the service's own answer; undefined if the request never reached the service. */
  serviceStatus?: number
}

export interface HttpAnswer {
  readonly status: number
  readonly headers?: IncomingHttpHeaders
  readonly body?: string | Buffer
}

/** `cut` sends half of the body and destroys the connection; `hang` never answers. */
export type Fate = HttpAnswer | 'hang' | 'reset' | 'cut' | undefined

export interface ProxyHooks {
  /** Decides before the service sees the request; undefined passes it on. */
  readonly onRequest?: (request: ProxiedRequest) => Fate | Promise<Fate>
  /** Decides after the request took effect; undefined passes the answer on. */
  readonly onAnswer?: (answer: Required<HttpAnswer>, request: ProxiedRequest) => Fate | Promise<Fate>
  /** Replaces a frame of the stream by any number of frames; undefined passes it on. */
  readonly onFrame?: (frame: string) => readonly string[] | undefined
  /** Refuses an upgrade with this status; undefined lets it connect. */
  readonly onUpgrade?: () => number | undefined
}

interface ProxiedStream {
  readonly client: WebSocket
  readonly socket: Socket
  readonly held: string[]
  isFrozen: boolean
}

/** JSON with the headers that it needs. */
const json = (status: number, value: unknown, headers: IncomingHttpHeaders = {}): HttpAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
})

/** A refusal in the envelope of the service. */
export const refusal = (status: number, code: string, headers: IncomingHttpHeaders = {}): HttpAnswer =>
  json(status, { error: { code, message: `${code} of the proxy` }, requestId: 'proxy' }, headers)

type Row = Readonly<Record<string, unknown>>

/** Changes each row of a JSON answer, or its only object. */
export function editedRows(answer: Required<HttpAnswer>, edit: (row: Row) => Row): HttpAnswer {
  const value = JSON.parse(answer.body.toString()) as Row | readonly Row[]
  return { ...answer, body: JSON.stringify(Array.isArray(value) ? value.map(edit) : edit(value as Row)) }
}

const HOP_HEADERS = ['connection', 'content-length', 'keep-alive', 'transfer-encoding']

export class HostileProxy {
  /** May be replaced at any time. */
  hooks: ProxyHooks = {}
  /** While true every connection is destroyed before its request is read. */
  isDown = false
  readonly requests: ProxiedRequest[] = []
  upgrades = 0
  readonly #target: URL
  readonly #server: Server
  readonly #agent = new Agent({ keepAlive: true })
  readonly #accepting = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  readonly #streams = new Set<ProxiedStream>()
  readonly #sockets = new Set<Socket>()

  private constructor(target: string) {
    this.#target = new URL(target)
    this.#server = createServer((incoming, response) => void this.#serve(incoming, response))
    this.#server.on('connection', (socket: Socket) => this.#watch(socket))
    this.#server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
      this.#upgrade(incoming, socket, head)
    })
  }

  /** @param target  base URL of a service over plain HTTP */
  static async start(target: string): Promise<HostileProxy> {
    const proxy = new HostileProxy(target)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  /** Base URL, to be used in place of the service's. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${this.#target.pathname}`
  }

  /** Requests of a method whose path below `/v1` matches. */
  sent(method: string, path: RegExp): readonly ProxiedRequest[] {
    return this.requests.filter((one) => one.method === method && path.test(one.path))
  }

  /** Ends every stream, with a close frame if there is a code. */
  cutStreams(code: number | 'none' = 'none'): void {
    for (const { client } of this.#streams) {
      if (code === 'none') client.terminate()
      else client.close(code)
    }
  }

  /** Sends a frame to every client. */
  inject(frame: string): void {
    for (const { client } of this.#streams) client.send(frame)
  }

  /** Connections that are open now stay open and carry nothing any more, neither frames nor pongs. */
  freezeStreams(): void {
    for (const stream of this.#streams) stream.isFrozen = true
    for (const { socket } of this.#streams) socket.pause()
  }

  /** Delivers whatever was held back. */
  thawStreams(): void {
    for (const stream of this.#streams) {
      stream.isFrozen = false
      stream.socket.resume()
      for (const text of stream.held.splice(0)) stream.client.send(text)
    }
  }

  /** Destroys every connection and, while `isDown`, each new one. */
  cutAll(): void {
    this.cutStreams()
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Sends a request to the service, once more or late; undefined if it gave no answer. */
  forward({ method, path, headers, body }: ProxiedRequest): Promise<Required<HttpAnswer> | undefined> {
    const { hostname, port, host, pathname } = this.#target
    return new Promise((resolve) => {
      const to = { agent: this.#agent, hostname, port, method, path: pathname + path, headers: { ...headers, host } }
      const upstream = request(to, (response) => {
        void bodyOf(response).then((content) => {
          const { statusCode: status = 0, headers: answered } = response
          resolve(content === undefined ? undefined : { status, headers: answered, body: content })
        })
      })
      upstream.on('error', () => resolve(undefined))
      upstream.end(body)
    })
  }

  async close(): Promise<void> {
    this.isDown = true
    this.#agent.destroy()
    this.cutAll()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #watch(socket: Socket): void {
    socket.on('error', () => undefined)
    if (this.isDown) {
      socket.destroy()
      return
    }
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(incoming)
    if (body === undefined) return
    const { method = '', url = '', headers } = incoming
    const path = url.slice(this.#target.pathname.length)
    const asked: ProxiedRequest = { at: Date.now(), method, path, headers, body: body.toString() }
    this.requests.push(asked)
    const early = await this.hooks.onRequest?.(asked)
    const reached = early === undefined ? await this.forward(asked) : undefined
    if (reached === undefined) {
      answer(response, asked, early ?? 'reset')
      return
    }
    asked.serviceStatus = reached.status
    answer(response, asked, (await this.hooks.onAnswer?.(reached, asked)) ?? reached, reached)
  }

  #upgrade(incoming: IncomingMessage, socket: Socket, head: Buffer): void {
    this.upgrades += 1
    const status = this.hooks.onUpgrade?.()
    if (status !== undefined) {
      socket.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
      return
    }
    this.#accepting.handleUpgrade(incoming, socket, head, (client) => {
      this.#connect({ client, socket, held: [], isFrozen: false }, incoming.url ?? '')
    })
  }

  #connect(stream: ProxiedStream, path: string): void {
    const { client } = stream
    this.#streams.add(stream)
    const service = new WebSocket(`ws://${this.#target.host}${path}`, { perMessageDeflate: false })
    const waiting: string[] = []
    service.on('open', () => {
      for (const text of waiting) service.send(text)
    })
    client.on('message', (data: Buffer) => {
      if (service.readyState === WebSocket.OPEN) service.send(data.toString())
      else waiting.push(data.toString())
    })
    service.on('message', (data: Buffer) => {
      const frame = data.toString()
      const frames = this.hooks.onFrame?.(frame) ?? [frame]
      if (stream.isFrozen) stream.held.push(...frames)
      else for (const text of frames) client.send(text)
    })
    for (const [one, other] of [
      [client, service],
      [service, client],
    ] as const) {
      // prettier-ignore
      one.on('error', () => other.terminate())
      one.on('close', () => {
        this.#streams.delete(stream)
        other.terminate()
      })
    }
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer | undefined> {
  try {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks)
  } catch {
    // The other side went away.
    return undefined
  }
}

function answer(response: ServerResponse, asked: ProxiedRequest, fate: Exclude<Fate, undefined>, whole?: HttpAnswer) {
  const { socket } = response
  if (fate === 'hang' || socket === null || socket.destroyed) return
  const given = fate === 'cut' ? whole : fate === 'reset' ? undefined : fate
  asked.status = given?.status ?? 0
  if (given === undefined) {
    socket.resetAndDestroy()
    return
  }
  const content = Buffer.from(given.body ?? '')
  const headers = Object.entries(given.headers ?? {}).filter(([name]) => !HOP_HEADERS.includes(name))
  const hasBody = given.status !== 204
  const length = hasBody ? { 'content-length': content.length } : {}
  response.writeHead(given.status, { ...Object.fromEntries(headers), ...length })
  if (fate === 'cut') response.write(content.subarray(0, content.length / 2), () => socket.destroy())
  else response.end(hasBody ? content : undefined)
}
