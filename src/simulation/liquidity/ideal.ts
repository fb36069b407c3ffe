/**
 * `ideal`: unlimited quantity at the last recorded price, no spread; a resting order fills whole when the tape touches it.
 *
 * For comparing with other tools, which assume it. Known limit: it flatters. Nothing is ahead of our orders, what we take moves
 * nothing, and one recorded lot can fill any number of our orders.
 */
import type { Side } from '../../domain/order.ts'
import type { LadderLevel, LiquidityModel, RecordedTrade } from './liquidity-model.ts'

export class IdealLiquidity implements LiquidityModel {
  #lastPrice: number | undefined

  learn({ price }: RecordedTrade): void {
    this.#lastPrice = price
  }

  ladder(_side: Side, qty: number): readonly LadderLevel[] {
    return this.#lastPrice === undefined || qty === 0 ? [] : [{ price: this.#lastPrice, qty }]
  }

  queueAhead(): number {
    return 0
  }

  reach(_trade: RecordedTrade, resting: bigint): bigint {
    return resting
  }

  remainder({ qty }: RecordedTrade): number {
    return qty
  }
}
