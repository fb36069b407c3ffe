/**
 * The recorded book in the plainest way: two maps, searched each time.
 */
import { BID, FRAME_END, GAP, SNAPSHOT, type DepthBlock } from '../../../../src/tape/depth-block.ts'

type Levels = Map<number, number>

export interface NaiveQuote {
  readonly bid: number
  readonly bidQty: number
  readonly ask: number
  readonly askQty: number
}

export class NaiveBook {
  bids: Levels = new Map()
  asks: Levels = new Map()
  isKnown = false
  /** The worst price of each side of which it is informed what rests there; 0 where all of them are. */
  readonly shownTo = { bids: 0, asks: 0 }
  #isDeep = false
  #isInSnapshot = false

  get bestBid(): number | undefined {
    return this.bids.size === 0 ? undefined : Math.max(...this.bids.keys())
  }

  get bestAsk(): number | undefined {
    return this.asks.size === 0 ? undefined : Math.min(...this.asks.keys())
  }

  sorted(side: 'bids' | 'asks'): readonly (readonly [number, number])[] {
    return [...this[side]].sort((a, b) => (side === 'bids' ? b[0] - a[0] : a[0] - b[0]))
  }

  apply(block: DepthBlock): void {
    const reported = { bids: new Set<number>(), asks: new Set<number>() }
    for (let row = 0; row < block.length; row += 1) {
      const flags = block.flags[row] ?? 0
      if ((flags & GAP) !== 0) this.gap()
      if ((flags & SNAPSHOT) !== 0) this.#beginSnapshot()
      const side = block.side[row] === BID ? 'bids' : 'asks'
      const [price = 0, qty = 0] = [block.price[row], block.qty[row]]
      reported[side].add(price)
      if (qty === 0) this[side].delete(price)
      else this[side].set(price, qty)
      if (this.#isInSnapshot && qty > 0) this.shownTo[side] = price
      if ((flags & FRAME_END) === 0) continue
      this.#isInSnapshot = false
      this.#uncross(reported)
      reported.bids.clear()
      reported.asks.clear()
    }
  }

  gap(): void {
    this.isKnown = false
    this.#isDeep = false
  }

  /** @param quote  prices and lots of 0 where no one is */
  quote({ bid, bidQty, ask, askQty }: NaiveQuote): void {
    if (this.#isDeep) {
      for (const price of [...this.bids.keys()]) if (price > bid) this.bids.delete(price)
      for (const price of [...this.asks.keys()]) if (ask === 0 || price < ask) this.asks.delete(price)
    } else for (const side of [this.bids, this.asks]) side.clear()
    if (bidQty > 0) this.bids.set(bid, bidQty)
    if (askQty > 0) this.asks.set(ask, askQty)
    if (ask > 0 && bid >= ask) {
      for (const price of [...this.bids.keys()]) if (price >= ask) this.bids.delete(price)
      for (const price of [...this.asks.keys()]) if (price <= bid) this.asks.delete(price)
    }
    if (!this.#isDeep || bid === 0) this.shownTo.bids = bid
    if (!this.#isDeep || ask === 0) this.shownTo.asks = ask
    this.isKnown = true
  }

  /** True when it is informed what rests at a price. */
  isShown(side: 'bids' | 'asks', price: number): boolean {
    const to = this.shownTo[side]
    if (this[side].has(price)) return true
    if (to === 0) return this.isKnown
    return side === 'bids' ? price >= to : price <= to
  }

  lower(side: 'bids' | 'asks', price: number, lots: number): void {
    const there = this[side].get(price)
    if (there === undefined) return
    if (there > lots) this[side].set(price, there - lots)
    else this[side].delete(price)
  }

  traded(price: number, isBuyerMaker: boolean): void {
    for (const bid of [...this.bids.keys()]) if (bid > price || (bid === price && !isBuyerMaker)) this.bids.delete(bid)
    for (const ask of [...this.asks.keys()]) if (ask < price || (ask === price && isBuyerMaker)) this.asks.delete(ask)
  }

  #beginSnapshot(): void {
    this.bids.clear()
    this.asks.clear()
    this.shownTo.bids = 0
    this.shownTo.asks = 0
    this.isKnown = true
    this.#isDeep = true
    this.#isInSnapshot = true
  }

  #uncross(reported: { readonly bids: ReadonlySet<number>; readonly asks: ReadonlySet<number> }): void {
    const [bid, ask] = [this.bestBid, this.bestAsk]
    if (bid === undefined || ask === undefined || bid < ask) return
    if (reported.bids.has(bid)) for (const each of [...this.asks.keys()]) if (each <= bid) this.asks.delete(each)
    if (reported.asks.has(ask)) for (const each of [...this.bids.keys()]) if (each >= ask) this.bids.delete(each)
  }
}
