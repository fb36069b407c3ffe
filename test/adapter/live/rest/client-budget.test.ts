import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ClientBudget } from '../../../../src/adapter/live/rest/client-budget.ts'
import type { RestAnswer } from '../../../../src/adapter/live/rest/rest-transport.ts'
import { SentLog } from '../../../../src/adapter/live/rest/sent-log.ts'
import type { Urgency } from '../../../../src/domain/waiting-requests.ts'
import { FakeLiveTime } from '../rig/fake-live-time.ts'
import { NO_ANSWER, refused, whole } from '../rig/manual-transport.ts'

const WINDOW = 60_000

function rig(limits = { general: 600, mutations: 30, windowSeconds: 60 }, openOrders?: () => number) {
  const time = new FakeLiveTime()
  const budget = new ClientBudget({ time, limits, ...(openOrders !== undefined && { openOrders }) })
  const take = (urgency: Urgency, most = 1000): number => {
    let taken = 0
    while (taken < most && budget.takeMutation(urgency)) taken += 1
    return taken
  }
  const answer = (kind: 'read' | 'create' | 'cancel', count: number, given: RestAnswer = whole(200)): void => {
    for (let index = 0; index < count; index += 1) budget.onAnswer(kind, given)
  }
  /** Of so many reads, those that are let through at once. */
  const reads = async (purpose: 'settle' | 'poll', count: number): Promise<number> => {
    let through = 0
    for (let index = 0; index < count; index += 1)
      budget.read(purpose).then(
        () => (through += 1),
        () => undefined,
      )
    await time.pass(0)
    return through
  }
  return { time, budget, take, answer, reads }
}

describe('requests that count', () => {
  it('never let a window of the service hold more than the limit, whatever its phase and their latencies', () => {
    let full = 0
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 300 }), fc.nat(300)), {
          minLength: 20,
          maxLength: 60,
        }),
        (limit, requests) => {
          const log = new SentLog()
          const arrivals: number[] = []
          const answers: number[] = []
          let now = 0
          for (const [pause, there, back] of requests) {
            now += pause
            for (const at of answers.filter((each) => each <= now).toSorted((a, b) => a - b)) {
              log.answer(at)
              answers.splice(answers.indexOf(at), 1)
            }
            if (log.used(now, 1000) >= limit) continue
            log.send()
            arrivals.push(now + there)
            answers.push(now + there + back)
          }
          for (const from of arrivals) {
            const inWindow = arrivals.filter((at) => at >= from && at < from + 1000).length
            expect(inWindow).toBeLessThanOrEqual(limit)
            if (inWindow === limit) full += 1
          }
        },
      ),
    )
    expect(full).toBeGreaterThan(0)
  })

  it('count for a window after the answer, and not before it ends', async () => {
    const { time, budget, take, answer } = rig()
    expect(take('cancel')).toBe(30)
    await time.pass(5 * WINDOW)
    expect(take('cancel')).toBe(0)
    answer('cancel', 30)
    await time.pass(WINDOW)
    expect(take('cancel')).toBe(0)
    expect(budget.mutationAllowedInMs('cancel')).toBe(100)
    await time.pass(100)
    expect(budget.mutationAllowedInMs('cancel')).toBe(0)
    expect(take('cancel')).toBe(30)
  })

  it('are asked for again when a place may be free, whatever else is over by then', async () => {
    const { time, budget, take, answer, reads } = rig()
    expect(await reads('poll', 5)).toBe(5)
    answer('read', 5)
    await time.pass(WINDOW / 2)
    take('cancel')
    answer('cancel', 30)
    await time.pass(WINDOW / 2 + 5_000)
    expect(budget.mutationAllowedInMs('cancel')).toBe(WINDOW / 2 + 100 - 5_000)
  })

  it('count longer when no one answered, and not at all when they never left', async () => {
    const { time, take, answer } = rig()
    take('cancel')
    answer('cancel', 15, NO_ANSWER)
    answer('cancel', 15, { type: 'no-answer', reason: 'refused', isUnsent: true })
    expect(take('cancel')).toBe(15)
    answer('cancel', 15)
    await time.pass(WINDOW + 100)
    expect(take('cancel')).toBe(15)
    answer('cancel', 15)
    await time.pass(10_000)
    expect(take('cancel')).toBe(15)
  })

  it('do not count when they are given back', () => {
    const { budget, take } = rig()
    expect(take('cancel')).toBe(30)
    budget.giveBackMutation('cancel')
    expect(take('cancel')).toBe(1)
  })

  it('of a process before this one count from when they had arrived', async () => {
    const { time, budget, take } = rig()
    budget.assumeSent([...Array<number>(20).fill(WINDOW - 10_000), ...Array<number>(5).fill(0)])
    expect(budget.snapshot()).toMatchObject({ general: { remaining: 550 }, mutations: { remaining: 5 } })
    expect(take('cancel')).toBe(5)
    await time.pass(10_100)
    expect(take('cancel')).toBe(20)
  })
})

describe('the part that is kept', () => {
  it('for cancels is never less than a third of the limit', () => {
    const { take } = rig(undefined, () => 0)
    expect(take('entry')).toBe(20)
    expect(take('cancel')).toBe(10)
  })

  it('for cancels is the open orders, up to two thirds', () => {
    let open = 0
    const { budget } = rig(undefined, () => open)
    while (budget.takeMutation('entry')) open += 1
    expect(open).toBe(15)
    const many = rig(undefined, () => 100)
    expect(many.take('entry')).toBe(10)
    expect(many.take('cancel')).toBe(20)
  })

  it('for cancels is a third before an order that closes a position, and nothing in a window that an end outlasts', () => {
    const { take } = rig(undefined, () => 100)
    expect(take('entry')).toBe(10)
    expect(take('exit')).toBe(10)
    expect(take('cancel')).toBe(10)
    const busy = rig(undefined, () => 100)
    expect(busy.take('cancel', 10)).toBe(10)
    expect(busy.take('exit')).toBe(10)
    expect(busy.take('cancel')).toBe(10)
    const short = rig({ general: 600, mutations: 30, windowSeconds: 10 }, () => 100)
    expect(short.take('entry')).toBe(20)
    expect(short.take('exit')).toBe(10)
    expect(short.take('cancel')).toBe(0)
  })

  it('for cancels falls to a third when the recent windows needed few, and rises with need', async () => {
    const { time, take, answer } = rig(undefined, () => 100)
    await time.pass(5 * WINDOW + 1)
    expect(take('entry')).toBe(20)
    answer('create', 20)
    await time.pass(WINDOW + 100)
    expect(take('cancel', 8)).toBe(8)
    answer('cancel', 8)
    await time.pass(WINDOW + 100)
    expect(take('entry')).toBe(30 - 16)
  })

  it('for cancels is a third in a window of ten seconds or less, however many orders are open', async () => {
    const short = rig({ general: 200, mutations: 20, windowSeconds: 10 }, () => 8)
    expect(short.take('entry')).toBe(14)
    expect(short.take('cancel')).toBe(6)
    short.answer('create', 14)
    short.answer('cancel', 6)
    await short.time.pass(10_100)
    expect(short.take('cancel')).toBe(20)
    expect(rig({ general: 200, mutations: 20, windowSeconds: 11 }, () => 12).take('entry')).toBe(7)
  })

  it('for settling is a tenth, beside what mutations may still need', async () => {
    const { take, reads } = rig()
    expect(await reads('poll', 600)).toBe(600 - 60 - 30)
    expect(take('cancel', 1)).toBe(1)
    expect(await reads('settle', 600)).toBe(600 - 510 - 1 - 9)
    expect(take('entry')).toBe(0)
    expect(take('cancel', 9)).toBe(9)
  })

  it('is in proportion for other limits, and leaves something for every kind however small they are', async () => {
    for (const general of [1, 2, 3, 7, 40]) {
      for (const mutations of [1, 2, 3, 5]) {
        const limits = { general, mutations, windowSeconds: 60 }
        expect(rig(limits, () => 0).take('entry')).toBeGreaterThan(0)
        expect(rig(limits, () => 50).take('cancel')).toBeGreaterThan(0)
        expect(await rig(limits).reads('poll', 1)).toBe(1)
        expect(await rig(limits).reads('settle', 1)).toBe(1)
      }
    }
  })
})

describe('reads that wait', () => {
  it('are let through when others count no longer, settling first', async () => {
    const { time, budget, reads, answer } = rig({ general: 10, mutations: 1, windowSeconds: 60 })
    expect(await reads('settle', 10)).toBe(10)
    const order: string[] = []
    void budget.read('poll').then(() => order.push('poll'))
    for (let index = 0; index < 10; index += 1) void budget.read('settle').then(() => order.push('settle'))
    answer('read', 10)
    await time.pass(WINDOW + 100)
    expect(order).toEqual(Array.from({ length: 10 }, () => 'settle'))
    answer('read', 10)
    await time.pass(WINDOW + 100)
    expect(order.at(-1)).toBe('poll')
  })

  it('are rejected when the budget is closed, as are later ones', async () => {
    const { budget } = rig({ general: 1, mutations: 1, windowSeconds: 60 })
    await budget.read('settle')
    const waiting = budget.read('poll')
    budget.close()
    await expect(waiting).rejects.toMatchObject({ code: 'NO_ANSWER' })
    await expect(budget.read('settle')).rejects.toMatchObject({ code: 'NO_ANSWER' })
  })
})

describe('headers of the service', () => {
  it('a cancel at an end is tried when its window stays full for long, although reads leave theirs', async () => {
    const { budget, time, take, answer, reads } = rig()
    expect(await reads('poll', 1)).toBe(1)
    answer('read', 1, refused(503, 'ENGINE_UNAVAILABLE', {}))
    await time.pass(WINDOW - 1_000)
    const used = take('cancel', 100)
    answer('cancel', used, refused(503, 'ENGINE_UNAVAILABLE', {}))
    expect(take('cancel')).toBe(0)
    budget.tryHeld(30_000)
    expect(take('cancel')).toBe(1)
    expect(take('cancel')).toBe(0)
  })

  it('without a readable time the wait doubles with each in a row, up to the window', () => {
    const { answer, budget } = rig()
    const waits = Array.from({ length: 7 }, () => {
      answer('create', 1, refused(429, 'RATE_LIMITED', {}))
      return budget.mutationAllowedInMs('entry')
    })
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, WINDOW, WINDOW])
  })

  it.each`
    headers                                                                                                                           | why
    ${{ 'ratelimit-policy': '"general";q=600;w=60, "mutations";q=30;w=60', ratelimit: '"general";r=599;t=42, "mutations";r=4;t=42' }} | ${'structured fields'}
    ${{ ratelimit: '"general";r=599;t=42, "mutations";r=4;t=42' }}                                                                    | ${'structured fields without a policy'}
    ${{ 'ratelimit-policy': '30;w=60', ratelimit: 'limit=30, remaining=4, reset=42' }}                                                | ${'the older draft'}
    ${{ 'ratelimit-limit': '30, 30;w=60', 'ratelimit-remaining': '4', 'ratelimit-reset': '42' }}                                      | ${'a triple'}
    ${{ 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': '4', 'x-ratelimit-reset': '42' }}                                         | ${'a triple of old'}
    ${{ 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': '4', 'x-ratelimit-reset': '1704067242' }}                                 | ${'a triple with a moment'}
  `('report of requests that are not ours: $why', async ({ headers }) => {
    const { time, take, answer } = rig()
    expect(take('cancel', 1)).toBe(1)
    answer('cancel', 1, whole(200, {}, headers))
    expect(take('cancel')).toBe(4)
    answer('cancel', 4)
    await time.pass(43_000)
    expect(take('cancel')).toBe(25)
  })

  it.each([
    {},
    { ratelimit: '' },
    { ratelimit: '"general";r=;t=x, ;;;' },
    { 'ratelimit-policy': '"mutations";q=0;w=0' },
    { 'ratelimit-policy': '"mutations";q=-5;w=1e9' },
    { 'ratelimit-limit': 'many', 'ratelimit-remaining': 'few' },
    { 'ratelimit-policy': '"'.repeat(1000) },
    { 'retry-after': 'soon' },
  ])('that say nothing change nothing: %j', (headers) => {
    const { take, answer } = rig()
    take('cancel', 1)
    answer('cancel', 1, whole(200, {}, headers))
    expect(take('cancel')).toBe(29)
  })

  it('teach other limits', () => {
    const { budget, answer, take } = rig()
    answer('create', 1, whole(201, {}, { 'ratelimit-policy': '"general";q=100;w=10, "mutations";q=60;w=10' }))
    expect(budget.snapshot()).toMatchObject({ general: { limit: 100 }, mutations: { limit: 60 } })
    expect(take('cancel')).toBe(59)
  })

  it('of a read are of the general bucket', () => {
    const { budget, answer } = rig()
    answer('read', 1, whole(200, {}, { 'x-ratelimit-limit': '300', 'x-ratelimit-remaining': '200' }))
    expect(budget.snapshot()).toMatchObject({ general: { limit: 300, remaining: 200 }, mutations: { remaining: 30 } })
  })
})

describe('after a 429', () => {
  it('to a mutation no mutation goes before Retry-After, and reads go on', async () => {
    const { time, budget, take, answer, reads } = rig()
    take('entry', 1)
    answer('create', 1, refused(429, 'RATE_LIMITED', { 'retry-after': '17' }))
    expect(budget.mutationAllowedInMs('cancel')).toBe(17_000)
    expect(budget.snapshot().mutations.remaining).toBe(0)
    expect(await reads('poll', 3)).toBe(3)
    await time.pass(16_999)
    expect(take('cancel')).toBe(0)
    await time.pass(1)
    expect(take('cancel', 5)).toBe(5)
  })

  it('to a read nothing of the key goes before Retry-After', async () => {
    const { time, budget, take, answer, reads } = rig()
    expect(await reads('poll', 1)).toBe(1)
    answer('read', 1, refused(429, 'RATE_LIMITED', { 'retry-after': '17' }))
    let isThrough = false
    void budget.read('settle').then(() => (isThrough = true))
    expect(take('cancel')).toBe(0)
    await time.pass(16_999)
    expect(isThrough).toBe(false)
    await time.pass(2)
    expect(isThrough).toBe(true)
  })

  it.each`
    headers                                                                                      | ms
    ${{}}                                                                                        | ${2_000}
    ${{ ratelimit: '"general";r=9;t=5, "mutations";r=0;t=42' }}                                  | ${42_000}
    ${{ 'retry-after': 'Mon, 01 Jan 2024 00:00:30 GMT', date: 'Mon, 01 Jan 2024 00:00:10 GMT' }} | ${20_000}
    ${{ 'retry-after': '99999999999' }}                                                          | ${86_400_000}
  `('it waits $ms ms by $headers', ({ headers, ms }) => {
    const { budget, take, answer } = rig()
    take('cancel', 1)
    answer('cancel', 1, refused(429, 'RATE_LIMITED', headers))
    expect(budget.mutationAllowedInMs('cancel')).toBe(ms)
  })

  it('cancels are tried while a session ends, and wait again for the sessions that go on', () => {
    const { budget, take, answer } = rig()
    take('entry', 1)
    answer('create', 1, refused(429, 'RATE_LIMITED', { 'retry-after': '17' }))
    const endTries = budget.tryHeld(30_000)
    expect(take('cancel')).toBe(1)
    answer('cancel', 1, refused(429, 'RATE_LIMITED', { 'retry-after': '17' }))
    endTries()
    expect(budget.mutationAllowedInMs('cancel')).toBe(17_000)
    budget.tryHeld(30_000)
    expect(take('cancel')).toBe(1)
  })

  it('a cancel that had left before the refusal of another, and is let through behind it, ends no hold', async () => {
    const { time, budget, take, answer } = rig()
    take('entry', 1)
    answer('create', 1, refused(429, 'RATE_LIMITED', { 'retry-after': '3600' }))
    budget.tryHeld(30_000)
    expect(take('cancel')).toBe(1)
    await time.pass(1)
    answer('create', 1, refused(429, 'RATE_LIMITED', { 'retry-after': '3600' }))
    answer('cancel', 1, { type: 'answer', status: 200, headers: {}, body: '{}' })
    expect(take('cancel')).toBe(0)
    await time.pass(4_000)
    expect(take('cancel')).toBe(1)
    answer('cancel', 1, { type: 'answer', status: 200, headers: {}, body: '{}' })
    expect(take('cancel', 3)).toBe(3)
  })

  it.each`
    retryAfter | withinMs  | tries                     | why
    ${6}       | ${30_000} | ${[]}                     | ${'a short one is kept'}
    ${6}       | ${5_000}  | ${[0, 4]}                 | ${'not when the end is over before'}
    ${3600}    | ${30_000} | ${[0, 4, 12, 24]}         | ${'a long one is tried ever more rarely, and once more before the end'}
    ${3600}    | ${90_000} | ${[0, 4, 12, 28, 60, 84]} | ${'the same in a long end'}
  `('an end of $withinMs ms and Retry-After: $retryAfter: $why', async ({ retryAfter, withinMs, tries }) => {
    const { time, budget, take, answer } = rig()
    take('entry', 1)
    answer('create', 1, refused(429, 'RATE_LIMITED', { 'retry-after': String(retryAfter) }))
    budget.tryHeld(withinMs as number)
    const tried: number[] = []
    const seconds = Math.min(withinMs as number, 1_000 * (retryAfter as number)) / 1_000
    for (let second = 0; second < seconds; second += 1) {
      if (take('cancel') > 0) {
        tried.push(second)
        answer('cancel', 1, refused(429, 'RATE_LIMITED', { 'retry-after': String((retryAfter as number) - second) }))
      }
      await time.pass(1_000)
    }
    expect(tried).toEqual(tries)
  })

  it('of the general bucket to a mutation, reads wait as well', async () => {
    const { take, answer, reads } = rig()
    take('cancel', 1)
    answer('cancel', 1, refused(429, 'RATE_LIMITED', { ratelimit: '"general";r=0;t=42, "mutations";r=5;t=42' }))
    expect(await reads('settle', 1)).toBe(0)
  })
})
