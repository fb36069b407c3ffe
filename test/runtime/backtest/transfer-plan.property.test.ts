/** Transfers of one moment: exact, never more than is free, and as close to the targets as that allows. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { planTransfers, type PlannedBook } from '../../../src/runtime/backtest/transfer-plan.ts'

const UNIT = 100n

const book = fc.record({
  cash: fc.bigInt({ min: 0n, max: 10n ** 24n }),
  locked: fc.bigInt({ min: 0n, max: 10n ** 24n }),
  holdings: fc.bigInt({ min: 0n, max: 10n ** 26n }),
  weight: fc.bigInt({ min: 1n, max: 1000n }),
})

const sum = (values: readonly bigint[]): bigint => values.reduce((all, value) => all + value, 0n)

it('transfers add up to zero, and no book passes its target or gives what is not free', () => {
  let [limited, reached] = [0, 0]
  fc.assert(
    fc.property(fc.array(book, { minLength: 1, maxLength: 6 }), (given) => {
      const books = given.map(({ cash, locked, holdings, weight }): PlannedBook => {
        return { equity: (cash + locked) * UNIT + holdings, free: cash, weight }
      })
      const amounts = planTransfers(books, UNIT)
      expect(sum(amounts)).toBe(0n)
      const [total, weights] = [sum(books.map(({ equity }) => equity)), sum(given.map(({ weight }) => weight))]
      const isLimited = books.some(({ free }, index) => amounts[index] === -free && free > 0n)
      if (isLimited) limited += 1
      else reached += 1
      for (const [index, { equity, free, weight }] of books.entries()) {
        const amount = amounts[index] ?? 0n
        expect(amount).toBeGreaterThanOrEqual(-free)
        // Distances to the target, as multiples of the sum of the weights.
        const [before, after] = [equity, equity + amount * UNIT].map((value) => value * weights - total * weight)
        if (amount > 0n) expect((before ?? 0n) < 0n && (after ?? 0n) <= 0n).toBe(true)
        if (amount < 0n) expect((before ?? 0n) > 0n && (after ?? 0n) >= 0n).toBe(true)
      }
    }),
  )
  expect(Math.min(limited, reached)).toBeGreaterThan(5)
})

it.each`
  equities              | free                  | weights         | amounts                | why
  ${[900n, 300n, 0n]}   | ${[900n, 300n, 0n]}   | ${[1n, 1n, 1n]} | ${[-500n, 100n, 400n]} | ${'each gets a third'}
  ${[1000n, 0n, 0n]}    | ${[1000n, 0n, 0n]}    | ${[1n, 1n, 1n]} | ${[-666n, 333n, 333n]} | ${'targets are rounded toward the present equity'}
  ${[900n, 300n, 0n]}   | ${[50n, 300n, 0n]}    | ${[1n, 1n, 1n]} | ${[-50n, 10n, 40n]}    | ${'receivers get less in proportion'}
  ${[900n, 0n, 0n]}     | ${[1n, 0n, 0n]}       | ${[1n, 1n, 1n]} | ${[-1n, 1n, 0n]}       | ${'the unit that is left goes to the first'}
  ${[800n, 600n, 100n]} | ${[800n, 600n, 100n]} | ${[6n, 3n, 1n]} | ${[100n, -150n, 50n]}  | ${'parts in proportion to the weights'}
  ${[500n]}             | ${[500n]}             | ${[1n]}         | ${[0n]}                | ${'one book alone stays as it is'}
  ${[0n, 0n]}           | ${[0n, 0n]}           | ${[1n, 1n]}     | ${[0n, 0n]}            | ${'nothing to move'}
`('$why', ({ equities, free, weights, amounts }: Record<string, bigint[]>) => {
  const books = (equities ?? []).map((equity, index): PlannedBook => {
    return { equity, free: free?.[index] ?? 0n, weight: weights?.[index] ?? 1n }
  })
  expect(planTransfers(books, 1n)).toEqual(amounts)
})
