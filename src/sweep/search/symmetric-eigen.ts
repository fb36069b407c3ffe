/**
 * Eigenvalues and eigenvectors of a symmetric matrix by Jacobi's rotations.
 *
 * Invariant: only + - * / and square roots, in a fixed order: the same matrix gives the same numbers on every machine.
 * Known limit: cubic time; meant for some ten rows, not for thousands.
 *
 * @see Golub and Van Loan (2013), Matrix Computations, section 8.5
 */

/** Rows of numbers, as many as each has. */
export type Matrix = readonly (readonly number[])[]

export interface Eigen {
  /** Eigenvalues, unordered. */
  readonly values: readonly number[]
  /** Unit eigenvector of each value, all orthogonal. */
  readonly vectors: Matrix
}

/** Each sweep about squares the off-diagonal rest; ten are enough for any matrix. */
const MAX_SWEEPS = 40

/** @param matrix  symmetric; only the diagonal and the upper triangle are read */
export function symmetricEigen(matrix: Matrix): Eigen {
  const size = matrix.length
  const work = matrix.map((row, index) =>
    row.map((value, column) => (column < index ? at(matrix, column, index) : value)),
  )
  const vectors = work.map((_, index) => work.map((_row, column) => (column === index ? 1 : 0)))
  for (let sweep = 0; sweep < MAX_SWEEPS && !isDiagonal(work); sweep += 1) {
    for (let p = 0; p < size; p += 1) {
      for (let q = p + 1; q < size; q += 1) rotate(work, vectors, p, q)
    }
  }
  return { values: work.map((row, index) => row[index] ?? 0), vectors }
}

const at = (matrix: Matrix, row: number, column: number): number => matrix[row]?.[column] ?? 0

/** True once the off-diagonal rest is smaller than the last bit of the diagonal. */
function isDiagonal(matrix: Matrix): boolean {
  return matrix.every((row, p) =>
    row.every((value, q) => {
      const size = Math.abs(at(matrix, p, p)) + Math.abs(at(matrix, q, q))
      return p === q || size + Math.abs(value) === size
    }),
  )
}

/** Turns the plane of two axes so that nothing is left between them. */
function rotate(matrix: number[][], vectors: number[][], p: number, q: number): void {
  const between = at(matrix, p, q)
  if (between === 0) return
  const theta = (at(matrix, q, q) - at(matrix, p, p)) / (2 * between)
  const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const cosine = 1 / Math.sqrt(tangent * tangent + 1)
  const sine = tangent * cosine
  for (const row of matrix) turn(row, p, q, cosine, sine)
  const [first = [], second = []] = [matrix[p], matrix[q]]
  for (const [column, one] of first.entries()) {
    const other = second[column] ?? 0
    first[column] = cosine * one - sine * other
    second[column] = sine * one + cosine * other
  }
  // Row by row: each vector is one.
  const [along = [], across = []] = [vectors[p], vectors[q]]
  for (const [column, one] of along.entries()) {
    const other = across[column] ?? 0
    along[column] = cosine * one - sine * other
    across[column] = sine * one + cosine * other
  }
}

function turn(row: number[], p: number, q: number, cosine: number, sine: number): void {
  const [one = 0, other = 0] = [row[p], row[q]]
  row[p] = cosine * one - sine * other
  row[q] = sine * one + cosine * other
}
