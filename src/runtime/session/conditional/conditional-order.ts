/**
 * One conditional order.
 *
 * Invariant: the trigger price of a trailing stop never moves back.
 */
import type { PriceRange } from '../../../adapter/intrabar-execution.ts'
import type { Decimal } from '../../../domain/decimal.ts'
import type { ConditionalTerms } from '../../conditional-order-terms.ts'
import type { PlaceIntent } from '../../../strategy/place-intent.ts'
import type { OwnWaitingOrder } from '../../../strategy/waiting-intent.ts'

/** The order that it places, for a quantity. */
export function firedOrder({ symbol, side, limit, tag }: ConditionalTerms, qty: Decimal): PlaceIntent {
  const tagged = tag === undefined ? {} : { tag }
  return limit === undefined
    ? { type: 'market', symbol, side, qty, ...tagged }
    : { type: 'limit', symbol, side, price: limit, qty, ...tagged }
}

export class ConditionalOrder {
  readonly id: string
  readonly terms: ConditionalTerms
  /** It was triggered and its order was refused for now: it is sent again at the next price. */
  isDue = false
  /** False until the open of a recorded candle at which it arrives, like every other order. */
  isArmed = true
  #price: Decimal | undefined

  /** @param price  persisted trigger price of a trailing stop */
  constructor(id: string, terms: ConditionalTerms, price: Decimal | undefined = terms.price) {
    this.id = id
    this.terms = terms
    this.#price = price
  }

  /** Trigger price; undefined for a trailing stop before the first price. */
  get price(): Decimal | undefined {
    return this.#price
  }

  /** True if it closes a position at any price. */
  get isStop(): boolean {
    return this.terms.type !== 'take-profit'
  }

  /** The market price that triggers it, at its own price or beyond; undefined if the range does not reach it. */
  touchedBy({ low, high }: Pick<PriceRange, 'low' | 'high'>): Decimal | undefined {
    const price = this.#price
    if (price === undefined) return undefined
    if (this.#actsBelow) return low.lte(price) ? low : undefined
    return high.gte(price) ? high : undefined
  }

  /** Arms it at the range of a recorded candle. True if its price is already passed: it is due at the next open. */
  beginAt(stood: PriceRange): boolean {
    this.follow(stood)
    this.isDue = this.touchedBy(stood) !== undefined
    return this.isDue
  }

  /** A trailing stop follows the best price. */
  follow({ low, high }: Pick<PriceRange, 'low' | 'high'>): void {
    const { trail } = this.terms
    if (trail === undefined) return
    const market = this.#actsBelow ? high : low
    const behind = 'distance' in trail ? trail.distance : market.times(trail.percent).div(100)
    const next = this.#actsBelow ? market.minus(behind) : market.plus(behind)
    const before = this.#price
    if (before !== undefined && (this.#actsBelow ? next.lte(before) : next.gte(before))) return
    this.#price = next
  }

  /** @param qty  that it would order now */
  view(group: string, qty: Decimal): OwnWaitingOrder {
    const { type, symbol, side, tag } = this.terms
    return { id: this.id, group, type, symbol, side, qty, price: this.#price, ...(tag === undefined ? {} : { tag }) }
  }

  get #actsBelow(): boolean {
    return (this.terms.side === 'SELL') === this.isStop
  }
}
