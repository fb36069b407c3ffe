/**
 * Order creations on their way out: which wait, in which order they leave, and what becomes of them when they may no
 * longer.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { ExchangeError } from '../../../../src/domain/errors.ts'
import type { GatedRequest, MutationGate } from '../../../../src/adapter/live/rest/mutation-queue.ts'
import type { CreateAnswer } from '../../../../src/adapter/live/rest/service-calls.ts'
import { HOUR_MS } from '../../../../src/domain/time.ts'
import { AccountStage, MARKETS, SYMBOL, type AccountStageOptions } from '../rig/account-stage.ts'
import { FakeLiveTime } from '../rig/fake-live-time.ts'
import { FaultyService } from '../rig/faulty-service.ts'
import { loseCreation } from '../rig/lost-creation.ts'
import { MemoryIntentStore } from '../../../../src/adapter/live/orders/memory-intent-store.ts'

const BID = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', price: 99, qty: 3 } as const

/** Lets a request go when a test says so. */
class HeldGate implements MutationGate {
  readonly held: GatedRequest[] = []

  submit(request: GatedRequest): void {
    this.held.push(request)
  }

  /** @returns whether each was sent */
  release(most = this.held.length): readonly boolean[] {
    return this.held.splice(0, most).map(({ send }) => send())
  }
}

let time: FakeLiveTime
let service: FaultyService
let store: MemoryIntentStore
let stage: AccountStage
let gate: HeldGate

async function start(options: Partial<AccountStageOptions> = {}): Promise<void> {
  stage = new AccountStage({ time, service, store, session: 'first', owners: ['a', 'b'], ...options })
  await time.until(stage.account.begin([SYMBOL]))
}

const prices = (): readonly unknown[] => service.posts.map((post) => (post.type === 'LIMIT' ? post.price : undefined))
const quantities = (): readonly number[] => service.posts.map(({ qty }) => qty)

/** In the turn of a strategy. */
async function release(most?: number): Promise<readonly boolean[]> {
  const sent: boolean[] = []
  time.enter(() => sent.push(...gate.release(most)))
  await time.pass(500)
  return sent
}

beforeEach(() => {
  time = new FakeLiveTime()
  // No order is refused, none is filled by itself.
  service = new FaultyService(time, MARKETS, () => 0.5)
  store = new MemoryIntentStore()
  gate = new HeldGate()
})

describe('an order creation that waits for the budget', () => {
  it('waits on when one before it has ended without an answer, and leaves in its order', async () => {
    await start({ gate })
    for (const price of [99, 97, 95]) stage.place({ ...BID, price })
    await time.pass(100)
    expect(gate.held).toHaveLength(3)
    loseCreation(service, time)
    expect(await release(1)).toEqual([true])
    expect(await release()).toEqual([false, false])
    stage.place({ ...BID, price: 93 })
    stage.place({ ...BID, side: 'SELL', price: 201 })
    await time.pass(1_000)
    expect(await release()).toEqual([true])
    await time.pass(40_000)
    await release()
    expect(prices()).toEqual([99, 201, 97, 95, 93])
  })

  it('keeps back another of its looks', async () => {
    await start({ gate })
    const reported = [stage.place(BID), stage.place(BID, [], 1)]
    await time.pass(100)
    expect(gate.held).toHaveLength(1)
    await release()
    expect([reported, gate.held.length]).toEqual([[['acknowledged'], []], 1])
    await release()
    expect(reported).toEqual([['acknowledged'], ['acknowledged']])
  })

  it('is refused when its market was halted meanwhile', async () => {
    await start({ gate })
    const reported = stage.place(BID)
    await time.pass(100)
    stage.account.manager.blockedMarkets.block(SYMBOL, 'GHOST', 'late')
    expect(await release()).toEqual([false])
    expect([reported, service.posts, gate.held]).toEqual([['refused'], [], []])
  })

  it('that is refused a place lets the next one go', async () => {
    await start({ gate })
    const reported = [stage.place(BID), stage.place(BID)]
    await time.pass(100)
    time.enter(() => {
      gate.held.shift()?.refuse()
    })
    await time.pass(100)
    expect([reported, gate.held.length]).toEqual([[['refused'], []], 1])
  })

  it('is dropped with its owner’s session, with what waits behind it, and another owner’s goes', async () => {
    await start({ gate })
    const reported = [stage.place(BID), stage.place(BID), stage.place(BID, [], 1)]
    await time.pass(100)
    expect(stage.account.manager.underWay).toBe(3)
    await stage.exchanges[0]?.close()
    await time.pass(100)
    expect(reported).toEqual([['refused'], ['refused'], []])
    expect(await release()).toEqual([false, true])
    expect([reported[2], service.posts.length, stage.account.manager.underWay]).toEqual([['acknowledged'], 1, 0])
  })
})

describe('an order creation', () => {
  it('leaves when the one of its looks before it is answered', async () => {
    await start()
    stage.place(BID)
    stage.place(BID)
    stage.place({ ...BID, price: 97 })
    await time.pass(1)
    expect(prices()).toEqual([99])
    await time.pass(500)
    expect(prices()).toEqual([99, 99, 97])
  })

  it('is waited for until it is answered', async () => {
    await start()
    const answer: { give?: (answer: CreateAnswer) => void } = {}
    service.create = () =>
      new Promise((resolve) => {
        answer.give = resolve
      })
    stage.place(BID)
    await time.pass(100)
    let isSettled = false
    void stage.account.settled().then(() => (isSettled = true))
    await time.pass(9_000)
    expect([isSettled, stage.account.manager.underWay]).toEqual([false, 1])
    answer.give?.({ type: 'unknown', reason: 'lost' })
    await time.pass(9_000)
    expect(isSettled).toBe(false)
    await time.pass(40_000)
    expect([isSettled, stage.account.manager.underWay]).toEqual([true, 0])
  })

  it('of a market that was not read yet leaves when its orders are known, and not when they cannot be', async () => {
    await start()
    const orders = service.orders.bind(service)
    service.orders = () => Promise.reject(new ExchangeError('NO_ANSWER', 'cut', { isRetryable: true }))
    const refused = stage.place({ ...BID, symbol: 'ETH_USD' })
    await time.pass(500)
    expect([refused, service.posts]).toEqual([['refused'], []])
    service.orders = orders
    stage.place({ ...BID, symbol: 'ETH_USD' })
    await time.pass(1)
    expect(service.posts).toEqual([])
    await time.pass(500)
    expect(service.posts).toHaveLength(1)
  })

  it('that is refused is finished', async () => {
    await start()
    service.create = () =>
      Promise.resolve({ type: 'refused', refusal: { code: 'INSUFFICIENT_BALANCE', message: 'too little' } })
    stage.place(BID)
    await time.pass(100)
    expect([...store.intentsById.values()]).toMatchObject([{ state: 'REFUSED', isFinished: true }])
    expect(stage.account.manager.intents.all).toEqual([])
  })

  it('that is answered with an order that was there before is unknown, and that order has no owner', async () => {
    await start()
    stage.place({ ...BID, price: 95 })
    await time.pass(500)
    const foreign = service.execute(BID)
    await time.pass(20_000)
    service.create = () => Promise.resolve({ type: 'created', order: foreign })
    const reported = stage.place(BID)
    await time.pass(60_000)
    expect(reported).toEqual(['unknown'])
    expect([...store.intentsById.values()].map(({ state }) => state)).toEqual(['PLACED', 'QUARANTINED'])
  })
})

describe('an order', () => {
  it('is cancelled by its owner alone', async () => {
    await start()
    stage.place(BID)
    await time.pass(500)
    stage.cancel('o1', 1)
    await time.pass(20_000)
    expect(service.served[0]?.order.status).toBe('OPEN')
    stage.cancel('o1')
    await time.pass(500)
    expect(service.served[0]?.order.status).toBe('CANCELLED')
  })

  it('whose cancel has no answer is read at once', async () => {
    await start()
    stage.place(BID)
    await time.pass(500)
    const cancel = service.cancel.bind(service)
    service.cancel = async (id) => {
      await cancel(id)
      return { type: 'unknown', reason: 'lost' }
    }
    stage.cancel('o1')
    await time.pass(1_000)
    expect(stage.exchanges[0]?.openOrders()).toEqual([])
    expect(stage.account.manager.underWay).toBe(0)
  })
})

describe('a quantity that no other order has', () => {
  it('is a lot less for each of the same looks, of this session and those before it', async () => {
    await start({ isUnique: true })
    stage.place(BID)
    stage.place(BID)
    await time.pass(1_000)
    stage.kill()
    await start({ isUnique: true, session: 'second' })
    stage.place(BID)
    stage.place(BID)
    await time.pass(1_000)
    expect(quantities()).toEqual([3, 2, 1, 3])
  })

  it('is free again after a day, but not that of an order that is still open', async () => {
    await start({ isUnique: true })
    stage.place(BID)
    stage.place({ ...BID, qty: 2 })
    await time.pass(1_000)
    service.fill('o2', 2)
    await time.pass(23 * HOUR_MS)
    stage.place(BID)
    await time.pass(2 * HOUR_MS)
    stage.place(BID)
    await time.pass(1_000)
    expect(quantities()).toEqual([3, 2, 1, 2])
  })
})
