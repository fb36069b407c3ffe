/**
 * Events on their way to a webhook: bundled, limited, counted when they are dropped, and never in anybody's way.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NumberedEvent } from '../../../src/runtime/live/live-event.ts'
import { Notifier, type PostOutcome } from '../../../src/runtime/live/notifier.ts'

interface Message {
  readonly at: number
  readonly dropped: number
  readonly unsaid: number
  readonly seqs: readonly number[]
}

const FAILED: PostOutcome = { type: 'failed', reason: 'answered 500', isRetryable: true }
const REFUSED: PostOutcome = { type: 'failed', reason: 'answered 404', isRetryable: false }
const LATER: PostOutcome = { ...FAILED, retryAfterMs: 3_000 }
const ACCEPTED: PostOutcome = { type: 'accepted' }

const fill = (seq: number, type: 'fill' | 'log' = 'fill'): NumberedEvent => {
  const common = { seq, time: seq, owner: 'grid' }
  if (type === 'log') return { ...common, type, message: 'hello' }
  return { ...common, type, symbol: 'BTC_USD', side: 'BUY', price: '1', qty: '1', orderId: 'o-1', tag: undefined }
}

/** Time by hand, and a webhook that answers when it is asked to. */
class World {
  now = 0
  readonly messages: Message[] = []
  readonly troubles: string[] = []
  /** What it answers next; it accepts when there is nothing, and says nothing at `never`. */
  readonly outcomes: (PostOutcome | 'never')[] = []
  readonly notifier: Notifier
  readonly #timers = new Map<number, { readonly at: number; readonly action: () => void }>()
  #nextTimer = 0

  constructor(perMinute = 30) {
    this.notifier = new Notifier({
      clocks: {
        monotonic: () => this.now,
        setTimer: (delayMs, action) => {
          const id = (this.#nextTimer += 1)
          this.#timers.set(id, { at: this.now + delayMs, action })
          return () => this.#timers.delete(id)
        },
      },
      post: async (body) => this.#onPost(body),
      onTrouble: (reason) => this.troubles.push(reason),
      types: new Set(['fill']),
      messageOf: (events, dropped, unsaid) => JSON.stringify({ dropped, unsaid, events }),
      maxInMessage: 100,
      perMinute,
    })
  }

  /** Lets time pass, and the promises between its events. */
  async pass(ms: number): Promise<void> {
    const until = this.now + ms
    for (;;) {
      await settled()
      const next = [...this.#timers].filter(([, { at }]) => at <= until).sort(([, a], [, b]) => a.at - b.at)[0]
      if (next === undefined) break
      const [id, { at, action }] = next
      this.#timers.delete(id)
      this.now = Math.max(this.now, at)
      action()
    }
    this.now = until
  }

  async #onPost(body: string): Promise<PostOutcome> {
    const message = JSON.parse(body) as { dropped: number; unsaid: number; events: { seq: number }[] }
    const { events, ...counts } = message
    this.messages.push({ at: this.now, ...counts, seqs: events.map(({ seq }) => seq) })
    const outcome = this.outcomes.shift() ?? ACCEPTED
    return outcome === 'never' ? new Promise(() => undefined) : Promise.resolve(outcome)
  }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) await Promise.resolve()
}

describe('the notifier', () => {
  it('sends what came within a second as one message, and leaves out what no one has to be reported', async () => {
    const world = new World()
    world.notifier.report(fill(1))
    await world.pass(500)
    world.notifier.report(fill(2, 'log'))
    world.notifier.report(fill(3))
    expect(world.messages).toEqual([])
    await world.pass(5_000)
    expect(world.messages).toEqual([{ at: 1_000, dropped: 0, unsaid: 0, seqs: [1, 3] }])
  })

  it('repeats a message once that may be accepted later, and reports once that it does not work', async () => {
    const world = new World()
    world.outcomes.push(FAILED, ACCEPTED, FAILED, FAILED, REFUSED)
    for (const seq of [1, 2, 3, 4]) {
      world.notifier.report(fill(seq))
      await world.pass(10_000)
    }
    expect(world.messages.map(({ seqs, dropped }) => [...seqs, dropped])).toEqual([
      [1, 0],
      [1, 0],
      [2, 0],
      [2, 0],
      [3, 1],
      [4, 2],
    ])
    expect(world.troubles).toEqual(['answered 500'])
    expect(world.notifier.dropped).toBe(2)
  })

  it('sends nothing before the time that the receiver names, then the same message', async () => {
    const world = new World()
    world.outcomes.push({ ...FAILED, retryAfterMs: 20_000 })
    world.notifier.report(fill(1))
    await world.pass(10_000)
    world.notifier.report(fill(2))
    await world.pass(20_000)
    expect(world.messages.map(({ at, seqs }) => [at, ...seqs])).toEqual([
      [1_000, 1],
      [21_000, 1],
      [22_000, 2],
    ])
    expect(world.troubles).toEqual([])
  })

  it('closes at its limit if the receiver wants the rest later', async () => {
    const world = new World()
    world.outcomes.push({ ...FAILED, retryAfterMs: 60_000 })
    world.notifier.report(fill(1))
    await world.pass(1_500)
    world.notifier.report(fill(2))
    const closed = world.notifier.close(5_000)
    await world.pass(5_000)
    await closed
    await world.pass(600_000)
    expect(world.messages).toHaveLength(1)
    expect([world.notifier.dropped, ...world.troubles]).toEqual([2, 'the last message was not delivered in 5 s'])
  })

  it.each`
    outcomes                                | at                       | why
    ${[{ ...FAILED, retryAfterMs: 3_000 }]} | ${[1_500, 4_500]}
    ${[FAILED, FAILED]}                     | ${[1_500, 3_500, 5_500]}
  `('repeats the last message while there is time: $why', async ({ outcomes, at }) => {
    const world = new World()
    await world.pass(1_000)
    world.outcomes.push(...(outcomes as PostOutcome[]))
    world.notifier.report(fill(1))
    await world.pass(500)
    const closed = world.notifier.close(5_000)
    await world.pass(5_000)
    await closed
    expect(world.messages.map((message) => message.at)).toEqual(at)
    expect([world.notifier.dropped, ...world.troubles]).toEqual([0])
  })

  it('sends a message after the close that was waiting for the receiver before', async () => {
    const world = new World()
    world.outcomes.push({ ...FAILED, retryAfterMs: 4_000 })
    world.notifier.report(fill(1))
    await world.pass(2_000)
    world.notifier.report(fill(2))
    const closed = world.notifier.close(5_000)
    await world.pass(5_000)
    await closed
    expect(world.messages.map(({ at, seqs }) => [at, ...seqs])).toEqual([
      [1_000, 1],
      [5_000, 1, 2],
    ])
    expect([world.notifier.dropped, ...world.troubles]).toEqual([0])
  })

  it('waits for one message before the next, and drops the oldest when too many wait', async () => {
    const world = new World()
    world.outcomes.push('never')
    world.notifier.report(fill(1))
    await world.pass(2_000)
    for (let seq = 2; seq <= 1_003; seq += 1) world.notifier.report(fill(seq))
    await world.pass(600_000)
    expect(world.messages).toHaveLength(1)
    expect(world.notifier.dropped).toBe(2)
  })

  it('sends what is left when it closes, without the pause of a second attempt', async () => {
    const world = new World(1)
    world.outcomes.push(FAILED)
    world.notifier.report(fill(1))
    await world.pass(1_500)
    world.notifier.report(fill(2))
    const closed = world.notifier.close(5_000)
    world.notifier.report(fill(3))
    await closed
    expect(world.messages.map(({ at, seqs }) => [at, ...seqs])).toEqual([
      [1_000, 1],
      [1_500, 1],
      [1_500, 2],
    ])
  })

  it('closes in bounded time when no one answers', async () => {
    const world = new World()
    world.outcomes.push('never')
    world.notifier.report(fill(1))
    let isClosed = false
    const closed = world.notifier.close(5_000).then(() => {
      isClosed = true
    })
    await world.pass(4_999)
    expect(isClosed).toBe(false)
    await world.pass(1)
    await closed
    expect(isClosed).toBe(true)
    expect([world.notifier.dropped, ...world.troubles]).toEqual([1, 'the last message was not delivered in 5 s'])
  })

  it('counts what was dropped in each message until one is accepted', async () => {
    const world = new World()
    world.outcomes.push(REFUSED, REFUSED)
    for (const seq of [1, 2, 3, 4]) {
      world.notifier.report(fill(seq))
      await world.pass(10_000)
    }
    expect(world.messages.map(({ unsaid }) => unsaid)).toEqual([0, 1, 2, 0])
  })

  it('accounts for every event, in a message that was accepted or as dropped, and keeps to its limit', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(8_000), fc.nat(150)), { maxLength: 30 }),
        fc.array(fc.constantFrom(ACCEPTED, FAILED, REFUSED, LATER), { maxLength: 30 }),
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        async (script, outcomes, perMinute, isClosing) => {
          const world = new World(perMinute)
          world.outcomes.push(...outcomes)
          let seq = 0
          for (const [ms, count] of script) {
            for (let each = 0; each < count; each += 1) world.notifier.report(fill((seq += 1)))
            await world.pass(ms)
          }
          const closed = isClosing ? world.notifier.close(5_000) : undefined
          await world.pass(3_600_000)
          await closed
          const reported = world.messages.map((message, index) => ({ message, outcome: outcomes[index] ?? ACCEPTED }))
          const accepted = reported.flatMap(({ message, outcome }) => (outcome.type === 'accepted' ? message.seqs : []))
          expect(new Set(accepted).size).toBe(accepted.length)
          expect([...accepted]).toEqual([...accepted].sort((a, b) => a - b))
          expect(accepted.length + world.notifier.dropped).toBe(seq)
          for (const { at } of isClosing ? [] : world.messages) {
            const inMinute = world.messages.filter((other) => other.at > at - 60_000 && other.at <= at)
            expect(inMinute.length).toBeLessThanOrEqual(perMinute)
          }
        },
      ),
      { numRuns: 100 },
    ))
})
