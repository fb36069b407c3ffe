/**
 * `through`: an infinite queue is ahead of every resting order, so only a trade beyond its price fills it.
 *
 * Purpose: the lower limit of a resting order's fills, but not a bound on results.
 * Known limitation: it misses the profit of a good queue position.
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
