/**
 * Runs a live adapter and a service with a virtual clock in lockstep: at each moment first the service, then its
 * messages, then local events, then requests, until nothing more happens.
 *
 * This is the order of a simulated market at one moment. Known limitation: promise callbacks of a strategy run at the
 * moment at which the promise settles.
 */
import type { LiveTime, LiveTimer } from '../../adapter/live/live-time.ts'
import type { RestAnswer, RestRequest, RestTransport } from '../../adapter/live/rest/rest-transport.ts'
import { EVENT_KIND, EventQueue } from '../../simulation/event-queue.ts'
import { macrotask } from '../backtest/virtual-world.ts'
import { Turn } from '../session/turn.ts'

/** A send or a reply. @param behind  waits for the effects of a request */
type Step = (behind: () => Promise<void>) => Promise<void>

const CLOSED: RestAnswer = { type: 'no-answer', reason: 'closed' }

/**
 * Holds requests until they are released, one at a time in order, so that a service behaves the same in every run.
 *
 * Answers go through the same queue, after everything that was queued when their request was released: as in a
 * simulated market, requests made together all arrive before the first of them is answered.
 */
export class HeldTransport implements RestTransport {
  readonly #transport: RestTransport
  readonly #steps: Step[] = []
  /** Callbacks waiting for an answer. */
  readonly #waiting = new Set<(answer: RestAnswer) => void>()
  #isClosed = false

  constructor(transport: RestTransport) {
    this.#transport = transport
  }

  get isHolding(): boolean {
    return this.#steps.length > 0
  }

  send(request: RestRequest): Promise<RestAnswer> {
    if (this.#isClosed) return Promise.resolve(CLOSED)
    return new Promise((resolve) => {
      this.#waiting.add(resolve)
      this.#steps.push(async (behind) => {
        let answer = CLOSED
        // It is queued before the request can have effects.
        this.#steps.push(() => {
          this.#waiting.delete(resolve)
          resolve(answer)
          return Promise.resolve()
        })
        answer = await this.#transport.send(request)
        await behind()
      })
    })
  }

  /** Releases the first step. @param behind  waits for the effects of the request */
  async letGo(behind: () => Promise<void>): Promise<void> {
    await this.#steps.shift()?.(behind)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#steps.length = 0
    for (const resolve of this.#waiting) resolve(CLOSED)
    this.#waiting.clear()
    await this.#transport.close()
  }
}

/**
 * Live time driven by another clock: it stops while a service is called, and continues when the service has answered.
 */
export class LockstepTime implements LiveTime {
  readonly queue: EventQueue
  /** On while an event runs, which is the strategies' turn. */
  readonly turn = new Turn()
  readonly #start: number
  #isInEvent = false

  /** @param start  Unix milliseconds */
  constructor(start: number) {
    this.#start = start
    this.queue = new EventQueue(start)
  }

  now(): number {
    return this.queue.now()
  }

  monotonic(): number {
    return this.queue.now() - this.#start
  }

  after(delayMs: number, action: () => void): LiveTimer {
    const event = this.queue.schedule(this.now() + Math.max(0, Math.ceil(delayMs)), EVENT_KIND.timer, () => {
      this.enter(action)
    })
    return {
      cancel: () => {
        this.queue.cancel(event)
      },
    }
  }

  atTime(time: number, action: () => void): void {
    this.after(time - this.now(), action)
  }

  enter(action: () => void): void {
    if (this.#isInEvent) {
      action()
      return
    }
    this.#isInEvent = true
    this.turn.begin()
    try {
      action()
    } finally {
      this.turn.end()
      this.#isInEvent = false
    }
  }
}

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
