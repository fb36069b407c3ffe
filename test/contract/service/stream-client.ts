/**
 * A client of the stream that says what it hears, in its order.
 */
import { once } from 'node:events'
import { WebSocket } from 'ws'

export class StreamClient {
  readonly #socket: WebSocket
  readonly #heard: unknown[] = []
  #arrived: () => void = () => undefined

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data, isBinary) => {
      const text = Buffer.isBuffer(data) && !isBinary ? data.toString() : ''
      this.#heard.push(JSON.parse(text))
      this.#arrived()
    })
  }

  static async open(url: string): Promise<StreamClient> {
    const socket = new WebSocket(url)
    const client = new StreamClient(socket)
    await once(socket, 'open')
    return client
  }

  /** Text and bytes go as they are, anything else as JSON. */
  say(message: unknown): void {
    this.#socket.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message))
  }

  /** The next messages. */
  async next(count: number): Promise<unknown[]> {
    while (this.#heard.length < count) {
      await new Promise<void>((resolve) => {
        this.#arrived = resolve
      })
    }
    return this.#heard.splice(0, count)
  }

  /** The answer to a message, and nothing else. */
  async answer(message: unknown): Promise<unknown> {
    this.say(message)
    const [answer] = await this.next(1)
    return answer
  }

  /** Everything that has been said before an answer that comes now. */
  async rest(): Promise<unknown[]> {
    const marker = `rest-${this.#heard.length}`
    this.say({ op: 'unsubscribe', streams: ['trade:BTC_USD'], id: marker })
    const isMarker = (each: unknown): boolean => (each as { id?: unknown }).id === marker
    while (!this.#heard.some(isMarker)) {
      await new Promise<void>((resolve) => {
        this.#arrived = resolve
      })
    }
    return this.#heard.splice(0).filter((each) => !isMarker(each))
  }

  async close(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CLOSED) return
    const closed = once(this.#socket, 'close')
    this.#socket.close()
    await closed
  }
}
