/**
 * A TCP connection that sends whatever it is reported, and takes apart what comes back.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** For what hangs. */
const PATIENCE_MS = 60_000

export class RawConnection {
  readonly socket: Socket
  /** Settles when the connection is closed. */
  readonly ended: Promise<void>
  #bytes = ''
  #look: () => void = () => undefined

  constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (data: Buffer) => {
      this.#bytes += data.toString('latin1')
      this.#look()
    })
    socket.on('error', () => undefined)
    this.ended = new Promise((resolve) => {
      socket.once('close', () => {
        resolve()
        this.#look()
      })
    })
  }

  /** Bytes that have come and were not taken, as latin1. */
  get received(): string {
    return this.#bytes
  }

  /** Takes what has come so far. */
  take(): string {
    const taken = this.#bytes
    this.#bytes = ''
    return taken
  }

  write(bytes: string | Uint8Array): void {
    if (this.socket.writable) this.socket.write(bytes)
  }

  /** The whole answers in what has come. @param methods  of the requests, in their order; GET is supposed for more */
  parsed(methods: readonly string[]): readonly RawAnswer[] {
    return answersIn(this.#bytes, methods)
  }

  /** Waits for an answer to each request, or fewer when the connection is closed or the time is over. */
  async answers(methods: readonly string[], patienceMs = PATIENCE_MS): Promise<readonly RawAnswer[]> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patienceMs)
      this.#look = () => {
        if (!this.socket.destroyed && this.parsed(methods).length < methods.length) return
        clearTimeout(timer)
        resolve()
      }
      this.#look()
    })
    return this.parsed(methods)
  }

  /** Everything that the server sent until it closed the connection. */
  async all(): Promise<readonly RawAnswer[]> {
    await this.ended
    return this.parsed([])
  }

  destroy(): void {
    this.socket.destroy()
  }
}

export async function connectTo(port: number): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1')
  const connection = new RawConnection(socket)
  await once(socket, 'connect')
  return connection
}

function answersIn(bytes: string, methods: readonly string[]): readonly RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let at = 0; ;) {
    const end = bytes.indexOf('\r\n\r\n', at)
    if (end < 0) return answers
    const [line = '', ...lines] = bytes.slice(at, end).split('\r\n')
    const status = Number(line.split(' ')[1])
    const headers = new Map(lines.map(headerOf))
    const hasBody = status >= 200 && methods[answers.length] !== 'HEAD'
    const length = hasBody ? Number(headers.get('content-length') ?? 0) : 0
    const body = bytes.slice(end + 4, end + 4 + length)
    if (body.length < length) return answers
    at = end + 4 + length
    // 100 Continue is no answer.
    if (status !== 100) answers.push({ status, headers, body: Buffer.from(body, 'latin1').toString() })
  }
}

function headerOf(line: string): readonly [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}
