import { afterEach, describe, expect, it } from 'vitest'
import { DEFAULT_RATE_LIMITS } from '../../../src/domain/rate-window.ts'
import type { ExchangeAdapter } from '../../../src/adapter/exchange-adapter.ts'
import { MINUTE_MS } from '../../../src/domain/time.ts'
import { limit } from '../../contract/adapter/contract-stage.ts'
import { Chance } from '../../exchange/rig/chance.ts'
import { openEmulatorStage, type EmulatorStage } from './rig/emulator-stage.ts'

const STRATEGIES = 20
const MINUTES = 10
/** From one trade of others to the next. */
const TRADE_EVERY_MS = 15_000

interface Waits {
  /** When a cancel was asked for that was not sent yet, by order. */
  readonly cancelsAskedAt: Map<string, number>
  longestCancelMs: number
  cancels: number
  /** Creations that were asked for and not sent. */
  creates: number
  /** Cancels that were asked for while creations waited. */
  cancelsBesideCreates: number
}

let stage: EmulatorStage | undefined
afterEach(async () => stage?.close())

/** Places an order, lets it rest, cancels it, and begins again, for ever. */
function trade(adapter: ExchangeAdapter, chance: Chance, waits: Waits): void {
  let reference = 0
  const after = (mostMs: number, action: () => void): void => {
    adapter.after(chance.below(mostMs), action)
  }
  const place = (): void => {
    reference += 1
    waits.creates += 1
    adapter.place({ request: limit('BUY', chance.between(10, 40), chance.between(1, 5)), reference }, (outcome) => {
      if (outcome.type === 'acknowledged') after(45_000, () => cancel(outcome.order.id))
      else after(5_000, place)
    })
  }
  const cancel = (id: string): void => {
    waits.cancelsAskedAt.set(id, adapter.now())
    if (waits.creates > 0) waits.cancelsBesideCreates += 1
    adapter.cancel(id, () => {
      // Also of one that was filled meanwhile, which is not sent.
      waits.cancelsAskedAt.delete(id)
      after(10_000, place)
    })
  }
  after(10_000, place)
}

describe(`${STRATEGIES} strategies on one key, ${MINUTES} minutes, at the limits of the specification`, () => {
  it('meet no 429, and no cancel waits for the budget behind creations', async () => {
    const statuses: number[] = []
    const waits: Waits = {
      cancelsAskedAt: new Map(),
      longestCancelMs: 0,
      cancels: 0,
      creates: 0,
      cancelsBesideCreates: 0,
    }
    const opened = await openEmulatorStage({
      limits: DEFAULT_RATE_LIMITS,
      others: Array.from({ length: STRATEGIES - 1 }, (_, index) => `strategy-${index}`),
      onAnswer: ({ status }) => statuses.push(status),
      onRequest: ({ method, path }, now) => {
        if (method === 'POST') waits.creates -= 1
        const askedAt = waits.cancelsAskedAt.get(path.slice('/orders/'.length))
        if (method !== 'DELETE' || askedAt === undefined) return
        waits.cancelsAskedAt.delete(path.slice('/orders/'.length))
        waits.cancels += 1
        waits.longestCancelMs = Math.max(waits.longestCancelMs, now - askedAt)
      },
    })
    stage = opened
    const chance = new Chance(1)
    for (const adapter of [opened.adapter, ...opened.others]) trade(adapter, chance, waits)
    for (let ms = 0; ms < MINUTES * MINUTE_MS; ms += TRADE_EVERY_MS) {
      await opened.otherPlaces(limit('SELL', chance.between(20, 45), chance.between(1, 3)))
      await opened.pass(TRADE_EVERY_MS)
    }
    expect(statuses.filter((status) => status === 429)).toEqual([])
    expect(waits.longestCancelMs).toBeLessThan(2_000)
    expect(waits.cancelsAskedAt).toEqual(new Map())
    // The budget was what held them up.
    expect(waits.cancelsBesideCreates).toBeGreaterThan(50)
    expect(waits.cancels).toBeGreaterThan(80)
  })
})
