import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ClientBudget } from '../../../../src/adapter/live/rest/client-budget.ts'
import { MutationQueue } from '../../../../src/adapter/live/rest/mutation-queue.ts'
import { ServiceClient } from '../../../../src/adapter/live/rest/service-client.ts'
import type { OrderRequest } from '../../../../src/domain/order.ts'
import { DEFAULT_RATE_LIMITS } from '../../../../src/domain/rate-window.ts'
import { runs } from '../../../property/property.ts'
import { FakeLiveTime } from '../rig/fake-live-time.ts'
import { LimitedService, type LimitedServiceOptions } from '../rig/limited-service.ts'

const REQUEST: OrderRequest = { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: 10050, qty: 50_000_000 }
const MINUTES = 10

interface Workload extends Pick<LimitedServiceOptions, 'latencyMs' | 'lost' | 'headers'> {
  readonly strategies: number
  /** From an order's acknowledgement at `now`, in milliseconds from the start, to the wish to cancel it. */
  readonly holdMs: (now: number) => number
  /** Reads a second that are asked for. */
  readonly polls: number
  readonly random: () => number
  /** Whether the budget is reported of open orders. */
  readonly isReportedOpen?: boolean
  readonly minutes?: number
}

/** A generator of numbers in [0, 1). */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Strategies of one key that create and cancel as fast as they may. */
async function simulate(workload: Workload) {
  const {
    strategies,
    holdMs,
    polls,
    random,
    latencyMs,
    lost,
    headers,
    isReportedOpen = true,
    minutes = MINUTES,
  } = workload
  const time = new FakeLiveTime()
  const service = new LimitedService({ time, limits: DEFAULT_RATE_LIMITS, random, latencyMs, lost, headers })
  const { transport } = service
  let open = 0
  const budget = new ClientBudget({ time, ...(isReportedOpen && { openOrders: () => open }) })
  const client = new ServiceClient({ transport, budget, time, random })
  const queue = new MutationQueue({ time, budget })
  const waited = { cancels: 0, creates: 0 }
  await time.until(client.markets())

  const create = (): void => {
    const since = time.monotonic()
    const send = (): boolean => {
      waited.creates = Math.max(waited.creates, time.monotonic() - since)
      open += 1
      void client.create(REQUEST).then((answer) => {
        if (answer.type === 'created') time.after(holdMs(time.monotonic()), () => cancel(answer.order.id))
        else {
          open -= 1
          time.after(1_000, create)
        }
      })
      return true
    }
    queue.submit({ urgency: 'entry', onLimit: 'wait', send, refuse: () => undefined })
  }
  const cancel = (orderId: string): void => {
    const since = time.monotonic()
    const send = (): boolean => {
      waited.cancels = Math.max(waited.cancels, time.monotonic() - since)
      void client.cancel(orderId).then(() => {
        open -= 1
        time.enter(create)
      })
      return true
    }
    queue.submit({ urgency: 'cancel', onLimit: 'wait', send, refuse: () => undefined })
  }
  const poll = (): void => {
    client.balances(random() < 0.1 ? 'settle' : 'poll').catch(() => undefined)
    time.after(1000 / polls, poll)
  }
  for (let index = 0; index < strategies; index += 1) time.after(random() * 100, create)
  if (polls > 0) poll()
  await time.pass(minutes * 60_000)
  return { service, waited, open }
}

describe('20 strategies on one key that create and cancel as fast as they may', () => {
  it.each`
    hold                                                  | why
    ${() => () => 0}                                      | ${'at once'}
    ${(random: () => number) => () => random() * 3_000}   | ${'after some seconds'}
    ${(random: () => number) => () => random() * 150_000} | ${'after up to some windows'}
  `('are never refused, and no cancel waits for a creation, when they cancel $why', async ({ hold }) => {
    const random = seeded(1)
    const workload = { strategies: 20, holdMs: hold(random), polls: 15, random, latencyMs: 200, lost: 0 } as const
    const { service, waited } = await simulate({ ...workload, headers: 'draft' })
    expect(service.refusals).toBe(0)
    expect(waited.cancels).toBeLessThan(2_000)
    // The limit was reached, and most of it used.
    expect(waited.creates).toBeGreaterThan(10_000)
    expect(service.creates + service.cancels).toBeGreaterThan(0.5 * MINUTES * DEFAULT_RATE_LIMITS.mutations)
    expect(service.reads).toBeGreaterThan(0.8 * MINUTES * 510)
  })

  it('are never refused, whatever the latency, the headers, and what is lost', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer(),
        fc.constantFrom(0, 20, 500, 4_000),
        fc.constantFrom(0, 0.02, 0.1),
        fc.constantFrom('draft' as const, 'none' as const),
        fc.constantFrom(0, 1_000, 20_000, 150_000),
        fc.boolean(),
        async (seed, latencyMs, lost, headers, hold, isReportedOpen) => {
          const random = seeded(seed)
          const holdMs = (): number => random() * hold
          const workload = {
            strategies: 20,
            polls: 12,
            random,
            latencyMs,
            lost,
            headers,
            holdMs,
            isReportedOpen,
            minutes: 4,
          }
          const { service, waited } = await simulate(workload)
          expect(service.refusals).toBe(0)
          // A cancel that is repeated takes more than its creation left for it.
          if (lost === 0 && isReportedOpen) expect(waited.cancels).toBeLessThan(2_000)
        },
      ),
      { numRuns: runs(12) },
    ))
})

describe('a key with more open orders than its budget has cancels', () => {
  it('is never refused either, and its last cancel waits for a window', async () => {
    const random = seeded(2)
    const holdMs = (now: number): number => Math.max(0, 480_000 - now)
    const workload = { strategies: 60, polls: 0, random, latencyMs: 200, lost: 0, headers: 'draft', holdMs } as const
    const { service, waited } = await simulate(workload)
    expect(service.refusals).toBe(0)
    expect(waited.cancels).toBeGreaterThan(2_000)
    expect(waited.cancels).toBeLessThan(3 * 61_000)
  })
})
