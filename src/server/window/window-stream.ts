/**
 * WebSocket of the emulator windows: sends changes about ten times a second. Without a window it does no work; a slow
 * window gets fewer updates, not larger ones.
 *
 * Only for pages of this server, and never contains a key. Invariant: updates are durable, like responses.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'
import { z } from 'zod'
import { CANDLE_INTERVALS, type CandleInterval } from '../../domain/candle.ts'
import { version } from '../../runtime/version.ts'
import { refuseOnSocket } from '../envelope/bare-answer.ts'
import { ServiceError } from '../envelope/service-error.ts'
import { readStrictJson } from '../envelope/strict-json.ts'
import { FAULT_KINDS, STREAM_ROUTE, type Faults } from '../faults/faults.ts'
import type { AdminAccess } from '../http/admin-token.ts'
import type { ClientAddresses } from '../http/client-address.ts'
import type { AuditEvent } from '../http/audit-event.ts'
import { NotAdmitted } from '../http/request-guard.ts'
import { isOwnPage } from '../http/origins.ts'
import type { Secrets } from '../service/secrets.ts'
import type { Service } from '../service/service.ts'
import type { VirtualTime } from '../service/virtual-time.ts'
import { WindowClient, type SharedPieces } from './window-client.ts'
import type { WindowWatch } from './window-frame.ts'
import { marketsLook } from './window-looks.ts'

export interface WindowStreamOptions {
  readonly service: Service
  readonly faults: Faults
  /** Undefined with the clock of the machine. */
  readonly time: VirtualTime | undefined
  readonly admin: AdminAccess
  readonly clients: ClientAddresses
  /** Records wrong tokens; undefined for none. */
  readonly audit: ((event: AuditEvent) => void) | undefined
  readonly secrets: Secrets
  /** Routes at which faults are possible, such as `POST /orders`. */
  readonly routes: readonly string[]
  readonly durable: () => Promise<void> | undefined
  /** Receives internal errors. */
  readonly onError: (error: unknown) => void
}

const WINDOW_STREAM_PATH = '/emulator/window'

const EACH_MS = 100
const MAX_WINDOWS = 50
const PAYLOAD = 16 * 1024
/** Maximum bytes waiting for a window; above it updates are skipped. */
const MAX_WAITING = 256 * 1024

const POLICY = 1008
const TRY_AGAIN_LATER = 1013
const TOO_MANY = 'too many windows are open'
const INTERNAL_ERROR = 1011

const INTERVALS = Object.keys(CANDLE_INTERVALS) as readonly CandleInterval[]
const LONGEST_TEXT = 100
const LONGEST_TOKEN = 4_096

const windowRequest = z.strictObject({
  watch: z.strictObject({
    symbol: z.string().max(LONGEST_TEXT),
    interval: z.enum(INTERVALS),
    user: z.string().max(LONGEST_TEXT).optional(),
  }),
  token: z.string().max(LONGEST_TOKEN).optional(),
})

interface WindowRequest {
  readonly watch: WindowWatch
  readonly token?: string | undefined
}

/**
 * A message of a window: its selection and, if required, the admin token.
 *
 * @returns undefined for an invalid message
 */
function readWindowRequest(message: Uint8Array): WindowRequest | undefined {
  const read = readStrictJson(message)
  if (!read.isJson || read.twice !== undefined) return undefined
  return windowRequest.safeParse(read.value).data
}

const wrongToken = (address: string | undefined): AuditEvent => ({
  ...{ event: 'wrong-token', address, role: 'none', method: 'GET', path: WINDOW_STREAM_PATH, status: 101 },
  ...{ request: null, port: undefined },
})

export class WindowStream {
  readonly #options: WindowStreamOptions
  /** Open windows whose token is right, or that need none. */
  readonly #clients = new Map<WebSocket, WindowClient>()
  /** Connections that have not sent the token yet, the oldest first. */
  readonly #waiting = new Set<WebSocket>()
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: PAYLOAD,
    perMessageDeflate: false,
    clientTracking: false,
  })
  #timer: NodeJS.Timeout | undefined
  #isReporting = false

  constructor(options: WindowStreamOptions) {
    this.#options = options
  }

  /** True for the handshake of a window. */
  takes({ url = '' }: IncomingMessage): boolean {
    return url.split('?', 1)[0] === WINDOW_STREAM_PATH
  }

  take(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy())
    const fault = this.#faultOf(request)
    if (fault !== undefined) refuseOnSocket(socket, fault, this.#options.secrets.uuid())
    else {
      const address = this.#options.clients.of(request)
      this.#sockets.handleUpgrade(request, socket, head, (client) => this.#open(client, address))
    }
  }

  close(code: number, reason: string): void {
    for (const socket of [...this.#clients.keys(), ...this.#waiting]) socket.close(code, reason)
  }

  terminate(): void {
    for (const socket of [...this.#clients.keys(), ...this.#waiting]) socket.terminate()
  }

  #faultOf({ headers, method }: IncomingMessage): ServiceError | undefined {
    const { admin } = this.#options
    if (!isOwnPage(headers))
      return new ServiceError('FORBIDDEN', 'the window is available only to pages of this server')
    try {
      if (!admin.needsToken) admin.check(headers, undefined)
    } catch (error) {
      if (error instanceof NotAdmitted) return error.error
      throw error
    }
    if (method !== 'GET') return new ServiceError('VALIDATION_ERROR', 'expected GET', { status: 405 })
    if (this.#clients.size < MAX_WINDOWS) return undefined
    return new ServiceError('SERVICE_UNAVAILABLE', TOO_MANY)
  }

  #open(socket: WebSocket, address: string | undefined): void {
    socket.on('message', (data, isBinary) => {
      this.#hear(socket, address, data, isBinary).catch((error: unknown) => {
        this.#options.onError(error)
        socket.close(INTERNAL_ERROR, 'the service failed')
      })
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.#waiting.delete(socket)
      if (!this.#clients.delete(socket) || this.#clients.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    })
    // A client without the token must not keep one with it from opening a window.
    this.#waiting.add(socket)
    const [oldest] = this.#waiting
    if (this.#waiting.size > MAX_WINDOWS) oldest?.terminate()
  }

  async #hear(socket: WebSocket, address: string | undefined, data: RawData, isBinary: boolean): Promise<void> {
    const message = isBinary ? undefined : readWindowRequest(Buffer.from(data as Buffer))
    if (message === undefined) {
      socket.close(POLICY, 'expected the sections to watch')
      return
    }
    const client = this.#clients.get(socket) ?? (await this.#admit(socket, address, message.token))
    client?.turn(message.watch)
    if (client !== undefined) void this.#report()
  }

  /** @returns undefined without the token, which is answered */
  async #admit(
    socket: WebSocket,
    address: string | undefined,
    token: string | undefined,
  ): Promise<WindowClient | undefined> {
    const { admin } = this.#options
    try {
      await admin.prove(token, address)
      admin.checkToken(token, address)
    } catch (error) {
      if (!(error instanceof NotAdmitted)) throw error
      const { code, message } = error.error
      if (token !== undefined && code === 'AUTHENTICATION_REQUIRED') this.#options.audit?.(wrongToken(address))
      socket.send(JSON.stringify({ error: { code, message } }))
      if (code === 'RATE_LIMITED') socket.close(POLICY, message)
      return undefined
    }
    if (socket.readyState !== socket.OPEN) return undefined
    const known = this.#clients.get(socket)
    if (known === undefined && this.#clients.size >= MAX_WINDOWS) {
      socket.close(TRY_AGAIN_LATER, TOO_MANY)
      return undefined
    }
    const client = known ?? new WindowClient()
    this.#clients.set(socket, client)
    this.#waiting.delete(socket)
    this.#timer ??= setInterval(() => void this.#report(), EACH_MS).unref()
    return client
  }

  async #report(): Promise<void> {
    const { service, durable, onError } = this.#options
    const ready = Array.from(this.#clients).filter(([socket]) => socket.bufferedAmount < MAX_WAITING)
    if (this.#isReporting || ready.length === 0) return
    this.#isReporting = true
    try {
      service.checkLife()
      const now = service.catchUp()
      const shared = this.#sharedPieces(now)
      const frames = ready.map(([socket, client]) => [socket, client.frame(service, now, shared)] as const)
      await durable()
      for (const [socket, frame] of frames) if (frame !== undefined) socket.send(JSON.stringify(frame))
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

  #sharedPieces(now: number): SharedPieces {
    const { service, faults, time, routes } = this.#options
    return {
      world: {
        version: version(),
        markets: marketsLook(service),
        isTimeVirtual: time !== undefined,
        faultKinds: FAULT_KINDS,
        faultRoutes: ['*', ...routes, STREAM_ROUTE],
      },
      clock: { now, until: time?.until },
      pauses: service.pauses.entries(),
      users: service.users.users.map(({ id, email, verified }) => ({ id, email, verified })),
      faults: faults
        .list()
        .map(({ id, fault, route, count, probability }) => ({ id, fault, route, count, probability })),
    }
  }
}
