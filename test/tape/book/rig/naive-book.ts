/**
 * The recorded book in the plainest way: two maps, searched each time.
 */
import { BID, FRAME_END, GAP, SNAPSHOT, type DepthBlock } from '../../../../src/tape/depth-block.ts'

type Levels = Map<number, number>

export class NaiveBook {
  bids: Levels = new Map()
  asks: Levels = new Map()
  isKnown = false

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
    const told = { bids: new Set<number>(), asks: new Set<number>() }
    for (let row = 0; row < block.length; row += 1) {
      const flags = block.flags[row] ?? 0
      if ((flags & GAP) !== 0) this.isKnown = false
      if ((flags & SNAPSHOT) !== 0) {
        this.bids.clear()
        this.asks.clear()
        this.isKnown = true
      }
      const side = block.side[row] === BID ? 'bids' : 'asks'
      const [price = 0, qty = 0] = [block.price[row], block.qty[row]]
      told[side].add(price)
      if (qty === 0) this[side].delete(price)
      else this[side].set(price, qty)
      if ((flags & FRAME_END) === 0) continue
      this.#uncross(told)
      told.bids.clear()
      told.asks.clear()
    }
  }

  traded(price: number, isBuyerMaker: boolean): void {
    for (const bid of [...this.bids.keys()]) if (bid > price || (bid === price && !isBuyerMaker)) this.bids.delete(bid)
    for (const ask of [...this.asks.keys()]) if (ask < price || (ask === price && isBuyerMaker)) this.asks.delete(ask)
  }

  #uncross(told: { readonly bids: ReadonlySet<number>; readonly asks: ReadonlySet<number> }): void {
    const [bid, ask] = [this.bestBid, this.bestAsk]
    if (bid === undefined || ask === undefined || bid < ask) return
    if (told.bids.has(bid)) for (const each of [...this.asks.keys()]) if (each <= bid) this.asks.delete(each)
    if (told.asks.has(ask)) for (const each of [...this.bids.keys()]) if (each >= ask) this.bids.delete(each)
  }
}
