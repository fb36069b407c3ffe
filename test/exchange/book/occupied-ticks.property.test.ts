/**
 * The bitmap of occupied ticks beside a set.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { OccupiedTicks } from '../../../src/exchange/book/occupied-ticks.ts'
import { NONE } from '../../../src/exchange/book/order-slots.ts'
import { runs } from '../../property/property.ts'

const SIZE = 8192
/** Edges of words (32), of groups of words (1 024), and of the whole. */
const tick = fc.oneof(
  fc.constantFrom(0, 1, 30, 31, 32, 33, 1022, 1023, 1024, 1025, 4095, 4096, SIZE - 33, SIZE - 32, SIZE - 1),
  fc.nat(SIZE - 1),
)
const step = fc.record({ does: fc.constantFrom('set', 'set', 'clear', 'clearAll'), tick })

it('knows which ticks are occupied, and the highest below any', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), tick, (steps, below) => {
      const occupied = new OccupiedTicks(SIZE)
      const expected = new Set<number>()
      for (const { does, tick: at } of steps) {
        if (does === 'set') {
          occupied.set(at)
          expected.add(at)
        } else if (does === 'clear') {
          occupied.clear(at)
          expected.delete(at)
        } else {
          occupied.clearAll()
          expected.clear()
        }
        expect(occupied.has(at)).toBe(expected.has(at))
      }
      for (const from of [below, SIZE, ...expected]) {
        expect(occupied.highestBelow(from)).toBe(Math.max(NONE, ...[...expected].filter((at) => at < from)))
      }
    }),
    { numRuns: runs(1_000) },
  )
})
