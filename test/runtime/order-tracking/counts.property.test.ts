/**
 * What is counted for all resting orders together, held against a plain count for each.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BestPrices } from '../../../src/simulation/crowd/best-prices.ts'
import {
  type ApproachMark,
  ClosestApproach,
  PriceSums,
} from '../../../src/runtime/order-tracking/resting-orders-by-side.ts'
import { PriceQueue, type QueuePosition, RowSums } from '../../../src/runtime/order-tracking/price-queue.ts'
import { runs } from '../../property/property.ts'

const MAX = Number.MAX_SAFE_INTEGER
const lots = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: MAX - 9, max: MAX }))

it('sums up to a price are those of a list, for prices of any size', () => {
  const price = fc.oneof(
    fc.integer({ min: 1, max: 20 }),
    fc.integer({ min: 2 ** 31 - 3, max: 2 ** 31 + 3 }),
    fc.integer({ min: 2 ** 52, max: 2 ** 52 + 3 }),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(price, lots, price), { size: '+1' }), (steps) => {
      const sums = new PriceSums()
      const added: (readonly [number, number])[] = []
      for (const [at, qty, asked] of steps) {
        sums.add(at, qty)
        added.push([at, qty])
        const below = added.filter(([each]) => each <= asked)
        const total = below.reduce((sum, [, each]) => sum + BigInt(each), 0n)
        expect(sums.upTo(asked)).toEqual({ trades: below.length, lots: total })
      }
    }),
  )
})

it('sums of a row are those of a list, whatever is added, changed and taken from its end', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: lots.map((value) => ['push', value, 0] as const) },
    fc.tuple(fc.constant('set' as const), lots, fc.nat(40)),
    fc.constant(['pop', 0, 0] as const),
  )
  fc.assert(
    fc.property(fc.array(step, { size: '+2' }), fc.nat(60), (steps, count) => {
      const row = new RowSums()
      const plain: number[] = []
      for (const [type, value, index] of steps) {
        if (type === 'push') plain.push(value)
        if (type === 'push') row.push(value)
        if (type === 'pop' && plain.length > 0) row.pop()
        if (type === 'pop') plain.pop()
        if (type === 'set' && index < plain.length) row.set(index, value)
        if (type === 'set' && index < plain.length) plain[index] = value
      }
      const asked = Math.min(count, plain.length)
      expect(row.length).toBe(plain.length)
      expect(row.sum(asked)).toBe(plain.slice(0, asked).reduce((sum, each) => sum + BigInt(each), 0n))
    }),
  )
})

it.each(['BUY', 'SELL'] as const)('the best price of %s is that of a sorted list', (side) => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 150 })), { size: '+2' }), (steps) => {
      const prices = new BestPrices(side)
      const plain = new Set<number>()
      const [reported, expected]: [(number | undefined)[], (number | undefined)[]] = [[], []]
      for (const [isAdded, price] of steps) {
        if (isAdded) prices.add(price)
        else prices.delete(price)
        if (isAdded) plain.add(price)
        else plain.delete(price)
        reported.push(prices.best)
        expected.push([...plain].sort((a, b) => (side === 'BUY' ? b - a : a - b))[0])
      }
      expect(reported).toEqual(expected)
    }),
  )
})

describe.each(['BUY', 'SELL'] as const)('the price that came nearest to orders of %s', (side) => {
  it('is that of a look at every price since each began', () => {
    const corners = { none: 0, reported: 0, many: 0 }
    const step = fc.oneof(
      fc.integer({ min: 1, max: 30 }).map((price) => ['see', price] as const),
      fc.constant(['begin', 0] as const),
      fc.tuple(fc.constant('end' as const), fc.nat(9)),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400, size: 'max' }), (steps) => {
        const nearest = new ClosestApproach(side)
        const orders: { readonly mark: ApproachMark; seen: number[] }[] = []
        for (const [type, value] of steps) {
          if (type === 'begin') orders.push({ mark: nearest.begin(), seen: [] })
          if (type === 'see') nearest.see(value)
          if (type === 'see') for (const order of orders) order.seen.push(value)
          if (type !== 'end') continue
          const [order] = orders.splice(value, 1)
          if (order === undefined) continue
          const [best] = order.seen.toSorted((a, b) => (side === 'BUY' ? a - b : b - a))
          expect(nearest.end(order.mark)).toBe(best)
          corners[best === undefined ? 'none' : 'reported'] += 1
          if (orders.length > 20) corners.many += 1
        }
      }),
      { numRuns: runs(200) },
    )
    for (const [corner, times] of Object.entries(corners)) expect(times, corner).toBeGreaterThan(0)
  })
})

/** A queue as a book has it: orders of both, oldest first. */
interface Resting {
  readonly id: number
  readonly isOurs: boolean
  qty: number
}

/** The queue and a plain list of the orders, side by side. */
class Twin {
  readonly queue = new PriceQueue()
  readonly book: Resting[] = []
  readonly places = new Map<number, QueuePosition>()
  /** Lots cancelled ahead of each order of ours. */
  readonly #cancelled = new Map<number, bigint>()
  #lastId = 0

  join(qty: number, crowd: number): void {
    if (crowd > 0) this.#enter(false, crowd)
    const { id } = this.#enter(true, qty)
    this.places.set(id, this.queue.join(id, qty, this.#crowdLots()))
  }

  leave(index: number): void {
    const order = this.#ours(index)
    const place = order && this.places.get(order.id)
    if (order === undefined || place === undefined) return
    this.#remove(order)
    this.queue.leave(place)
    while (this.book.at(-1)?.isOurs === false) this.book.pop()
  }

  /** A trade takes from the front, as a trade does. */
  trade(qty: number): void {
    const [first] = this.book
    if (first === undefined) return
    const taken = Math.min(qty, first.qty)
    first.qty -= taken
    if (!first.isOurs) {
      this.queue.onCrowdTraded(first.id, taken)
      if (first.qty === 0) this.book.shift()
    } else if (first.qty === 0) this.leave(0)
    else this.#change(first)
  }

  /** Some lots of an order of the crowd are cancelled in its place, or all. */
  cancel(index: number, qty: number): void {
    const order = this.book.filter(({ isOurs }) => !isOurs)[index]
    if (order === undefined) return
    const lots = Math.min(qty, order.qty)
    for (const { id, isOurs } of this.book.slice(this.book.indexOf(order))) {
      if (isOurs) this.#cancelled.set(id, this.#cancelledAhead(id) + BigInt(lots))
    }
    order.qty -= lots
    if (order.qty === 0) this.#remove(order)
    this.queue.onCrowdCancelled(order.id, lots)
  }

  clear(): void {
    for (const order of this.book.filter(({ isOurs }) => !isOurs)) this.#remove(order)
    this.queue.clearCrowd()
  }

  /** An order takes and rests again; only where the crowd has no queue. */
  moveBack(index: number): void {
    const order = this.#ours(index)
    const place = order && this.places.get(order.id)
    if (order === undefined || place === undefined || this.#crowdLots() > 0) return
    this.#remove(order)
    this.book.push(order)
    this.queue.moveBack(place, order.qty)
  }

  check(): void {
    let [crowd, ours] = [0n, 0n]
    const faults: string[] = []
    for (const { id, isOurs, qty } of this.book) {
      const place = this.places.get(id)
      const ahead = isOurs && place !== undefined ? this.queue.ahead(place) : { crowd, ours }
      if (ahead.crowd !== crowd || ahead.ours !== ours) faults.push(`order ${id}`)
      if (place !== undefined && this.queue.cancelledAhead(place) !== this.#cancelledAhead(id))
        faults.push(`cancels of ${id}`)
      if (isOurs) ours += BigInt(qty)
      else crowd += BigInt(qty)
    }
    expect([faults, this.queue.isEmpty, this.queue.hasCrowd]).toEqual([[], ours === 0n, crowd > 0n])
  }

  #cancelledAhead(id: number): bigint {
    return this.#cancelled.get(id) ?? 0n
  }

  #change(order: Resting): void {
    const place = this.places.get(order.id)
    if (place !== undefined) this.queue.change(place, order.qty)
  }

  #enter(isOurs: boolean, qty: number): Resting {
    this.#lastId += 1
    const order = { id: this.#lastId, isOurs, qty }
    this.book.push(order)
    return order
  }

  #remove(order: Resting): void {
    this.book.splice(this.book.indexOf(order), 1)
  }

  #crowdLots(): number {
    return this.book.reduce((sum, { isOurs, qty }) => (isOurs ? sum : sum + qty), 0)
  }

  #ours(index: number): Resting | undefined {
    return this.book.filter(({ isOurs }) => isOurs)[index]
  }
}

it('what is ahead in a queue is what a list of its orders has, at every moment', () => {
  const qty = fc.integer({ min: 1, max: 9 })
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.constant('join' as const), qty, fc.constantFrom(0, 0, 3)) },
    { weight: 4, arbitrary: fc.tuple(fc.constant('leave' as const), fc.nat(30), fc.constant(0)) },
    { weight: 4, arbitrary: fc.tuple(fc.constant('trade' as const), qty, fc.constant(0)) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('cancel' as const), fc.nat(5), qty) },
    fc.tuple(fc.constantFrom('clear' as const, 'moveBack' as const), fc.nat(5), fc.constant(0)),
  )
  let longest = 0
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => {
      const twin = new Twin()
      for (const [type, value, crowd] of steps) {
        if (type === 'join') twin.join(value, crowd)
        else if (type === 'cancel') twin.cancel(value, crowd)
        else if (type === 'clear') twin.clear()
        else twin[type](value)
        twin.check()
        longest = Math.max(longest, twin.book.length)
      }
    }),
    { numRuns: runs(50) },
  )
  expect(longest).toBeGreaterThan(40)
})
