/**
 * One side of a book beside a list that is sorted each time, with prices that make its window of ticks move.
 */
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Side } from '../../../src/domain/order.ts'
import { BookSide } from '../../../src/exchange/book/book-side.ts'
import { NearLevels, WINDOW } from '../../../src/exchange/book/near-levels.ts'
import { NONE, OrderSlots } from '../../../src/exchange/book/order-slots.ts'
import { runs } from '../../property/property.ts'

const HIGHEST = Number.MAX_SAFE_INTEGER

/** Steps of less and of more than a window, and the ends of the scale. */
const price = fc.oneof(
  fc.integer({ min: 1, max: 12 }),
  fc.integer({ min: 50_000, max: 50_012 }),
  fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -2, max: 2 })).map(([n, off]) => n * WINDOW + off),
  fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -2, max: 2 })).map(([n, off]) => n * (WINDOW / 8) + off),
  fc.integer({ min: 0, max: 20_000 }).map((off) => HIGHEST - off),
  fc.integer({ min: 1, max: HIGHEST }),
)
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('append' as const), price }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('append-twice' as const), price }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('remove' as const), pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('take' as const), count: fc.integer({ min: 1, max: 4 }) }) },
)

interface Resting {
  readonly slot: number
  readonly price: number
}

/** Sorted again for every look; a stable sort keeps the order of arrival. */
const matchOrder = (orders: readonly Resting[], side: Side): readonly Resting[] =>
  orders.toSorted((a, b) => (side === 'BUY' ? b.price - a.price : a.price - b.price))

function ordersOf(book: BookSide, slots: OrderSlots): readonly Resting[] {
  const found: Resting[] = []
  for (let level = book.best; level !== NONE; level = book.worse(level)) {
    let ahead = NONE
    let lots = 0n
    for (let slot = book.first(level); slot !== NONE; slot = slots.next(slot)) {
      expect(slots.previous(slot)).toBe(ahead)
      expect(book.at(slots.price(slot))).toBe(level)
      found.push({ slot, price: slots.price(slot) })
      ahead = slot
      lots += BigInt(slots.remaining(slot))
    }
    expect(book.lots(level)).toBe(lots)
  }
  return found
}

/** What the window of a side did and where it was: a test that misses one of these proves less than it says. */
const CORNERS = [
  'the window moves up',
  'the window moves down',
  'a level leaves the window',
  'a level comes into the window',
  'a level stays in a window that moves',
  'the best level is above the window',
  'the best level is in the window',
  'the best level is below the window',
  'levels are above, in and below the window',
] as const
type Corner = (typeof CORNERS)[number]

class WindowWatch {
  readonly reached = new Map<Corner, number>(CORNERS.map((corner) => [corner, 0]))
  /** The window that moved last. */
  #near: NearLevels | undefined

  /** Of every side from now on. */
  watch(): void {
    const note = this.#note.bind(this)
    const seeWindow = (near: NearLevels): void => void (this.#near = near)
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own `this`
    const moveTo = NearLevels.prototype.moveTo
    vi.spyOn(NearLevels.prototype, 'moveTo').mockImplementation(function (this: NearLevels, base, far) {
      seeWindow(this)
      const staying = this.count - this.leaving(base)
      note('the window moves up', base > this.base && this.count > 0)
      note('the window moves down', base < this.base)
      note('a level leaves the window', this.leaving(base) > 0)
      note('a level stays in a window that moves', staying > 0)
      moveTo.call(this, base, far)
      note('a level comes into the window', this.count > staying)
    })
  }

  /** A new side, whose window has not moved yet. */
  forget(): void {
    this.#near = undefined
  }

  /** @param keys  best first */
  see(keys: readonly number[]): void {
    const near = this.#near
    const [best] = keys
    if (near === undefined || best === undefined) return
    const isInside = near.covers(best)
    this.#note('the best level is in the window', isInside)
    this.#note('the best level is above the window', best >= near.end)
    this.#note('the best level is below the window', best < near.base)
    const isEverywhere = best >= near.end && near.count > 0 && (keys.at(-1) ?? best) < near.base
    this.#note('levels are above, in and below the window', isEverywhere)
  }

  #note(corner: Corner, isReached: boolean): void {
    if (isReached) this.reached.set(corner, (this.reached.get(corner) ?? 0) + 1)
  }
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe.each(['BUY', 'SELL'] as const)('a side of %s orders', (side) => {
  it('holds its orders by price, then time, and its best, wherever its window is', () => {
    const window = new WindowWatch()
    window.watch()
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const slots = new OrderSlots()
        const book = new BookSide(slots, side)
        window.forget()
        let resting: readonly Resting[] = []
        const forget = (slot: number): void => {
          slots.release(slot)
          resting = resting.filter((order) => order.slot !== slot)
        }
        for (const each of steps) {
          if (each.does === 'append' || each.does === 'append-twice') {
            for (let count = each.does === 'append' ? 1 : 2; count > 0; count -= 1) {
              const slot = slots.take(7, each.price, count)
              book.append(slot)
              resting = [...resting, { slot, price: each.price }]
            }
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
          window.see(expected.map((order) => book.keyOf(order.price)))
        }
      }),
      { numRuns: runs(500) },
    )
    console.log(`windows of ${side} orders:`, Object.fromEntries(window.reached))
    for (const [corner, count] of window.reached) expect(count, corner).toBeGreaterThan(0)
  })
})

/** What matching does: the first orders of the best level go. */
function takeOffBest(book: BookSide, slots: OrderSlots, count: number, forget: (slot: number) => void): void {
  if (book.best === NONE) return
  let slot = book.first(book.best)
  let lots = 0
  for (let taken = 0; taken < count && slot !== NONE; taken += 1) {
    const next = slots.next(slot)
    lots += slots.remaining(slot)
    forget(slot)
    slot = next
  }
  book.advanceBest(slot, lots)
}
