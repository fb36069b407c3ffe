/**
 * Priority queue of the prices of one side of a market: the best is the highest of BUY, the lowest of SELL.
 *
 * A binary heap with lazy deletion: a deleted price stays in it until it reaches the top, or until half of the heap is
 * deleted.
 */
import type { Side } from '../../domain/order.ts'

/** Deleted prices that may stay in the heap, whatever its size. */
const MAX_DELETED = 64

export class BestPrices {
  readonly #sign: 1 | -1
  readonly #prices = new Set<number>()
  /** Each price times the sign; the highest is first. */
  #heap: number[] = []

  constructor(side: Side) {
    this.#sign = side === 'BUY' ? 1 : -1
  }

  add(price: number): void {
    if (this.#prices.has(price)) return
    this.#prices.add(price)
    if (this.#heap.length > 2 * this.#prices.size + MAX_DELETED) this.#rebuild()
    else this.#push(price * this.#sign)
  }

  delete(price: number): void {
    this.#prices.delete(price)
    if (this.#prices.size === 0) this.#heap = []
  }

  /** Undefined if there are no prices. */
  get best(): number | undefined {
    for (;;) {
      const [first] = this.#heap
      if (first === undefined) return undefined
      const price = first * this.#sign
      if (this.#prices.has(price)) return price
      this.#takeFirst()
    }
  }

  /** A sorted array is a heap. */
  #rebuild(): void {
    this.#heap = Array.from(this.#prices, (price) => price * this.#sign).sort((a, b) => b - a)
  }

  #push(key: number): void {
    const heap = this.#heap
    let child = heap.length
    heap.push(key)
    while (child > 0) {
      const parent = (child - 1) >> 1
      const above = heap[parent] ?? key
      if (above >= key) break
      heap[child] = above
      child = parent
    }
    heap[child] = key
  }

  #takeFirst(): void {
    const heap = this.#heap
    const key = heap.pop()
    if (key === undefined || heap.length === 0) return
    let parent = 0
    for (;;) {
      const left = 2 * parent + 1
      const [leftKey = -Infinity, rightKey = -Infinity] = [heap[left], heap[left + 1]]
      const larger = Math.max(leftKey, rightKey)
      if (larger <= key) break
      heap[parent] = larger
      parent = leftKey >= rightKey ? left : left + 1
    }
    heap[parent] = key
  }
}
