/**
 * Runs RxJS operators without an explicit scheduler on the virtual clock of a simulated market.
 *
 * RxJS obtains timers and the time from a few providers; they are pointed at the event queue, as RxJS's TestScheduler
 * does.
 * Known limitation: the providers are global, so a thread can run one virtual session at a time.
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

/** A repeating timer of 0 ms would never let time pass; Node and browsers wait at least 1 ms, too. */
const SHORTEST_REPEAT_MS = 1
const FRAME_MS = 16
/** Limit against strategies whose timers set further timers for the same moment, so that time never passes. */
const MAX_TIMERS_AT_ONE_MOMENT = 100_000

let isInstalled = false

/**
 * Resets the global RxJS schedulers for the next run.
 *
 * A scheduler whose action was aborted still believes it is inside that action, and one whose run ended early waits for
 * one of its timers: either would silently run nothing in the next run.
 */
function freeSchedulers(): void {
  for (const scheduler of [asyncScheduler, asapScheduler, queueScheduler, animationFrameScheduler]) {
    scheduler.actions.length = 0
    // Private fields of RxJS that its types omit.
    Object.assign(scheduler, { _active: false, _scheduled: undefined })
  }
}

/**
 * @param onError  receives unhandled errors, of a timer or of a subscriber of the strategy
 * @returns restores the real providers
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

/** Timers of the event queue behind numeric handles. */
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
   * Times are whole milliseconds: a fraction is rounded up, so that no timer fires early. An invalid delay counts as 0.
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
    if (this.#timersAtMoment <= MAX_TIMERS_AT_ONE_MOMENT) return
    throw new MisuseError(
      'endless-loop',
      `more than ${MAX_TIMERS_AT_ONE_MOMENT} timers were set at one moment: no time can pass`,
    )
  }
}
