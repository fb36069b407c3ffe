/**
 * RxJS without a scheduler, on the clock of an event queue.
 */
import { Script } from 'node:vm'
import * as rx from 'rxjs'
import { animationFrameProvider } from 'rxjs/internal/scheduler/animationFrameProvider'
import { dateTimestampProvider } from 'rxjs/internal/scheduler/dateTimestampProvider'
import { immediateProvider } from 'rxjs/internal/scheduler/immediateProvider'
import { intervalProvider } from 'rxjs/internal/scheduler/intervalProvider'
import { performanceTimestampProvider } from 'rxjs/internal/scheduler/performanceTimestampProvider'
import { timeoutProvider } from 'rxjs/internal/scheduler/timeoutProvider'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { installVirtualTime } from '../../../src/adapter/simulated/virtual-time.ts'
import { InvariantError, MisuseError } from '../../../src/domain/errors.ts'
import { EVENT_KIND, EventQueue } from '../../../src/simulation/event-queue.ts'

const START = 1_000

let queue: EventQueue
let errors: unknown[]
let restore: () => void
beforeEach(() => {
  queue = new EventQueue(START)
  errors = []
  restore = installVirtualTime(queue, (error) => errors.push(error))
})
afterEach(() => restore())

function runFor(ms: number): void {
  const end = queue.now() + ms
  while (queue.nextTime <= end) queue.runNext()
  queue.advance(end)
}

/** Emits each name at its time after the start, as market data that arrives. */
function valuesAt(times: Readonly<Record<number, string>>): rx.Observable<string> {
  const values = new rx.Subject<string>()
  for (const [time, name] of Object.entries(times)) {
    queue.schedule(START + Number(time), EVENT_KIND.data, () => values.next(name))
  }
  return values
}

/** What a stream does in the next 100 ms: time after the start and value. */
function heard(source: rx.Observable<unknown>): readonly string[] {
  const log: string[] = []
  const note = (what: unknown): unknown => log.push(`${queue.now() - START} ${String(what)}`)
  source.subscribe({ next: note, error: (error: unknown) => note((error as Error).name), complete: () => note('end') })
  runFor(100)
  return log
}

describe('an operator without a scheduler follows the virtual clock', () => {
  const VALUES = { 0: 'a', 5: 'b', 30: 'c' }

  it.each<[string, (source: rx.Observable<string>) => rx.Observable<unknown>, readonly string[]]>([
    ['debounceTime', (source) => source.pipe(rx.debounceTime(10)), ['15 b', '40 c']],
    ['auditTime', (source) => source.pipe(rx.auditTime(10)), ['10 b', '40 c']],
    ['throttleTime', (source) => source.pipe(rx.throttleTime(10)), ['0 a', '30 c']],
    ['sampleTime', (source) => source.pipe(rx.sampleTime(20), rx.take(2)), ['20 b', '40 c', '40 end']],
    ['delay', (source) => source.pipe(rx.delay(7)), ['7 a', '12 b', '37 c']],
    ['delayWhen', (source) => source.pipe(rx.delayWhen(() => rx.timer(7))), ['7 a', '12 b', '37 c']],
    ['bufferTime', (source) => source.pipe(rx.bufferTime(20), rx.take(2)), ['20 a,b', '40 c', '40 end']],
    ['timeout', (source) => source.pipe(rx.timeout(20)), ['0 a', '5 b', '25 TimeoutError']],
    ['timeout of the first', (source) => source.pipe(rx.skip(2), rx.timeout({ first: 20 })), ['20 TimeoutError']],
    [
      'timestamp',
      (source) =>
        source.pipe(
          rx.timestamp(),
          rx.map((each) => each.timestamp),
        ),
      ['0 1000', '5 1005', '30 1030'],
    ],
    [
      'timeInterval',
      (source) =>
        source.pipe(
          rx.timeInterval(),
          rx.map((each) => each.interval),
        ),
      ['0 0', '5 5', '30 25'],
    ],
    ['observeOn asap', (source) => source.pipe(rx.observeOn(rx.asapScheduler)), ['0 a', '5 b', '30 c']],
    [
      'shareReplay for a time',
      (source) => source.pipe(rx.shareReplay({ windowTime: 10, refCount: true }), rx.take(1)),
      ['0 a', '0 end'],
    ],
  ])('%s', (_name, operate, expected) => {
    expect(heard(operate(valuesAt(VALUES)))).toEqual(expected)
  })

  it.each<[string, () => rx.Observable<unknown>, readonly string[]]>([
    ['timer', () => rx.timer(10), ['10 0', '10 end']],
    ['timer with a period', () => rx.timer(10, 5).pipe(rx.take(3)), ['10 0', '15 1', '20 2', '20 end']],
    ['timer to a date', () => rx.timer(new Date(START + 10)), ['10 0', '10 end']],
    ['timer to a date that is over', () => rx.timer(new Date(0)), ['0 0', '0 end']],
    ['interval', () => rx.interval(10).pipe(rx.take(3)), ['10 0', '20 1', '30 2', '30 end']],
    [
      'retry with a delay',
      () =>
        rx.timer(10).pipe(
          rx.tap(() => {
            throw new RangeError()
          }),
          rx.retry({ count: 2, delay: 5 }),
        ),
      ['40 RangeError'],
    ],
    [
      'animationFrames',
      () =>
        rx.animationFrames().pipe(
          rx.take(2),
          rx.map(({ elapsed }) => elapsed),
        ),
      ['16 16', '32 32', '32 end'],
    ],
    ['asyncScheduler', () => rx.scheduled([1, 2], rx.asyncScheduler), ['0 1', '1 2', '2 end']],
    ['queueScheduler with a delay', () => rx.of(1).pipe(rx.delay(5, rx.queueScheduler)), ['5 1', '5 end']],
  ])('%s', (_name, create, expected) => {
    expect(heard(create())).toEqual(expected)
  })

  it('reads the time from it', () => {
    runFor(23)
    expect([rx.asyncScheduler.now(), rx.asapScheduler.now()]).toEqual([START + 23, START + 23])
  })
})

describe('a timer', () => {
  it('of no delay comes at the same moment, but never at once', () => {
    const log: string[] = []
    rx.timer(0).subscribe(() => log.push('timer'))
    rx.asapScheduler.schedule(() => log.push('asap'))
    log.push('now')
    runFor(0)
    expect(log).toEqual(['now', 'timer', 'asap'])
  })

  it.each([
    [0.4, 1],
    [1, 1],
    [1.0001, 2],
    [-5, 0],
    [Number.NaN, 0],
  ])('of %d ms comes after %d: never early, and a moment is a whole millisecond', (delayMs, expected) => {
    expect(heard(rx.timer(delayMs))[0]).toBe(`${expected} 0`)
  })

  it('without end does not come', () => {
    expect(heard(rx.timer(Infinity))).toEqual([])
  })

  it('comes after the market data and candles of its moment, and before messages', () => {
    const log: string[] = []
    rx.timer(5).subscribe(() => log.push('timer'))
    for (const kind of ['message', 'data', 'candle'] as const) {
      queue.schedule(START + 5, EVENT_KIND[kind], () => log.push(kind))
    }
    runFor(5)
    expect(log).toEqual(['data', 'candle', 'timer', 'message'])
  })

  it('that is left does not come', () => {
    const log: string[] = []
    const subscription = rx.merge(rx.timer(5), rx.interval(5), rx.animationFrames()).subscribe(() => log.push('never'))
    const asap = rx.asapScheduler.schedule(() => log.push('never'))
    subscription.unsubscribe()
    asap.unsubscribe()
    runFor(50)
    expect(log).toEqual([])
  })

  it('can be left from within, also an interval', () => {
    const ticks: number[] = []
    const subscription = rx.interval(5).subscribe((tick) => {
      ticks.push(tick)
      if (tick === 1) subscription.unsubscribe()
    })
    runFor(50)
    expect(ticks).toEqual([0, 1])
  })

  it('of an interval of 0 ms lets time pass', () => {
    const times: number[] = []
    rx.interval(0)
      .pipe(rx.take(3))
      .subscribe(() => times.push(queue.now() - START))
    runFor(10)
    expect(times).toEqual([0, 1, 2])
  })

  it('that sets a timer for the same moment without end is stopped with an explanation', () => {
    const ends: unknown[] = []
    rx.timer(0)
      .pipe(rx.repeat())
      .subscribe({ error: (error: unknown) => ends.push(error) })
    runFor(1)
    expect([...ends, ...errors]).toEqual([
      new MisuseError('endless-loop', 'more than 100000 timers were set at one moment: no time can pass'),
    ])
  })
})

describe('an error', () => {
  it('in a subscriber goes to the code that runs the market, and stops nothing else', () => {
    const log = heard(rx.merge(rx.timer(10), rx.timer(20)).pipe(rx.tap({ subscribe: () => failingSubscriber() })))
    expect(log).toEqual(['10 0', '20 0', '20 end'])
    expect(errors).toEqual([new Error('in a subscriber')])
  })

  it('in an action that was scheduled does, too', () => {
    rx.asyncScheduler.schedule(() => {
      throw new Error('in an action')
    }, 10)
    expect(heard(rx.timer(20))).toEqual(['20 0', '20 end'])
    expect(errors).toEqual([new Error('in an action')])
  })
})

function failingSubscriber(): void {
  rx.timer(5).subscribe(() => {
    throw new Error('in a subscriber')
  })
}

describe('the real time', () => {
  const providers = { animationFrameProvider, dateTimestampProvider, immediateProvider, intervalProvider }
  const more = { performanceTimestampProvider, timeoutProvider }

  it.each(Object.entries({ ...providers, ...more }))('is back afterwards: %s', (_name, provider) => {
    expect(provider.delegate).toBeDefined()
    restore()
    expect(provider.delegate).toBeUndefined()
  })

  it('hears of errors that no one handles as before', () => {
    restore()
    const mine = (): void => undefined
    rx.config.onUnhandledError = mine
    installVirtualTime(queue, () => undefined)()
    expect(rx.config.onUnhandledError).toBe(mine)
    rx.config.onUnhandledError = null
  })

  it('is needed in between: two runs at once are refused, one after the other are not', () => {
    expect(() => installVirtualTime(new EventQueue(0), () => undefined)).toThrow(InvariantError)
    restore()
    const next = new EventQueue(7)
    restore = installVirtualTime(next, () => undefined)
    expect(rx.asyncScheduler.now()).toBe(7)
  })
})

describe('what a run leaves in the schedulers of RxJS', () => {
  /** What each of them calls in the next run. */
  function nextRun(): readonly string[] {
    restore()
    queue = new EventQueue(START)
    restore = installVirtualTime(queue, (error) => errors.push(error))
    const called: string[] = []
    const { asyncScheduler, asapScheduler, queueScheduler, animationFrameScheduler } = rx
    for (const [name, scheduler] of Object.entries({
      asyncScheduler,
      asapScheduler,
      queueScheduler,
      animationFrameScheduler,
    })) {
      scheduler.schedule(() => called.push(name))
    }
    rx.timer(5).subscribe(() => called.push('timer'))
    runFor(50)
    return called.sort()
  }
  const ALL = ['animationFrameScheduler', 'asapScheduler', 'asyncScheduler', 'queueScheduler', 'timer']

  it('calls all that the next one asks for, when the run was over before its timers', () => {
    const never: string[] = []
    rx.asapScheduler.schedule(() => never.push('asap'))
    rx.animationFrameScheduler.schedule(() => never.push('frame'))
    rx.asyncScheduler.schedule(() => never.push('async'))
    expect(nextRun()).toEqual(ALL)
    expect(never).toEqual([])
  })

  it.each(['asyncScheduler', 'asapScheduler', 'queueScheduler', 'animationFrameScheduler'] as const)(
    'does, when the run was ended inside of %s',
    (name) => {
      const endless = (): void => {
        rx[name].schedule(() => {
          for (;;);
        })
        runFor(50)
      }
      Object.assign(globalThis, { endless })
      expect(() => void new Script('endless()').runInThisContext({ timeout: 100 })).toThrow(/timed out/)
      expect(nextRun()).toEqual(ALL)
    },
  )
})
