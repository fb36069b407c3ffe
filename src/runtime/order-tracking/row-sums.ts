/**
 * Prefix sums over a list of mutable quantities: a Fenwick tree.
 *
 * Invariant: sums are exact. Each quantity is stored as two numbers, so that 2^25 of the largest add up without losing
 * a digit.
 * @see https://doi.org/10.1002/spe.4380240306 (Fenwick, 1994)
 */
const LOW = 2 ** 27

export class RowSums {
  readonly #values: number[] = []
  readonly #low: number[] = [0]
  readonly #high: number[] = [0]

  get length(): number {
    return this.#values.length
  }

  /** 0 for an index out of range. */
  at(index: number): number {
    return this.#values[index] ?? 0
  }

  /** @param value  lots: a safe integer, 0 or more */
  push(value: number): void {
    const node = this.#values.push(value)
    let [low, high] = [value % LOW, Math.floor(value / LOW)]
    const before = node - (node & -node)
    for (let child = node - 1; child > before; child -= child & -child) {
      low += this.#low[child] ?? 0
      high += this.#high[child] ?? 0
    }
    this.#low.push(low)
    this.#high.push(high)
  }

  pop(): void {
    this.#values.pop()
    this.#low.pop()
    this.#high.pop()
  }

  set(index: number, value: number): void {
    const old = this.at(index)
    if (value === old) return
    this.#values[index] = value
    const low = (value % LOW) - (old % LOW)
    const high = Math.floor(value / LOW) - Math.floor(old / LOW)
    for (let node = index + 1; node <= this.#values.length; node += node & -node) {
      this.#low[node] = (this.#low[node] ?? 0) + low
      this.#high[node] = (this.#high[node] ?? 0) + high
    }
  }

  /** Sum of the first `count`. */
  sum(count: number): bigint {
    let [low, high] = [0, 0]
    for (let node = count; node > 0; node -= node & -node) {
      low += this.#low[node] ?? 0
      high += this.#high[node] ?? 0
    }
    return high === 0 ? BigInt(low) : BigInt(high) * BigInt(LOW) + BigInt(low)
  }
}
