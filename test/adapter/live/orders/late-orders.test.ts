/**
 * Orders that come after their intent was given up, and how they are found whatever happened in between.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { ExchangeError } from '../../../../src/domain/errors.ts'
import { DAY_MS } from '../../../../src/domain/time.ts'
import { AccountStage, MARKETS, SYMBOL } from '../rig/account-stage.ts'
import { FakeLiveTime } from '../rig/fake-live-time.ts'
import { FaultyService, NO_FAULTS } from '../rig/faulty-service.ts'
import { loseCreation } from '../rig/lost-creation.ts'
import { MemoryIntentStore } from '../../../../src/adapter/live/orders/memory-intent-store.ts'

const BID = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', price: 99, qty: 3 } as const

let time: FakeLiveTime
let service: FaultyService
let store: MemoryIntentStore
let stage: AccountStage

async function start(session = 'first', owners = ['a']): Promise<void> {
  stage = new AccountStage({ time, service, store, session, owners })
  await time.until(stage.account.begin([SYMBOL]))
}

/** Of an order that was lost and is nowhere. */
async function giveUp(request = BID, index = 0): Promise<void> {
  loseCreation(service, time)
  stage.place(request, [], index)
  await time.pass(40_000)
}

const ends = (): readonly string[] =>
  [...store.intentsById.values()].map(({ state, orderId }) => `${state} ${orderId ?? '-'}`)
const halted = (): string | undefined => store.blockedBySymbol.get(SYMBOL)?.why
const settlements = (): readonly string[] =>
  stage.updates.flatMap((update) => (update.type === 'settled' ? [update.settlement.type] : []))

beforeEach(async () => {
  time = new FakeLiveTime()
  // No order is refused, none is filled by itself.
  service = new FaultyService(time, MARKETS, () => 0.5)
  store = new MemoryIntentStore()
  await start()
})

describe('an order that comes late', () => {
  it('while no process ran is found at the next start, be it the first of its market', async () => {
    await giveUp()
    stage.kill()
    service.execute(BID, 0)
    await start('second')
    await time.pass(15_000)
    expect([ends(), halted()]).toEqual([['PLACED o1'], 'GHOST'])
  })

  it.each([
    ['first', 0],
    ['later', 1],
  ])('while no process ran for two days is found, the %s of its market', async (_, before) => {
    for (let count = 0; count < before; count += 1) service.execute({ ...BID, price: 95 })
    if (before > 0) await time.pass(15_000)
    await giveUp()
    stage.kill()
    service.execute(BID, 0)
    await time.pass(2 * DAY_MS)
    await start('second')
    await time.pass(15_000)
    expect([ends(), halted()]).toEqual([[`PLACED o${before + 1}`], 'GHOST'])
  })

  it('was listed when the process ended, before it was looked at: it is found', async () => {
    await giveUp()
    const late = service.execute(BID, 0)
    stage.kill()
    store.ids.push(late.id)
    await start('second')
    await time.pass(15_000)
    expect([ends(), halted()]).toEqual([['PLACED o1'], 'GHOST'])
  })

  it('while the machine slept for two days is found', async () => {
    await giveUp()
    await time.pass(5_000)
    service.execute(BID, 0)
    time.jump(2 * DAY_MS)
    await time.pass(15_000)
    expect([ends(), halted()]).toEqual([['PLACED o1'], 'GHOST'])
  })

  it.each([1, 2, 7])('is found behind later ones that were answered, though a page shows %i', async (pageCap) => {
    service.faults = { ...NO_FAULTS, pageCap }
    stage.place({ ...BID, price: 95 })
    await time.pass(500)
    await giveUp()
    const late = service.execute(BID, 0)
    // Its market cannot be read until there are many newer ones.
    const orders = service.orders.bind(service)
    service.orders = () => Promise.reject(new ExchangeError('NO_ANSWER', 'cut', { isRetryable: true }))
    for (let count = 1; count <= 8; count += 1) {
      await time.pass(2_500)
      stage.place({ ...BID, side: 'SELL', price: 201, qty: count })
    }
    service.orders = orders
    await time.pass(15_000)
    expect(ends()).toContain(`PLACED ${late.id}`)
    expect(halted()).toBe('GHOST')
  })

  it('could be that of several owners is left to a person', async () => {
    await start('shared', ['a', 'b'])
    await giveUp(BID, 0)
    await giveUp(BID, 1)
    service.execute(BID, 0)
    await time.pass(15_000)
    expect([ends(), halted()]).toEqual([['AMBIGUOUS -', 'AMBIGUOUS -'], 'AMBIGUOUS'])
  })

  it('comes while another of its looks is settled: the oldest is the oldest one’s, and its market is halted', async () => {
    await giveUp()
    loseCreation(service, time, 5_000)
    stage.place(BID)
    await time.pass(4_000)
    service.execute(BID, 0)
    await time.pass(10_000)
    expect([ends(), halted()]).toEqual([['PLACED o1', 'PLACED o2'], 'GHOST'])
    expect(settlements()).toEqual(['absent', 'adopted', 'adopted'])
    expect(stage.warnings.filter((text) => text.includes('placed by another program'))).toEqual([])
  })

  it('is halted before it is an intent’s on disk', async () => {
    const seen: unknown[] = []
    const save = store.save.bind(store)
    store.save = (intent) => {
      if (intent.state === 'PLACED') seen.push(halted())
      save(intent)
    }
    await giveUp()
    service.execute(BID, 0)
    await time.pass(15_000)
    expect(seen).toEqual(['GHOST'])
  })

  it('by more than a day is a foreign order’s, which is reported once', async () => {
    await giveUp()
    await time.pass(DAY_MS + 60_000)
    stage.place({ ...BID, price: 95 })
    await time.pass(1_000)
    service.execute(BID, 0)
    await time.pass(60_000)
    expect([ends(), halted()]).toEqual([['QUARANTINED -', 'PLACED o1'], undefined])
    expect(
      stage.warnings.filter((text) => text.includes('order o2 of BTC_USD was placed by another program')),
    ).toHaveLength(1)
  })

  it('by less than a day is ours', async () => {
    await giveUp()
    await time.pass(DAY_MS - 60_000)
    service.execute(BID, 0)
    await time.pass(15_000)
    expect([ends(), halted()]).toEqual([['PLACED o1'], 'GHOST'])
  })
})

describe('a foreign order', () => {
  it.each([
    ['price', { ...BID, price: 97 }],
    ['quantity', { ...BID, qty: 2 }],
    ['side', { ...BID, side: 'SELL' }],
    ['type', { symbol: SYMBOL, side: 'BUY', type: 'MARKET', qty: 3 }],
    ['market', { ...BID, symbol: 'ETH_USD' }],
  ] as const)(
    'of another %s is not taken for one whose answer was lost, nor for one that comes late',
    async (_, other) => {
      loseCreation(service, time)
      stage.place(BID)
      await time.pass(100)
      service.execute(other)
      await time.pass(40_000)
      expect(settlements()).toEqual(['absent'])
      service.execute(other)
      await time.pass(40_000)
      expect([ends(), halted()]).toEqual([['QUARANTINED -'], undefined])
    },
  )

  it('that looks the same and was there a moment before is not taken', async () => {
    stage.place({ ...BID, price: 95 })
    await time.pass(9_500)
    service.execute(BID)
    await time.pass(1_000)
    expect(stage.warnings).toEqual([
      `order o2 of ${SYMBOL} was placed by another program on this account; it is left alone`,
    ])
    loseCreation(service, time)
    stage.place(BID)
    await time.pass(60_000)
    expect(settlements()).toEqual(['absent'])
  })

  it('that was there before the first start is not reported', async () => {
    stage.kill()
    store = new MemoryIntentStore()
    service.execute(BID)
    await start('second')
    stage.place({ ...BID, price: 95 })
    await time.pass(60_000)
    expect(stage.warnings).toEqual([])
  })
})
