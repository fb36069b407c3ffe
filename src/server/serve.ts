/**
 * Serves a simulated market as the trading service: REST and WebSocket under `/v1`, the emulator's own surface under
 * `/emulator`.
 *
 * The same market as in backtests; who drives it (agents, a replay, the callers alone) is whoever made it.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { AnsweredRequest } from './http/answered-request.ts'
import { InvariantError } from '../domain/errors.ts'
import { DEFAULT_RATE_LIMITS, type RateLimits } from '../domain/rate-window.ts'
import type { Clock } from '../domain/time.ts'
import type { SimulatedMarkets } from '../simulation/simulated-markets.ts'
import { asFaultOfAddress, checkHost } from './http/address.ts'
import { BareSockets } from './http/bare-socket.ts'
import { Faults } from './faults/faults.ts'
import { FairScheduler } from './http/fair-scheduler.ts'
import { RequestTimes } from './http/request-times.ts'
import { SERVICE_ROUTES, servedRoutes } from './served-routes.ts'
import { createHttpServer, LIMITS, type WireLimits } from './http/http-server.ts'
import { MACHINE_CLOCK } from './service/machine-clock.ts'
import { systemSecrets, type Secrets } from './service/secrets.ts'
import { Service, type ServedMarket } from './service/service.ts'
import { ServerLife, type MakePump, type NextMarket } from './server-life.ts'
import { STREAM_LIMITS, type StreamLimits } from './streams/stream-client.ts'
import { VirtualTime } from './service/virtual-time.ts'
import { StreamServer } from './streams/stream-server.ts'
import { UserRegistry } from './service/user-registry.ts'
import { WindowStream } from './window/window-stream.ts'
import { VirtualClock } from '../simulation/clocks/virtual-clock.ts'

export interface ServeOptions {
  /** TCP port to listen on; 0, the default, takes a free one. */
  readonly port?: number | undefined
  /** Address to listen on; default: 127.0.0.1. Any other address requires an `adminToken`. */
  readonly host?: string | undefined
  /** Default: the machine's. With a `VirtualClock` the time moves only when it is told to. */
  readonly clock?: Clock | undefined
  readonly limits?: RateLimits | undefined
  /** What one client may take of the wire: bytes and times, each with a default. */
  readonly wire?: { readonly http?: Partial<WireLimits>; readonly streams?: Partial<StreamLimits> }
  /** Bearer token that requests to `/emulator` must send; default: none. */
  readonly adminToken?: string | undefined
  /**
   * Origin of web pages that may read responses and streams, or `*`; default: none. Pages of this machine may read
   * streams.
   */
  readonly cors?: string | undefined
  /** Default: the system's randomness. */
  readonly secrets?: Secrets | undefined
  /** Default: none yet; `/emulator/users` makes them. */
  readonly users?: UserRegistry | undefined
  /** Resolves when everything that was done so far is safe; undefined when it is now. */
  readonly durable?: (() => Promise<void> | undefined) | undefined
  /** Called with internal errors; their text is in no response. After an InvariantError the engine has stopped. */
  readonly onError?: ((error: unknown, requestId: string | undefined) => void) | undefined
  /** Called after each answered request. */
  readonly onAnswer?: ((answer: AnsweredRequest) => void) | undefined
  /** What has to come before the time can go on, such as more of a tape; undefined when nothing has to. */
  readonly awaited?: ServedMarket['awaited']
  /** What is put off until somebody asks for the market. */
  readonly begin?: ServedMarket['begin']
  /** Hears where a `VirtualClock` was moved to, before anybody is told. */
  readonly onTime?: ((time: number) => void) | undefined
  /** Lets the market live while nobody asks. Default: in the machine's time; with a `VirtualClock` nothing does. */
  readonly pump?: MakePump | undefined
}

export interface RunningServer {
  /** Of the REST routes, such as `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string
  /** Of the WebSocket streams. */
  readonly streamUrl: string
  /** Of the emulator's own surface: users, keys, credits, faults, clock. */
  readonly emulatorUrl: string
  /** Of the page on which a person sees all of it. */
  readonly windowUrl: string
  readonly service: Service
  readonly faults: Faults
  /** Undefined when the time goes on by itself. */
  readonly time: VirtualTime | undefined
  /**
   * Serves another market in the place of this one, at the same address. What came before is answered with 503 and not
   * executed, streams are closed with 1012, faults forgotten, budgets whole.
   *
   * @param next  makes it, with the same markets and a clock of the same kind, when nothing of the one before is
   * executed any more
   */
  renew(next: () => Promise<NextMarket>): Promise<void>
  /** Finishes what has arrived, refuses the rest with 503, closes streams with 1001. Nothing is executed after it. */
  close(): Promise<void>
}

/**
 * Real milliseconds that a request waits at most for what was due before it, when the market was left alone for long.
 */
const LONGEST_RUN_MS = 5

/** Where a fault can happen. */
const ROUTE_NAMES = SERVICE_ROUTES.map(({ method, path }) => `${method} ${path}`)

/** Options with a default, filled in. */
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

/** @throws {InputError} when the address is taken or not allowed */
export async function serve(simulated: SimulatedMarkets, options: ServeOptions = {}): Promise<RunningServer> {
  const parts = partsOf(options)
  const { host, port, clock, limits, secrets, users, durable, turns } = parts
  checkHost(host, options.adminToken)
  const longestRunMs = clock instanceof VirtualClock ? undefined : LONGEST_RUN_MS
  const { awaited, begin } = options
  const service = new Service({ simulated, users, clock, limits, awaited, begin, longestRunMs })
  const onError = (error: unknown, requestId?: string): void => {
    // Whoever asks a stopped service is answered with what has stopped it.
    if (error === service.failure) return
    if (error instanceof InvariantError) service.stop(error)
    options.onError?.(error, requestId)
  }
  const faults = new Faults(ROUTE_NAMES)
  const { onTime = () => undefined } = options
  const onRest = (): unknown => streams.tellTickers()
  const time = clock instanceof VirtualClock ? new VirtualTime({ clock, onTime, onRest, onError }) : undefined
  const times = new RequestTimes()
  const sockets = new BareSockets(secrets)
  const { adminToken, cors, wire } = options
  const shared = { service, secrets, faults, sockets, turns, adminToken, cors, durable, onError }
  const app = createHttpServer({
    ...shared,
    routes: servedRoutes({
      faults,
      time,
      measured: () => ({ counts: service.counts, times, streams, memory: process.memoryUsage() }),
    }),
    limits: { ...LIMITS, ...wire?.http },
    onAnswer: (answer) => {
      times.answered(answer)
      options.onAnswer?.(answer)
    },
  })
  if (clock instanceof VirtualClock) hideMachineTime(app.server)
  const isTimeMoving = (): boolean => time?.until !== undefined
  const beside = new WindowStream({ ...shared, time, routes: ROUTE_NAMES })
  const streams = new StreamServer({ ...shared, beside, isTimeMoving, limits: { ...STREAM_LIMITS, ...wire?.streams } })
  streams.attach(app.server)
  // By its name Fastify would listen on a second server, which has no streams.
  const listening = app.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port })
  await asFaultOfAddress(host, port, listening).catch((error: unknown) => {
    streams.close()
    throw error
  })
  const life = new ServerLife({ ...shared, app, streams, time })
  life.begin(options.pump)
  const renew: RunningServer['renew'] = (next) => life.renew(next)
  return { ...addressesOf(app, host), service, faults, time, renew, close: () => life.close() }
}

type Addresses = Pick<RunningServer, 'baseUrl' | 'streamUrl' | 'emulatorUrl' | 'windowUrl'>

function addressesOf(app: FastifyInstance, host: string): Addresses {
  const { port } = app.server.address() as AddressInfo
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
  return {
    baseUrl: `http://${address}/v1`,
    streamUrl: `ws://${address}/v1/ws`,
    emulatorUrl: `http://${address}/emulator`,
    windowUrl: `http://${address}/window`,
  }
}

/** Under a virtual clock no answer has a header of the machine's time, whoever gives it. */
function hideMachineTime(server: Server): void {
  for (const event of ['request', 'checkExpectation']) {
    server.prependListener(event, (_request: IncomingMessage, response: ServerResponse) => {
      response.sendDate = false
    })
  }
}
