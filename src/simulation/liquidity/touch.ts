/**
 * `touch`: no queue at all, so any trade at its price fills a resting order.
 *
 * The most fills of a resting order, which bound no result, and never a result on its own. Known limit: of the fills at
 * the touch that it gives, between an eighth and a third could not have happened.
 */
import type { Side } from '../../domain/order.ts'
import { EstimatedLiquidity } from './estimated-liquidity.ts'
import type { Reach, RecordedTrade } from './liquidity-model.ts'

export class TouchLiquidity extends EstimatedLiquidity {
  queueAhead(): number {
    return 0
  }

  reach(_side: Side, trade: RecordedTrade): Reach {
    return { price: trade.price, lots: trade.qty, ours: trade.qty }
  }
}
