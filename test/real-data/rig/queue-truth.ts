/**
 * Two accounts of one small resting order, in the plainest way, by everything that was recorded: one under which it
 * must have been filled, the other under which it can have been.
 *
 * Careful: those who cancel stand behind it as long as there are any. Generous: all of them stand ahead.
 */
import type { Side } from '../../../src/domain/order.ts'
import { mergeTapes } from '../../../src/tape/merge.ts'
import { isQuoteBlock, SIDE_SELL, type PlayedBlock, type TapeBlock } from '../../../src/tape/tape.ts'
import type { QuoteBlock } from '../../../src/tape/quote-block.ts'
import { quotesOf, tradesOf, type RecordedBlocks } from './recorded-market.ts'

export interface TruthOrder {
  readonly side: Side
  readonly price: number
  /** Unix milliseconds at which it came, and when it is looked at. */
  readonly from: number
  readonly to: number
  mustBeFilled: boolean
  canBeFilled: boolean
}

interface Followed extends TruthOrder {
  careful: number
  generous: number
  /** Lots at its price, as reported last, less the trades since. */
  reported: number
}

/** @param comes  an order for each of these moments, which come in order; undefined for one that cannot be placed */
export async function queueTruth(
  recorded: RecordedBlocks,
  side: Side,
  moments: readonly number[],
  lifeMs: number,
): Promise<readonly TruthOrder[]> {
  const orders: Followed[] = []
  let open: Followed[] = []
  let next = 0
  const best = { price: 0, lots: 0 }
  const place = (upTo: number): void => {
    for (let at = moments[next]; at !== undefined && at < upTo; at = moments[next]) {
      next += 1
      const { price, lots } = best
      const made = { side, price, from: at, to: at + lifeMs, mustBeFilled: false, canBeFilled: false }
      const order = { ...made, careful: lots, generous: lots, reported: lots }
      orders.push(order)
      open.push(order)
    }
  }
  for await (const stretch of mergeTapes<PlayedBlock>([tradesOf(recorded), quotesOf(recorded)])) {
    for (const { block, start, end } of stretch) {
      for (let row = start; row < end; row += 1) {
        const time = block.time[row] ?? 0
        place(time)
        open = open.filter(({ to }) => to >= time)
        if (isQuoteBlock(block)) seeQuote(block, row, side, best, open)
        else for (const order of open) seeTrade(order, block as TapeBlock, row)
      }
    }
  }
  return orders
}

function seeQuote(
  { bid, bidQty, ask, askQty }: QuoteBlock,
  row: number,
  side: Side,
  best: { price: number; lots: number },
  open: readonly Followed[],
): void {
  const sign = side === 'BUY' ? 1 : -1
  best.price = (side === 'BUY' ? bid : ask)[row] ?? 0
  best.lots = (side === 'BUY' ? bidQty : askQty)[row] ?? 0
  const other = (side === 'BUY' ? ask : bid)[row] ?? 0
  for (const order of open) {
    if (other * sign <= order.price * sign) fill(order, true, true)
    if (best.price * sign > order.price * sign) continue
    const lots = best.price === order.price ? best.lots : 0
    order.careful = Math.min(order.careful, lots)
    order.generous = Math.max(0, order.generous - Math.max(0, order.reported - lots))
    order.reported = lots
  }
}

function seeTrade(order: Followed, { price, qty, side }: TapeBlock, row: number): void {
  const sign = order.side === 'BUY' ? 1 : -1
  const [at = 0, lots = 0] = [price[row], qty[row]]
  if (at * sign < order.price * sign) fill(order, true, true)
  if (at !== order.price || (side[row] === SIDE_SELL) !== (order.side === 'BUY')) return
  fill(order, lots > order.careful, lots > order.generous)
  order.careful = Math.max(0, order.careful - lots)
  order.generous = Math.max(0, order.generous - lots)
  order.reported = Math.max(0, order.reported - lots)
}

function fill(order: Followed, isCertain: boolean, isPossible: boolean): void {
  if (isCertain) order.mustBeFilled = true
  if (isPossible) order.canBeFilled = true
}
