/**
 * The life of a server after it has begun: a market that takes the place of another, and the end.
 *
 * Invariant: of what came before either, nothing is executed after it.
 */
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { VirtualClock } from '../simulation/clocks/virtual-clock.ts'
import { renewing, stopping } from './envelope/service-error.ts'
import type { Faults } from './faults/faults.ts'
import type { BareSockets } from './http/bare-socket.ts'
import type { FairScheduler } from './http/fair-scheduler.ts'
import type { Service, ServedMarket } from './service/service.ts'
import { ServicePump, type Pump } from './service/service-pump.ts'
import type { VirtualTime } from './service/virtual-time.ts'
import type { StreamServer } from './streams/stream-server.ts'

/** Lets the market of a service live while nobody asks. */
export type MakePump = (service: Service, onError: (error: unknown) => void) => Pump

/** What serves, and is stopped or renewed as one. */
export interface ServerParts {
  readonly service: Service
  readonly app: FastifyInstance
  readonly sockets: BareSockets
  readonly streams: StreamServer
  readonly faults: Faults
  /** Undefined when the time goes on by itself. */
  readonly time: VirtualTime | undefined
  readonly turns: FairScheduler
  readonly durable: () => Promise<void> | undefined
  readonly onError: (error: unknown) => void
}

export interface NextMarket extends ServedMarket {
  /** Default: in the machine's time; with a `VirtualClock` nothing does. */
  readonly pump?: MakePump | undefined
}

/** Streams that have not closed by themselves then are ended, and requests that have not been answered. */
const STREAMS_CLOSING_MS = 600
const REQUESTS_CLOSING_MS = 800
/** So long, at most, others may go on with what they sent. */
const TURNS_CLOSING_MS = 500

const NO_PUMP: Pump = { start: () => undefined, stop: () => undefined }

export class ServerLife {
  readonly #parts: ServerParts
  #pump: Pump = NO_PUMP

  constructor(parts: ServerParts) {
    this.#parts = parts
  }

  begin(pump: MakePump | undefined): void {
    const { service, time, onError } = this.#parts
    this.#pump = pump?.(service, onError) ?? (time === undefined ? new ServicePump(service, onError) : NO_PUMP)
    this.#pump.start()
  }

  /** See `RunningServer`. */
  async renew(next: () => Promise<NextMarket>): Promise<void> {
    const { service, streams, faults, time, turns } = this.#parts
    this.#pump.stop()
    service.beginRenewal()
    time?.abandon(renewing())
    streams.restart()
    // What the machine has got of a request by now is seen, and refused.
    await setImmediate()
    // Who has sent so much at once that it waits has more of it on the way.
    turns.cut()
    const { pump, ...market } = await next()
    if (market.clock instanceof VirtualClock) time?.renew(market.clock)
    faults.renew()
    service.renew(market)
    streams.publish()
    this.begin(pump)
  }

  /** See `RunningServer`. */
  async close(): Promise<void> {
    const { service, streams, sockets, app, durable } = this.#parts
    this.#pump.stop()
    service.beginClosing()
    streams.close()
    const patience = this.#patience()
    // What the machine has got of a request by now is seen, and answered.
    await setImmediate()
    await this.#turnsOfAll()
    sockets.close()
    await app.close()
    for (const timer of patience) clearTimeout(timer)
    service.stop(stopping())
    await durable()
  }

  /**
   * Lets everybody who has sent much at once have the turns that he waits for: Fastify would end his connection after
   * the first.
   */
  async #turnsOfAll(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const isOver = new Promise<void>((resolve) => (timer = setTimeout(resolve, TURNS_CLOSING_MS)))
    await Promise.race([this.#parts.turns.settled(), isOver])
    clearTimeout(timer)
  }

  /** Timers of those who take too long. */
  #patience(): readonly NodeJS.Timeout[] {
    const { app, streams } = this.#parts
    return [
      setTimeout(() => {
        streams.terminate()
      }, STREAMS_CLOSING_MS),
      setTimeout(() => {
        app.server.closeAllConnections()
      }, REQUESTS_CLOSING_MS),
    ]
  }
}
