/**
 * The life of a running server: replacing its market, and closing.
 *
 * Invariant: earlier requests are not executed afterwards.
 */
import type { Server } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { VirtualClock } from '../simulation/clocks/virtual-clock.ts'
import { renewing, stopping } from './envelope/service-error.ts'
import type { Faults, FaultsSnapshot } from './faults/faults.ts'
import type { BareSockets } from './http/bare-socket.ts'
import type { FairScheduler } from './http/fair-scheduler.ts'
import type { Service, ServedMarket } from './service/service.ts'
import { ServicePump, type Pump } from './service/service-pump.ts'
import type { VirtualTime } from './service/virtual-time.ts'
import type { StreamServer } from './streams/stream-server.ts'

/** Creates the pump that advances the market between requests. */
export type MakePump = (service: Service, onError: (error: unknown) => void) => Pump

/** Components that are stopped and renewed together. */
export interface ServerParts {
  readonly service: Service
  readonly server: Server
  readonly sockets: BareSockets
  readonly streams: StreamServer
  readonly faults: Faults
  /** Undefined if time advances by itself. */
  readonly time: VirtualTime | undefined
  readonly turns: FairScheduler
  readonly durable: () => Promise<void> | undefined
  readonly onError: (error: unknown) => void
}

export interface NextMarket extends ServedMarket {
  /** Default: in machine time; with a `VirtualClock` none. */
  readonly pump?: MakePump | undefined
  /** Default: none. */
  readonly faults?: FaultsSnapshot | undefined
}

/** Time for streams and requests to finish before they are terminated. */
const STREAMS_CLOSING_MS = 600
const REQUESTS_CLOSING_MS = 800
/** Maximum time for senders to process what they have sent. */
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
    // Requests that have already arrived are read, and refused.
    await setImmediate()
    // Senders with queued work have more in transit.
    turns.cut()
    const { pump, faults: planned, ...market } = await next()
    if (market.clock instanceof VirtualClock) time?.renew(market.clock)
    faults.renew(planned)
    service.renew(market)
    streams.publish()
    this.begin(pump)
  }

  /** See `RunningServer`. */
  async close(): Promise<void> {
    const { service, streams, sockets, server, durable } = this.#parts
    this.#pump.stop()
    service.beginClosing()
    streams.close()
    const patience = this.#patience()
    // Requests that have already arrived are read, and answered.
    await setImmediate()
    await this.#turnsOfAll()
    sockets.close()
    // The callback gets an error if the server was closed before.
    await new Promise<void>((resolve) => {
      server.close(() => {
        resolve()
      })
    })
    for (const timer of patience) clearTimeout(timer)
    service.stop(stopping())
    await durable()
  }

  /**
   * Processes the queued work of all senders: once the server no longer listens, a connection closes after its next
   * response.
   */
  async #turnsOfAll(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const isOver = new Promise<void>((resolve) => (timer = setTimeout(resolve, TURNS_CLOSING_MS)))
    await Promise.race([this.#parts.turns.settled(), isOver])
    clearTimeout(timer)
  }

  /** Timers for slow clients. */
  #patience(): readonly NodeJS.Timeout[] {
    const { server, streams } = this.#parts
    return [
      setTimeout(() => {
        streams.terminate()
      }, STREAMS_CLOSING_MS),
      setTimeout(() => {
        server.closeAllConnections()
      }, REQUESTS_CLOSING_MS),
    ]
  }
}
