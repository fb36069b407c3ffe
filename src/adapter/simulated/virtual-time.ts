/**
 * Lets RxJS operators that are written without a scheduler follow the virtual clock of a simulated market.
 *
 * RxJS asks a few providers for timers and the time; here they are pointed at the event queue, as its own TestScheduler
 * does. Known limit: they are global in a process, so there is one virtual run at a time in a thread.
 */
import { animationFrameScheduler, asapScheduler, asyncScheduler, config, queueScheduler } from 'rxjs'
import { animationFrameProvider } from 'rxjs/internal/scheduler/animationFrameProvider'
import { dateTimestampProvider } from 'rxjs/internal/scheduler/dateTimestampProvider'
import { immediateProvider } from 'rxjs/internal/scheduler/immediateProvider'
import { intervalProvider } from 'rxjs/internal/scheduler/intervalProvider'
import { performanceTimestampProvider } from 'rxjs/internal/scheduler/performanceTimestampProvider'
import { timeoutProvider } from 'rxjs/internal/scheduler/timeoutProvider'
import { invariant, MisuseError } from '../../domain/errors.ts'
import { EVENT_KIND, type EventQueue, type QueuedEvent } from '../../simulation/event-queue.ts'

/** A repeated timer of 0 ms would never let time pass; Node and browsers wait at least 1 ms, too. */
const SHORTEST_REPEAT_MS = 1
const FRAME_MS = 16
/** A strategy that sets a timer in each timer, and none of them later, would never let time pass. */
const MOST_TIMERS_AT_ONE_MOMENT = 100_000

let isInstalled = false

/**
 * Frees the schedulers of RxJS, of which a process has one each, for the next run.
 *
 * One whose action was ended from outside believes that it is still in that action, and one whose run ended first waits
 * for a timer of it: neither would call anything of the next run, without a word.
 */
function freeSchedulers(): void {
  for (const scheduler of [asyncScheduler, asapScheduler, queueScheduler, animationFrameScheduler]) {
    scheduler.actions.length = 0
    // Fields of RxJS that its types leave out.
    Object.assign(scheduler, { _active: false, _scheduled: undefined })
  }
}

/**
 * @param onError  hears what nobody handles: an error in a timer, or in a subscriber of the strategy's own
 * @returns what puts the real providers back
 */
export function installVirtualTime(queue: EventQueue, onError: (error: unknown) => void): () => void {
  invariant(!isInstalled, 'one virtual run at a time in a thread')
  isInstalled = true
  const timers = new VirtualTimers(queue, onError)
  const earlierOnError = config.onUnhandledError
  config.onUnhandledError = onError
  const { once, repeat, stop } = timers
  /* eslint-disable papertape/no-clock -- RxJS names the methods so; behind them is the event queue */
  timeoutProvider.delegate = { setTimeout: once, clearTimeout: stop }
  intervalProvider.delegate = { setInterval: repeat, clearInterval: stop }
  immediateProvider.delegate = { setImmediate: (handler) => once(handler), clearImmediate: stop }
  /* eslint-enable papertape/no-clock */
  animationFrameProvider.delegate = {
    requestAnimationFrame: (handler: (time: number) => void) =>
      once(() => {
        handler(queue.now())
      }, FRAME_MS),
    cancelAnimationFrame: stop,
  }
  dateTimestampProvider.delegate = queue
  performanceTimestampProvider.delegate = queue
  return () => {
    isInstalled = false
    config.onUnhandledError = earlierOnError
    const providers = [timeoutProvider, intervalProvider, immediateProvider, animationFrameProvider]
    for (const provider of [...providers, dateTimestampProvider, performanceTimestampProvider]) {
      provider.delegate = undefined
    }
    freeSchedulers()
  }
}

/** Timers of the event queue behind handles of a number. */
class VirtualTimers {
  readonly #queue: EventQueue
  readonly #onError: (error: unknown) => void
  readonly #eventsByHandle = new Map<number, QueuedEvent>()
  #lastHandle = 0
  #moment = Number.NEGATIVE_INFINITY
  #timersAtMoment = 0

  constructor(queue: EventQueue, onError: (error: unknown) => void) {
    this.#queue = queue
    this.#onError = onError
  }

  readonly once = (handler: (...args: unknown[]) => void, delayMs = 0, ...args: unknown[]): number =>
    this.#start((handle) => {
      this.#schedule(handle, delayMs, () => {
        this.#eventsByHandle.delete(handle)
        handler(...args)
      })
    })

  readonly repeat = (handler: (...args: unknown[]) => void, periodMs = 0, ...args: unknown[]): number =>
    this.#start((handle) => {
      const fire = (): void => {
        this.#schedule(handle, Math.max(SHORTEST_REPEAT_MS, periodMs), fire)
        handler(...args)
      }
      this.#schedule(handle, periodMs, fire)
    })

  readonly stop = (handle: unknown): void => {
    const event = this.#eventsByHandle.get(Number(handle))
    if (event === undefined) return
    this.#queue.cancel(event)
    this.#eventsByHandle.delete(Number(handle))
  }

  #start(schedule: (handle: number) => void): number {
    this.#lastHandle += 1
    schedule(this.#lastHandle)
    return this.#lastHandle
  }

  /**
   * A moment is a whole millisecond: a fraction is rounded up, so that no timer is early. What is no delay at all is
   * none.
   */
  #schedule(handle: number, delayMs: number, action: () => void): void {
    this.#countAtMoment()
    const time = this.#queue.now() + (delayMs > 0 ? Math.ceil(delayMs) : 0)
    const event = this.#queue.schedule(time, EVENT_KIND.timer, () => {
      try {
        action()
      } catch (error) {
        this.#onError(error)
      }
    })
    this.#eventsByHandle.set(handle, event)
  }

  #countAtMoment(): void {
    const now = this.#queue.now()
    this.#timersAtMoment = now === this.#moment ? this.#timersAtMoment + 1 : 1
    this.#moment = now
    if (this.#timersAtMoment <= MOST_TIMERS_AT_ONE_MOMENT) return
    throw new MisuseError(
      'endless-loop',
      `more than ${MOST_TIMERS_AT_ONE_MOMENT} timers were set at one moment: no time can pass`,
    )
  }
}
