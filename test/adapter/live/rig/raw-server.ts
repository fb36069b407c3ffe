/**
 * A server of raw bytes: whatever a connection may do to anyone who sends a request over it.
 */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'

export interface RawRequest {
  readonly line: string
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

export interface RawServer {
  readonly url: string
  /** Whole requests, in the order in which they came. */
  readonly requests: readonly RawRequest[]
  readonly connections: number
  close(): Promise<void>
}

/**
 * @param answer  writes what it likes to the socket of a whole request; `count` is the request's number on its
 * connection, from 1
 */
export async function rawServer(
  answer: (socket: Socket, request: RawRequest, count: number) => void,
): Promise<RawServer> {
  const requests: RawRequest[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    let text = ''
    let count = 0
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      for (;;) {
        const taken = takeRequest(text)
        if (taken === undefined) return
        text = taken.rest
        requests.push(taken.request)
        answer(socket, taken.request, (count += 1))
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    get connections() {
      return connections
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function takeRequest(text: string): { readonly request: RawRequest; readonly rest: string } | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [line = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = new Map(
    lines.map((each): [string, string] => {
      const colon = each.indexOf(':')
      return [each.slice(0, colon).toLowerCase(), each.slice(colon + 1).trim()]
    }),
  )
  const bodyEnd = end + 4 + Number(headers.get('content-length') ?? 0)
  if (text.length < bodyEnd) return undefined
  return { request: { line, headers, body: text.slice(end + 4, bodyEnd) }, rest: text.slice(bodyEnd) }
}

/** A whole answer as bytes. */
export function rawAnswer(status: number, body: string, headers: Readonly<Record<string, string>> = {}): string {
  const all = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} Whatever\r\n${lines.join('')}\r\n${body}`
}
