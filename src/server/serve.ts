/**
 * Serves a simulated market as the trading service: REST and WebSocket under `/v1`, the emulator's control API under
 * `/emulator`.
 *
 * The same market code as in backtests; the caller decides what drives it: agents, a replay, or only clients.
 */
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AnsweredRequest } from './http/answered-request.ts'
import { InvariantError } from '../domain/errors.ts'
import { DEFAULT_RATE_LIMITS, type RateLimits } from '../domain/rate-window.ts'
import type { Clock } from '../domain/time.ts'
import type { SimulatedMarkets } from '../simulation/simulated-markets.ts'
import { asFaultOfAddress, checkHost } from './http/address.ts'
import { AddressLimit } from './http/address-limit.ts'
import { AdminAccess } from './http/admin-token.ts'
import type { AuditEvent } from './http/audit-event.ts'
import { ClientAddresses } from './http/client-address.ts'
import { connectionEvent } from './http/tls-files.ts'
import { BareSockets } from './http/bare-socket.ts'
import { Faults } from './faults/faults.ts'
import { FairScheduler } from './http/fair-scheduler.ts'
import { RequestTimes } from './http/request-times.ts'
import { SERVICE_ROUTES, servedRoutes, type ServedRoutes } from './served-routes.ts'
import { createHttpServer, LIMITS, type WireLimits } from './http/http-server.ts'
import { MACHINE_CLOCK } from './service/machine-clock.ts'
import { systemSecrets, type Secrets } from './service/secrets.ts'
import { Service, type ServedMarket } from './service/service.ts'
import { ServerLife, type MakePump, type NextMarket } from './server-life.ts'
import { STREAM_LIMITS, type StreamLimits } from './streams/stream-client.ts'
import { VirtualTime } from './service/virtual-time.ts'
import { StreamServer } from './streams/stream-server.ts'
import { UserRegistry } from './service/user-registry.ts'
import type { Measured } from './pages/metrics-text.ts'
import type { Worlds } from './worlds/worlds.ts'
import { WindowStream } from './window/window-stream.ts'
import { VirtualClock } from '../simulation/clocks/virtual-clock.ts'

export interface ServeOptions {
  /** TCP port to listen on; 0, the default, takes a free one. */
  readonly port?: number | undefined
  /**
   * Address to listen on; default: 127.0.0.1. Any other address requires an `adminToken`, and either `tlsCert` with
   * `tlsKey` or `behindProxy`.
   */
  readonly host?: string | undefined
  /** Default: the clock of the machine. A `VirtualClock` moves only on command. */
  readonly clock?: Clock | undefined
  readonly limits?: RateLimits | undefined
  /** Limits per client on bytes and times, each with a default. */
  readonly wire?: { readonly http?: Partial<WireLimits>; readonly streams?: Partial<StreamLimits> }
  /** Bearer token that requests to `/emulator` must send, or its hash by `tokenHash`; default: none. */
  readonly adminToken?: string | undefined
  /** File of a certificate (PEM), for https and wss; requires `tlsKey`. Read again when it changes. */
  readonly tlsCert?: string | undefined
  /** File of the key of the certificate (PEM). */
  readonly tlsKey?: string | undefined
  /**
   * Addresses and networks of a proxy that encrypts, such as `127.0.0.1,10.0.0.0/8`: its `X-Forwarded-For` and
   * `X-Forwarded-Proto` are believed. Default: none. Requires an `adminToken`.
   */
  readonly behindProxy?: string | undefined
  /**
   * Origin of web pages that may read responses and streams, or `*`; default: none. Pages of this machine may read
   * streams.
   */
  readonly cors?: string | undefined
  /** Default: system randomness. */
  readonly secrets?: Secrets | undefined
  /** Default: no users; `/emulator/users` creates them. */
  readonly users?: UserRegistry | undefined
  /** Resolves when all changes so far are durable; undefined if they are. */
  readonly durable?: (() => Promise<void> | undefined) | undefined
  /** Called with internal errors; their text is in no response. After an InvariantError the engine has stopped. */
  readonly onError?: ((error: unknown, requestId: string | undefined) => void) | undefined
  /** Called with warnings, such as of a renewed certificate that cannot be used. */
  readonly onNotice?: ((message: string) => void) | undefined
  /** Records requests in an audit log; default: none. */
  readonly audit?: ((event: AuditEvent) => void) | undefined
  /** Called after each answered request. */
  readonly onAnswer?: ((answer: AnsweredRequest) => void) | undefined
  /** Data that must arrive before time can advance, such as more of a tape; undefined if there is none. */
  readonly awaited?: ServedMarket['awaited']
  /** Work postponed until the first request. */
  readonly begin?: ServedMarket['begin']
  /** Rate limits used so far; default: none. */
  readonly budgets?: ServedMarket['budgets']
  /** Planned faults of a restored world; default: none. */
  readonly faults?: NextMarket['faults']
  /** Snapshots and branches of the world; undefined for a server without them. */
  readonly worlds?: Worlds | undefined
  /** Routes besides those of the service; default: those of an emulator. */
  readonly routes?: ServedRoutes | undefined
  /** Called with the new time of a `VirtualClock`, before clients can see it. */
  readonly onTime?: ((time: number) => void) | undefined
  /** Advances the market between requests. Default: in machine time; with a `VirtualClock` nothing does. */
  readonly pump?: MakePump | undefined
}

export interface RunningServer {
  /** URL of the REST routes, such as `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string
  /** URL of the WebSocket streams. */
  readonly streamUrl: string
  /** URL of the control API: users, keys, credits, faults, clock. */
  readonly emulatorUrl: string
  /** URL of the status page. */
  readonly windowUrl: string
  readonly service: Service
  readonly faults: Faults
  /** Undefined if time advances by itself. */
  readonly time: VirtualTime | undefined
  /**
   * Replaces the market at the same address. Earlier requests get 503 and are not executed, streams close with 1012,
   * faults are removed, budgets are full.
   *
   * @param next  creates it, with the same markets and the same kind of clock, after the last execution in the old one
   */
  renew(next: () => Promise<NextMarket>): Promise<void>
  /**
   * Finishes requests that have arrived, refuses others with 503, closes streams with 1001. Nothing is executed
   * afterwards.
   */
  close(): Promise<void>
}

/** Maximum real milliseconds that a request waits for earlier events, after a long idle time. */
const LONGEST_RUN_MS = 5

/** Invalid keys of an address: keys cannot be guessed, so this only saves work. */
const INVALID_KEYS = { limit: 60, windowMs: 60_000 }

/** Routes at which faults are possible. */
const ROUTE_NAMES = SERVICE_ROUTES.map(({ method, path }) => `${method} ${path}`)

/** Options with defaults applied. */
type Parts = {
  readonly [Key in 'port' | 'host' | 'clock' | 'limits' | 'secrets' | 'users' | 'durable']: NonNullable<
    ServeOptions[Key]
  >
} & { readonly turns: FairScheduler }

function partsOf(options: ServeOptions): Parts {
  const { secrets = systemSecrets, clock = MACHINE_CLOCK } = options
  return {
    port: options.port ?? 0,
    host: options.host ?? '127.0.0.1',
    clock,
    secrets,
    limits: options.limits ?? DEFAULT_RATE_LIMITS,
    users: options.users ?? new UserRegistry(secrets, () => undefined),
    durable: options.durable ?? (() => undefined),
    turns: new FairScheduler(),
  }
}

/** Checks of who may connect, and their record. */
const guardsOf = ({ adminToken, cors, audit, onNotice = () => undefined, ...options }: ServeOptions) => {
  const { tlsCert: cert, tlsKey: key } = options
  return {
    admin: new AdminAccess(adminToken, cors),
    clients: new ClientAddresses(options),
    invalidKeys: new AddressLimit(INVALID_KEYS),
    tls: cert === undefined || key === undefined ? undefined : { cert, key },
    audit,
    onNotice,
  }
}

/** @throws {InputError} if the address is in use or not allowed */
export async function serve(simulated: SimulatedMarkets, options: ServeOptions = {}): Promise<RunningServer> {
  const parts = partsOf(options)
  const { host, port, clock, limits, secrets, users, durable, turns } = parts
  checkHost(host, options)
  const longestRunMs = clock instanceof VirtualClock ? undefined : LONGEST_RUN_MS
  const { awaited, begin, budgets, worlds, routes } = options
  const service = new Service({ simulated, users, clock, limits, awaited, begin, budgets, longestRunMs })
  const onError = (error: unknown, requestId?: string): void => {
    // Requests to a stopped service receive this error anyway.
    if (error === service.failure) return
    if (error instanceof InvariantError) service.stop(error)
    options.onError?.(error, requestId)
  }
  const faults = new Faults(ROUTE_NAMES)
  faults.renew(options.faults)
  const { onTime = () => undefined } = options
  const onRest = (): unknown => streams.reportTickers()
  const time = clock instanceof VirtualClock ? new VirtualTime({ clock, onTime, onRest, onError }) : undefined
  const times = new RequestTimes()
  const sockets = new BareSockets(secrets)
  const measured = (): Measured => ({ counts: service.counts, times, streams, memory: process.memoryUsage() })
  const { cors, wire } = options
  const shared = { ...guardsOf(options), service, secrets, faults, sockets, turns, cors, durable, onError }
  const server = createHttpServer({
    ...shared,
    routes: servedRoutes({ faults, time, worlds, routes, measured }),
    limits: { ...LIMITS, ...wire?.http },
    onAnswer: (answer) => {
      times.answered(answer)
      options.onAnswer?.(answer)
    },
  })
  if (clock instanceof VirtualClock) hideMachineTime(server)
  const isTimeMoving = (): boolean => time?.until !== undefined
  const lines = [new WindowStream({ ...shared, time, routes: ROUTE_NAMES }), ...(routes?.lines?.(shared) ?? [])]
  const streams = new StreamServer({ ...shared, lines, isTimeMoving, limits: { ...STREAM_LIMITS, ...wire?.streams } })
  streams.attach(server)
  // The name localhost may resolve to ::1.
  const listening = once(server.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port }), 'listening')
  await asFaultOfAddress(host, port, listening).catch((error: unknown) => {
    streams.close()
    throw error
  })
  const life = new ServerLife({ ...shared, server, streams, time })
  life.begin(options.pump)
  const renew: RunningServer['renew'] = (next) => life.renew(next)
  return { ...addressesOf(server, host), service, faults, time, renew, close: () => life.close() }
}

type Addresses = Pick<RunningServer, 'baseUrl' | 'streamUrl' | 'emulatorUrl' | 'windowUrl'>

function addressesOf(server: Server, host: string): Addresses {
  const { port } = server.address() as AddressInfo
  const s = connectionEvent(server) === 'connection' ? '' : 's'
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
  return {
    baseUrl: `http${s}://${address}/v1`,
    streamUrl: `ws${s}://${address}/v1/ws`,
    emulatorUrl: `http${s}://${address}/emulator`,
    windowUrl: `http${s}://${address}/window`,
  }
}

/** Under a virtual clock no response has a Date header. */
function hideMachineTime(server: Server): void {
  for (const event of ['request', 'checkExpectation']) {
    server.prependListener(event, (_request: IncomingMessage, response: ServerResponse) => {
      response.sendDate = false
    })
  }
}
