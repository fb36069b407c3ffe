import fc from 'fast-check'
import { expect, it } from 'vitest'
import { equalRun } from '../../../../src/store/tapes/order/merge-rows.ts'
import type { RowAt } from '../../../../src/store/tapes/order/row-cursor.ts'
import { runs } from '../../../property/property.ts'

interface Row {
  readonly step: number
  readonly price: number
  readonly qty: number
  readonly side: number
  readonly isDoubtful: number
}

type Ids = 'none' | 'numbers' | 'texts'

const seldom = fc.constantFrom(1, 1, 1, 1, 1, 1, 1, 2)
const row = fc.record({ step: fc.constantFrom(0, 1), price: seldom, qty: seldom, side: seldom, isDoubtful: seldom })

/** The first row stands for those before, which are not looked at. */
function tradesOf(rows: readonly Row[], ids: Ids, hasDoubts: boolean): RowAt {
  let time = 0
  const column = (of: (row: Row) => number): Float64Array => Float64Array.from(rows, of)
  const numbers = rows.map((_, index) => index)
  const block = {
    length: rows.length,
    time: column(({ step }) => (time += step)),
    price: column(({ price }) => price),
    qty: column(({ qty }) => qty),
    side: Uint8Array.from(rows, ({ side }) => side),
    ...(hasDoubts && { isDoubtful: Uint8Array.from(rows, ({ isDoubtful }) => isDoubtful - 1) }),
    ids: ids === 'none' ? undefined : ids === 'numbers' ? Float64Array.from(numbers) : numbers.map(String),
  }
  return { rows: { block, pricePrecision: 0, qtyPrecision: 0 }, row: 1 }
}

/** The same by the simplest way: from the longest run down, every row as a text. */
function simply(one: readonly Row[], other: readonly Row[], doubts: readonly [boolean, boolean]): number {
  const timesOf = (rows: readonly Row[]): number[] => rows.map((_, at) => rows.slice(0, at + 1).reduce((sum, { step }) => sum + step, 0)) // prettier-ignore
  const [a, b] = [timesOf(one), timesOf(other)]
  const text = (rows: readonly Row[], times: number[], at: number, hasDoubts: boolean): string =>
    JSON.stringify([times[at], rows[at]?.price, rows[at]?.qty, rows[at]?.side, hasDoubts ? rows[at]?.isDoubtful : 1])
  for (let end = Math.min(one.length, other.length) - 1; end > 1; end -= 1) {
    const all = Array.from({ length: end - 1 }, (_, at) => at + 1)
    const areEqual = all.every((at) => text(one, a, at, doubts[0]) === text(other, b, at, doubts[1]))
    if (areEqual && a[end] !== a[end - 1] && b[end] !== b[end - 1]) return end - 1
  }
  return 0
}

it('counts the rows that are the same, in whole moments', () => {
  const rows = fc.array(row, { minLength: 2, maxLength: 20 })
  const form = fc.constantFrom<Ids>('none', 'numbers', 'texts')
  const change = fc.option(fc.tuple(fc.nat(19), row))
  fc.assert(
    fc.property(rows, change, fc.nat(3), form, fc.boolean(), fc.boolean(), (one, other, more, ids, first, second) => {
      const changed = one.map((each, at) => (at === other?.[0] ? other[1] : each))
      const theirs = [...changed, ...one.slice(0, more)]
      const run = equalRun(tradesOf(one, ids, first), tradesOf(theirs, ids, second))
      expect(run).toBe(simply(one, theirs, [first, second]))
    }),
    { numRuns: runs(2_000) },
  )
})

it('leaves rows whose ids are of another form, and those whose integer ids do not rise', () => {
  const rows = Array.from({ length: 5 }, () => ({ step: 1, price: 1, qty: 1, side: 1, isDoubtful: 1 }))
  expect(equalRun(tradesOf(rows, 'numbers', false), tradesOf(rows, 'texts', false))).toBe(0)
  const [one, other] = [tradesOf(rows, 'none', false), tradesOf(rows, 'none', false)]
  const fallen = ({ rows: { block, ...precisions }, row: at }: RowAt): RowAt => ({
    rows: { block: { ...block, ids: Float64Array.of(1, 2, 3, 3, 4) }, ...precisions },
    row: at,
  })
  expect(equalRun(fallen(one), fallen(other))).toBe(2)
})
