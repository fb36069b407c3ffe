/**
 * Accidents that other trading systems had with lost answers, late orders and foreign orders, each played before a live
 * account.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import type { OwnFill } from '../../../src/strategy/own-order.ts'
import { seededRandom } from '../../../src/runtime/strategies/seeded-random.ts'
import { AccountStage, MARKETS, SYMBOL } from './rig/account-stage.ts'
import { FakeLiveTime } from './rig/fake-live-time.ts'
import { FaultyService, NO_FAULTS } from './rig/faulty-service.ts'
import { loseCreation } from './rig/lost-creation.ts'
import { MemoryIntentStore } from '../../../src/adapter/live/orders/memory-intent-store.ts'

const BID = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', price: 99, qty: 3 } as const

let time: FakeLiveTime
let service: FaultyService
let store: MemoryIntentStore
let files: OwnFill[]
let stage: AccountStage

/** The next creation is answered by no one; it is executed after `executedAfterMs`, or never. */
const loseCreations = (executedAfterMs: number | undefined): void => {
  loseCreation(service, time, executedAfterMs)
}

const settlements = (): readonly string[] =>
  stage.updates.flatMap((update) => (update.type === 'settled' ? [update.settlement.type] : []))
const openIds = (): readonly string[] => (stage.exchanges[0]?.openOrders() ?? []).map(({ id }) => id)
const fills = (): readonly string[] =>
  stage.updates.flatMap((update) =>
    update.type === 'fill' ? [`${update.fill.orderId} ${update.fill.qty.toFixed()}`] : [],
  )

async function start(session = 'first'): Promise<void> {
  stage = new AccountStage({ time, service, store, session, files })
  await time.until(stage.account.begin([SYMBOL]))
}

beforeEach(async () => {
  time = new FakeLiveTime()
  // Never below 0.3: no order is refused, none is filled by itself.
  const random = seededRandom(7)
  service = new FaultyService(time, MARKETS, () => 0.3 + 0.7 * random(), NO_FAULTS)
  store = new MemoryIntentStore()
  files = []
  await start()
})

describe('an order whose answer is lost', () => {
  it('was placed though the call timed out: it is found, and is not sent again', async () => {
    loseCreations(0)
    const reported = stage.place(BID)
    await time.pass(5_000)
    expect([reported, settlements(), openIds(), service.posts.length]).toEqual([['unknown'], ['adopted'], ['o1'], 1])
    expect(stage.exchanges[0]?.openOrders()[0]?.tag).toBe('tag 1')
  })

  it('is in the store before its request leaves', async () => {
    const states: unknown[] = []
    const create = service.create.bind(service)
    service.create = (request) => {
      states.push([...store.intentsById.values()].map(({ state, price, qty }) => `${state} ${String(price)} ${qty}`))
      return create(request)
    }
    stage.place(BID)
    await time.pass(1_000)
    expect(states).toEqual([['SENDING 99 3']])
  })

  it('that is not there within the settle time is assumed absent and kept in mind, not rejected', async () => {
    loseCreations(undefined)
    stage.place(BID)
    await time.pass(29_000)
    expect(settlements()).toEqual([])
    await time.pass(10_000)
    expect(settlements()).toEqual(['absent'])
    expect([...store.intentsById.values()].map(({ state }) => state)).toEqual(['QUARANTINED'])
  })

  it('that was given up and is filled a quarter of an hour later is reported with its fill, and halts its market', async () => {
    loseCreations(undefined)
    stage.place(BID)
    await time.pass(15 * 60_000)
    const late = service.execute(BID, 0)
    service.fill(late.id, 3)
    await time.pass(15_000)
    expect([settlements(), fills()]).toEqual([['absent', 'adopted'], ['o1 3']])
    expect(stage.account.manager.blockedMarkets.of(SYMBOL)?.why).toBe('GHOST')
  })

  it('holds back what comes behind it on its side, in its order, and nothing on the other side', async () => {
    loseCreations(2_000)
    stage.place(BID)
    await time.pass(100)
    stage.place({ ...BID, price: 97 })
    stage.place({ ...BID, price: 95 })
    stage.place({ ...BID, side: 'SELL', price: 201 })
    await time.pass(1_000)
    expect(service.posts.map(({ side }) => side)).toEqual(['BUY', 'SELL'])
    await time.pass(10_000)
    expect(service.posts.map((post) => (post.type === 'LIMIT' ? post.price : 0))).toEqual([99, 201, 97, 95])
  })
})

describe('an order that waits', () => {
  it('is looked at again before it leaves, and refused when it may no longer', async () => {
    loseCreations(2_000)
    stage.place(BID)
    await time.pass(100)
    const reported: unknown[] = []
    time.enter(() => {
      const lastLook = () => ({ code: 'ORDER_REJECTED', message: 'halted meanwhile' }) as const
      stage.exchanges[0]?.place({ request: { ...BID, price: 97 }, reference: 9, lastLook }, (outcome) =>
        reported.push(outcome),
      )
    })
    stage.place({ ...BID, price: 95 })
    await time.pass(10_000)
    expect(reported).toEqual([
      { type: 'refused', refusal: { code: 'ORDER_REJECTED', message: 'halted meanwhile' }, by: 'risk' },
    ])
    expect(service.posts.map((post) => (post.type === 'LIMIT' ? post.price : 0))).toEqual([99, 95])
  })
})

describe('an order of ours', () => {
  it('that the service does not know right after its creation goes on', async () => {
    stage.place(BID)
    await time.pass(500)
    const order = service.order.bind(service)
    service.order = () => Promise.resolve(undefined)
    const openOrders = service.openOrders.bind(service)
    service.openOrders = () => Promise.resolve([])
    await time.pass(60_000)
    expect(openIds()).toEqual(['o1'])
    Object.assign(service, { order, openOrders })
    service.fill('o1', 3)
    await time.pass(15_000)
    expect([openIds(), fills()]).toEqual([[], ['o1 3']])
  })

  it('that was filled while nothing was heard is reported with each fill, once', async () => {
    stage.place(BID)
    await time.pass(500)
    service.faults = { ...NO_FAULTS, share: 1 }
    service.fill('o1', 1)
    await time.pass(60_000)
    service.fill('o1', 2)
    service.faults = NO_FAULTS
    await time.pass(15_000)
    expect(fills()).toEqual(['o1 1', 'o1 2'])
    await time.pass(60_000)
    expect(fills()).toHaveLength(2)
  })

  it('whose fills the service has forgotten receives a sum, and the real one is not reported as well', async () => {
    stage.place(BID)
    await time.pass(500)
    service.fill('o1', 1)
    await time.pass(15_000)
    const real = service.fillRows.splice(0)
    service.fill('o1', 1)
    const hidden = service.fillRows.splice(0)
    for (let other = 0; other < 500; other += 1) service.foreignFill()
    await time.pass(45_000)
    expect(fills()).toEqual(['o1 1', 'o1 1'])
    service.fillRows.unshift(...real, ...hidden)
    service.fillRows.splice(2)
    await time.pass(60_000)
    expect(fills()).toHaveLength(2)
    expect(stage.errors).toEqual([])
  })

  it('is cancelled, and never one of somebody else, whatever its id', async () => {
    const foreign = service.execute({ ...BID, price: 95 })
    const reported: string[] = []
    time.enter(() => {
      stage.exchanges[0]?.cancel(foreign.id, (outcome) => reported.push(outcome.type))
    })
    await time.pass(60_000)
    expect([reported, service.served[0]?.order.status]).toEqual([['refused'], 'OPEN'])
    expect(stage.warnings.join()).not.toContain('error')
  })
})

describe('a clock', () => {
  it.each([
    ['forward', -3_600_000, 3_600_000],
    ['back', 3_600_000, -3_600_000],
  ])('that is off by an hour at the service, and set %s, decides nothing', async (_, ...skews) => {
    for (const skew of skews) {
      service.skewMs = skew
      loseCreations(1_000)
      stage.place({ ...BID, price: BID.price + 2 + Math.sign(skew) * 2 })
      await time.pass(10_000)
    }
    expect(settlements()).toEqual(['adopted', 'adopted'])
  })

  it('that jumps by a day while an answer is awaited gives nothing up early', async () => {
    loseCreations(25_000)
    stage.place(BID)
    await time.pass(5_000)
    time.jump(86_400_000)
    await time.pass(5_000)
    expect(settlements()).toEqual([])
    await time.pass(30_000)
    expect(settlements()).toEqual(['adopted'])
  })
})

describe('a restart', () => {
  it('reports an order that is still open, and those of its fills that no file has', async () => {
    stage.place(BID)
    await time.pass(500)
    service.fill('o1', 1)
    await time.pass(15_000)
    stage.kill()
    service.fill('o1', 1)
    await start('second')
    expect(stage.exchanges[0]?.openOrders().map(({ id, tag, filledQty }) => [id, tag, filledQty.toFixed()])).toEqual([
      ['o1', 'tag 1', '2'],
    ])
    service.fill('o1', 1)
    await time.pass(15_000)
    expect([fills(), openIds()]).toEqual([['o1 1', 'o1 1'], []])
    expect(files.map(({ tradeId }) => tradeId)).toEqual(['t1', 't2', 't3'])
  })

  it('before a service that began again is refused, because its ids are used again', async () => {
    stage.place(BID)
    await time.pass(500)
    stage.kill()
    service = new FaultyService(time, MARKETS, () => 0.5, NO_FAULTS)
    await expect(start('second')).rejects.toThrow('the service does not know order o1')
  })

  it('goes on where the service has forgotten what it knew', async () => {
    loseCreations(undefined)
    stage.place(BID)
    await time.pass(40_000)
    stage.kill()
    const newest = service.execute({ ...BID, price: 95 })
    store.ids.push(newest.id)
    for (const [id, intent] of store.intentsById) {
      store.intentsById.set(id, { ...intent, watermark: 'forgotten', watermarkAt: 1 })
    }
    await start('second')
    const reported = stage.place({ ...BID, price: 97 })
    await time.pass(1_000)
    expect(reported).toEqual(['acknowledged'])
  })

  it('finds the order of a request that was being sent, before anything else', async () => {
    const create = service.create.bind(service)
    service.create = (request) => {
      void create(request)
      return new Promise(() => undefined)
    }
    stage.place(BID)
    await time.pass(200)
    stage.kill()
    service.create = create
    await start('second')
    expect(openIds()).toEqual(['o1'])
    expect([...store.intentsById.values()].map(({ state, orderId }) => [state, orderId])).toEqual([['PLACED', 'o1']])
  })
})
