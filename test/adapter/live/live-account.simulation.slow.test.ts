import { describe, expect, it } from 'vitest'
import { isOpen, type OrderRequest } from '../../../src/domain/order.ts'
import type { OwnFill } from '../../../src/strategy/own-order.ts'
import { seededRandom } from '../../../src/runtime/strategies/seeded-random.ts'
import { AccountStage, MARKETS, SYMBOL } from './rig/account-stage.ts'
import { FakeLiveTime } from './rig/fake-live-time.ts'
import { FaultyService } from './rig/faulty-service.ts'
import { MemoryIntentStore } from '../../../src/adapter/live/orders/memory-intent-store.ts'

const LIVES = 4
const ORDERS_A_LIFE = 6

function drawn(random: () => number): OrderRequest {
  const side = random() < 0.5 ? 'BUY' : 'SELL'
  const qty = 1 + Math.floor(random() * 3)
  return { symbol: SYMBOL, side, type: 'LIMIT', price: 99 + Math.floor(random() * 3), qty }
}

/** Begins again until the service can be read, as a user would. */
async function begin(
  parts: { time: FakeLiveTime; service: FaultyService; store: MemoryIntentStore; files?: OwnFill[] },
  life: number,
) {
  for (let attempt = 0; ; attempt += 1) {
    const stage = new AccountStage({ ...parts, session: `${life}.${attempt}`, attachesLater: true })
    try {
      await parts.time.until(stage.account.begin([SYMBOL]))
      stage.attach()
      return stage
    } catch {
      stage.kill()
    }
  }
}

describe('a process that is killed in the middle of its orders, and started again', () => {
  it('doubles none, loses none, and knows whose each is', async () => {
    const states: Record<string, number> = {}
    for (let seed = 1; seed <= 150; seed += 1) {
      const random = seededRandom(seed)
      const time = new FakeLiveTime()
      // With the longest wait for an answer, within the settle time of a process that is started right after the request.
      const faults = { share: 0.2, latestMs: 19_000, pageCap: seed % 3 === 0 ? 7 : 500, isCoarse: seed % 2 === 0 }
      const service = new FaultyService(time, MARKETS, random, faults)
      const store = new MemoryIntentStore()
      let placed = 0
      for (let life = 1; life <= LIVES; life += 1) {
        const stage = await begin({ time, service, store }, life)
        for (let count = 0; count < ORDERS_A_LIFE; count += 1) {
          stage.place(drawn(random))
          placed += 1
          await time.pass(Math.floor(random() * 3_000))
          const open = stage.exchanges[0]?.openOrders() ?? []
          const one = open[Math.floor(random() * open.length)]
          if (one !== undefined && random() < 0.3) stage.cancel(one.id)
        }
        // Often while the last ones are on their way.
        await time.pass(Math.floor(random() * 60))
        stage.kill()
        expect(stage.errors).toEqual([])
      }
      service.faults = { ...faults, share: 0 }
      const last = await begin({ time, service, store }, LIVES + 1)
      await time.pass(100_000)
      expect(service.posts.length).toBeLessThanOrEqual(placed)
      const intents = [...store.intentsById.values()]
      for (const { state } of intents) states[state] = (states[state] ?? 0) + 1
      const owners = new Map<string, number[]>()
      for (const { orderId, id } of intents) {
        if (orderId !== undefined) owners.set(orderId, [...(owners.get(orderId) ?? []), id])
      }
      const wrong = service.served.flatMap(({ order }) => {
        const [intentId, ...others] = owners.get(order.id) ?? []
        const intent = intents.find(({ id }) => id === intentId)
        const isSame = intent?.qty === order.qty && intent.side === order.side && intent.price === order.price
        return isSame && others.length === 0
          ? []
          : [`seed ${seed}: ${order.id} of ${String(intentId)} ${others.join()}`]
      })
      expect(wrong).toEqual([])
      expect(intents.filter(({ state }) => state === 'SENDING' || state === 'UNKNOWN')).toEqual([])
      const open = service.served.filter(({ order }) => isOpen(order.status)).map(({ order }) => order.id)
      const known = (last.exchanges[0]?.openOrders() ?? []).map(({ id }) => id)
      expect([seed, [...known].sort()]).toEqual([seed, open.sort()])
      expect([seed, last.errors, [...store.blockedBySymbol.keys()]]).toEqual([seed, [], []])
    }
    expect(states.PLACED).toBeGreaterThan(1_000)
    expect(states.QUARANTINED).toBeGreaterThan(50)
  })
})

const keyOf = ({ tradeId, orderId }: OwnFill): string => `${tradeId} ${orderId}`

/** Lots of each order, those that stand for trades among them. */
function sumsOf(
  rows: readonly { readonly orderId: string; readonly lots: number }[],
): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {}
  for (const { orderId, lots } of rows) sums[orderId] = (sums[orderId] ?? 0) + lots
  return sums
}

describe('the files of all sessions of an account', () => {
  it('have every fill once, whatever is lost or old, and whenever a session is killed', async () => {
    const counts = { fills: 0, recovered: 0, inferred: 0, late: 0 }
    for (let seed = 1; seed <= 100; seed += 1) {
      const random = seededRandom(seed)
      const time = new FakeLiveTime()
      const faults = {
        share: 0.1,
        latestMs: 15_000,
        pageCap: 500,
        isCoarse: false,
        staleShare: seed % 4 === 0 ? 0 : 0.4,
      }
      const service = new FaultyService(time, MARKETS, random, faults)
      const store = new MemoryIntentStore()
      const files: OwnFill[] = []
      for (let life = 1; life <= LIVES; life += 1) {
        const stage = await begin({ time, service, store, files }, life)
        for (let count = 0; count < ORDERS_A_LIFE; count += 1) {
          stage.place(drawn(random))
          await time.pass(Math.floor(random() * 3_000))
          const open = stage.exchanges[0]?.openOrders() ?? []
          const one = open[Math.floor(random() * open.length)]
          if (one === undefined) continue
          if (random() < 0.3) service.fill(one.id, 1)
          if (random() < 0.6) stage.cancel(one.id)
          // At the moment of the cancel, or shortly after it was sent.
          if (random() < 0.4) time.after(Math.floor(random() * 60), () => service.fill(one.id, 1))
        }
        await time.pass(Math.floor(random() * 60))
        stage.kill()
        expect(stage.errors).toEqual([])
        counts.late += stage.warnings.filter((text) => text.includes('after it was reported as finished')).length
        // Some are filled while no one runs.
        for (const { order } of service.served) if (random() < 0.2) service.fill(order.id, 1)
        await time.pass(Math.floor(random() * 5_000))
      }
      service.faults = { ...faults, share: 0, staleShare: 0 }
      const last = await begin({ time, service, store, files }, LIVES + 1)
      await time.pass(100_000)
      expect(last.errors).toEqual([])
      expect([seed, new Set(files.map(keyOf)).size]).toEqual([seed, files.length])
      const served = sumsOf(service.fillRows.map(({ orderId, qty }) => ({ orderId, lots: qty })))
      const filed = sumsOf(files.map(({ orderId, qty }) => ({ orderId, lots: qty.toNumber() })))
      expect([seed, filed]).toEqual([seed, served])
      const real = new Set(service.fillRows.map(({ id, orderId }) => `${id} ${orderId}`))
      const made = files.filter((fill) => fill.isInferred !== true && !real.has(keyOf(fill)))
      expect([seed, made]).toEqual([seed, []])
      counts.fills += files.length
      counts.recovered += files.filter(({ isRecovered }) => isRecovered === true).length
      counts.inferred += files.filter(({ isInferred }) => isInferred === true).length
    }
    expect(counts.fills).toBeGreaterThan(1_000)
    expect(counts.recovered).toBeGreaterThan(100)
    expect(counts.late).toBeGreaterThan(0)
  })
})
