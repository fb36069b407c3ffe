/**
 * WebSocket of the public board: the whole board for a new viewer and after each change of its results, otherwise its
 * time and the digest of the journal, once a second. All viewers get the same text; a slow one skips some.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { SECOND_MS } from '../../domain/time.ts'
import { refuseOnSocket } from '../envelope/bare-answer.ts'
import { ServiceError } from '../envelope/service-error.ts'
import { isOwnPage } from '../http/origins.ts'
import type { SideLine, SideLineParts } from '../streams/side-line.ts'
import type { ArenaBoard } from './arena-board.ts'

const BOARD_LINE_PATH = '/arena/live'

const MAX_VIEWERS = 1_000
/** Viewers at one address, such as a class behind one router. */
const MAX_OF_ADDRESS = 100
/** Maximum bytes waiting for a viewer. */
const MAX_WAITING = 1024 * 1024
/** A viewer has nothing to say. */
const MAX_PAYLOAD = 125

const NORMAL = 1000
const POLICY = 1008
const INTERNAL_ERROR = 1011

interface Viewer {
  readonly address: string | undefined
  /** The results that it has. */
  results: object | undefined
}

export class BoardLine implements SideLine {
  readonly #board: ArenaBoard
  readonly #parts: SideLineParts
  readonly #viewers = new Map<WebSocket, Viewer>()
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_PAYLOAD,
    perMessageDeflate: false,
    clientTracking: false,
  })
  #timer: NodeJS.Timeout | undefined
  #isReporting = false

  constructor(board: ArenaBoard, parts: SideLineParts) {
    this.#board = board
    this.#parts = parts
  }

  takes({ url = '' }: IncomingMessage): boolean {
    return url.split('?', 1)[0] === BOARD_LINE_PATH
  }

  take(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy())
    const address = this.#parts.clients.of(request)
    const fault = this.#faultOf(request, address)
    if (fault !== undefined) refuseOnSocket(socket, fault, this.#parts.secrets.uuid())
    else this.#sockets.handleUpgrade(request, socket, head, (client) => this.#open(client, address))
  }

  close(code: number, reason: string): void {
    for (const socket of this.#viewers.keys()) socket.close(code, reason)
  }

  terminate(): void {
    for (const socket of this.#viewers.keys()) socket.terminate()
  }

  #faultOf({ headers, method }: IncomingMessage, address: string | undefined): ServiceError | undefined {
    if (!isOwnPage(headers)) return new ServiceError('FORBIDDEN', 'the board is live only for pages of this server')
    if (method !== 'GET') return new ServiceError('VALIDATION_ERROR', 'expected GET', { status: 405 })
    const ofAddress = Array.from(this.#viewers.values()).filter((viewer) => viewer.address === address).length
    if (this.#viewers.size < MAX_VIEWERS && ofAddress < MAX_OF_ADDRESS) return undefined
    return new ServiceError('SERVICE_UNAVAILABLE', 'too many viewers: ask for /arena/board')
  }

  #open(socket: WebSocket, address: string | undefined): void {
    this.#viewers.set(socket, { address, results: undefined })
    socket.on('error', () => undefined)
    socket.on('message', () => {
      socket.close(POLICY, 'expected no messages')
    })
    socket.on('close', () => {
      this.#viewers.delete(socket)
      if (this.#viewers.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    })
    this.#timer ??= setInterval(() => void this.#report(), SECOND_MS).unref()
    void this.#report()
  }

  async #report(): Promise<void> {
    const { service, durable, onError } = this.#parts
    if (this.#isReporting || this.#viewers.size === 0) return
    this.#isReporting = true
    try {
      service.checkLife()
      const { head, results, whole, isOver } = this.#board.frame(service.catchUp())
      await durable()
      for (const [socket, viewer] of this.#viewers) {
        if (socket.bufferedAmount > MAX_WAITING) continue
        socket.send(viewer.results === results ? head : whole())
        viewer.results = results
        // A season that is over does not change.
        if (isOver) socket.close(NORMAL, 'the season is over')
      }
    } catch (error) {
      // Between two starts of a market there are no updates.
      if (!(error instanceof ServiceError)) {
        onError(error)
        this.close(INTERNAL_ERROR, 'the service failed')
      }
    } finally {
      this.#isReporting = false
    }
  }
}
