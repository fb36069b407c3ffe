/**
 * A stream client that keeps what it hears, so that a test can wait for it.
 */
import { once } from 'node:events'
import { WebSocket, type ClientOptions, type RawData } from 'ws'

/** As long as a busy machine may need. */
const PATIENCE_MS = 120_000

export interface StreamMessage {
  readonly op?: string
  readonly stream?: string
  readonly streams?: readonly string[]
  readonly data?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: string; readonly message: string }
  readonly id?: unknown
}

export class StreamListener {
  readonly socket: WebSocket
  readonly heard: StreamMessage[] = []
  /** Settles with the code and reason of the close. */
  readonly closed: Promise<readonly [number, string]>
  #look: () => void = () => undefined

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (data: RawData) => {
      this.heard.push(JSON.parse((data as Buffer).toString()) as StreamMessage)
      this.#look()
    })
    socket.on('error', () => undefined)
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        resolve([code, reason.toString()])
      })
    })
  }

  /** Of a stream, in their order. */
  of(stream: string): readonly StreamMessage[] {
    return this.heard.filter((message) => message.stream === stream)
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message))
  }

  /** Sends a request and waits for its answer. */
  async ask(message: unknown): Promise<StreamMessage> {
    const isAnswer = ({ op }: StreamMessage): boolean => op !== undefined
    const before = this.heard.filter(isAnswer).length
    this.send(message)
    await this.until(() => this.heard.filter(isAnswer).length > before)
    return this.heard.filter(isAnswer)[before] ?? {}
  }

  async subscribe(...streams: readonly string[]): Promise<StreamMessage> {
    return this.ask({ op: 'subscribe', streams })
  }

  /** @throws when it takes too long */
  async until(isDone: () => boolean): Promise<void> {
    if (isDone()) return
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`waited in vain; heard ${JSON.stringify(this.heard.slice(-5))}`))
      }, PATIENCE_MS)
      this.#look = () => {
        if (!isDone()) return
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/** Opens a stream and waits until it is open. */
export async function listenTo(url: string, options: ClientOptions = {}): Promise<StreamListener> {
  const listener = new StreamListener(new WebSocket(url, options))
  await once(listener.socket, 'open')
  return listener
}
