/**
 * Answers to what never becomes a request of the service: bytes that are no HTTP, and what Node would answer by itself
 * and without the envelope.
 *
 * Known limit: a request line that is too long is told from headers that are too long by the packet in which the limit
 * was reached.
 */
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { JSON_TYPE, refuseOnSocket } from '../envelope/bare-answer.ts'
import type { Secrets } from '../service/secrets.ts'
import { envelopeOf, ServiceError, stopping } from '../envelope/service-error.ts'

/** Bytes in which the end of a request line must come, or it was the line that was too long. */
const LONGEST_LINE = 8 * 1024

/** What Node says of bytes that it does not understand or that do not come in time. */
export interface SocketFault extends Error {
  readonly code?: string | undefined
  /** The bytes that were read last. */
  readonly rawPacket?: unknown
}

export class BareSockets {
  readonly #secrets: Secrets
  /** The answer that was begun last on a connection. */
  readonly #lastAnswers = new WeakMap<Duplex, ServerResponse>()
  /** Connections that are neither closed nor streams. */
  readonly #open = new Set<Duplex>()
  readonly #known = new WeakSet<Duplex>()

  constructor(secrets: Secrets) {
    this.#secrets = secrets
  }

  attach(server: Server): void {
    // All headers count, or a key behind the 2 000th would be none; their bytes are limited.
    server.maxHeadersCount = 0
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#lastAnswers.set(socket, response)
    })
    server.on('connection', (socket: Duplex) => {
      this.#open.add(socket)
      // One that was given back comes a second time.
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
   * Leaves a connection that Node has given away unread until whatever came before on it is answered; then it is
   * somebody's again, unless it has ended.
   */
  afterAnswers(socket: Duplex, then: () => void): void {
    const last = this.#lastAnswers.get(socket)
    // An answer that was written at once has the connection until it has told of its end.
    if (last === undefined || last.socket === null) {
      then()
      return
    }
    const stop = (): void => void socket.pause()
    const end = (): void => void socket.destroy()
    // Node reads on for the body of an earlier request, and has taken its own listener of errors away.
    socket.pause()
    socket.on('resume', stop).on('error', end)
    last.once('finish', () => {
      socket.off('resume', stop).off('error', end)
      if (socket.writable && !socket.readableEnded) then()
      else socket.destroy()
    })
  }

  /** Answers bytes that are no request. An answer that is on its way to a request before them goes first. */
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

  /**
   * Refuses every request that has not come whole, ends every connection without one, and those that are being answered
   * after that.
   */
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

/** An answer that was written last is still read. */
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
