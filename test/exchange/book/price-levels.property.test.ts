/**
 * What is open in a level beside a sum of bigints, with orders as large as they may be.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NONE, OrderSlots } from '../../../src/exchange/book/order-slots.ts'
import { PriceLevels } from '../../../src/exchange/book/price-levels.ts'
import { runs } from '../../property/property.ts'

const HIGHEST = Number.MAX_SAFE_INTEGER
const PRICE = 100

const lots = fc.oneof(
  fc.integer({ min: 1, max: 3 }),
  fc.integer({ min: 0, max: 3 }).map((less) => HIGHEST - less),
  fc.integer({ min: 1, max: HIGHEST }),
  fc.constantFrom(2 ** 52 - 1, 2 ** 52, 2 ** 52 + 1),
)
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('append' as const), lots }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('remove' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('fill' as const), lots }) },
)

describe('the lots of a level', () => {
  it('are the sum of what remains of its orders, however large', () => {
    let beyond = 0
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const slots = new OrderSlots()
        const levels = new PriceLevels(slots)
        let resting: readonly number[] = []
        let level = NONE
        for (const each of steps) {
          if (each.does === 'append') {
            const slot = slots.take(7, PRICE, each.lots)
            if (level === NONE) level = levels.open(slot)
            else levels.append(level, slot)
            resting = [...resting, slot]
          } else if (each.does === 'remove') {
            const slot = resting[each.pick % Math.max(1, resting.length)]
            if (slot !== undefined && !levels.remove(level, slot)) {
              levels.close(level)
              level = NONE
            }
            resting = resting.filter((other) => other !== slot)
          } else if (resting.length > 1) {
            const [slot = NONE, second = NONE] = resting
            const filled = Math.min(each.lots, slots.remaining(slot))
            slots.setRemaining(slot, slots.remaining(slot) - filled)
            levels.subtract(level, filled)
            if (slots.remaining(slot) === 0) {
              levels.advance(level, second)
              resting = resting.slice(1)
            }
          }
          if (level === NONE) continue
          const expected = resting.reduce((sum, slot) => sum + BigInt(slots.remaining(slot)), 0n)
          expect(levels.lots(level)).toBe(expected)
          beyond += expected > 2n ** 53n ? 1 : 0
        }
      }),
      { numRuns: runs(500) },
    )
    expect(beyond, 'levels of more than 2^53 lots').toBeGreaterThan(100)
  })

  it('are nothing when it is closed, or the bug is reported', () => {
    const slots = new OrderSlots()
    const levels = new PriceLevels(slots)
    const level = levels.open(slots.take(7, PRICE, 3))
    levels.subtract(level, 2)
    expect(() => levels.close(level)).toThrow('a level without orders has no lots')
    expect(() => levels.subtract(level, 2)).toThrow('no more leaves a level than came to it')
  })
})
