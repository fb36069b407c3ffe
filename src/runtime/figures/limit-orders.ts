/**
 * Fill ratio and time to first fill of a run's limit orders.
 *
 * Invariant: quantities are exact.
 */
import { decimalOf, toDecimal, type Decimal } from '../../domain/decimal.ts'
import { ExactSum } from '../../exchange/exact-sum.ts'
import { ExactOrder } from '../../strategy/exact-order.ts'
import type { OwnOrder } from '../../strategy/own-order.ts'

/** Quantities of one market: in lots if the orders are, otherwise as decimals. */
interface Quantities {
  readonly baseAsset: string
  readonly qtyPrecision: number
  readonly lotsOrdered: ExactSum
  readonly lotsFilled: ExactSum
  ordered: Decimal
  filled: Decimal
}

export interface LimitOrderReport {
  /** Null if none has ended, or if those that have are of several base assets. */
  readonly fillRatio: number | null
  /** Null if none was filled. */
  readonly meanTimeToFirstFillMs: number | null
}

/** A fold over orders in their final state, and over first fills. */
export class LimitOrders {
  readonly #quantitiesBySymbol = new Map<string, Quantities>()
  readonly #waitedMs = new ExactSum()
  #filled = 0

  /** Call once for each order that ended; market orders are ignored. */
  end(order: OwnOrder): void {
    if (order.type !== 'LIMIT') return
    const quantities = this.#quantitiesOf(order)
    if (order instanceof ExactOrder) {
      quantities.lotsOrdered.add(order.exact.qty)
      quantities.lotsFilled.add(order.exact.filledQty)
    } else {
      quantities.ordered = quantities.ordered.plus(order.qty)
      quantities.filled = quantities.filled.plus(order.filledQty)
    }
  }

  /** Call at the first fill of an order; market orders are ignored. @param time  Unix milliseconds */
  firstFill({ type, createdAt }: Pick<OwnOrder, 'type' | 'createdAt'>, time: number): void {
    if (type !== 'LIMIT') return
    this.#waitedMs.add(Math.max(0, time - createdAt))
    this.#filled += 1
  }

  report(): LimitOrderReport {
    return {
      fillRatio: this.#fillRatio(),
      meanTimeToFirstFillMs: this.#filled === 0 ? null : Number(this.#waitedMs.value) / this.#filled,
    }
  }

  #fillRatio(): number | null {
    const all = [...this.#quantitiesBySymbol.values()]
    if (new Set(all.map(({ baseAsset }) => baseAsset)).size !== 1) return null
    const total = (of: (quantities: Quantities) => Decimal): Decimal =>
      all.reduce((sum, quantities) => sum.plus(of(quantities)), toDecimal(0))
    const ordered = total((each) => each.ordered.plus(decimalOf(each.lotsOrdered.value, each.qtyPrecision)))
    const filled = total((each) => each.filled.plus(decimalOf(each.lotsFilled.value, each.qtyPrecision)))
    return ordered.isZero() ? null : filled.div(ordered).toNumber()
  }

  #quantitiesOf(order: OwnOrder): Quantities {
    const known = this.#quantitiesBySymbol.get(order.symbol)
    if (known !== undefined) return known
    const [baseAsset = order.symbol] = order.symbol.split('_')
    const made: Quantities = {
      baseAsset,
      qtyPrecision: order instanceof ExactOrder ? order.market.qtyPrecision : 0,
      lotsOrdered: new ExactSum(),
      lotsFilled: new ExactSum(),
      ordered: toDecimal(0),
      filled: toDecimal(0),
    }
    this.#quantitiesBySymbol.set(order.symbol, made)
    return made
  }
}
