import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { BookEvent } from '../../../src/store/books/book-event.ts'
import { runs, needed } from '../../property/property.ts'
import { BookTally } from '../../../src/store/books/book-tally.ts'
import { MatchingOrder } from '../../../src/store/books/matching-order.ts'

const RANKS = { trades: 0, depth: 1, quotes: 2 }

const eventOf = (kind: BookEvent['kind'], time: number, id: number): BookEvent => {
  const reported = { where: `capture:${id}`, time, id }
  if (kind === 'trades') return { ...reported, kind, price: '1', qty: '1', side: 1 }
  if (kind === 'quotes') return { ...reported, kind, bid: ['1', '1'], ask: undefined }
  return { ...reported, kind, isSnapshot: false, hasGap: false, bids: [['1', '1']], asks: [] }
}

function ordered(events: readonly BookEvent[]): { readonly given: readonly BookEvent[]; readonly tally: BookTally } {
  const tally = new BookTally()
  const order = new MatchingOrder(tally)
  const given = events.flatMap((event) => [...order.add(event)])
  return { given: [...given, ...order.end()], tally }
}

const kind = fc.constantFrom<BookEvent['kind']>('trades', 'depth', 'quotes')

it('gives every event once, by time, then trades, frames and quotes, and frames in their own order', () => {
  let [moved, raised] = [0, 0]
  // Late by less than a second, in steps that meet often.
  const steps = fc.array(fc.tuple(kind, fc.constantFrom(0, 0, 250, 500, 2_000), fc.constantFrom(0, 0, 250, 750)))
  fc.assert(
    fc.property(steps, (drawn) => {
      let clock = 1_000_000
      const events = drawn.map(([of, wait, late], id) => eventOf(of, (clock += wait) - late, id))
      const { given, tally } = ordered(events)
      expect(given.map(({ id }) => id).toSorted((a = 0, b = 0) => a - b)).toEqual(events.map(({ id }) => id))
      for (const [at, event] of given.entries()) {
        const before = given[at - 1]
        if (before === undefined) continue
        expect(before.time).toBeLessThanOrEqual(event.time)
        if (before.time === event.time) expect(RANKS[before.kind]).toBeLessThanOrEqual(RANKS[event.kind])
      }
      const frames = given.filter((event) => event.kind === 'depth').map(({ id = 0 }) => id)
      expect(frames).toEqual(frames.toSorted((a, b) => a - b))
      for (const [what, count] of tally.counts) {
        if (!what.endsWith('received out of order')) raised += count
        else moved += count
      }
    }),
    { numRuns: runs(300) },
  )
  expect(moved).toBeGreaterThan(needed(50))
  expect(raised).toBeGreaterThan(needed(20))
})

it('refuses by its line what comes more than a second late', () => {
  const events = [eventOf('depth', 10_000, 1), eventOf('trades', 9_000, 2), eventOf('trades', 8_999, 3)]
  expect(() => ordered(events)).toThrow('capture:3: expected times of at most 1000 ms before the latest, got one 1001 ms before it') // prettier-ignore
  expect(ordered(events.slice(0, 2)).given.map(({ id }) => id)).toEqual([2, 1])
})
