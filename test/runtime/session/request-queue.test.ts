/**
 * The session's own count of the service's limits (decision 22).
 */
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { RateBudget, type RateLimits } from '../../../src/domain/rate-window.ts'
import { URGENCIES, type Urgency } from '../../../src/domain/waiting-requests.ts'
import { RequestQueue, type OnLimit } from '../../../src/runtime/session/request-queue.ts'
import { EVENT_KIND, EventQueue } from '../../../src/simulation/event-queue.ts'

const LIMITS: RateLimits = { general: 600, mutations: 2, windowSeconds: 60 }

let events: EventQueue
let log: string[]
beforeEach(() => {
  events = new EventQueue(0)
  log = []
})

const queueOf = (onLimit: OnLimit, limits: RateLimits | undefined = LIMITS): RequestQueue =>
  new RequestQueue({
    limits,
    onLimit,
    now: () => events.now(),
    after: (delayMs, action) => void events.schedule(events.now() + delayMs, EVENT_KIND.timer, action),
  })

const submit = (queue: RequestQueue, name: string, urgency: Urgency = 'entry'): void =>
  queue.submit({
    urgency,
    send: () => log.push(`${events.now()} ${name}`),
    refuse: () => log.push(`${events.now()} ${name} refused`),
  })

function runTo(time: number): void {
  while (events.nextTime <= time) events.runNext()
  events.advance(time)
}

describe('under refuse', () => {
  it('what is over the limit is refused at once, until the window is over', () => {
    const queue = queueOf('refuse')
    for (const name of ['a', 'b', 'c']) submit(queue, name)
    runTo(59_999)
    submit(queue, 'd')
    runTo(60_000)
    submit(queue, 'e')
    expect(log).toEqual(['0 a', '0 b', '0 c refused', '59999 d refused', '60000 e'])
    expect(queue.waiting).toBe(0)
  })

  it('cancels are refused like creations', () => {
    const queue = queueOf('refuse')
    for (const name of ['a', 'b']) submit(queue, name)
    submit(queue, 'cancel', 'cancel')
    expect(log.at(-1)).toBe('0 cancel refused')
  })
})

describe('under wait', () => {
  it('what is over the limit is sent when the next window opens, first come first sent', () => {
    const queue = queueOf('wait')
    runTo(10)
    for (const name of ['a', 'b', 'c', 'd', 'e']) submit(queue, name)
    expect([log, queue.waiting]).toEqual([['10 a', '10 b'], 3])
    runTo(200_000)
    expect(log).toEqual(['10 a', '10 b', '60010 c', '60010 d', '120010 e'])
    expect(queue.waiting).toBe(0)
  })

  it('an order that closes a position goes before other creations, and behind cancels', () => {
    const queue = queueOf('wait')
    for (const name of ['a', 'b', 'c']) submit(queue, name)
    submit(queue, 'stop', 'exit')
    submit(queue, 'cancel', 'cancel')
    runTo(200_000)
    expect(log).toEqual(['0 a', '0 b', '60000 cancel', '60000 stop', '120000 c'])
  })

  it('cancels go before creations, whenever they came', () => {
    const queue = queueOf('wait')
    for (const name of ['a', 'b', 'c', 'd']) submit(queue, name)
    runTo(30_000)
    submit(queue, 'cancel 1', 'cancel')
    submit(queue, 'cancel 2', 'cancel')
    runTo(200_000)
    expect(log).toEqual(['0 a', '0 b', '60000 cancel 1', '60000 cancel 2', '120000 c', '120000 d'])
  })

  it('nothing overtakes its own kind when a window opens before the timer', () => {
    const queue = queueOf('wait')
    for (const name of ['a', 'b', 'c']) submit(queue, name)
    // Market data of the moment at which the window opens comes before the timer that was set for it.
    events.schedule(60_000, EVENT_KIND.data, () => {
      submit(queue, 'd')
      submit(queue, 'cancel', 'cancel')
    })
    runTo(200_000)
    expect(log).toEqual(['0 a', '0 b', '60000 cancel', '60000 c', '120000 d'])
  })

  it('the general bucket is kept, too', () => {
    const queue = queueOf('wait', { general: 1, mutations: 30, windowSeconds: 1 })
    for (const name of ['a', 'b']) submit(queue, name)
    runTo(5_000)
    expect(log).toEqual(['0 a', '1000 b'])
  })

  it('what waits at the end is counted', () => {
    const queue = queueOf('wait')
    for (const name of ['a', 'b', 'c']) submit(queue, name)
    submit(queue, 'cancel', 'cancel')
    runTo(1_000)
    expect(queue.waiting).toBe(2)
  })
})

it('without limits everything is sent at once', () => {
  const queue = new RequestQueue({ limits: undefined, onLimit: 'refuse', now: () => 0, after: () => undefined })
  for (let sent = 0; sent < 1_000; sent += 1) submit(queue, String(sent))
  expect(log).toHaveLength(1_000)
})

it('never sends what the exchange would refuse, sends or refuses each request once, and keeps the order of a kind', () => {
  const reached = { waited: 0, refused: 0, 'cancel overtook': 0 }
  const request = fc.record({
    afterMs: fc.constantFrom(0, 0, 0, 1, 500, 1_000),
    urgency: fc.constantFrom(...URGENCIES),
  })
  fc.assert(
    fc.property(
      fc.array(request, { maxLength: 30, size: 'max' }),
      fc.constantFrom<OnLimit>('refuse', 'wait'),
      fc.record({
        general: fc.integer({ min: 1, max: 6 }),
        mutations: fc.integer({ min: 1, max: 4 }),
        windowSeconds: fc.constant(1),
      }),
      (requests, onLimit, limits) => {
        events = new EventQueue(0)
        const exchange = new RateBudget(limits)
        const queue = queueOf(onLimit, limits)
        const sent: number[] = []
        const refused: number[] = []
        requests.forEach(({ afterMs, urgency }, index) => {
          runTo(events.now() + afterMs)
          const send = (): void => {
            expect(exchange.takeMutation(events.now())).toBe(true)
            sent.push(index)
          }
          const before = sent.length
          queue.submit({ urgency, send, refuse: () => refused.push(index) })
          if (sent.length === before && onLimit === 'wait') reached.waited += 1
        })
        runTo(events.now() + 100_000)
        expect([...sent, ...refused].sort((a, b) => a - b)).toEqual(requests.map((_, index) => index))
        for (const kind of URGENCIES) {
          const ofKind = sent.filter((index) => requests[index]?.urgency === kind)
          expect(ofKind).toEqual([...ofKind].sort((a, b) => a - b))
        }
        if (onLimit === 'wait') expect(refused).toEqual([])
        reached.refused += refused.length
        if (sent.some((index, at) => index < (sent[at - 1] ?? -1))) reached['cancel overtook'] += 1
      },
    ),
    { numRuns: 300 },
  )
  for (const [corner, times] of Object.entries(reached)) expect(times, corner).toBeGreaterThan(0)
})
