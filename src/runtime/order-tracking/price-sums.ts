/**
 * Trades and lots by price, with their sums at or below a price: a sparse Fenwick tree.
 *
 * Invariant: sums are exact, whatever their size.
 * Complexity: an addition or query costs O(log price).
 * @see https://doi.org/10.1002/spe.4380240306 (Fenwick, 1994)
 */
import { ExactSum } from '../../exchange/exact-sum.ts'

/** Total of the trades at a price or below. */
export interface TradedSum {
  readonly trades: number
  readonly lots: bigint
}

interface Node {
  trades: number
  readonly lots: ExactSum
}

export const NO_TRADES: TradedSum = { trades: 0, lots: 0n }

export class PriceSums {
  readonly #nodes = new Map<number, Node>()
  /** A power of two; no price is above it. */
  #top = 1

  get isEmpty(): boolean {
    return this.#nodes.size === 0
  }

  /** @param price  ticks, 1 or more */
  add(price: number, lots: number): void {
    while (this.#top < price) this.#grow()
    for (let index = price; index <= this.#top; index += lowestBit(index)) {
      const node = this.#node(index)
      node.trades += 1
      node.lots.add(lots)
    }
  }

  /** @param price  ticks, 0 or more */
  upTo(price: number): TradedSum {
    if (this.isEmpty) return NO_TRADES
    let trades = 0
    const lots = new ExactSum()
    for (let index = Math.min(price, this.#top); index > 0; index -= lowestBit(index)) {
      const node = this.#nodes.get(index)
      if (node === undefined) continue
      trades += node.trades
      lots.addSum(node.lots)
    }
    return { trades, lots: lots.value }
  }

  clear(): void {
    if (!this.isEmpty) this.#nodes.clear()
    this.#top = 1
  }

  /** The new top includes everything below the old one. */
  #grow(): void {
    const old = this.#nodes.get(this.#top)
    this.#top *= 2
    if (old === undefined) return
    const node = this.#node(this.#top)
    node.trades = old.trades
    node.lots.addSum(old.lots)
  }

  #node(index: number): Node {
    let node = this.#nodes.get(index)
    if (node === undefined) {
      node = { trades: 0, lots: new ExactSum() }
      this.#nodes.set(index, node)
    }
    return node
  }
}

const HALF = 2 ** 31

/** Bit operations are limited to 32 bits; prices have up to 53. */
function lowestBit(value: number): number {
  if (value < HALF) return value & -value
  const low = value % HALF
  return low === 0 ? HALF * lowestBit(value / HALF) : low & -low
}
