/**
 * The time of a market that moves only when it is told to: moved in slices, between which others are answered.
 *
 * Invariant: where it stops does not depend on how it is sliced, and after a slice it is told before anybody can ask
 * for it.
 */
import { setImmediate } from 'node:timers/promises'
import type { VirtualClock } from '../../simulation/clocks/virtual-clock.ts'
import { ServiceError, stopping } from '../envelope/service-error.ts'
import type { Service } from './service.ts'

/** Nobody waits much longer than this because somebody else moves the time. */
const SLICE_MS = 10

export interface VirtualTimeParts {
  readonly clock: VirtualClock
  /** Hears where the time is, whenever others may ask. */
  readonly onTime: (time: number) => void
  /** It has come to where it was told to go, or stands on its way there. */
  readonly onRest: () => unknown
  /** An error of ours; the time has stopped. */
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

  /** Unix milliseconds to which it is on its way; undefined when it stands. */
  get until(): number | undefined {
    return this.#journeys.at(-1)?.until
  }

  /** Where it will stand when it has come to rest. */
  get target(): number {
    return this.until ?? this.#clock.now()
  }

  /**
   * Moves it on, behind what it is told already.
   *
   * @param ms  0 or more
   * @returns   true when it has come there, false when it was stopped before
   * @throws {ServiceError} when the service ends
   */
  advance(service: Service, ms: number): Promise<boolean> {
    const arrived = new Promise<boolean>((arrive, fail) => {
      this.#journeys = [...this.#journeys, { until: this.target + ms, arrive, fail }]
    })
    if (!this.#isMoving) void this.#move(service)
    return arrived
  }

  /** It stands where it is. */
  stop(): void {
    this.#leave(({ arrive }) => {
      arrive(false)
    })
  }

  /** Leaves every journey where it is. @param error  what whoever waits for it is told */
  abandon(error: ServiceError): void {
    this.#leave(({ fail }) => {
      fail(error)
    })
  }

  /** From now on it is the time of another life of the market. */
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

  /** From one thing that happens to the next, as far as it comes in its time. */
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
