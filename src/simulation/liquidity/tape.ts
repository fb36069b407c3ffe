/**
 * `tape`: what was probably there, by recorded trades of the past alone.
 *
 * Assumes one clip of the crowd ahead of an order that joins the quote or rests behind it, and nothing ahead of one
 * that betters it. A trade at our price uses up the queue and then us; a trade beyond it fills us at our price.
 * Known limit: measured on liquid markets; illiquid ones are reasoned.
 */
import type { Side } from '../../domain/order.ts'
import { EstimatedLiquidity } from './estimated-liquidity.ts'
import type { Reach, RecordedTrade } from './liquidity-model.ts'

/** The model `tape`, to be extended by one that assumes something else. */
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
