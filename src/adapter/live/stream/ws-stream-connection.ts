/**
 * The stream over a WebSocket.
 *
 * Every end of a connection, whatever its cause, is followed by another attempt. A half-open connection is detected
 * within `silentMs + pingMs`: the client pings, and any frame counts as life. Silence is measured only while the event
 * loop could read.
 */
import { WebSocket, type RawData } from 'ws'
import { LATE_MS, type LiveTime, type LiveTimer } from '../live-time.ts'
import { MACHINE_CLOCKS } from '../machine-clocks.ts'
import { streamAgentFor } from '../network/dispatchers.ts'
import { Backoff } from './backoff.ts'
import { missingReason, readStreamFrame, subscribeRequest, type StreamFrame } from './stream-codec.ts'
import type { StreamConnection, StreamListener } from './stream-connection.ts'

/** Timers of a connection: the machine's, even if a session runs on another clock, because sockets follow real time. */
export type SocketTime = Pick<LiveTime, 'after' | 'monotonic'>

export interface WsStreamLimits {
  /** Time limit of the handshake. */
  readonly handshakeMs: number
  /** Time limit of the answer to a subscription. */
  readonly answerMs: number
  readonly pingMs: number
  /** A connection without any frame for this long is dropped. */
  readonly silentMs: number
  /** Longest wait before the second attempt; `mostBackoffMs` limits every wait. */
  readonly firstBackoffMs: number
  readonly mostBackoffMs: number
  /** A connection that lasted this long resets the backoff. */
  readonly heldMs: number
  /** Maximum message size in bytes. */
  readonly payload: number
}

export const WS_STREAM_LIMITS: WsStreamLimits = {
  handshakeMs: 10_000,
  answerMs: 10_000,
  pingMs: 2_500,
  silentMs: 7_000,
  firstBackoffMs: 500,
  mostBackoffMs: 30_000,
  heldMs: 30_000,
  payload: 1024 * 1024,
}

export interface WsStreamOptions {
  readonly url: string
  /** Proxy; undefined for a direct connection. */
  readonly proxy?: URL | undefined
  /** Returns numbers in [0, 1). */
  readonly random: () => number
  readonly time?: SocketTime
  readonly limits?: Partial<WsStreamLimits>
}

export class WsStreamConnection implements StreamConnection {
  readonly #url: string
  readonly #proxy: URL | undefined
  readonly #time: SocketTime
  readonly #limits: WsStreamLimits
  readonly #backoff: Backoff
  readonly #streams = new Set<string>()
  #listener: StreamListener | undefined
  #link: Link | undefined
  #retry: LiveTimer | undefined
  #isClosed = false
  /** Whether the listener was notified of the loss. */
  #lossIsReported = false

  constructor({ url, proxy, random, time = machineTime, limits = {} }: WsStreamOptions) {
    this.#url = url
    this.#proxy = proxy
    this.#time = time
    this.#limits = { ...WS_STREAM_LIMITS, ...limits }
    this.#backoff = new Backoff(this.#limits.firstBackoffMs, this.#limits.mostBackoffMs, random)
  }

  open(listener: StreamListener): void {
    if (this.#isClosed || this.#listener !== undefined) return
    this.#listener = listener
    this.#connect(listener)
  }

  subscribe(stream: string): void {
    if (this.#streams.has(stream)) return
    this.#streams.add(stream)
    this.#link?.ask(stream)
  }

  /** Resolves when everything that the service had sent by now was received; immediately without a connection. */
  async flushed(): Promise<void> {
    await this.#link?.flushed()
  }

  reconnect(reason: string): void {
    this.#link?.giveUp(reason)
  }

  close(): void {
    this.#isClosed = true
    this.#retry?.cancel()
    this.#link?.end()
    this.#link = undefined
  }

  #connect(listener: StreamListener): void {
    const link: Link = new Link({ url: this.#url, proxy: this.#proxy }, this.#time, this.#limits, {
      ...boundTo(listener),
      onOpen: () => {
        this.#lossIsReported = false
        for (const stream of this.#streams) link.ask(stream)
        listener.onOpen()
      },
      onLost: (reason) => {
        this.#onLost(listener, link, reason)
      },
    })
    this.#link = link
  }

  #onLost(listener: StreamListener, link: Link, reason: string): void {
    this.#link = undefined
    if (link.openMs >= this.#limits.heldMs) this.#backoff.reset()
    this.#retry = this.#time.after(this.#backoff.next(), () => {
      this.#connect(listener)
    })
    if (this.#lossIsReported) return
    this.#lossIsReported = true
    listener.onLost(reason)
  }
}

const boundTo = (listener: StreamListener): Omit<StreamListener, 'onOpen' | 'onLost'> => ({
  onSubscribed: (stream) => listener.onSubscribed(stream),
  onRefused: (stream, reason) => listener.onRefused(stream, reason),
  onMessage: (message) => listener.onMessage(message),
  onUnreadable: (reason) => listener.onUnreadable(reason),
})

/** One socket, from its handshake to its end. */
class Link {
  readonly #socket: WebSocket
  readonly #time: SocketTime
  readonly #limits: WsStreamLimits
  readonly #listener: StreamListener
  /** Unanswered subscriptions by request id. */
  readonly #asked = new Map<number, string>()
  readonly #answerTimers = new Map<number, LiveTimer>()
  /** Refused requests: a service may answer one twice, with its (empty) subscriptions and with the error. */
  readonly #refused = new Set<number>()
  #lastId = 0
  /** Waiters for the pong of a numbered ping. */
  readonly #flushes = new Map<string, () => void>()
  #lastFlush = 0
  #openedAt: number | undefined
  #heardAt: number
  #ping: LiveTimer | undefined
  /** Undefined until a reason to close is known. */
  #reason: string | undefined
  #isOver = false

  constructor(
    { url, proxy }: Pick<WsStreamOptions, 'url' | 'proxy'>,
    time: SocketTime,
    limits: WsStreamLimits,
    listener: StreamListener,
  ) {
    this.#time = time
    this.#limits = limits
    this.#listener = listener
    this.#heardAt = time.monotonic()
    const { handshakeMs: handshakeTimeout, payload: maxPayload } = limits
    const agent = streamAgentFor(proxy)
    const options = {
      ...(agent !== undefined && { agent }),
      handshakeTimeout,
      maxPayload,
      perMessageDeflate: false,
      followRedirects: false,
    }
    const socket = new WebSocket(url, options)
    this.#socket = socket
    socket.on('open', () => this.#onOpen())
    socket.on('message', (data, isBinary) => this.#onFrame(data, isBinary))
    socket.on('ping', () => this.#heard())
    socket.on('pong', (data) => this.#onPong(data.toString()))
    // A close event follows every error.
    socket.on('error', (error) => (this.#reason ??= error.message))
    socket.on('close', (code, reason) => this.#onClose(code, reason.toString()))
  }

  /** Milliseconds since it opened; 0 if it never did. */
  get openMs(): number {
    return this.#openedAt === undefined ? 0 : this.#time.monotonic() - this.#openedAt
  }

  ask(stream: string): void {
    if (this.#isOver || this.#openedAt === undefined) return
    this.#lastId += 1
    const id = this.#lastId
    this.#asked.set(id, stream)
    this.#awaitAnswer(id, stream, this.#limits.answerMs)
    // A failed send means that the socket is closing; the next one subscribes again.
    this.#socket.send(subscribeRequest(stream, id), () => undefined)
  }

  /** A late timer means that the loop was blocked: the answer may be unread, and gets one more ping interval. */
  #awaitAnswer(id: number, stream: string, delayMs: number): void {
    const due = this.#time.monotonic() + delayMs
    const timer = this.#time.after(delayMs, () => {
      const isLate = this.#time.monotonic() - due > LATE_MS
      if (isLate) this.#awaitAnswer(id, stream, this.#limits.pingMs)
      else this.giveUp(`no answer to the subscription to ${stream}`)
    })
    this.#answerTimers.set(id, timer)
  }

  /** A pong arrives after everything that was sent before it. */
  flushed(): Promise<void> {
    if (this.#isOver || this.#socket.readyState !== WebSocket.OPEN) return Promise.resolve()
    this.#lastFlush += 1
    const number = String(this.#lastFlush)
    return new Promise((resolve) => {
      this.#flushes.set(number, resolve)
      this.#socket.ping(number)
    })
  }

  /** Closes the socket without notifying the listener. */
  end(): void {
    this.#stop()
    this.#socket.terminate()
  }

  #onOpen(): void {
    if (this.#isOver) return
    this.#openedAt = this.#time.monotonic()
    this.#heard()
    this.#pingLater()
    this.#listener.onOpen()
  }

  #onFrame(data: RawData, isBinary: boolean): void {
    if (this.#isOver) return
    this.#heard()
    if (isBinary) {
      this.#listener.onUnreadable('it is binary')
      return
    }
    const frame = readStreamFrame(textOf(data))
    if (frame.type === 'data') this.#listener.onMessage(frame)
    else if (frame.type === 'unreadable') this.#listener.onUnreadable(frame.reason)
    else this.#onAnswer(frame)
  }

  #onAnswer(frame: Extract<StreamFrame, { readonly id: number }>): void {
    const { id } = frame
    const stream = this.#asked.get(id)
    this.#asked.delete(id)
    this.#answerTimers.get(id)?.cancel()
    this.#answerTimers.delete(id)
    if (stream === undefined) {
      if (!this.#refused.delete(id)) this.#listener.onUnreadable('it answers a request that was not sent')
      return
    }
    const refusal = frame.type === 'refused' ? frame.reason : missingReason(frame.streams, stream)
    if (refusal === undefined) {
      this.#listener.onSubscribed(stream)
      return
    }
    this.#refused.add(id)
    this.#listener.onRefused(stream, refusal)
  }

  #onPong(number: string): void {
    this.#heard()
    this.#flushes.get(number)?.()
    this.#flushes.delete(number)
  }

  #heard(): void {
    this.#heardAt = this.#time.monotonic()
  }

  #pingLater(): void {
    const due = this.#time.monotonic() + this.#limits.pingMs
    this.#ping = this.#time.after(this.#limits.pingMs, () => {
      // Nothing could be read while the loop was blocked, so that time does not count as silence.
      const now = this.#time.monotonic()
      this.#heardAt = Math.min(now, this.#heardAt + Math.max(0, now - due))
      if (now - this.#heardAt >= this.#limits.silentMs) {
        this.giveUp(`nothing arrived for ${this.#limits.silentMs} ms`)
        return
      }
      if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping()
      this.#pingLater()
    })
  }

  giveUp(reason: string): void {
    this.#reason ??= reason
    this.#socket.terminate()
  }

  #onClose(code: number, text: string): void {
    if (this.#isOver) return
    this.#stop()
    this.#listener.onLost(this.#reason ?? `closed with code ${code}${text === '' ? '' : `: ${text}`}`)
  }

  #stop(): void {
    this.#isOver = true
    this.#ping?.cancel()
    for (const timer of this.#answerTimers.values()) timer.cancel()
    this.#answerTimers.clear()
    for (const resolve of this.#flushes.values()) resolve()
    this.#flushes.clear()
  }
}

const textOf = (data: RawData): string =>
  (Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? Buffer.from(data) : data).toString()

const machineTime: SocketTime = {
  monotonic: () => MACHINE_CLOCKS.monotonic(),
  after: (delayMs, action) => ({ cancel: MACHINE_CLOCKS.setTimer(delayMs, action) }),
}
