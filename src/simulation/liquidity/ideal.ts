/**
 * `ideal`: unlimited quantity at the last recorded price, no spread; a resting order fills whole when the tape touches
 * it.
 *
 * Purpose: comparison with other tools that assume it.
 * Invariant: the last price is its only state, so nothing that you trade changes what it offers.
 * Known limitation: it is too optimistic. Nothing is ahead of your orders, taking has no impact, and one recorded lot
 * can fill any number of your orders.
 * Complexity: constant per trade and order; a batch of trades costs a read of its last price.
 * Source: docs/liquidity.md.
 */
import type { Side } from '../../domain/order.ts'
import type {
  CrowdQuote,
  LadderLevel,
  LiquidityModel,
  Reach,
  RecordedColumns,
  RecordedTrade,
  TakingOrder,
} from './liquidity-model.ts'

export class IdealLiquidity implements LiquidityModel {
  #lastPrice: number | undefined

  get quote(): CrowdQuote | undefined {
    return this.#lastPrice === undefined ? undefined : { bid: this.#lastPrice, ask: this.#lastPrice }
  }

  learn({ price }: RecordedTrade): void {
    this.#lastPrice = price
  }

  learnAll({ length, price }: RecordedColumns): void {
    if (length > 0) this.#lastPrice = price[length - 1]
  }

  gap(): void {
    // It remembers nothing but the last price.
  }

  ladder({ qty }: TakingOrder): readonly LadderLevel[] {
    return this.#lastPrice === undefined || qty === 0 ? [] : [{ price: this.#lastPrice, qty }]
  }

  took(): void {
    // Unlimited liquidity has no state.
  }

  queueAhead(): number {
    return 0
  }

  reach(_side: Side, { price }: RecordedTrade): Reach {
    return { price, lots: Number.POSITIVE_INFINITY, ours: Number.POSITIVE_INFINITY }
  }

  remainder({ qty }: RecordedTrade): number {
    return qty
  }
}
