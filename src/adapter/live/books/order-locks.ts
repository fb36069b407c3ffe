/** Amounts that the orders of an owner lock, by the rule of the service: price x quantity plus the highest fee. */
import type { Decimal } from '../../../domain/decimal.ts'
import { decimalOf, ZERO } from '../../../domain/decimal.ts'
import type { Market } from '../../../domain/market.ts'
import type { OrderRequest, OrderType, Side } from '../../../domain/order.ts'
import type { IntentBook } from '../orders/intent-book.ts'
import type { Intent, IntentState } from '../orders/intent.ts'
import type { AssumedFees } from '../orders/order-fees.ts'
import type { OwnOrders } from '../orders/own-orders.ts'
import type { Amounts } from './strategy-book.ts'

export interface OrderLocksParts {
  readonly marketOf: (symbol: string) => Market | undefined
  readonly fees: AssumedFees
  /** Last known price of a market. */
  readonly lastPrice: (symbol: string) => Decimal | undefined
  readonly own: OwnOrders
  readonly intents: IntentBook
  /** Fee of an order so far, as of `AssumedFees.exactFee`. */
  readonly exactFeeOf: (owner: string, orderId: string) => bigint
}

/** An amount of an asset. */
export interface Cost {
  readonly asset: string
  /** Undefined for a market buy before the first price. */
  readonly amount: Decimal | undefined
}

/** Quantity of an order that can still be filled. */
interface Rest {
  readonly side: Side
  readonly type: OrderType
  readonly price: Decimal | undefined
  readonly qty: Decimal
  /** Fee of its fills, as of `AssumedFees.exactFee`; default: 0. */
  readonly exactFee?: bigint
}

/** States of an intent for which an order may exist. */
export const UNDECIDED: readonly IntentState[] = ['UNKNOWN', 'AMBIGUOUS']
/** The same with requests that have no answer yet. */
export const SENT: readonly IntentState[] = [...UNDECIDED, 'SENDING']
/** The same with orders that are assumed to be absent, and may still appear. */
export const POSSIBLE: readonly IntentState[] = [...SENT, 'QUARANTINED']

export class OrderLocks {
  readonly #parts: OrderLocksParts

  constructor(parts: OrderLocksParts) {
    this.#parts = parts
  }

  /** @param states  of intents that count like their orders */
  of(owner: string, states: readonly IntentState[]): Amounts {
    const { own, intents, marketOf, exactFeeOf } = this.#parts
    const sums = new Map<string, Decimal>()
    const add = (market: Market | undefined, rest: Rest): void => {
      if (market === undefined) return
      const { asset, amount = ZERO } = this.#costOf(market, rest)
      sums.set(asset, (sums.get(asset) ?? ZERO).plus(amount))
    }
    for (const { owner: other, order } of own.all) {
      if (other !== owner) continue
      const market = marketOf(order.symbol)
      const { side, type, price } = order.seen
      const qty = decimalOf(order.lockedQty, market?.qtyPrecision ?? 0)
      add(market, { side, type, price, qty, exactFee: exactFeeOf(owner, order.id) })
    }
    for (const intent of intents.inState(...states)) {
      const market = marketOf(intent.symbol)
      if (intent.owner === owner && market !== undefined) add(market, restOf(intent, market))
    }
    return sums
  }

  /** Amount that an order locks or pays; undefined for an unknown market. */
  costOf(request: OrderRequest): Cost | undefined {
    const market = this.#parts.marketOf(request.symbol)
    return market && this.#costOf(market, restOf(request, market))
  }

  #costOf(market: Market, { side, type, price, qty, exactFee }: Rest): Cost {
    const { fees, lastPrice } = this.#parts
    const { symbol, baseAsset, quoteAsset } = market
    if (side === 'SELL') return { asset: baseAsset, amount: qty }
    const at = price ?? lastPrice(symbol)
    return { asset: quoteAsset, amount: at && fees.withFee(market, at.times(qty), type, exactFee) }
  }
}

type Requested = Pick<Intent, 'side' | 'type' | 'qty'> & { readonly price?: number | undefined }

const restOf = ({ side, type, price, qty }: Requested, { pricePrecision, qtyPrecision }: Market): Rest => ({
  side,
  type,
  price: price === undefined ? undefined : decimalOf(price, pricePrecision),
  qty: decimalOf(qty, qtyPrecision),
})
