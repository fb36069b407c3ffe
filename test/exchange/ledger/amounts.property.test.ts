/**
 * Amounts in two limbs beside bigints, at the edges where limbs carry, borrow and give way.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Amount } from '../../../src/exchange/ledger/amount.ts'
import { AmountCells } from '../../../src/exchange/ledger/amount-cells.ts'
import { runs } from '../../property/property.ts'

const RUNS = { numRuns: runs(2_000) }

/** Around every power of two at which something changes, and anywhere between. */
const edge = fc.constantFrom(0n, 26n, 27n, 51n, 52n, 53n, 78n, 103n, 104n, 105n, 150n)
const magnitude = fc.oneof(
  fc.tuple(edge, fc.bigInt(-3n, 3n)).map(([bits, offset]) => (1n << bits) + offset),
  fc.bigInt(0n, 1n << 110n),
)
const signed = fc.tuple(magnitude, fc.boolean()).map(([value, isNegative]) => (isNegative ? -value : value))
const safe = fc.oneof(
  magnitude.filter((value) => value >= 0n && value <= BigInt(Number.MAX_SAFE_INTEGER)).map(Number),
  fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
)
const powerOfTen = fc.integer({ min: 0, max: 24 }).map((digits) => {
  const bigint = 10n ** BigInt(digits)
  return { bigint, number: Number(bigint) }
})

describe('an amount', () => {
  it('is the value that was set, of any size and sign', () => {
    fc.assert(
      fc.property(signed, (value) => {
        expect(new Amount().set(value).value).toBe(value)
      }),
      RUNS,
    )
  })

  it('is the exact product of two safe integers and a power of ten', () => {
    fc.assert(
      fc.property(safe, safe, powerOfTen, (a, b, units) => {
        expect(new Amount().setProduct(a, b, units).value).toBe(BigInt(a) * BigInt(b) * units.bigint)
      }),
      RUNS,
    )
  })

  it('has limbs below 2^104 and none from there on', () => {
    const hasLimbs = (value: bigint): boolean => !Number.isNaN(new Amount().set(value).high)
    expect([2n ** 104n - 1n, -(2n ** 104n)].map(hasLimbs)).toEqual([true, true])
    expect([2n ** 104n, -(2n ** 104n) - 1n].map(hasLimbs)).toEqual([false, false])
  })
})

describe('cells', () => {
  it('add, subtract and compare like bigints, whatever came before', () => {
    const step = fc.record({ cell: fc.nat(2), isAdded: fc.boolean(), value: signed })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const cells = new AmountCells(3)
        const expected = [0n, 0n, 0n]
        const amount = new Amount()
        for (const { cell, isAdded, value } of steps) {
          amount.set(value)
          const before = expected[cell] ?? 0n
          expect(cells.covers(cell, amount)).toBe(before >= value)
          const after = isAdded ? before + value : before - value
          expected[cell] = after
          expect(isAdded ? cells.add(cell, amount) : cells.subtract(cell, amount)).toBe(after >= 0n)
          expect([0, 1, 2].map((each) => cells.value(each))).toEqual(expected)
        }
      }),
      RUNS,
    )
  })

  it('keep what they hold when there are more of them, the large ones too', () => {
    const cells = new AmountCells(2)
    cells.add(0, new Amount().set(-5n))
    cells.add(1, new Amount().set(2n ** 120n))
    cells.grow(5)
    expect([0, 1, 2, 3, 4].map((cell) => cells.value(cell))).toEqual([-5n, 2n ** 120n, 0n, 0n, 0n])
  })
})
