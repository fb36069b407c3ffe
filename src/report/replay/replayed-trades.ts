/**
 * The recorded trades of one market in memory: the last ones at a moment, and what they left of a queue.
 *
 * Known limits: cancels of others ahead of an order are not part of a queue here, so that it may have been shorter;
 * prints that the outlier filter of the run rejected are, so that it may have been longer.
 */
import { firstIndex } from '../../domain/first-index.ts'
import { type RecordedBlock, isCandleBlock, SIDE_BUY, SIDE_SELL, SIDE_UNKNOWN } from '../../tape/tape.ts'

/** A recorded trade; ticks and lots. */
interface ReplayedTrade {
  /** Unix milliseconds. */
  readonly time: number
  readonly price: number
  readonly qty: number
  /** Aggressor; undefined if it is not recorded. */
  readonly side: 'BUY' | 'SELL' | undefined
  /** Its conditions say that its price was not open to others. */
  readonly isDoubtful: boolean
}

/** Columns of a block, without unused rows at their ends. */
interface StoredTrades {
  readonly time: Float64Array
  readonly price: Float64Array
  readonly qty: Float64Array
  readonly side: Uint8Array
  readonly isDoubtful: Uint8Array | undefined
  /** Row of its first trade among all. */
  readonly first: number
}

/** An order in a queue; ticks and lots. */
export interface QueuedOrder {
  readonly id: string
  readonly isBuy: boolean
  readonly price: number
  /** Lots of others ahead when it began to rest, and when that was, in Unix milliseconds. */
  readonly ahead: number
  readonly since: number
}

const MAX_TRADES = 5_000_000
const SIDES = { [SIDE_UNKNOWN]: undefined, [SIDE_BUY]: 'BUY', [SIDE_SELL]: 'SELL' } as const

export class ReplayedTrades {
  readonly #blocks: StoredTrades[] = []
  #length = 0
  /** Queues as far as they were followed, by order. */
  readonly #queues = new Map<string, { readonly ahead: number; readonly row: number }>()

  /** @returns false if there is no room for it */
  add(block: RecordedBlock): boolean {
    if (isCandleBlock(block) || this.#length + block.length > MAX_TRADES) return false
    const { length, time, price, qty, side, isDoubtful } = block
    this.#blocks.push({
      time: time.slice(0, length),
      price: price.slice(0, length),
      qty: qty.slice(0, length),
      side: side.slice(0, length),
      isDoubtful: isDoubtful?.slice(0, length),
      first: this.#length,
    })
    this.#length += length
    return true
  }

  /** The last trades up to a moment, newest first. */
  last(time: number, count: number): readonly ReplayedTrade[] {
    const trades: ReplayedTrade[] = []
    for (let row = this.#rowAfter(time) - 1; row >= 0 && trades.length < count; row -= 1) trades.push(this.#trade(row))
    return trades
  }

  /**
   * Lots of others that are still ahead of an order at a moment: trades at its price take from them, one beyond it
   * takes all.
   */
  ahead({ id, isBuy, price, ahead: begin, since }: QueuedOrder, time: number): number {
    const end = this.#rowAfter(time)
    const known = this.#queues.get(id)
    const isOn = known !== undefined && known.row <= end
    let [row, ahead] = isOn ? [known.row, known.ahead] : [this.#rowAfter(since), begin]
    for (; row < end && ahead > 0; row += 1) {
      const trade = this.#trade(row)
      if (trade.isDoubtful) continue
      if (trade.price === price) ahead = Math.max(0, ahead - trade.qty)
      else if (isBuy ? trade.price < price : trade.price > price) ahead = 0
    }
    this.#queues.set(id, { ahead, row: end })
    return ahead
  }

  /** The first row after a moment. */
  #rowAfter(time: number): number {
    const block =
      this.#blocks[firstIndex(0, this.#blocks.length, (index) => (this.#blocks[index]?.time.at(-1) ?? 0) > time)]
    if (block === undefined) return this.#length
    return block.first + firstIndex(0, block.time.length, (index) => (block.time[index] ?? 0) > time)
  }

  #trade(row: number): ReplayedTrade {
    const blocks = this.#blocks
    const block = blocks[firstIndex(0, blocks.length, (index) => (blocks[index]?.first ?? 0) > row) - 1]
    const at = row - (block?.first ?? 0)
    const side = SIDES[(block?.side[at] ?? SIDE_UNKNOWN) as keyof typeof SIDES]
    return {
      time: block?.time[at] ?? 0,
      price: block?.price[at] ?? 0,
      qty: block?.qty[at] ?? 0,
      side,
      isDoubtful: block?.isDoubtful?.[at] === 1,
    }
  }
}
