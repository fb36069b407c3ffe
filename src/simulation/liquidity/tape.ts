/**
 * `tape`: probable liquidity, estimated from past recorded trades only.
 *
 * Purpose: the default where a recording has trades only. It assumes that one trade cluster of the crowd is ahead of an
 * order that joins the quote or rests behind it, and nothing ahead of one that improves it.
 * Invariants: a trade at your price uses up the queue and then your order; a trade beyond it fills you at your price.
 * All your orders together fill at most its lots.
 * Known limitation: measured on liquid markets; for illiquid ones it is an extrapolation.
 * Complexity: constant per recorded trade and per resting order.
 * Source: docs/liquidity.md, how `tape` works on trades.
 */
import type { Side } from '../../domain/order.ts'
import { EstimatedLiquidity } from './estimated-liquidity.ts'
import type { Reach, RecordedTrade } from './liquidity-model.ts'

/** Model `tape`, a base class for variants. */
export class TapeLiquidity extends EstimatedLiquidity {
  queueAhead(side: Side, price: number): number {
    const { quote } = this
    if (quote === undefined) return 0
    const isBetter = side === 'BUY' ? price > quote.bid : price < quote.ask
    return isBetter ? 0 : this.queueLots
  }

  reach(_side: Side, trade: RecordedTrade): Reach {
    return { price: trade.price, lots: trade.qty, ours: trade.qty }
  }
}
