/**
 * A live adapter and a service with a virtual clock, moment by moment: the service first, then what it has sent, then
 * what is due here, then the requests, until nothing more happens at that moment.
 *
 * This is the order of a simulated market at one moment. Known limit: what a strategy does in a promise comes at the
 * moment at which it is settled.
 */
import { macrotask } from '../backtest/virtual-world.ts'
import type { HeldTransport } from './held-transport.ts'
import type { LockstepTime } from './lockstep-time.ts'

export interface LockstepParts {
  readonly time: LockstepTime
  readonly transport: HeldTransport
  /** Lets the service's time go on by so much; everything of it has happened when it resolves. */
  readonly advance: (ms: number) => Promise<void>
  /** Resolves when everything was heard that the service had sent by now. */
  readonly flushed: () => Promise<void>
  /** Waits a little of the machine's time, while a connection is made: nothing here tells when it is there. */
  readonly pause: () => Promise<void>
}

export class Lockstep {
  readonly #parts: LockstepParts

  constructor(parts: LockstepParts) {
    this.#parts = parts
  }

  /**
   * Lets time pass.
   *
   * @param until   Unix milliseconds
   * @param next    of the service, the next moment at which something happens there by itself; Infinity when nothing
   * will
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

  /** Lets everything happen that happens at this moment. */
  async settle(): Promise<void> {
    await this.#heard()
    await this.#act()
  }

  /** What is due here, then the requests, until nothing is left. */
  async #act(): Promise<void> {
    const { time, transport, flushed } = this.#parts
    for (;;) {
      if (time.queue.nextTime <= time.now()) {
        // Timers of RxJS are in the queue as well: each is a turn of the strategies.
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

  /** Lets a promise be settled without any time passing but what it waits for. */
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
      // What the service sends at that moment is heard at that moment.
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

/** Whether a promise is settled, one way or the other. */
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
