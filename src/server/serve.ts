/**
 * Serves a simulated market as the trading service: REST and WebSocket under `/v1`, the emulator's own surface under `/emulator`.
 *
 * The same market as in backtests; who drives it (agents, a replay, the callers alone) is whoever made it.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { AnsweredRequest } from './http/answered-request.ts'
import { InvariantError } from '../domain/errors.ts'
import { DEFAULT_RATE_LIMITS, type RateLimits } from '../domain/rate-window.ts'
import type { Clock } from '../domain/time.ts'
import type { SimulatedMarkets } from '../simulation/simulated-markets.ts'
import { asFaultOfAddress, checkHost } from './http/address.ts'
import { BareSockets } from './http/bare-socket.ts'
import { stopping } from './envelope/service-error.ts'
import { Faults } from './faults/faults.ts'
import { FairTurns } from './http/fair-turns.ts'
import { RequestTimes } from './http/request-times.ts'
import { SERVICE_ROUTES, servedRoutes } from './served-routes.ts'
import { createHttpServer, LIMITS, type WireLimits } from './http/http-server.ts'
import { MACHINE_CLOCK } from './service/machine-clock.ts'
import { systemSecrets, type Secrets } from './service/secrets.ts'
import { Service } from './service/service.ts'
import { ServicePump, type Pump } from './service/service-pump.ts'
import { STREAM_LIMITS, type StreamLimits } from './streams/stream-client.ts'
import { VirtualTime } from './service/virtual-time.ts'
import { StreamServer } from './streams/stream-server.ts'
import { UserRegistry } from './service/user-registry.ts'
import { VirtualClock } from '../simulation/clocks/virtual-clock.ts'

export interface ServeOptions {
  /** TCP port; 0, the default, takes a free one. */
  readonly port?: number | undefined
  /** Default: 127.0.0.1. Another one needs an `adminToken`. */
  readonly host?: string | undefined
  /** Default: the machine's. With a `VirtualClock` the time moves only when it is told to. */
  readonly clock?: Clock | undefined
  readonly limits?: RateLimits | undefined
  /** What one client may take of the wire: bytes and times, each with a default. */
  readonly wire?: { readonly http?: Partial<WireLimits>; readonly streams?: Partial<StreamLimits> }
  /** What `/emulator` asks for, as a bearer token; default: nothing. */
  readonly adminToken?: string | undefined
  /** Origin of the web pages that may read answers and follow streams, or `*`; default: those of this machine follow streams alone. */
  readonly cors?: string | undefined
  /** Default: the system's randomness. */
  readonly secrets?: Secrets | undefined
  /** Default: none yet; `/emulator/users` makes them. */
  readonly users?: UserRegistry | undefined
  /** Resolves when everything that was done so far is safe; undefined when it is now. */
  readonly durable?: (() => Promise<void> | undefined) | undefined
  /** Hears of errors that are ours; the text is in no answer. After an InvariantError the engine has stopped. */
  readonly onError?: ((error: unknown, requestId: string | undefined) => void) | undefined
  /** Hears of every answer. */
  readonly onAnswer?: ((answer: AnsweredRequest) => void) | undefined
  /** What has to come before the time can go on, such as more of a tape; undefined when nothing has to. */
  readonly awaited?: (() => Promise<void> | undefined) | undefined
  /** Hears where a `VirtualClock` was moved to, before anybody is told. */
  readonly onTime?: ((time: number) => void) | undefined
  /** Lets the market live while nobody asks. Default: in the machine's time; with a `VirtualClock` nothing does. */
  readonly pump?: ((service: Service, onError: (error: unknown) => void) => Pump) | undefined
}

export interface RunningServer {
  /** Of the REST routes, such as `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string
  /** Of the WebSocket streams. */
  readonly streamUrl: string
  /** Of the emulator's own surface: users, keys, credits, faults, clock. */
  readonly emulatorUrl: string
  readonly service: Service
  /** Finishes what has arrived, refuses the rest with 503, closes streams with 1001. Nothing is executed after it. */
  close(): Promise<void>
}

/** Streams that have not closed by themselves then are ended, and requests that have not been answered. */
const STREAMS_CLOSING_MS = 600
const REQUESTS_CLOSING_MS = 800

/** Real milliseconds that a request waits at most for what was due before it, when the market was left alone for long. */
const LONGEST_RUN_MS = 5

const NO_PUMP: Pump = { start: () => undefined, stop: () => undefined }

/** Options with a default, filled in. */
type Parts = {
  readonly [Key in 'port' | 'host' | 'clock' | 'limits' | 'secrets' | 'users' | 'durable' | 'pump']: NonNullable<
    ServeOptions[Key]
  >
} & { readonly turns: FairTurns }

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
    turns: new FairTurns(),
    pump: options.pump ?? (clock instanceof VirtualClock ? () => NO_PUMP : servicePump),
  }
}

const servicePump: Parts['pump'] = (service, onError) => new ServicePump(service, onError)

/** @throws {InputError} when the address is taken or not allowed */
export async function serve(simulated: SimulatedMarkets, options: ServeOptions = {}): Promise<RunningServer> {
  const parts = partsOf(options)
  const { host, port, clock, limits, secrets, users, durable, turns } = parts
  checkHost(host, options.adminToken)
  const longestRunMs = clock instanceof VirtualClock ? undefined : LONGEST_RUN_MS
  const service = new Service({ simulated, users, clock, limits, awaited: options.awaited, longestRunMs })
  const onError = (error: unknown, requestId?: string): void => {
    // Whoever asks a stopped service is answered with what has stopped it.
    if (error === service.failure) return
    if (error instanceof InvariantError) service.stop(error)
    options.onError?.(error, requestId)
  }
  const faults = new Faults(SERVICE_ROUTES.map(({ method, path }) => `${method} ${path}`))
  const time = virtualTime(clock, options, onError)
  const times = new RequestTimes()
  const sockets = new BareSockets(secrets)
  const shared = { service, secrets, faults, sockets, turns, cors: options.cors, durable, onError }
  const app = createHttpServer({
    ...shared,
    routes: servedRoutes({ faults, time, measured: () => ({ counts: service.counts, times, streams }) }),
    adminToken: options.adminToken,
    limits: { ...LIMITS, ...options.wire?.http },
    onAnswer: (answer) => {
      times.answered(answer)
      options.onAnswer?.(answer)
    },
  })
  if (clock instanceof VirtualClock) hideMachineTime(app.server)
  const streams = new StreamServer({ ...shared, limits: { ...STREAM_LIMITS, ...options.wire?.streams } })
  streams.attach(app.server)
  const pump = parts.pump(service, onError)
  // By its name Fastify would listen on a second server, which has no streams.
  const listening = app.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port })
  await asFaultOfAddress(host, port, listening).catch((error: unknown) => {
    streams.close()
    throw error
  })
  pump.start()
  const close = closing({ service, app, sockets, streams, pump, durable })
  return running(service, app, host, close)
}

function virtualTime(
  clock: Clock,
  { onTime = () => undefined }: ServeOptions,
  onError: (error: unknown) => void,
): VirtualTime | undefined {
  return clock instanceof VirtualClock ? new VirtualTime({ clock, onTime, onError }) : undefined
}

function running(service: Service, app: FastifyInstance, host: string, close: () => Promise<void>): RunningServer {
  const { port } = app.server.address() as AddressInfo
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
  return {
    baseUrl: `http://${address}/v1`,
    streamUrl: `ws://${address}/v1/ws`,
    emulatorUrl: `http://${address}/emulator`,
    service,
    close,
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

interface Closed {
  readonly service: Service
  readonly app: FastifyInstance
  readonly sockets: BareSockets
  readonly streams: StreamServer
  readonly pump: Pump
  readonly durable: () => Promise<void> | undefined
}

/** The end of a server, in its order. */
function closing({ service, app, sockets, streams, pump, durable }: Closed): () => Promise<void> {
  return async () => {
    pump.stop()
    service.beginClosing()
    streams.close()
    // What the machine has got of a request by now is seen, and answered.
    await setImmediate()
    sockets.close()
    await end(app, streams)
    service.stop(stopping())
    await durable()
  }
}

async function end(app: FastifyInstance, streams: StreamServer): Promise<void> {
  const ending = [
    setTimeout(() => {
      streams.terminate()
    }, STREAMS_CLOSING_MS),
    setTimeout(() => {
      app.server.closeAllConnections()
    }, REQUESTS_CLOSING_MS),
  ]
  await app.close()
  for (const timer of ending) clearTimeout(timer)
}
