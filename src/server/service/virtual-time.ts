/**
 * Virtual time that moves only on command, in slices, with other requests served in between.
 *
 * Invariant: the final time does not depend on the slices, and the time after each slice is published before anyone can
 * ask for it.
 */
import { setImmediate } from 'node:timers/promises'
import type { VirtualClock } from '../../simulation/clocks/virtual-clock.ts'
import { ServiceError, stopping } from '../envelope/service-error.ts'
import type { Service } from './service.ts'

/** Maximum blocking time while advancing. */
const SLICE_MS = 10

export interface VirtualTimeParts {
  readonly clock: VirtualClock
  /** Called with the time before other requests are served. */
  readonly onTime: (time: number) => void
  /** Called when it has arrived or was stopped. */
  readonly onRest: () => unknown
  /** Receives an internal error; time has stopped. */
  readonly onError: (error: unknown) => void
}

interface Journey {
  readonly until: number
  readonly arrive: (isReached: boolean) => void
  readonly fail: (error: unknown) => void
}

export class VirtualTime {
  readonly #parts: VirtualTimeParts
  #clock: VirtualClock
  #journeys: readonly Journey[] = []
  #isMoving = false

  constructor(parts: VirtualTimeParts) {
    this.#parts = parts
    this.#clock = parts.clock
  }

  /** Unix milliseconds of the destination; undefined at rest. */
  get until(): number | undefined {
    return this.#journeys.at(-1)?.until
  }

  /** Time when it will have arrived. */
  get target(): number {
    return this.until ?? this.#clock.now()
  }

  /**
   * Advances the time, after the advances requested before.
   *
   * @param ms  0 or more
   * @returns   true on arrival, false if it was stopped before
   * @throws {ServiceError} if the service ends
   */
  advance(service: Service, ms: number): Promise<boolean> {
    const arrived = new Promise<boolean>((arrive, fail) => {
      this.#journeys = [...this.#journeys, { until: this.target + ms, arrive, fail }]
    })
    if (!this.#isMoving) void this.#move(service)
    return arrived
  }

  /** Stops at the present time. */
  stop(): void {
    this.#leave(({ arrive }) => {
      arrive(false)
    })
  }

  /** Aborts all advances. @param error  for their callers */
  abandon(error: ServiceError): void {
    this.#leave(({ fail }) => {
      fail(error)
    })
  }

  /** Continues with the clock of another life of the market. */
  renew(clock: VirtualClock): void {
    this.#clock = clock
  }

  async #move(service: Service): Promise<void> {
    this.#isMoving = true
    try {
      while (this.#journeys.length > 0) {
        await this.#slice(service)
        if (this.#journeys.length > 0) await setImmediate()
      }
    } catch (error) {
      if (!(error instanceof ServiceError)) this.#parts.onError(error)
      this.#leave(({ fail }) => {
        fail(error)
      })
    } finally {
      this.#isMoving = false
    }
  }

  /** Advances from event to event until the slice is over. */
  async #slice(service: Service): Promise<void> {
    const { onTime } = this.#parts
    if (service.closing.aborted) throw stopping()
    const end = performance.now() + SLICE_MS
    let [until] = this.#journeys
    while (until !== undefined && performance.now() < end) {
      service.begin()
      const now = this.#clock.now()
      this.#clock.advance(Math.max(0, Math.min(until.until, service.simulated.queue.nextTime) - now))
      service.catchUp()
      if (service.awaited() !== undefined) await service.catchUpFully()
      this.#arriveAt(this.#clock.now())
      ;[until] = this.#journeys
    }
    onTime(this.#clock.now())
  }

  #arriveAt(now: number): void {
    const arrived = this.#journeys.filter(({ until }) => until <= now)
    if (arrived.length === 0) return
    this.#journeys = this.#journeys.filter(({ until }) => until > now)
    this.#parts.onTime(now)
    this.#parts.onRest()
    for (const { arrive } of arrived) arrive(true)
  }

  #leave(end: (journey: Journey) => void): void {
    const left = this.#journeys
    this.#journeys = []
    if (left.length > 0) this.#parts.onRest()
    for (const journey of left) end(journey)
  }
}
