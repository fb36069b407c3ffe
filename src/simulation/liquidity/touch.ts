/**
 * `touch`: no queue at all, so any trade at its price fills a resting order.
 *
 * Purpose: the upper limit of a resting order's fills, but not a bound on results, and never to be used alone.
 * Known limitation: between an eighth and a third of its fills at the touch could not have happened.
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
