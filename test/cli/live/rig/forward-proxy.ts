/**
 * A proxy as in an office: it forwards HTTP, opens tunnels, and may ask for a user.
 */
import { once } from 'node:events'
import { createServer, request as requestOf, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'

export class ForwardProxy implements AsyncDisposable {
  /** What was asked of it: a method and an address. */
  readonly seen: string[] = []
  readonly refused: string[] = []
  readonly #authorization: string
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer((request, response) => {
    if (!this.#takes(request)) {
      response.writeHead(407).end()
      return
    }
    const { method, url = '', headers } = request
    const onward = requestOf(url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })

  /** @param user  and password, as `user:password` */
  constructor(user: string) {
    this.#authorization = `Basic ${Buffer.from(user).toString('base64')}`
    this.#server.on('connection', (socket) => this.#sockets.add(socket))
    this.#server.on('connect', (request: IncomingMessage, socket: Socket) => {
      if (!this.#takes(request)) {
        socket.end('HTTP/1.1 407 No\r\n\r\n')
        return
      }
      const [host = '', port = ''] = (request.url ?? '').split(':')
      const onward = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        onward.pipe(socket)
        socket.pipe(onward)
      })
      this.#sockets.add(onward)
      onward.on('error', () => socket.destroy())
      socket.on('error', () => onward.destroy())
    })
  }

  /** @returns its port */
  async open(): Promise<number> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
    })
  }

  #takes({ method = '', url = '', headers }: IncomingMessage): boolean {
    const isKnown = headers['proxy-authorization'] === this.#authorization
    const list = isKnown ? this.seen : this.refused
    list.push(`${method} ${url}`)
    return isKnown
  }
}
