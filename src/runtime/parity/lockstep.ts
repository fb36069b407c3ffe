/**
 * Runs a live adapter and a service with a virtual clock in lockstep: at each moment first the service, then its
 * messages, then local events, then requests, until nothing more happens.
 *
 * This is the order of a simulated market at one moment. Known limitation: promise callbacks of a strategy run at the
 * moment at which the promise settles.
 */
import { macrotask } from '../backtest/virtual-world.ts'
import type { HeldTransport } from './held-transport.ts'
import type { LockstepTime } from './lockstep-time.ts'

export interface LockstepParts {
  readonly time: LockstepTime
  readonly transport: HeldTransport
  /** Advances the service's time by `ms`; resolves when everything in that time has happened. */
  readonly advance: (ms: number) => Promise<void>
  /** Resolves when everything that the service had sent by now was received. */
  readonly flushed: () => Promise<void>
  /** Waits a short real time while a connection is being established, since there is no event for it. */
  readonly pause: () => Promise<void>
}

export class Lockstep {
  readonly #parts: LockstepParts

  constructor(parts: LockstepParts) {
    this.#parts = parts
  }

  /**
   * Advances time.
   * @param until   Unix milliseconds
   * @param next    returns the service's next event time; Infinity if there is none
   * @param isOver  ends it early
   */
  async passTo(
    until: number,
    next: (after: number) => number = () => Number.POSITIVE_INFINITY,
    isOver: () => boolean = () => false,
  ): Promise<void> {
    const { time } = this.#parts
    await this.settle()
    while (time.now() < until && !isOver()) {
      await this.#moveTo(Math.min(until, time.queue.nextTime, next(time.now())))
      await this.#act()
    }
  }

  /** Runs everything that happens at this moment. */
  async settle(): Promise<void> {
    await this.#heard()
    await this.#act()
  }

  /** Runs local events, then requests, until nothing is left. */
  async #act(): Promise<void> {
    const { time, transport, flushed } = this.#parts
    for (;;) {
      if (time.queue.nextTime <= time.now()) {
        // Timers of RxJS are in the queue, too: each is a turn of the strategies.
        time.enter(() => {
          time.queue.runNext()
        })
        await macrotask()
      } else if (transport.isHolding) {
        await transport.letGo(flushed)
        await macrotask()
      } else return
    }
  }

  /** Waits for a promise, advancing time only as far as it needs. */
  async until<T>(promise: Promise<T>): Promise<T> {
    const settled = new Settled(promise)
    const { time, transport, pause } = this.#parts
    await macrotask()
    while (!settled.isReached) {
      const isDue = time.queue.nextTime <= time.now()
      if (isDue || transport.isHolding) await this.settle()
      else await pause()
      await macrotask()
    }
    return promise
  }

  async #moveTo(moment: number): Promise<void> {
    const { time, advance } = this.#parts
    if (moment > time.now()) {
      const ms = moment - time.now()
      // Messages that the service sends at that moment arrive at that moment.
      time.queue.advance(moment)
      await advance(ms)
    }
    await this.#heard()
  }

  async #heard(): Promise<void> {
    await this.#parts.flushed()
    await macrotask()
  }
}

/** Whether a promise is settled, either way. */
class Settled {
  #isReached = false

  constructor(promise: Promise<unknown>) {
    const reach = (): void => {
      this.#isReached = true
    }
    promise.then(reach, reach)
  }

  get isReached(): boolean {
    return this.#isReached
  }
}
