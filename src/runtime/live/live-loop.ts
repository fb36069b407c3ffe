/**
 * Time of a live session: an event queue driven by the machine's clocks, so that a strategy sees the same kind of time
 * as in a backtest.
 *
 * Due events run in queue order, one at a time, each as a turn of the strategies. The monotonic clock drives the queue.
 * When the wall clock is ahead, because the machine slept or its clock was set, the queue jumps with all scheduled
 * events, so that no wait ends early and a repeating timer does not catch up.
 * Invariant: time never goes backwards, whatever the clocks do.
 * Known limitation: a wall clock that is set back is not followed; the queue waits until it is reached again.
 */
import type { LiveTime, LiveTimer } from '../../adapter/live/live-time.ts'
import type { MachineClocks } from '../../adapter/live/machine-clocks.ts'
import { EVENT_KIND, EventQueue, type EventKind, type QueuedEvent } from '../../simulation/event-queue.ts'
import { macrotask } from '../backtest/virtual-world.ts'
import { Turn } from '../session/turn.ts'

export interface LoopListener {
  /** The time has jumped: connections may be lost and orders filled. Runs as an event. */
  onJump(byMs: number): void
  /** The wall clock was set back; called once. */
  onSetBack(byMs: number): void
  /** An event has thrown. */
  onError(error: unknown): void
}

/** Custom clocks of a program may read the globals that throw during a strategy's turn. */
const outsideClocks = (clocks: MachineClocks, turn: Turn): MachineClocks => ({
  wall: () => turn.outside(() => clocks.wall()),
  monotonic: () => turn.outside(() => clocks.monotonic()),
  setTimer: (delayMs, action) => turn.outside(() => clocks.setTimer(delayMs, action)),
})

/** Tolerated drift between the clocks: they are read one after another, and adjusted slightly. */
const LARGEST_DRIFT_MS = 2_000
/** A strategy's timer that is later than this, because the process was suspended, does not catch up either. */
const LARGEST_DELAY_MS = 2_000
/** Maximum interval between two reads of the clocks. */
const LONGEST_PAUSE_MS = 1_000

export class LiveLoop implements LiveTime {
  readonly queue: EventQueue
  /** On while an event runs, which is the strategies' turn. */
  readonly turn = new Turn()
  readonly #clocks: MachineClocks
  readonly #listener: LoopListener
  /** Difference between the queue's time and the monotonic clock. */
  #offset: number
  #lastMonotonic = Number.NEGATIVE_INFINITY
  #isInEvent = false
  #isStopped = false
  #isSetBackReported = false
  #givesPromisesTurns = false
  /** Number of events whose promises still have their turn. */
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
    // Between two events time passes up to the next due event.
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
    // Calendar time, so that a suspended process does not wait again; a clock that jumped is waited for.
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

  /** Calls it again and again, each time `delayMs` after the last. @returns stops it */
  every(delayMs: number, action: () => void): () => void {
    let isStopped = false
    const again = (): LiveTimer =>
      this.after(delayMs, () => {
        action()
        if (!isStopped) timer = again()
      })
    let timer = again()
    return () => {
      isStopped = true
      timer.cancel()
    }
  }

  atTime(time: number, action: () => void, kind: EventKind = EVENT_KIND.timer): void {
    this.queue.schedule(Math.max(time, this.queue.now()), kind, action, true)
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

  /** Runs an action as an event. @throws what it throws */
  enterOrThrow(action: () => void): void {
    const thrown: unknown[] = []
    this.enter(() => {
      try {
        action()
      } catch (error) {
        thrown.push(error)
      }
    })
    if (thrown.length > 0) throw thrown[0]
  }

  /** A turn that includes promises: that of an event, and one macrotask after it. */
  promiseTurn(): { readonly isOn: boolean } {
    this.#givesPromisesTurns = true
    const isOn = (): boolean => this.turn.isOn || this.#promiseTurns > 0
    return {
      get isOn() {
        return isOn()
      },
    }
  }

  /** Stops all events, including entered ones. */
  stop(): void {
    this.#isStopped = true
    this.#timer?.cancel()
    this.#timer = undefined
  }

  /** Time of the queue, including the fraction. */
  #present(): number {
    return this.monotonic() + this.#offset
  }

  #advance(time: number): void {
    if (time > this.queue.now()) this.queue.advance(time)
  }

  /** Runs all due events, and moves the time to the present. */
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
    if (isSetBack && !this.#isSetBackReported) this.#listener.onSetBack(-aheadMs)
    this.#isSetBackReported = isSetBack
  }

  /** Runs one event: the turn of the strategies, and of their promises if they have one. */
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
    // It may have set timers.
    this.#wake()
  }

  /** Schedules the wake-up for the next event. */
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
