/**
 * Priority queue of coming events in a simulated market, by time, kind, and sequence.
 *
 * Recorded trades come from the tape and are not in the queue: at one moment they precede everything here. Invariant:
 * time never goes back. Known limit: a cancelled event stays in the heap until its time.
 */
import { invariant, InvariantError } from '../domain/errors.ts'
import type { Clock } from '../domain/time.ts'

/**
 * Order of events at one moment: late market data, rows of series, candle closes, joined candles, timers, arriving
 * commands and replies, then opens of recorded candles.
 */
export const EVENT_KIND = { data: 0, series: 1, candle: 2, joined: 3, timer: 4, message: 5, open: 6 } as const

/** Kind of what is not in the queue, such as recorded trades. */
const BEFORE_ALL = -1

export type EventKind = (typeof EVENT_KIND)[keyof typeof EVENT_KIND]

export interface QueuedEvent {
  /** Changes only when the queue jumps; calendar events do not move, and run immediately if their time has passed. */
  readonly time: number
  /** Order among events of the same time and kind. */
  readonly sequence: number
  /** Undefined once it is cancelled. */
  action: (() => void) | undefined
}

/** Numbers only, apart from the action, so that reusing an event allocates nothing. */
interface HeapEvent extends QueuedEvent {
  time: number
  kind: EventKind
  sequence: number
  /** It is of the calendar, and not so long from when it was set. */
  isOfCalendar: boolean
  /** Original time of a calendar event, which orders the late ones; for other events equal to `time`. */
  calendarTime: number
  /** True if only the queue holds a reference, so the event can be reused. */
  isOwn: boolean
}

export class EventQueue implements Clock {
  /** A binary heap: the next event is first. */
  readonly #heap: HeapEvent[] = []
  /** Finished events for reuse. */
  readonly #spare: HeapEvent[] = []
  #sequence = 0
  #now: number
  #kind = BEFORE_ALL
  readonly #seen: Float64Array

  /**
   * @param start  Unix milliseconds
   * @param seen   its first cell always holds the time, for readers outside the queue
   */
  constructor(start: number, seen: Float64Array = new Float64Array(1)) {
    this.#now = start
    this.#seen = seen
    seen[0] = start
  }

  now(): number {
    return this.#now
  }

  /** True if all events of a kind that were due have happened. */
  hasPassed(kind: EventKind): boolean {
    return this.#kind > kind
  }

  /** Time of the next event; Infinity when there is none. */
  get nextTime(): number {
    return this.#heap[0]?.time ?? Number.POSITIVE_INFINITY
  }

  /** Moves the time on, when something that is not in the queue happens. */
  advance(time: number): void {
    // Not by invariant(): it would write its message for every trade.
    if (time < this.#now) throw new InvariantError(`time went back from ${this.#now} to ${time}`)
    this.#now = time
    this.#kind = BEFORE_ALL
    this.#seen[0] = time
  }

  /** Moves time forward together with scheduled events, which keep their distance; calendar events stay. */
  jump(byMs: number): void {
    this.advance(this.#now + byMs)
    const events = this.#heap.splice(0)
    for (const event of events) {
      event.time = event.isOfCalendar ? Math.max(event.calendarTime, this.#now) : event.time + byMs
      if (!event.isOfCalendar) event.calendarTime = event.time
      this.#add(event)
    }
  }

  /**
   * Schedules an event that can be cancelled.
   *
   * @param time          not in the past
   * @param isOfCalendar  default: true for ends of candles only
   */
  schedule(time: number, kind: EventKind, action: () => void, isOfCalendar = isKindOfCalendar(kind)): QueuedEvent {
    this.#checkTime(time)
    const sequence = this.#nextSequence()
    const event = { time, kind, sequence, isOfCalendar, calendarTime: time, isOwn: false, action }
    this.#add(event)
    return event
  }

  /** Schedules an event that cannot be cancelled; cheaper than `schedule`. */
  enter(time: number, kind: EventKind, action: () => void): void {
    this.#checkTime(time)
    const sequence = this.#nextSequence()
    const isOfCalendar = isKindOfCalendar(kind)
    const spare = this.#spare.pop()
    if (spare === undefined) {
      this.#add({ time, kind, sequence, isOfCalendar, calendarTime: time, isOwn: true, action })
      return
    }
    spare.time = time
    spare.kind = kind
    spare.sequence = sequence
    spare.isOfCalendar = isOfCalendar
    spare.calendarTime = time
    spare.action = action
    this.#add(spare)
  }

  /** A no-op for an event that has happened. */
  cancel(event: QueuedEvent): void {
    event.action = undefined
  }

  /** Lets the next event happen. */
  runNext(): void {
    const event = this.#takeFirst()
    if (event === undefined) return
    this.advance(event.time)
    this.#kind = event.kind
    const { action } = event
    event.action = undefined
    if (event.isOwn) this.#spare.push(event)
    action?.()
  }

  #checkTime(time: number): void {
    if (!(time >= this.#now)) throw new InvariantError(`an event was scheduled for ${time}, and it is ${this.#now}`)
  }

  #nextSequence(): number {
    const sequence = this.#sequence
    this.#sequence += 1
    return sequence
  }

  #add(event: HeapEvent): void {
    this.#heap.push(event)
    this.#rise(this.#heap.length - 1)
  }

  #takeFirst(): HeapEvent | undefined {
    const first = this.#heap[0]
    const last = this.#heap.pop()
    if (last !== undefined && last !== first) {
      this.#heap[0] = last
      this.#sink(0)
    }
    return first
  }

  #rise(index: number): void {
    let child = index
    while (child > 0) {
      const parent = (child - 1) >> 1
      if (!this.#swapUnlessOrdered(parent, child)) return
      child = parent
    }
  }

  #sink(index: number): void {
    let parent = index
    for (;;) {
      const left = 2 * parent + 1
      const right = left + 1
      if (left >= this.#heap.length) return
      const child = right < this.#heap.length && this.#isBefore(right, left) ? right : left
      if (!this.#swapUnlessOrdered(parent, child)) return
      parent = child
    }
  }

  #swapUnlessOrdered(parent: number, child: number): boolean {
    if (!this.#isBefore(child, parent)) return false
    const [upper, lower] = [this.#heap[parent], this.#heap[child]]
    invariant(upper !== undefined && lower !== undefined, 'heap indexes are inside the heap')
    this.#heap[parent] = lower
    this.#heap[child] = upper
    return true
  }

  #isBefore(left: number, right: number): boolean {
    const [a, b] = [this.#heap[left], this.#heap[right]]
    if (a === undefined || b === undefined) return false
    if (a.time !== b.time) return a.time < b.time
    if (a.calendarTime !== b.calendarTime) return a.calendarTime < b.calendarTime
    return a.kind === b.kind ? a.sequence < b.sequence : a.kind < b.kind
  }
}

const isKindOfCalendar = (kind: EventKind): boolean => kind >= EVENT_KIND.series && kind <= EVENT_KIND.joined
