/**
 * Eigenvalues and eigenvectors: what they are made of comes out again.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { symmetricEigen, type Matrix } from '../../../src/sweep/search/evolution.ts'

const square = (size: number, value: (row: number, column: number) => number): Matrix =>
  Array.from({ length: size }, (_, row) => Array.from({ length: size }, (_column, column) => value(row, column)))

const at = (matrix: Matrix, row: number, column: number): number => matrix[row]?.[column] ?? Number.NaN

const sum = (size: number, value: (index: number) => number): number =>
  Array.from({ length: size }, (_, index) => value(index)).reduce((total, each) => total + each, 0)

const matrices = fc
  .integer({ min: 1, max: 12 })
  .chain((size) =>
    fc
      .array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: size * size, maxLength: size * size })
      .map((values) =>
        square(size, (row, column) => values[Math.min(row, column) * size + Math.max(row, column)] ?? 0),
      ),
  )

describe('the eigenvectors of a symmetric matrix', () => {
  it('have length 1, are at right angles, and make the matrix again with their values', () => {
    fc.assert(
      fc.property(matrices, (matrix) => {
        const size = matrix.length
        const { values, vectors } = symmetricEigen(matrix)
        for (let row = 0; row < size; row += 1) {
          for (let column = 0; column < size; column += 1) {
            const angle = sum(size, (axis) => at(vectors, row, axis) * at(vectors, column, axis))
            expect(angle).toBeCloseTo(row === column ? 1 : 0, 12)
            const made = sum(size, (k) => (values[k] ?? 0) * at(vectors, k, row) * at(vectors, k, column))
            expect(made).toBeCloseTo(at(matrix, row, column), 9)
          }
        }
      }),
    )
  })

  it.each`
    matrix                               | values        | why
    ${[[3]]}                             | ${[3]}        | ${'a single number is its own'}
    ${[[2, 0], [0, 5]]}                  | ${[2, 5]}     | ${'nothing is to be turned'}
    ${[[2, 1], [1, 2]]}                  | ${[1, 3]}     | ${'turned by 45 degrees'}
    ${[[1, 1, 1], [1, 1, 1], [1, 1, 1]]} | ${[0, 0, 3]}  | ${'of rank 1'}
    ${[[0, 0], [0, 0]]}                  | ${[0, 0]}     | ${'nothing at all'}
    ${[[1e300, 1], [1, 1e-300]]}         | ${[0, 1e300]} | ${'sizes that are far apart'}
  `('are found of $matrix: $why', ({ matrix, values }: { matrix: Matrix; values: readonly number[] }) => {
    const found = symmetricEigen(matrix).values.toSorted((a, b) => a - b)
    const largest = Math.max(1, ...values)
    found.forEach((value, index) => expect(value / largest).toBeCloseTo((values[index] ?? 0) / largest, 12))
  })
})
