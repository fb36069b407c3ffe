/**
 * The line to the server by WebSocket: what comes on it, and a new one when it is lost, sooner at first and later more
 * seldom.
 */

export interface LineOptions {
  /** On this server. */
  readonly path: string
  /** First message of every connection. */
  readonly hello: () => unknown
  readonly onMessage: (message: unknown) => void
  readonly onState: (state: 'live' | 'lost') => void
}

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 4_000

export class Line {
  readonly #options: LineOptions
  #socket: WebSocket | undefined
  #waitMs = FIRST_WAIT_MS

  constructor(options: LineOptions) {
    this.#options = options
    this.#connect()
  }

  /** Says what the page wants now; once there is a connection, when there is none. */
  say(message: unknown): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  #connect(): void {
    const { path, hello, onMessage, onState } = this.#options
    const url = new URL(path, location.href)
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
    const socket = new WebSocket(url)
    this.#socket = socket
    socket.addEventListener('open', () => {
      this.#waitMs = FIRST_WAIT_MS
      socket.send(JSON.stringify(hello()))
      onState('live')
    })
    socket.addEventListener('message', ({ data }) => {
      onMessage(JSON.parse(String(data)))
    })
    socket.addEventListener('close', () => {
      onState('lost')
      setTimeout(() => {
        this.#connect()
      }, this.#waitMs)
      this.#waitMs = Math.min(LONGEST_WAIT_MS, this.#waitMs * 2)
    })
  }
}
