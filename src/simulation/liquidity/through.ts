/**
 * `through`: an endless queue is ahead of every resting order, so only a trade beyond its price fills it.
 *
 * The fewest fills of a resting order, which bound no result. Known limit: it misses what a good place in the queue
 * would have earned.
 */
import type { Side } from '../../domain/order.ts'
import { EstimatedLiquidity } from './estimated-liquidity.ts'
import type { Reach, RecordedTrade } from './liquidity-model.ts'

export class ThroughLiquidity extends EstimatedLiquidity {
  queueAhead(): number {
    return 0
  }

  reach(side: Side, trade: RecordedTrade): Reach {
    const price = side === 'BUY' ? trade.price + 1 : trade.price - 1
    return { price, lots: trade.qty, ours: trade.qty }
  }
}
