/**
 * Responses to bytes that never become a request: invalid HTTP, and cases that Node would answer without the error
 * envelope.
 *
 * Known limit: a request line that is too long is distinguished from headers that are too long only by the packet in
 * which the limit was reached.
 */
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { JSON_TYPE, refuseOnSocket } from '../envelope/bare-answer.ts'
import type { Secrets } from '../service/secrets.ts'
import { connectionEvent } from './tls-files.ts'
import { envelopeOf, ServiceError, stopping } from '../envelope/service-error.ts'

/** A line end must come within this many bytes, otherwise the request line was too long. */
const LONGEST_LINE = 8 * 1024

/** Node's error for bytes that are invalid or late. */
export interface SocketFault extends Error {
  readonly code?: string | undefined
  /** The last bytes read. */
  readonly rawPacket?: unknown
}

export class BareSockets {
  readonly #secrets: Secrets
  /** The latest response started on a connection. */
  readonly #lastAnswers = new WeakMap<Duplex, ServerResponse>()
  /** Connections that are neither closed nor streams. */
  readonly #open = new Set<Duplex>()
  readonly #known = new WeakSet<Duplex>()

  constructor(secrets: Secrets) {
    this.#secrets = secrets
  }

  attach(server: Server): void {
    // All headers count, otherwise a key after the 2,000th would be lost; their bytes are limited.
    server.maxHeadersCount = 0
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#lastAnswers.set(socket, response)
    })
    server.on(connectionEvent(server), (socket: Duplex) => {
      this.#open.add(socket)
      // A connection passed back emits the event again.
      if (this.#known.has(socket)) return
      this.#known.add(socket)
      socket.once('close', () => this.#open.delete(socket))
    })
    server.on('upgrade', (_request: IncomingMessage, socket: Duplex) => this.#open.delete(socket))
    server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
      this.#answer(response, fault(417, 'the only supported Expect header is 100-continue'))
    })
    server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
      this.afterAnswers(socket, () => {
        this.#end(socket, 405, 'this server is not a proxy')
      })
    })
  }

  /**
   * Waits until all earlier requests of an upgraded connection are answered, without reading from it; then passes it
   * on, unless it has ended.
   */
  afterAnswers(socket: Duplex, then: () => void): void {
    const last = this.#lastAnswers.get(socket)
    // A response written immediately keeps the connection until its finish event.
    if (!last?.socket) {
      then()
      return
    }
    const stop = (): void => void socket.pause()
    const end = (): void => void socket.destroy()
    // Node keeps reading the body of an earlier request, and has removed its own error listener.
    socket.pause()
    socket.on('resume', stop).on('error', end)
    last.once('finish', () => {
      socket.off('resume', stop).off('error', end)
      if (socket.writable && !socket.readableEnded) then()
      else socket.destroy()
    })
  }

  /** Answers bytes that are not a request, after the pending response to an earlier request. */
  refuse(error: SocketFault, socket: Duplex): void {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const status = statusOf(error)
    const end = (): void => {
      this.#end(socket, status, STATUS_CODES[status]?.toLowerCase() ?? 'bad request')
    }
    const last = this.#lastAnswers.get(socket)
    if (last?.req.complete === true && !last.writableFinished) last.once('finish', end)
    else if (last !== undefined && !last.req.complete && last.headersSent) socket.destroy()
    else end()
  }

  /** Refuses incomplete requests, closes idle connections, and lets the others close after their response. */
  close(): void {
    for (const socket of this.#open) {
      const last = this.#lastAnswers.get(socket)
      if (last === undefined || last.writableEnded) endIdle(socket, last)
      else if (last.headersSent) continue
      else if (!last.req.complete) this.#answer(last, stopping())
      else last.shouldKeepAlive = false
    }
  }

  #answer(response: ServerResponse, error: ServiceError): void {
    const id = this.#secrets.uuid()
    const body = JSON.stringify(envelopeOf(error, id))
    const head = { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body), 'x-request-id': id }
    response.writeHead(error.status, { ...head, connection: 'close' }).end(body)
  }

  #end(socket: Duplex, status: number, message: string): void {
    if (socket.writable) refuseOnSocket(socket, fault(status, message), this.#secrets.uuid())
  }
}

/** Closes an idle connection after its last response has been sent. */
function endIdle(socket: Duplex, last: ServerResponse | undefined): void {
  if (last === undefined || last.writableFinished) socket.destroy()
  else last.once('finish', () => socket.destroy())
}

const fault = (status: number, message: string): ServiceError =>
  new ServiceError('VALIDATION_ERROR', message, { status })

function statusOf({ code, rawPacket }: SocketFault): number {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408
  if (code !== 'HPE_HEADER_OVERFLOW') return 400
  return Buffer.isBuffer(rawPacket) && !rawPacket.subarray(0, LONGEST_LINE).includes('\r') ? 414 : 431
}
