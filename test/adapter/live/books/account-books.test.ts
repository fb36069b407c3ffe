import { describe, expect, it } from 'vitest'
import { Decimal } from '../../../../src/domain/decimal.ts'
import { POSSIBLE } from '../../../../src/adapter/live/books/order-locks.ts'
import type { OrderRequest } from '../../../../src/domain/order.ts'
import type { OwnFill } from '../../../../src/strategy/own-order.ts'
import { AccountStage, MARKETS, SYMBOL, type AccountStageOptions } from '../rig/account-stage.ts'
import { FakeLiveTime } from '../rig/fake-live-time.ts'
import { FaultyService } from '../rig/faulty-service.ts'
import { MemoryBookStore } from '../rig/memory-book-store.ts'
import { MemoryIntentStore } from '../../../../src/adapter/live/orders/memory-intent-store.ts'

const OWNERS = ['a', 'b']
const CAPITAL = new Map([['USD', new Decimal(400)], ['BTC', new Decimal(2)]]) // prettier-ignore
/** The service answers with 1000 USD and no BTC. */
const RESERVE = new Map([['USD', new Decimal(200)], ['BTC', new Decimal(-4)]]) // prettier-ignore

type Disk = Pick<AccountStageOptions, 'fees' | 'files' | 'service' | 'store' | 'time'> & {
  readonly bookStore: MemoryBookStore
}

function disk(): Disk {
  const time = new FakeLiveTime()
  const service = new FaultyService(time, MARKETS, () => 0.99)
  return { time, service, store: new MemoryIntentStore(), bookStore: new MemoryBookStore(), files: [] as OwnFill[] }
}

async function begun(on: Disk, session: string, owners = OWNERS): Promise<AccountStage> {
  const stage = new AccountStage({ ...on, session, owners, attachesLater: true })
  await on.time.until(stage.account.begin([SYMBOL]))
  const { books } = stage.account
  if (books.reserve === undefined) {
    const book = { capital: undefined, allotted: CAPITAL, held: CAPITAL }
    books.change(new Map(owners.map((owner) => [owner, book])), RESERVE)
  }
  stage.account.openBooks(owners)
  stage.attach()
  return stage
}

const buy = (price: number, qty: number): OrderRequest => ({ symbol: SYMBOL, side: 'BUY', type: 'LIMIT', price, qty })

/** What a strategy sees: available and locked. */
const seen = ({ exchanges }: AccountStage, index = 0, asset = 'USD'): readonly (string | undefined)[] => {
  const balance = exchanges[index]?.balances().get(asset)
  return [balance?.available.toFixed(), balance?.locked.toFixed()]
}

const booked = ({ account }: AccountStage, owner: string): readonly (string | undefined)[] =>
  ['USD', 'BTC'].map((asset) => account.books.factsOf(owner)?.held.get(asset)?.toFixed())

describe('a strategy with a book', () => {
  it('sees it alone: what its orders lock, what they bought, and nothing of another', async () => {
    const on = disk()
    const stage = await begun(on, '1')
    expect([seen(stage), seen(stage, 1)]).toEqual([['400', '0'], ['400', '0']]) // prettier-ignore
    stage.place(buy(99, 3))
    await on.time.pass(1_000)
    expect([seen(stage), seen(stage, 1)]).toEqual([['103', '297'], ['400', '0']]) // prettier-ignore
    on.service.fill('o1', 1)
    stage.account.look()
    await on.time.pass(1_000)
    expect([seen(stage), seen(stage, 0, 'BTC'), seen(stage, 1, 'BTC')]).toEqual([['103', '198'], ['3', '0'], ['2', '0']]) // prettier-ignore
    stage.cancel('o1')
    await on.time.pass(2_000)
    expect(seen(stage)).toEqual(['301', '0'])
    expect(stage.errors).toEqual([])
  })

  it('has an order refused that it cannot pay, while one that has no answer yet may lock the rest', async () => {
    const on = disk()
    const stage = await begun(on, '1')
    const reported: string[] = []
    stage.place(buy(99, 5), reported)
    stage.place(buy(99, 3), reported)
    stage.place(buy(97, 2), reported)
    stage.place({ symbol: SYMBOL, side: 'SELL', type: 'LIMIT', price: 101, qty: 3 }, reported)
    stage.place({ symbol: SYMBOL, side: 'BUY', type: 'MARKET', qty: 1 }, reported)
    await on.time.pass(1_000)
    expect(reported.toSorted()).toEqual(['acknowledged', 'refused', 'refused', 'refused', 'refused'])
    expect(on.service.served.map(({ order }) => [order.price, order.qty])).toEqual([[99, 3]])
  })

  it('knows what came from another or went there before any of them receives it', async () => {
    const on = disk()
    const stage = await begun(on, '1')
    stage.place(buy(99, 3))
    await on.time.pass(1_000)
    const received: unknown[] = []
    for (const exchange of stage.exchanges) {
      exchange.updates$.subscribe((update) => {
        if (update.type === 'transfer') received.push([update.amount.toFixed(), seen(stage), seen(stage, 1)])
      })
    }
    stage.account.books.transfer('USD', new Map([['a', new Decimal(-100)], ['b', new Decimal(100)]])) // prettier-ignore
    const known = [['3', '297'], ['500', '0']] // prettier-ignore
    expect(received).toEqual([['-100', ...known], ['100', ...known]]) // prettier-ignore
    expect([booked(stage, 'a')[0], booked(stage, 'b')[0]]).toEqual(['300', '500'])
  })

  it('can give away nothing that an order may lock which is assumed to be absent', async () => {
    const on = disk()
    const stage = await begun(on, '1')
    on.service.create = () => Promise.resolve({ type: 'unknown', reason: 'no answer' })
    stage.place(buy(99, 3))
    await on.time.pass(120_000)
    expect(stage.account.manager.intents.inState('QUARANTINED')).toHaveLength(1)
    const { books } = stage.account
    expect([books.free('a'), books.free('a', POSSIBLE)].map((free) => free.get('USD')?.toFixed())).toEqual([
      '400',
      '103',
    ])
  })

  it('has its fills booked after its session has ended, once, and reported by the next', async () => {
    const on = disk()
    const first = await begun(on, '1')
    first.place(buy(99, 3))
    await on.time.pass(1_000)
    first.account.leave('a')
    on.service.fill('o1', 1)
    first.account.look()
    await on.time.pass(1_000)
    expect(booked(first, 'a')).toEqual(['301', '3'])
    expect(on.files).toEqual([])
    first.kill()

    const without = await begun(on, '2', ['b'])
    on.service.fill('o1', 1)
    without.account.look()
    await on.time.pass(1_000)
    expect([booked(without, 'a'), without.account.absentOwners]).toEqual([['202', '4'], ['a']])
    without.kill()

    const last = await begun(on, '3')
    expect([booked(last, 'a'), seen(last)]).toEqual([['202', '4'], ['103', '99']]) // prettier-ignore
    expect(last.exchanges[0]?.startBalances?.get('USD')?.available.toFixed()).toBe('301')
    expect(on.files?.map(({ tradeId }) => tradeId)).toEqual(['t1', 't2'])
  })

  it('pays the fee of an order rounded up once, over a restart', async () => {
    const on = { ...disk(), fees: { makerFeeBps: '7.5', takerFeeBps: '12.5' } }
    const first = await begun(on, '1')
    first.place(buy(99, 3))
    await on.time.pass(1_000)
    on.service.fill('o1', 1)
    first.account.look()
    await on.time.pass(1_000)
    first.kill()
    const second = await begun(on, '2')
    on.service.fill('o1', 1)
    second.account.look()
    await on.time.pass(1_000)
    expect(on.files?.map(({ fee }) => fee.toFixed())).toEqual(['1', '0'])
    expect(booked(second, 'a')).toEqual(['201', '4'])
  })

  it('gets a fill in its book that is only in the files of a session whose disk was full', async () => {
    const on = disk()
    const first = await begun(on, '1')
    first.place(buy(99, 3))
    await on.time.pass(1_000)
    const { bookStore } = on
    const save = bookStore.save.bind(bookStore)
    bookStore.save = () => undefined
    on.service.fill('o1', 1)
    first.account.look()
    await on.time.pass(1_000)
    expect([on.files?.length, bookStore.books.get('a')?.held.USD]).toEqual([1, '400'])
    first.kill()
    bookStore.save = save
    for (const session of ['2', '3']) {
      const next = await begun(on, session)
      expect(booked(next, 'a')).toEqual(['301', '3'])
      next.kill()
    }
  })

  it('is warned once of what moved the account without its orders', async () => {
    const on = disk()
    const stage = await begun(on, '1')
    const warned = (): readonly string[] => stage.warnings.filter((text) => text.includes('than the books'))
    stage.account.look()
    await on.time.pass(2_000)
    expect(warned()).toEqual([])
    on.service.foreignFill()
    on.service.balances = () => Promise.resolve(new Map([['USD', { available: '901', locked: '0' }]]))
    stage.account.look()
    await on.time.pass(60_000)
    expect(warned()).toEqual([
      expect.stringContaining(
        'the account has 99 USD less than the books of its strategies and the reserve: a deposit',
      ),
    ])
  })
})
