/**
 * Time of a live session: an event queue that the machine's clocks drive, so that a strategy meets the same time as in
 * a backtest.
 *
 * What is due runs in the order of the queue, one event at a time, each as a turn of the strategies. The monotonic
 * clock drives it; when the wall clock runs ahead of that, because the machine has slept or its clock was set, the
 * queue jumps after it with everything that is scheduled, so that no wait ends early and a timer that repeats is not
 * made up for. Invariant: the time never goes back, whatever the clocks do. Known limit: a wall clock that is set back
 * is not followed; its time is reached again by waiting.
 */
import type { LiveTime, LiveTimer } from '../../adapter/live/live-time.ts'
import type { MachineClocks } from '../../adapter/live/machine-clocks.ts'
import { EVENT_KIND, EventQueue, type QueuedEvent } from '../../simulation/event-queue.ts'
import { macrotask } from '../backtest/virtual-world.ts'
import { Turn } from '../session/turn.ts'

export interface LoopListener {
  /** The time has jumped: connections may be gone, and orders filled. An event of its own. */
  onJump(byMs: number): void
  /** The wall clock was set back, which is told once. */
  onSetBack(byMs: number): void
  /** An event has thrown. */
  onError(error: unknown): void
}

/** A program may bring its own clocks, and they may read the globals that a strategy's turn refuses. */
const outsideClocks = (clocks: MachineClocks, turn: Turn): MachineClocks => ({
  wall: () => turn.outside(() => clocks.wall()),
  monotonic: () => turn.outside(() => clocks.monotonic()),
  setTimer: (delayMs, action) => turn.outside(() => clocks.setTimer(delayMs, action)),
})

/** Drift between the clocks that is none: they are read one after another, and corrected by a little. */
const LARGEST_DRIFT_MS = 2_000
/** A strategy's timer that is later than this, because the process stood still, is not made up for either. */
const LARGEST_DELAY_MS = 2_000
/** The clocks are looked at this often. */
const LONGEST_PAUSE_MS = 1_000

export class LiveLoop implements LiveTime {
  readonly queue: EventQueue
  /** On while an event runs: the strategies' turn. */
  readonly turn = new Turn()
  readonly #clocks: MachineClocks
  readonly #listener: LoopListener
  /** From the monotonic clock to the time of the queue. */
  #offset: number
  #lastMonotonic = Number.NEGATIVE_INFINITY
  #isInEvent = false
  #isStopped = false
  #isSetBackTold = false
  #givesPromisesTurns = false
  /** Events whose promises still have their turn. */
  #promiseTurns = 0
  #timer: { readonly at: number; readonly cancel: () => void } | undefined

  constructor(clocks: MachineClocks, listener: LoopListener) {
    this.#clocks = outsideClocks(clocks, this.turn)
    this.#listener = listener
    const start = Math.floor(this.#clocks.wall())
    this.queue = new EventQueue(start)
    this.#offset = start - this.monotonic()
    this.#wake()
  }

  now(): number {
    // Between two events the time passes as far as nothing is due.
    if (!this.#isInEvent) this.#advance(Math.min(Math.floor(this.#present()), this.queue.nextTime))
    return this.queue.now()
  }

  monotonic(): number {
    this.#lastMonotonic = Math.max(this.#lastMonotonic, this.#clocks.monotonic())
    return this.#lastMonotonic
  }

  after(delayMs: number, action: () => void): LiveTimer {
    const due = this.monotonic() + Math.max(0, delayMs)
    const dueTime = (): number => Math.ceil(due + this.#offset)
    // Of the calendar, so that a process that stood still does not wait as long again; a clock that jumped is waited for.
    const plan = (): QueuedEvent =>
      this.queue.schedule(Math.max(dueTime(), this.queue.now()), EVENT_KIND.timer, onTime, true)
    const onTime = (): void => {
      if (dueTime() > Math.floor(this.#present())) event = plan()
      else action()
    }
    let event = plan()
    if (!this.#isInEvent) this.#wake()
    return {
      cancel: () => {
        this.queue.cancel(event)
      },
    }
  }

  atTime(time: number, action: () => void): void {
    this.queue.schedule(Math.max(time, this.queue.now()), EVENT_KIND.timer, action, true)
    if (!this.#isInEvent) this.#wake()
  }

  enter(action: () => void): void {
    if (this.#isStopped) return
    if (this.#isInEvent) {
      this.turn.inside(action)
      return
    }
    this.#catchUp()
    this.#run(action)
    this.#wake()
  }

  /** The turn of a strategy that promises were promised to: that of an event, and one macrotask behind it. */
  promiseTurn(): { readonly isOn: boolean } {
    this.#givesPromisesTurns = true
    const isOn = (): boolean => this.turn.isOn || this.#promiseTurns > 0
    return {
      get isOn() {
        return isOn()
      },
    }
  }

  /** Nothing runs any more, not even what is entered. */
  stop(): void {
    this.#isStopped = true
    this.#timer?.cancel()
    this.#timer = undefined
  }

  /** Time of the queue, with its fraction. */
  #present(): number {
    return this.monotonic() + this.#offset
  }

  #advance(time: number): void {
    if (time > this.queue.now()) this.queue.advance(time)
  }

  /** Lets everything happen that is due, and moves the time to the present. */
  #catchUp(): void {
    const present = Math.floor(this.#present())
    const lateMs = present - this.queue.nextTime
    if (lateMs > LARGEST_DELAY_MS) this.queue.jump(lateMs)
    while (this.queue.nextTime <= present && !this.#isStopped) {
      this.#run(() => {
        this.queue.runNext()
      })
    }
    this.#advance(present)
    this.#compareClocks()
  }

  #compareClocks(): void {
    const aheadMs = Math.floor(this.#clocks.wall() - this.#present())
    if (aheadMs > LARGEST_DRIFT_MS) {
      this.#offset += aheadMs
      this.queue.jump(aheadMs)
      this.#run(() => {
        this.#listener.onJump(aheadMs)
      })
    }
    const isSetBack = aheadMs < -LARGEST_DRIFT_MS
    if (isSetBack && !this.#isSetBackTold) this.#listener.onSetBack(-aheadMs)
    this.#isSetBackTold = isSetBack
  }

  /** One event: the turn of the strategies, and of their promises if they have one. */
  #run(event: () => void): void {
    if (this.#isStopped) return
    this.#isInEvent = true
    try {
      this.turn.inside(event)
    } catch (error) {
      this.#listener.onError(error)
    } finally {
      this.#isInEvent = false
    }
    if (this.#givesPromisesTurns) void this.#givePromisesTurn()
  }

  async #givePromisesTurn(): Promise<void> {
    this.#promiseTurns += 1
    await macrotask()
    this.#promiseTurns -= 1
    // They may have set timers.
    this.#wake()
  }

  /** Sees to it that the next event comes in time. */
  #wake(): void {
    if (this.#isStopped) return
    const now = this.monotonic()
    const at = Math.min(now + LONGEST_PAUSE_MS, Math.max(now, this.queue.nextTime - this.#offset))
    if (this.#timer !== undefined && this.#timer.at <= at) return
    this.#timer?.cancel()
    const cancel = this.#clocks.setTimer(Math.ceil(at - now), () => {
      this.#timer = undefined
      this.#catchUp()
      this.#wake()
    })
    this.#timer = { at, cancel }
  }
}
