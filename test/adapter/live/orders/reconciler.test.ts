/**
 * The looks by which an outcome is settled: how long what is there must be there, and what a look that shows nothing is
 * worth.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { AccountStage, MARKETS, SYMBOL } from '../rig/account-stage.ts'
import { FakeLiveTime } from '../rig/fake-live-time.ts'
import { FaultyService } from '../rig/faulty-service.ts'
import { loseCreation } from '../rig/lost-creation.ts'
import { MemoryIntentStore } from '../../../../src/adapter/live/orders/memory-intent-store.ts'
import type { UnreadableOrder, WireOrder } from '../../../../src/wire/wire-order.ts'

const BID = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', price: 99, qty: 3 } as const

let time: FakeLiveTime
let service: FaultyService
let stage: AccountStage

const settlements = (): readonly string[] =>
  stage.updates.flatMap((update) => (update.type === 'settled' ? [update.settlement.type] : []))

beforeEach(async () => {
  time = new FakeLiveTime()
  // No order is refused, none is filled by itself.
  service = new FaultyService(time, MARKETS, () => 0.5)
  stage = new AccountStage({ time, service, store: new MemoryIntentStore(), session: 'first' })
  await time.until(stage.account.begin([SYMBOL]))
  stage.place({ ...BID, price: 95 })
  await time.pass(5_000)
})

describe('an order that is there', () => {
  it('is taken when it is the only one for a second', async () => {
    loseCreation(service, time, 0)
    stage.place(BID)
    await time.pass(900)
    expect(settlements()).toEqual([])
    service.execute(BID)
    await time.pass(10_000)
    expect(settlements()).toEqual(['ambiguous'])
  })
})

describe('a look that shows no order', () => {
  it('is worth nothing when it began before the settle time was over', async () => {
    const orders = service.orders.bind(service)
    service.orders = async (query) => {
      const shown = await orders(query)
      await new Promise<void>((resolve) => time.after(5_000, resolve))
      return shown
    }
    loseCreation(service, time, 29_500)
    stage.place(BID)
    await time.pass(60_000)
    expect(settlements()).toEqual(['adopted'])
  })

  it('nor the order before it decides nothing until the settle time is over, and then a person does', async () => {
    loseCreation(service, time)
    stage.place(BID)
    service.orders = () => Promise.resolve({ orders: [], unreadable: [] })
    await time.pass(29_000)
    expect(settlements()).toEqual([])
    await time.pass(15_000)
    expect(settlements()).toEqual(['ambiguous'])
    expect(stage.account.manager.blockedMarkets.of(SYMBOL)?.reason).toContain('no longer has order o1')
  })
})

describe('an order that cannot be read', () => {
  /** Every order from number `from` on is unreadable as long as `isHidden`. */
  function hide(from: number, isHidden: () => boolean, change: Partial<UnreadableOrder> = {}): void {
    const orders = service.orders.bind(service)
    service.orders = async (query) => {
      const page = await orders(query)
      const isBad = ({ id }: WireOrder): boolean => isHidden() && Number(id.slice(1)) >= from
      return {
        orders: page.orders.filter((order) => !isBad(order)),
        unreadable: page.orders.filter(isBad).map((order) => ({ ...order, ...change, place: 0 })),
      }
    }
  }

  it('is no absence while it could be the one that is looked for, and is taken when it can be read', async () => {
    let isHidden = true
    hide(2, () => isHidden, { qty: undefined })
    loseCreation(service, time, 0)
    stage.place(BID)
    await time.pass(60_000)
    expect(settlements()).toEqual([])
    isHidden = false
    await time.pass(10_000)
    expect(settlements()).toEqual(['adopted'])
  })

  it('is for a person to look at when that lasts', async () => {
    hide(2, () => true, { id: undefined, qty: undefined })
    loseCreation(service, time, 0)
    stage.place(BID)
    await time.pass(120_000)
    expect(settlements()).toEqual(['ambiguous'])
  })

  it('counts for nothing when something of it shows that it is another', async () => {
    hide(2, () => true, { type: 'STOP_LIMIT' })
    loseCreation(service, time, 0)
    stage.place(BID)
    await time.pass(40_000)
    expect(settlements()).toEqual(['absent'])
  })
})
