/**
 * One stream connection: what it follows, what it is sent and in which frames, and how much it may take.
 *
 * Invariant: at most `buffered` bytes wait for the client to read them, whatever they are; one that falls behind is
 * closed with 1013 (decision 24). Frames are written on the connection itself, so that one buffer serves every client.
 */
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'

/** What one stream client may take (decision 24). */
export interface StreamLimits {
  /** Bytes of a message. */
  readonly payload: number
  /** Streams of a connection. */
  readonly subscriptions: number
  /** Messages that are refused between two pings; after one more the connection is closed. */
  readonly badMessages: number
  /** Bytes that wait for a client to read them; one that falls further behind is closed. */
  readonly buffered: number
  readonly pingMs: number
  /** Without a pong for this long a connection is closed. */
  readonly silentMs: number
  /** How long a client may take to close, once it is told to. */
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
  /** Names of the streams that it follows. */
  readonly streams = new Set<string>()
  readonly #socket: WebSocket
  readonly #connection: Duplex
  readonly #limits: StreamLimits
  #heardAt: number
  /** Since the last ping. */
  #badMessages = 0
  #isGathering = false

  /** @param now  milliseconds of any steady clock */
  constructor(socket: WebSocket, connection: Duplex, limits: StreamLimits, now: number) {
    this.#socket = socket
    this.#connection = connection
    this.#limits = limits
    this.#heardAt = now
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN
  }

  /** Sends frames as they are. */
  send(frames: Buffer): void {
    if (!this.isOpen) return
    if (this.#connection.writableLength + frames.length > this.#limits.buffered) {
      this.close(TRY_AGAIN_LATER, 'reads too slowly')
      return
    }
    this.#connection.write(frames)
  }

  /** Answers a message. The answers of one turn go out together. */
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

  /** Answers a message that is refused, in whole or in part: it counts once, however many errors it has. */
  refuse(errors: readonly object[]): void {
    for (const error of errors) this.answer(error)
    this.#badMessages += 1
    if (this.#badMessages > this.#limits.badMessages) this.close(POLICY, 'too many bad messages')
  }

  /** It answered a ping. */
  heard(now: number): void {
    this.#heardAt = now
  }

  /** Asks whether it is there; closes it when it has not answered for too long. */
  ping(now: number): void {
    if (!this.isOpen) return
    this.#badMessages = 0
    if (now - this.#heardAt >= this.#limits.silentMs) this.close(POLICY, 'no pong')
    else if (this.#connection.writableLength < this.#limits.buffered) this.#socket.ping()
  }

  /** It may read what waits for it, and is ended when that takes too long. */
  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  /** Ends it at once. */
  drop(): void {
    this.#socket.terminate()
  }
}

const FINAL_TEXT = 0x81
const LENGTH_IN_2_BYTES = 126
const LENGTH_IN_8_BYTES = 127

/**
 * A text message as it goes over a WebSocket from a server (RFC 6455, 5.2): made once, sent to any number of clients.
 */
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
