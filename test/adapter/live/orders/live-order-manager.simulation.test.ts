/**
 * The laws of reconcile over seeded scripts: `SCRIPTS=10000 npx vitest run
 * test/adapter/live/orders/live-order-manager.simulation.test.ts` plays as many as are asked for, `SEED=157` that one
 * alone.
 */
import { describe, expect, it } from 'vitest'
import { ManagerStage, type ManagerStageOptions } from '../rig/manager-stage.ts'
import { brokenLaws, runScript, type ScriptResult } from '../rig/manager-script.ts'

const SCRIPTS = Number(process.env.SCRIPTS ?? 1_000)
const SEED = Number(process.env.SEED ?? 0)
const SEEDS = SEED > 0 ? [SEED] : Array.from({ length: SCRIPTS }, (_, index) => index + 1)
const LONG = 1_200_000

async function failures(count: number, options: Partial<ManagerStageOptions>): Promise<readonly ScriptResult[]> {
  const results: ScriptResult[] = []
  for (let seed = 1; seed <= count; seed += 1) results.push(await runScript(seed, options))
  return results.filter(({ broken }) => broken.length > 0)
}

describe('scripts of 20 orders before a service that loses answers and executes late', () => {
  it(
    'leave one order an intent at most, none lost, none without an owner, all settled within 60 s',
    async () => {
      const ends: Record<string, number> = {}
      for (const seed of SEEDS) {
        const result = await runScript(seed)
        const repeat = `SEED=${seed} npx vitest run test/adapter/live/orders/live-order-manager.simulation.test.ts`
        if (result.broken.length > 0) throw new Error(`${result.broken.join('; ')}\nrepeat: ${repeat}`)
        for (const [end, count] of Object.entries(result.ends)) ends[end] = (ends[end] ?? 0) + count
      }
      if (SEED > 0) return
      // Every way out is reached often.
      for (const end of ['order', 'adopted', 'absent', 'refused']) expect(ends[end]).toBeGreaterThan(SCRIPTS / 2)
    },
    LONG,
  )

  it('fail when a request without an answer is sent again', async () => {
    const broken = await failures(20, { isResending: true })
    expect(broken.length).toBeGreaterThan(10)
    expect(broken.some(({ broken: laws }) => laws.some((law) => law.includes('POSTs')))).toBe(true)
  })

  it('fail when nothing is waited for', async () => {
    expect((await failures(20, { settleMs: 0, holdMs: 0, latestMs: 20_000 })).length).toBeGreaterThan(10)
  })
})

describe('orders that come later than the settle time', () => {
  it('are distinguished, each is adopted once, and their market is halted', async () => {
    let lateOrders = 0
    for (let seed = 1; seed <= 100; seed += 1) {
      const stage = new ManagerStage({ seed })
      await stage.begin()
      stage.service.faults = { ...stage.service.faults, share: 1, latestMs: 0 }
      const placed = stage.place({ symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: 99, qty: 1 + (seed % 3) })
      // Its answer is lost, and it is not executed; all reads work.
      await stage.pass(100)
      stage.service.faults = { ...stage.service.faults, share: 0 }
      await stage.pass(60_000)
      if (placed.reported.at(-1) !== 'absent') continue
      lateOrders += 1
      const lateOrder = stage.service.execute(placed.request, 0)
      await stage.pass(12_000)
      expect(placed.reported.at(-1)).toBe(`adopted ${lateOrder.id}`)
      expect(stage.manager.blockedMarkets.of('BTC_USD')?.why).toBe('GHOST')
      const refused = stage.place({ symbol: 'BTC_USD', side: 'SELL', type: 'LIMIT', price: 200, qty: 1 })
      await stage.pass(100)
      expect(refused.reported).toEqual(['refused ORDER_REJECTED'])
      expect(stage.manager.reconciliations.resume('BTC_USD')).toBeUndefined()
      await stage.pass(40_000)
      expect(brokenLaws(stage)).toEqual([])
    }
    expect(lateOrders).toBeGreaterThan(20)
  })
})

describe('more orders than intents', () => {
  it('halts their market in each of 200 cases, and touches none of them', async () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const stage = new ManagerStage({ seed })
      await stage.begin()
      const request = { symbol: 'BTC_USD', side: 'SELL', type: 'LIMIT', price: 101, qty: 1 + (seed % 4) } as const
      stage.service.faults = { ...stage.service.faults, share: 1, latestMs: 25_000, pageCap: seed % 2 === 0 ? 7 : 500 }
      const placed = stage.place(request)
      await stage.pass(50)
      stage.service.faults = { ...stage.service.faults, share: 0 }
      const foreignOrders = Array.from({ length: 2 + (seed % 3) }, () => stage.service.execute(request))
      await stage.pass(75_000)
      expect([seed, placed.reported]).toEqual([seed, ['unknown', 'ambiguous']])
      expect(stage.manager.blockedMarkets.of('BTC_USD')?.why).toBe('AMBIGUOUS')
      const ids = new Set(foreignOrders.map(({ id }) => id))
      const touched = stage.service.served.filter(({ order }) => ids.has(order.id) && order.status === 'CANCELLED')
      expect(touched).toEqual([])
    }
  })
})
