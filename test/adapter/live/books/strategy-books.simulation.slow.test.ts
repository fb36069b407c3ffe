/**
 * Three strategies on one account, whose orders are filled at random, before a faulty service and over kills: the book
 * of each is its capital plus what the service filled of its orders, and what none can explain is not in any.
 */
import { describe, expect, it } from 'vitest'
import type { Amounts } from '../../../../src/adapter/live/books/strategy-book.ts'
import { Decimal } from '../../../../src/domain/decimal.ts'
import { isOpen, type OrderRequest } from '../../../../src/domain/order.ts'
import { seededRandom } from '../../../../src/runtime/strategies/seeded-random.ts'
import type { OwnFill } from '../../../../src/strategy/own-order.ts'
import { AccountStage, MARKETS, SYMBOL } from '../rig/account-stage.ts'
import { FakeLiveTime } from '../rig/fake-live-time.ts'
import { FaultyService } from '../rig/faulty-service.ts'
import { MemoryBookStore } from '../rig/memory-book-store.ts'
import { MemoryIntentStore } from '../../../../src/adapter/live/orders/memory-intent-store.ts'

const OWNERS = ['a', 'b', 'c']
const LIVES = 4
const ORDERS_A_LIFE = 8
const CAPITAL = new Map([['USD', new Decimal(1_500)], ['BTC', new Decimal(7)]]) // prettier-ignore
/** Amounts have no decimals here, so that every fee is rounded up by much. */
const FEES = { makerFeeBps: '7.5', takerFeeBps: '12.5' }

function drawn(random: () => number): OrderRequest {
  const side = random() < 0.5 ? 'BUY' : 'SELL'
  const qty = random() < 0.15 ? 9 : 1 + Math.floor(random() * 3)
  return { symbol: SYMBOL, side, type: 'LIMIT', price: 99 + Math.floor(random() * 3), qty }
}

interface Disk {
  readonly time: FakeLiveTime
  readonly service: FaultyService
  readonly store: MemoryIntentStore
  readonly bookStore: MemoryBookStore
  readonly files: OwnFill[]
}

async function begin(disk: Disk, life: number): Promise<AccountStage> {
  for (let attempt = 0; ; attempt += 1) {
    const session = `${life}.${attempt}`
    const stage = new AccountStage({ ...disk, owners: OWNERS, fees: FEES, session, attachesLater: true })
    try {
      await disk.time.until(stage.account.begin([SYMBOL]))
    } catch {
      stage.kill()
      continue
    }
    const { books } = stage.account
    if (books.reserve === undefined) {
      const book = { capital: undefined, allotted: CAPITAL, held: CAPITAL }
      books.change(new Map(OWNERS.map((owner) => [owner, book])), new Map([['USD', new Decimal(100)]]))
    }
    stage.account.openBooks(OWNERS)
    stage.attach()
    return stage
  }
}

const sum = (amounts: Iterable<Decimal>): Decimal =>
  [...amounts].reduce((total, each) => total.plus(each), new Decimal(0))

/** Holdings that capital and fills of the service's orders give, with the fee of each order rounded up once. */
function expected(disk: Disk, owner: string): Readonly<Record<string, string>> {
  const own = new Set(
    [...disk.store.intentsById.values()].flatMap((intent) => (intent.owner === owner ? [intent.orderId] : [])),
  )
  const fills = disk.service.fillRows.filter(({ orderId }) => own.has(orderId))
  const signed = (side: string): number => (side === 'BUY' ? 1 : -1)
  const costs = new Map<string, number>()
  for (const { orderId, price, qty } of fills) costs.set(orderId, (costs.get(orderId) ?? 0) + price * qty)
  const fees = [...costs.values()].map((cost) => new Decimal(cost).times('0.00125').ceil())
  const base = fills.map(({ side, qty }) => new Decimal(signed(side) * qty))
  const quote = fills.map(({ side, qty, price }) => new Decimal(-signed(side) * qty * price))
  const held = (asset: string, moves: readonly Decimal[]): string =>
    sum([CAPITAL.get(asset) ?? new Decimal(0), ...moves]).toFixed()
  return { USD: held('USD', [...quote, ...fees.map((fee) => fee.neg())]), BTC: held('BTC', base) }
}

const textsOf = (amounts: Amounts | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(['USD', 'BTC'].map((asset) => [asset, amounts?.get(asset)?.toFixed() ?? '0']))

/** No strategy has spent, or has ordered for, more than its book has. */
function checkUnspent({ account }: AccountStage, seed: number): void {
  for (const owner of OWNERS) {
    for (const [asset, { available, locked }] of account.books.view(owner) ?? []) {
      expect([seed, owner, asset, available.lt(0), locked.lt(0)]).toEqual([seed, owner, asset, false, false])
    }
  }
}

describe('the books of three strategies on one account', () => {
  it('are their capital plus the fills of their orders, whatever is lost and whenever they are killed', async () => {
    const counts = { fills: 0, refused: 0, ahead: 0 }
    for (let seed = 1; seed <= 120; seed += 1) {
      const random = seededRandom(seed)
      const time = new FakeLiveTime()
      const faults = { share: seed % 3 === 0 ? 0 : 0.1, latestMs: 5_000, pageCap: 500, isCoarse: false }
      const service = new FaultyService(time, MARKETS, random, faults)
      const disk = {
        time,
        service,
        store: new MemoryIntentStore(),
        bookStore: new MemoryBookStore(),
        files: [] as OwnFill[],
      }
      for (let life = 1; life <= LIVES; life += 1) {
        const stage = await begin(disk, life)
        const inFiles = disk.files.length
        const reported: string[] = []
        for (let count = 0; count < ORDERS_A_LIFE; count += 1) {
          const index = Math.floor(random() * OWNERS.length)
          stage.place(drawn(random), reported, index)
          await time.pass(Math.floor(random() * 3_000))
          const open = stage.exchanges[index]?.openOrders() ?? []
          const one = open[Math.floor(random() * open.length)]
          if (one !== undefined && random() < 0.5) service.fill(one.id, 1)
          if (one !== undefined && random() < 0.3) stage.cancel(one.id, index)
          checkUnspent(stage, seed)
        }
        counts.refused += reported.filter((type) => type === 'refused').length
        await time.pass(Math.floor(random() * 60))
        stage.kill()
        expect(stage.errors).toEqual([])
        // Booked, and killed before it was in the file.
        if (disk.files.length > inFiles && random() < 0.5) {
          disk.files.pop()
          counts.ahead += 1
        }
        for (const { order } of service.served) if (random() < 0.2) service.fill(order.id, 1)
        await time.pass(Math.floor(random() * 5_000))
      }
      service.faults = { ...faults, share: 0 }
      const last = await begin(disk, LIVES + 1)
      await time.pass(100_000)
      const { books } = last.account
      for (const owner of OWNERS) {
        const now = textsOf(books.factsOf(owner)?.held)
        expect([seed, owner, now]).toEqual([seed, owner, expected(disk, owner)])
        expect(disk.bookStore.books.get(owner)?.held, `seed ${seed}: on disk`).toMatchObject(now)
      }
      expect(textsOf(books.total())).toEqual({
        USD: sum([new Decimal(100), ...OWNERS.map((owner) => new Decimal(expected(disk, owner).USD ?? 0))]).toFixed(),
        BTC: sum(OWNERS.map((owner) => new Decimal(expected(disk, owner).BTC ?? 0))).toFixed(),
      })
      // Executions of finished orders are no longer kept with the books.
      const open = service.served.filter(({ order }) => isOpen(order.status)).length
      const kept = [...disk.bookStore.books.values()].flatMap(({ orders }) => Object.keys(orders)).length
      expect(kept).toBeLessThanOrEqual(open + ORDERS_A_LIFE * OWNERS.length)
      counts.fills += service.fillRows.length
    }
    expect(counts.fills).toBeGreaterThan(1_000)
    expect(counts.refused).toBeGreaterThan(100)
    expect(counts.ahead).toBeGreaterThan(50)
  })
})
