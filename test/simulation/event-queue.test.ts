import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EVENT_KIND, EventQueue, type EventKind, type QueuedEvent } from '../../src/simulation/event-queue.ts'

/** Runs everything and reports what happened in its order. */
function runAll(queue: EventQueue, happened: readonly string[]): readonly string[] {
  while (queue.nextTime < Infinity) queue.runNext()
  return happened
}

describe('the order of events', () => {
  it('is by time, then by kind, then by the order in which they were scheduled', () => {
    const queue = new EventQueue(0)
    const happened: string[] = []
    const schedule = (time: number, kind: keyof typeof EVENT_KIND, name: string): void => {
      queue.schedule(time, EVENT_KIND[kind], () => happened.push(`${queue.now()} ${name}`))
    }
    schedule(2, 'data', 'later')
    schedule(1, 'message', 'first answer')
    schedule(1, 'timer', 'timer')
    schedule(1, 'candle', 'candle')
    schedule(1, 'message', 'second answer')
    schedule(1, 'data', 'data')
    expect(runAll(queue, happened)).toEqual([
      '1 data',
      '1 candle',
      '1 timer',
      '1 first answer',
      '1 second answer',
      '2 later',
    ])
  })

  it('puts what an event schedules for its own moment behind what waits there already, kind by kind', () => {
    const queue = new EventQueue(0)
    const happened: string[] = []
    queue.schedule(5, EVENT_KIND.timer, () => {
      happened.push('timer')
      queue.schedule(5, EVENT_KIND.timer, () => happened.push('its own timer'))
      queue.schedule(5, EVENT_KIND.data, () => happened.push('its own data'))
    })
    queue.schedule(5, EVENT_KIND.timer, () => happened.push('other timer'))
    expect(runAll(queue, happened)).toEqual(['timer', 'its own data', 'other timer', 'its own timer'])
  })
})

describe('time', () => {
  it('starts where it is set, and is that of the event while it happens', () => {
    const queue = new EventQueue(100)
    expect(queue.now()).toBe(100)
    queue.schedule(130, EVENT_KIND.timer, () => expect(queue.now()).toBe(130))
    queue.runNext()
    expect(queue.now()).toBe(130)
  })

  it('never goes back', () => {
    const queue = new EventQueue(100)
    expect(() => queue.advance(99)).toThrow('time went back from 100 to 99')
    expect(() => queue.schedule(99, EVENT_KIND.timer, () => undefined)).toThrow('scheduled for 99, and it is 100')
  })

  it('is refused when it is no number', () => {
    const queue = new EventQueue(0)
    expect(() => queue.schedule(Number.NaN, EVENT_KIND.timer, () => undefined)).toThrow('scheduled for NaN')
  })

  it('of the next event is Infinity when there is none, and to run none does nothing', () => {
    const queue = new EventQueue(7)
    expect(queue.nextTime).toBe(Infinity)
    queue.runNext()
    expect(queue.now()).toBe(7)
  })
})

describe('a jump', () => {
  it('moves the time, and leaves everything as far away and in the order in which it was', () => {
    const queue = new EventQueue(100)
    const happened: string[] = []
    for (const [time, name] of [
      [130, 'late'],
      [110, 'soon'],
      [110, 'next'],
    ] as const) {
      queue.schedule(time, EVENT_KIND.timer, () => happened.push(`${queue.now()} ${name}`))
    }
    queue.jump(1_000)
    expect(queue.now()).toBe(1_100)
    queue.schedule(1_111, EVENT_KIND.timer, () => happened.push(`${queue.now()} new`))
    expect(runAll(queue, happened)).toEqual(['1110 soon', '1110 next', '1111 new', '1130 late'])
  })

  it('back is none', () => {
    expect(() => {
      new EventQueue(100).jump(-1)
    }).toThrow('time went back')
  })
})

describe('cancel', () => {
  it('keeps an event from happening, whenever it is called', () => {
    const queue = new EventQueue(0)
    const happened: string[] = []
    const done = queue.schedule(1, EVENT_KIND.timer, () => happened.push('done'))
    const cancelled = queue.schedule(2, EVENT_KIND.timer, () => happened.push('cancelled'))
    queue.runNext()
    queue.cancel(done)
    queue.cancel(cancelled)
    queue.cancel(cancelled)
    expect(runAll(queue, happened)).toEqual(['done'])
  })

  it('works from an event of the same moment', () => {
    const queue = new EventQueue(0)
    const happened: string[] = []
    const victim = { event: undefined as QueuedEvent | undefined }
    queue.schedule(1, EVENT_KIND.data, () => {
      if (victim.event !== undefined) queue.cancel(victim.event)
    })
    victim.event = queue.schedule(1, EVENT_KIND.message, () => happened.push('victim'))
    expect(runAll(queue, happened)).toEqual([])
  })
})

type Step =
  | { readonly do: 'schedule'; readonly delay: number; readonly kind: EventKind; readonly isForGood: boolean }
  | { readonly do: 'cancel'; readonly pick: number }
  | { readonly do: 'run' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('schedule' as const),
      delay: fc.nat(3),
      kind: fc.constantFrom<EventKind>(0, 1, 2, 3),
      isForGood: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), pick: fc.nat(50) }) },
  { weight: 4, arbitrary: fc.constant({ do: 'run' as const }) },
)

/** The queue as a list that is sorted each time. */
class NaiveQueue {
  readonly happened: number[] = []
  #waiting: { time: number; kind: EventKind; sequence: number; isCancelled: boolean }[] = []

  schedule(time: number, kind: EventKind, sequence: number): 'same time and kind' | 'same time' | 'alone' {
    const others = this.#waiting.filter((other) => other.time === time)
    this.#waiting.push({ time, kind, sequence, isCancelled: false })
    if (others.some((other) => other.kind === kind)) return 'same time and kind'
    return others.length > 0 ? 'same time' : 'alone'
  }

  cancel(sequence: number): 'waiting was cancelled' | 'past was cancelled' {
    const found = this.#waiting.find((each) => each.sequence === sequence)
    if (found !== undefined) found.isCancelled = true
    return found === undefined ? 'past was cancelled' : 'waiting was cancelled'
  }

  /** False when nothing is left. */
  runNext(): boolean {
    this.#waiting.sort((a, b) => a.time - b.time || a.kind - b.kind || a.sequence - b.sequence)
    const next = this.#waiting.shift()
    if (next?.isCancelled === false) this.happened.push(next.sequence)
    return next !== undefined
  }
}

it('lets happen what a list that is sorted each time would, in the same order', () => {
  const reached = new Map<string, number>()
  const reach = (corner: string): unknown => reached.set(corner, (reached.get(corner) ?? 0) + 1)
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
      const queue = new EventQueue(0)
      const naive = new NaiveQueue()
      const happened: number[] = []
      // Undefined for one that cannot be cancelled.
      const events: (QueuedEvent | undefined)[] = []
      for (const each of steps) {
        if (each.do === 'run') {
          queue.runNext()
          naive.runNext()
        } else if (each.do === 'schedule') {
          const sequence = events.length
          const time = queue.now() + each.delay
          const action = (): unknown => happened.push(sequence)
          if (each.isForGood) queue.enter(time, each.kind, action)
          events.push(each.isForGood ? undefined : queue.schedule(time, each.kind, action))
          reach(naive.schedule(time, each.kind, sequence))
        } else {
          const sequence = each.pick % Math.max(1, events.length)
          const event = events[sequence]
          if (event === undefined) continue
          queue.cancel(event)
          reach(naive.cancel(sequence))
        }
        expect(happened).toEqual(naive.happened)
      }
      while (naive.runNext()) queue.runNext()
      expect(happened).toEqual(naive.happened)
      expect(queue.nextTime).toBe(Infinity)
    }),
    { numRuns: 300 },
  )
  for (const corner of ['same time and kind', 'same time', 'alone', 'waiting was cancelled', 'past was cancelled']) {
    expect(reached.get(corner) ?? 0, corner).toBeGreaterThan(0)
  }
})
