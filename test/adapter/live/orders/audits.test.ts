/**
 * When orders and fills of the account are looked at, and what is said of what is found.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import type { WireTrade } from '../../../../src/wire/wire-trade.ts'
import { AccountStage, MARKETS, SYMBOL } from '../rig/account-stage.ts'
import { FakeLiveTime } from '../rig/fake-live-time.ts'
import { FaultyService } from '../rig/faulty-service.ts'
import { MemoryIntentStore } from '../../../../src/adapter/live/orders/memory-intent-store.ts'

const BID = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', price: 99, qty: 3 } as const

let time: FakeLiveTime
let service: FaultyService
let stage: AccountStage
let listings: number
let store: MemoryIntentStore

const trade = (buyOrderId: string, buyerId: string): WireTrade => ({
  id: 't',
  symbol: SYMBOL,
  price: 99,
  qty: 1,
  buyOrderId,
  sellOrderId: 'x',
  buyerId,
  sellerId: 'u9',
  isBuyerMaker: true,
  createdAt: time.now(),
})
const show = (shown: WireTrade): void => {
  time.enter(() => {
    stage.account.onPublicTrade(shown)
  })
}
const fills = (): readonly string[] =>
  stage.updates.flatMap((update) => (update.type === 'fill' ? [update.fill.tradeId] : []))

beforeEach(async () => {
  time = new FakeLiveTime()
  // No order is refused, none is filled by itself.
  service = new FaultyService(time, MARKETS, () => 0.5)
  store = new MemoryIntentStore()
  stage = new AccountStage({ time, service, store, session: 'first' })
  await time.until(stage.account.begin([SYMBOL]))
  // The account's own name is that of an order of it.
  stage.place(BID)
  await time.pass(500)
  stage.cancel('o1')
  await time.pass(15_000)
  const orders = service.orders.bind(service)
  listings = 0
  service.orders = (query) => {
    listings += 1
    return orders(query)
  }
})

describe('a public trade', () => {
  it('of an order of the account that is not known is looked after at once, and once', async () => {
    const { id } = service.execute(BID)
    show(trade(id, 'u1'))
    await time.pass(1_000)
    expect(stage.warnings).toEqual([
      `order ${id} of ${SYMBOL} was placed by another program on this account; it is left alone`,
    ])
    const seen = listings
    await time.pass(60_000)
    expect([listings, stage.warnings.length]).toEqual([seen, 1])
  })

  it('of others, or of an order that was ours, is nothing to look after', async () => {
    show(trade('o9', 'u2'))
    show(trade('o1', 'u1'))
    await time.pass(60_000)
    expect([listings, stage.warnings]).toEqual([0, []])
  })

  it('shown while a look is under way is looked after behind it', async () => {
    const first = service.execute(BID)
    show(trade(first.id, 'u1'))
    await time.pass(30)
    const second = service.execute({ ...BID, symbol: 'ETH_USD' })
    show({ ...trade(second.id, 'u1'), symbol: 'ETH_USD' })
    await time.pass(2_000)
    // What was there before the first look at a market is no one's to be reported of.
    const third = service.execute({ ...BID, symbol: 'ETH_USD' })
    show({ ...trade(third.id, 'u1'), symbol: 'ETH_USD' })
    await time.pass(2_000)
    expect(stage.warnings.map((text) => text.split(' ')[1])).toEqual([first.id, third.id])
  })
})

describe('fills that the service reports late', () => {
  it('are waited for each time, and reported as they were', async () => {
    stage.place(BID)
    await time.pass(500)
    const read = service.fills.bind(service)
    for (const count of [1, 2]) {
      const before = service.fillRows.toReversed()
      service.fills = () => Promise.resolve(before)
      service.fill('o2', 1)
      // One audit sees that it was filled, the fills are read with the next.
      await time.pass(22_000)
      expect(fills()).toHaveLength(count - 1)
      service.fills = read
      await time.pass(1_500)
      expect(fills()).toEqual(['t1', 't2'].slice(0, count))
      await time.pass(40_000)
    }
  })

  it('are followed by the balances that hold them, though these were reported before', async () => {
    stage.place(BID)
    await time.pass(500)
    service.fill('o2', 3)
    await time.pass(60_000)
    // The balances of this service never change.
    const types = stage.updates.map(({ type }) => type)
    expect([fills(), types.slice(types.indexOf('fill'))]).toEqual([['t1'], ['fill', 'order', 'balances']])
  })

  it('are left to the next session once a file of this one has failed', async () => {
    stage.place(BID)
    await time.pass(500)
    stage.exchanges[0]?.loseFiles()
    service.fill('o2', 3)
    await time.pass(60_000)
    stage.account.leave('a')
    expect(fills()).toEqual(['t1'])
    expect(store.intentOfOrder('o2')).toMatchObject({ isFinished: true, filledQty: 3, report: { qty: 0 } })
  })
})
