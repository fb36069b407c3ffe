/**
 * The queue at one price of a book, reduced to the strategy's orders in it and the crowd's lots before each.
 *
 * Invariant: it matches the book, except for the crowd's lots after our last order, which are not counted.
 * Complexity: each query or change costs O(log n).
 */
import { firstIndex } from '../../domain/first-index.ts'
import { ExactSum } from '../../exchange/exact-sum.ts'

const LOW = 2 ** 27

/**
 * Prefix sums over a list of mutable quantities: a Fenwick tree.
 *
 * Invariant: sums are exact. Each quantity is stored as two numbers, so that 2^25 of the largest add up without losing
 * a digit.
 * @see https://doi.org/10.1002/spe.4380240306 (Fenwick, 1994)
 */
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

/** Lots ahead of an order at its price: the crowd's, and those of other orders of the strategy. */
export interface Ahead {
  readonly crowd: bigint
  readonly ours: bigint
}

/** Queue position of an order; updated when the queue is compacted. */
export interface QueuePosition {
  readonly orderId: number
  index: number
  /** Lots filled at its price for orders that were not ahead of it. */
  notBefore: bigint
  /** Lots cancelled at positions up to its own before it was placed. */
  cancelledBefore: bigint
}

/** Maximum number of empty positions, independent of the number of orders. */
const MAX_EMPTY = 32

export class PriceQueue {
  /** Lots of ours that recorded trades filled at this price. */
  readonly given = new ExactSum()
  /** Undefined entries are orders that have left. */
  #places: (QueuePosition | undefined)[] = []
  /**
   * Ascending order ids by position, also of empty ones, so that a crowd order precedes the first position with a
   * larger id.
   */
  #ids: number[] = []
  #ours = new RowSums()
  /** The crowd's lots between the order of the previous position and that of this one. */
  #crowd = new RowSums()
  /** The crowd's lots that were cancelled there. */
  #cancelled = new RowSums()
  #crowdLots = 0
  /** No position before this one has lots of the crowd. */
  #firstCrowd = 0
  #orders = 0
  #isInTurn = true

  get isEmpty(): boolean {
    return this.#orders === 0
  }

  get hasCrowd(): boolean {
    return this.#crowdLots > 0
  }

  /** @param crowdLots  that rest at the price now; all of them are ahead of the order */
  join(orderId: number, lots: number, crowdLots: number): QueuePosition {
    const index = this.#places.length
    const place = { orderId, index, notBefore: 0n, cancelledBefore: this.#cancelled.sum(index) }
    if (crowdLots < this.#crowdLots) this.#takeCrowd(this.#crowdLots - crowdLots)
    this.#push(place, lots, crowdLots - this.#crowdLots)
    this.#crowdLots = crowdLots
    this.#orders += 1
    return place
  }

  ahead({ index }: QueuePosition): Ahead {
    return { crowd: this.#crowd.sum(index + 1), ours: this.#ours.sum(index) }
  }

  /** Lots of the crowd that were ahead of an order and were cancelled. */
  cancelledAhead({ index, cancelledBefore }: QueuePosition): bigint {
    return this.#cancelled.sum(index + 1) - cancelledBefore
  }

  /** @param lots  remaining lots of the order */
  change({ index }: QueuePosition, lots: number): void {
    this.#ours.set(index, lots)
  }

  /** The order took liquidity and rests again, at the back of the queue. */
  moveBack(place: QueuePosition, lots: number): void {
    this.#isInTurn = false
    const cancelled = this.cancelledAhead(place)
    this.#places[place.index] = undefined
    this.#ours.set(place.index, 0)
    place.index = this.#places.length
    place.cancelledBefore = this.#cancelled.sum(place.index) - cancelled
    this.#push(place, lots, 0)
  }

  leave({ index }: QueuePosition): void {
    this.#places[index] = undefined
    this.#ours.set(index, 0)
    this.#orders -= 1
    while (this.#places.length > 0 && this.#places.at(-1) === undefined) this.#popLast()
    this.#firstCrowd = Math.min(this.#firstCrowd, this.#places.length)
    if (this.#places.length > 2 * this.#orders + MAX_EMPTY) this.#rewrite()
  }

  /** A trade took lots of the crowd at this price. Crowd orders after ours are not in the queue. */
  onCrowdTraded(orderId: number, lots: number): void {
    if (this.#crowdLots === 0) return
    this.#findCrowd()
    let index = this.#firstCrowd
    while (this.#places[index] === undefined) index += 1
    const behind = this.#places[index]
    if (behind !== undefined && orderId < behind.orderId) this.#takeCrowd(lots)
  }

  /** Lots of a crowd order were cancelled, partly or completely. */
  onCrowdCancelled(orderId: number, lots: number): void {
    const index = this.#firstAbove(orderId)
    const has = this.#crowd.at(index)
    const gone = Math.min(has, lots)
    if (gone === 0) return
    this.#crowdLots -= gone
    this.#crowd.set(index, has - gone)
    this.#cancelled.set(index, this.#cancelled.at(index) + gone)
  }

  clearCrowd(): void {
    this.#takeCrowd(this.#crowdLots)
  }

  /** Positions of older orders that are after this one: none, unless an order has rested again. */
  olderThan(orderId: number): readonly QueuePosition[] {
    if (this.#isInTurn) return []
    return this.#places.filter((place) => place !== undefined).filter((place) => place.orderId < orderId)
  }

  #push(place: QueuePosition, lots: number, crowd: number, cancelled = 0): void {
    this.#places.push(place)
    this.#ids.push(Math.max(this.#ids.at(-1) ?? 0, place.orderId))
    this.#ours.push(lots)
    this.#crowd.push(crowd)
    this.#cancelled.push(cancelled)
  }

  #popLast(): void {
    this.#crowdLots -= this.#crowd.at(this.#places.length - 1)
    this.#places.pop()
    this.#ids.pop()
    this.#ours.pop()
    this.#crowd.pop()
    this.#cancelled.pop()
  }

  #firstAbove(orderId: number): number {
    return firstIndex(0, this.#ids.length, (index) => (this.#ids[index] ?? 0) > orderId)
  }

  #findCrowd(): void {
    while (this.#firstCrowd < this.#places.length && this.#crowd.at(this.#firstCrowd) === 0) this.#firstCrowd += 1
  }

  /** First in, first out. */
  #takeCrowd(lots: number): void {
    let left = Math.min(lots, this.#crowdLots)
    this.#crowdLots -= left
    while (left > 0) {
      this.#findCrowd()
      const has = this.#crowd.at(this.#firstCrowd)
      const taken = Math.min(has, left)
      this.#crowd.set(this.#firstCrowd, has - taken)
      left -= taken
    }
  }

  /** Compacts the queue by removing empty positions. */
  #rewrite(): void {
    const [places, ours, crowd, cancelled] = [this.#places, this.#ours, this.#crowd, this.#cancelled]
    this.#places = []
    this.#ids = []
    this.#ours = new RowSums()
    this.#crowd = new RowSums()
    this.#cancelled = new RowSums()
    this.#firstCrowd = 0
    let [crowdBefore, cancelledBefore] = [0, 0]
    for (const [index, place] of places.entries()) {
      crowdBefore += crowd.at(index)
      cancelledBefore += cancelled.at(index)
      if (place === undefined) continue
      place.index = this.#places.length
      this.#push(place, ours.at(index), crowdBefore, cancelledBefore)
      ;[crowdBefore, cancelledBefore] = [0, 0]
    }
  }
}
