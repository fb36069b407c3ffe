/**
 * One side of a book beside a list that is sorted each time, with prices that make its window of ticks move.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Side } from '../../../src/domain/order.ts'
import { BookSide } from '../../../src/exchange/book/book-side.ts'
import { NONE, OrderSlots } from '../../../src/exchange/book/order-slots.ts'

const WINDOW = 8192
const HIGHEST = Number.MAX_SAFE_INTEGER

/** Steps of less and of more than a window, and the ends of the scale. */
const price = fc.oneof(
  fc.integer({ min: 1, max: 12 }),
  fc.integer({ min: 50_000, max: 50_012 }),
  fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -2, max: 2 })).map(([n, off]) => n * WINDOW + off),
  fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -2, max: 2 })).map(([n, off]) => n * (WINDOW / 4) + off),
  fc.integer({ min: 0, max: 20_000 }).map((off) => HIGHEST - off),
)
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('append' as const), price }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('remove' as const), pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('take' as const), count: fc.integer({ min: 1, max: 4 }) }) },
)

interface Resting {
  readonly slot: number
  readonly price: number
}

/** Sorted anew for every look; a stable sort keeps the order of arrival. */
const matchOrder = (orders: readonly Resting[], side: Side): readonly Resting[] =>
  orders.toSorted((a, b) => (side === 'BUY' ? b.price - a.price : a.price - b.price))

function ordersOf(book: BookSide, slots: OrderSlots): readonly Resting[] {
  const found: Resting[] = []
  for (let level = book.best; level !== NONE; level = book.worse(level)) {
    let ahead = NONE
    for (let slot = book.first(level); slot !== NONE; slot = slots.next(slot)) {
      expect(slots.previous(slot)).toBe(ahead)
      expect(book.at(slots.price(slot))).toBe(level)
      found.push({ slot, price: slots.price(slot) })
      ahead = slot
    }
  }
  return found
}

describe.each(['BUY', 'SELL'] as const)('a side of %s orders', (side) => {
  it('holds its orders by price, then time, and its best, wherever its window is', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const slots = new OrderSlots()
        const book = new BookSide(slots, side)
        let resting: readonly Resting[] = []
        const forget = (slot: number): void => {
          slots.release(slot)
          resting = resting.filter((order) => order.slot !== slot)
        }
        for (const each of steps) {
          if (each.does === 'append') {
            const slot = slots.take(7, each.price, 1)
            book.append(slot)
            resting = [...resting, { slot, price: each.price }]
          } else if (each.does === 'remove') {
            const order = resting[each.pick % Math.max(1, resting.length)]
            if (order !== undefined) {
              book.remove(order.slot)
              forget(order.slot)
            }
          } else {
            takeOffBest(book, slots, each.count, forget)
          }
          const expected = matchOrder(resting, side)
          expect(ordersOf(book, slots)).toEqual(expected)
          expect(book.bestPrice).toBe(expected[0]?.price)
        }
      }),
      { numRuns: 500 },
    )
  })
})

/** What matching does: the first orders of the best level go. */
function takeOffBest(book: BookSide, slots: OrderSlots, count: number, forget: (slot: number) => void): void {
  if (book.best === NONE) return
  let slot = book.first(book.best)
  for (let taken = 0; taken < count && slot !== NONE; taken += 1) {
    const next = slots.next(slot)
    forget(slot)
    slot = next
  }
  book.advanceBest(slot)
}
