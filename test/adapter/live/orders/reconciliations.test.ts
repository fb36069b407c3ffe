/**
 * A person's word about an intent: what is done, and what is refused because it cannot be.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { AccountStage, MARKETS, SYMBOL } from '../rig/account-stage.ts'
import { FakeLiveTime } from '../rig/fake-live-time.ts'
import { FaultyService } from '../rig/faulty-service.ts'
import { loseCreation } from '../rig/lost-creation.ts'
import { MemoryIntentStore } from '../../../../src/adapter/live/orders/memory-intent-store.ts'

const BID = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', price: 99, qty: 3 } as const

let time: FakeLiveTime
let service: FaultyService
let store: MemoryIntentStore
let stage: AccountStage

async function start(session = 'first'): Promise<void> {
  stage = new AccountStage({ time, service, store, session })
  await time.until(stage.account.begin([SYMBOL]))
}

/** Two orders of a foreign order for one intent without an answer. */
async function makeAmbiguous(request = BID): Promise<void> {
  loseCreation(service, time)
  stage.place(request)
  await time.pass(100)
  service.execute(request)
  service.execute(request)
  await time.pass(10_000)
}

const adopt = (intent: number, order: string): Promise<string | undefined> =>
  time.until(stage.account.manager.reconciliations.adopt(intent, order))
const disown = (intent: number): Promise<string | undefined> =>
  time.until(stage.account.manager.reconciliations.markAbsent(intent))
const states = (): readonly string[] => [...store.intentsById.values()].map(({ state }) => state)
const halted = (symbol = SYMBOL): string | undefined => store.blockedBySymbol.get(symbol)?.why
const settlements = (): readonly string[] =>
  stage.updates.flatMap((update) => (update.type === 'settled' ? [update.settlement.type] : []))
const openIds = (): readonly string[] => (stage.exchanges[0]?.openOrders() ?? []).map(({ id }) => id)

beforeEach(async () => {
  time = new FakeLiveTime()
  // No order is refused, none is filled by itself.
  service = new FaultyService(time, MARKETS, () => 0.5)
  store = new MemoryIntentStore()
  await start()
})

describe('an intent that is ambiguous', () => {
  it('is the order that a person names, and its market goes on', async () => {
    await makeAmbiguous()
    expect([halted(), states()]).toEqual(['AMBIGUOUS', ['AMBIGUOUS']])
    expect(await adopt(1, 'o2')).toBeUndefined()
    expect([halted(), states(), settlements(), openIds()]).toEqual([
      undefined,
      ['PLACED'],
      ['ambiguous', 'adopted'],
      ['o2'],
    ])
    const reported = stage.place({ ...BID, price: 97 })
    await time.pass(500)
    expect(reported).toEqual(['acknowledged'])
    expect(await adopt(1, 'o1')).toBe('intent 1 needs no decision')
    expect(await disown(1)).toBe('the service still has order o2 of intent 1: cancel it instead')
  })

  it.each([
    ['of another price', { ...BID, price: 97 }],
    ['of another quantity', { ...BID, qty: 2 }],
    ['of another side', { ...BID, side: 'SELL' }],
    ['of another market', { ...BID, symbol: 'ETH_USD' }],
    ['of another type', { symbol: SYMBOL, side: 'BUY', type: 'MARKET', qty: 3 }],
  ] as const)('is no order %s', async (_, other) => {
    await makeAmbiguous()
    const { id } = service.execute(other)
    expect(await adopt(1, id)).toBe(`order ${id} cannot belong to intent 1: it differs from the request`)
    expect([halted(), states(), openIds()]).toEqual(['AMBIGUOUS', ['AMBIGUOUS'], []])
  })

  it('is no order that was there before, none that is nowhere, and none that is of another intent', async () => {
    service.execute(BID)
    stage.place({ ...BID, price: 97 })
    await time.pass(12_000)
    await makeAmbiguous()
    expect(await adopt(2, 'o1')).toBe('order o1 cannot belong to intent 2: it existed before the request')
    expect(await adopt(2, 'o9')).toBe('the service has no order o9')
    expect(await adopt(2, 'o2')).toBe('order o2 belongs to another intent')
    expect(await adopt(9, 'o3')).toBe('intent 9 needs no decision')
    expect(states()).toEqual(['PLACED', 'AMBIGUOUS'])
  })

  it('keeps its market halted while another one is, through a restart, and until the last word', async () => {
    await makeAmbiguous()
    for (const intent of store.intents()) store.save({ ...intent, id: 2, reference: 2 })
    stage.kill()
    await start('second')
    const reported = stage.place({ ...BID, price: 97 })
    await time.pass(60_000)
    expect([reported, halted(), states()]).toEqual([['refused'], 'AMBIGUOUS', ['AMBIGUOUS', 'AMBIGUOUS']])
    const { reconciliations } = stage.account.manager
    expect(reconciliations.resume(SYMBOL)).toContain(
      `${SYMBOL} has ambiguous intents: adopt each of them or mark it absent first`,
    )
    const both = [reconciliations.adopt(1, 'o1'), reconciliations.adopt(2, 'o1')].map((word) => time.until(word))
    expect((await Promise.all(both)).toSorted()).toEqual(['order o1 belongs to another intent', undefined])
    expect(halted()).toBe('AMBIGUOUS')
    const left = [...store.intentsById.values()].find(({ state }) => state === 'AMBIGUOUS')?.id ?? 0
    expect(await disown(left)).toBeUndefined()
    expect([halted(), states().toSorted()]).toEqual([undefined, ['DISOWNED', 'PLACED']])
    expect(store.intentsById.get(left)?.isFinished).toBe(true)
  })

  it('may be adopted and disowned at once: one of the two is done', async () => {
    await makeAmbiguous()
    const { reconciliations } = stage.account.manager
    const reported = await Promise.all([
      time.until(reconciliations.markAbsent(1)),
      time.until(reconciliations.adopt(1, 'o1')),
    ])
    expect(reported.filter((each) => each === undefined)).toHaveLength(1)
    expect([halted(), settlements().length]).toEqual([undefined, 2])
  })

  it('was decided when the process ended before its market went on: the market is resumed', async () => {
    await makeAmbiguous()
    const halt = store.blockedBySymbol.get(SYMBOL)
    await disown(1)
    if (halt !== undefined) store.block(halt)
    stage.kill()
    await start('second')
    expect(stage.account.manager.reconciliations.resume(SYMBOL)).toBeUndefined()
    await time.pass(0)
    expect(halted()).toBeUndefined()
  })

  it('is not one of which it is still looked for', async () => {
    loseCreation(service, time)
    stage.place(BID)
    await time.pass(1_000)
    expect([await disown(1), await adopt(1, 'o1')]).toEqual(Array(2).fill('intent 1 needs no decision'))
    expect(states()).toEqual(['UNKNOWN'])
  })

  it('keeps its market halted as ambiguous when a late order comes as well', async () => {
    await makeAmbiguous()
    stage.account.manager.blockedMarkets.block(SYMBOL, 'GHOST', 'late')
    expect(halted()).toBe('AMBIGUOUS')
  })

  it('is halted before it is ambiguous on disk', async () => {
    const seen: unknown[] = []
    const save = store.save.bind(store)
    store.save = (intent) => {
      if (intent.state === 'AMBIGUOUS') seen.push(halted())
      save(intent)
    }
    await makeAmbiguous()
    expect(seen).toEqual(['AMBIGUOUS'])
  })

  it('that is disowned leaves the halt for a ghost', async () => {
    loseCreation(service, time)
    stage.place(BID)
    await time.pass(40_000)
    store.block({ symbol: SYMBOL, why: 'GHOST', reason: 'late', since: 1 })
    stage.kill()
    await start('second')
    expect(await disown(1)).toBeUndefined()
    expect([states(), halted()]).toEqual([['DISOWNED'], 'GHOST'])
    expect(stage.account.manager.reconciliations.resume('ETH_USD')).toBe('ETH_USD is not halted')
    expect(stage.account.manager.reconciliations.resume(SYMBOL)).toBeUndefined()
    await time.pass(0)
    expect(halted()).toBeUndefined()
  })
})

describe('an order of ours that the service does not know any more', () => {
  const order = (): FaultyService['order'] => service.order.bind(service)

  it('is open until a person disowns it, and then no more, also after a restart', async () => {
    stage.place(BID)
    await time.pass(500)
    service.fill('o1', 1)
    await time.pass(12_000)
    const openOrders = service.openOrders.bind(service)
    const was = order()
    service.order = () => Promise.resolve(undefined)
    expect(await disown(1)).toBe('the service still has order o1 of intent 1: cancel it instead')
    service.openOrders = () => Promise.resolve([])
    await time.pass(60_000)
    expect(openIds()).toEqual(['o1'])
    expect(await disown(1)).toBeUndefined()
    const last = stage.updates.findLast((update) => update.type === 'order')
    expect(last).toMatchObject({ order: { id: 'o1', status: 'CANCELLED' } })
    expect(last?.type === 'order' && last.order.filledQty.toFixed()).toBe('1')
    expect([openIds(), stage.account.openOrderIds('a'), settlements()]).toEqual([[], [], []])
    expect(store.intentsById.get(1)).toMatchObject({ state: 'DISOWNED', isFinished: true, filledQty: 1 })
    Object.assign(service, { openOrders, order: was })
    stage.kill()
    await start('second')
    await time.pass(60_000)
    expect([openIds(), halted(), stage.warnings]).toEqual([[], undefined, []])
  })
})

describe('an order that was named while no process ran', () => {
  beforeEach(async () => {
    await makeAmbiguous()
    stage.kill()
  })

  function name(orderId: string): void {
    const [intent] = store.intentsById.values()
    if (intent !== undefined) store.save({ ...intent, state: 'PLACED', orderId })
    store.unblock(SYMBOL)
  }

  it('is taken over at the start', async () => {
    name('o2')
    await start('second')
    expect([openIds(), states(), halted()]).toEqual([['o2'], ['PLACED'], undefined])
  })

  it('and cannot be the intent’s is asked for again', async () => {
    const { id } = service.execute({ ...BID, qty: 1 })
    name(id)
    await start('second')
    expect([openIds(), states(), halted()]).toEqual([[], ['AMBIGUOUS'], 'AMBIGUOUS'])
    expect([store.intentsById.get(1)?.orderId, stage.account.manager.intents.isOwned(id)]).toEqual([undefined, false])
    expect(stage.warnings.join()).toContain(`order ${id} cannot belong to intent 1: it differs from the request`)
    expect(await adopt(1, 'o1')).toBeUndefined()
    expect([openIds(), states(), halted()]).toEqual([['o1'], ['PLACED'], undefined])
  })

  it('and is nowhere counts as open, which is reported, until it is disowned', async () => {
    name('typed wrongly')
    await start('second')
    expect(stage.warnings.join()).toContain('papertape live orders mark-absent 1')
    expect(openIds()).toEqual(['typed wrongly'])
    expect(await disown(1)).toBeUndefined()
    expect([openIds(), states()]).toEqual([[], ['DISOWNED']])
  })
})
