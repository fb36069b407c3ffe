/**
 * One stream connection: what it follows, and what it is sent.
 *
 * Invariant: at most `buffered` bytes wait for the client to read them, whatever they are; one that falls behind is closed with
 * 1013 (decision 24). Frames are written on the connection itself, so that one buffer serves every client.
 */
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import { textFrame } from './stream-frame.ts'
import type { StreamLimits } from './stream-limits.ts'

const TRY_AGAIN_LATER = 1013
const POLICY = 1008

export class StreamClient {
  /** Names of the streams that it follows. */
  readonly streams = new Set<string>()
  readonly #socket: WebSocket
  readonly #connection: Duplex
  readonly #limits: StreamLimits
  #heardAt: number

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

  answer(message: object): void {
    this.send(textFrame(JSON.stringify(message)))
  }

  /** It answered a ping. */
  heard(now: number): void {
    this.#heardAt = now
  }

  /** Asks whether it is there; closes it when it has not answered for too long. */
  ping(now: number): void {
    if (!this.isOpen) return
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
