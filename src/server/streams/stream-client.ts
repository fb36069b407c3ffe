/**
 * One stream connection: its subscriptions, its output frames, and its limits.
 *
 * Invariant: at most `buffered` bytes wait for the client; a slower client is closed with 1013 (decision 24). Frames
 * are written directly to the connection, so that one buffer serves all clients.
 */
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'

/** Limits of a stream client (decision 24). */
export interface StreamLimits {
  /** Maximum bytes of a message. */
  readonly payload: number
  /** Maximum number of streams per connection. */
  readonly subscriptions: number
  /** Maximum number of refused messages between two pings; one more closes the connection. */
  readonly badMessages: number
  /** Maximum number of bytes waiting for a client; a slower client is closed. */
  readonly buffered: number
  readonly pingMs: number
  /** A connection without a pong for this long is closed. */
  readonly silentMs: number
  /** Maximum time for a client to answer the close frame. */
  readonly closingMs: number
}

export const STREAM_LIMITS: StreamLimits = {
  payload: 16 * 1024,
  subscriptions: 100,
  badMessages: 100,
  buffered: 1024 * 1024,
  pingMs: 20_000,
  silentMs: 60_000,
  closingMs: 5_000,
}

const TRY_AGAIN_LATER = 1013
const POLICY = 1008

export class StreamClient {
  /** Names of subscribed streams. */
  readonly streams = new Set<string>()
  readonly #socket: WebSocket
  readonly #connection: Duplex
  readonly #limits: StreamLimits
  #heardAt: number
  /** Refused messages since the last ping. */
  #badMessages = 0
  #isGathering = false

  /** @param now  milliseconds of a monotonic clock */
  constructor(socket: WebSocket, connection: Duplex, limits: StreamLimits, now: number) {
    this.#socket = socket
    this.#connection = connection
    this.#limits = limits
    this.#heardAt = now
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN
  }

  /** Sends prepared frames. */
  send(frames: Buffer): void {
    if (!this.isOpen) return
    if (this.#connection.writableLength + frames.length > this.#limits.buffered) {
      this.close(TRY_AGAIN_LATER, 'reads too slowly')
      return
    }
    this.#connection.write(frames)
  }

  /** Holds what is sent until as many calls of `uncork()`, so that it becomes one write. */
  cork(): void {
    this.#connection.cork()
  }

  uncork(): void {
    this.#connection.uncork()
  }

  /** Answers a message. The answers of one turn of the event loop are sent together. */
  answer(message: object): void {
    if (!this.#isGathering) {
      this.#isGathering = true
      this.#connection.cork()
      process.nextTick(() => {
        this.#isGathering = false
        this.#connection.uncork()
      })
    }
    this.send(textFrame(JSON.stringify(message)))
  }

  /** Answers a refused message, which counts once however many errors it has. */
  refuse(errors: readonly object[]): void {
    for (const error of errors) this.answer(error)
    this.#badMessages += 1
    if (this.#badMessages > this.#limits.badMessages) this.close(POLICY, 'too many bad messages')
  }

  /** Records a pong. */
  heard(now: number): void {
    this.#heardAt = now
  }

  /** Sends a ping, or closes the connection if pongs are missing for too long. */
  ping(now: number): void {
    if (!this.isOpen) return
    this.#badMessages = 0
    if (now - this.#heardAt >= this.#limits.silentMs) this.close(POLICY, 'no pong')
    else if (this.#connection.writableLength < this.#limits.buffered) this.#socket.ping()
  }

  /** Closes after the client has read the waiting frames, or after a timeout. */
  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  /** Terminates the connection immediately. */
  drop(): void {
    this.#socket.terminate()
  }
}

const FINAL_TEXT = 0x81
const LENGTH_IN_2_BYTES = 126
const LENGTH_IN_8_BYTES = 127

/** A text message as WebSocket frame of a server (RFC 6455, 5.2): created once, sent to any number of clients. */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const head = headOf(length)
  const frame = Buffer.allocUnsafe(head.length + length)
  frame.set(head)
  frame.write(text, head.length)
  return frame
}

function headOf(length: number): readonly number[] {
  if (length < LENGTH_IN_2_BYTES) return [FINAL_TEXT, length]
  if (length < 2 ** 16) return [FINAL_TEXT, LENGTH_IN_2_BYTES, length >> 8, length & 0xff]
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(length))
  return [FINAL_TEXT, LENGTH_IN_8_BYTES, ...bytes]
}
