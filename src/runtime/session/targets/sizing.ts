/** Sizes of positions at the present moment: current, expected and affordable. */
import type { ExchangeAdapter } from '../../../adapter/exchange-adapter.ts'
import { decimalOf, ONE, toDecimal, ZERO, type Decimal, type DecimalInput } from '../../../domain/decimal.ts'
import type { MarketView } from '../../../strategy/market-view.ts'
import type { OwnPortfolio } from '../../../strategy/own-order.ts'
import type { UnfilledOrders } from '../unfilled-orders.ts'

/** Reserve for slippage of a market buy, as a fraction of the price. */
const ROOM = toDecimal('0.01')

export interface SizingParts {
  readonly adapter: Pick<ExchangeAdapter, 'balances' | 'lastPrice' | 'markets'>
  readonly unfilled: UnfilledOrders
  /** Holdings of a market's base asset, including the last emitted fills. */
  readonly held: (symbol: string) => Decimal
  readonly portfolio: () => OwnPortfolio
}

/** Methods return undefined if there is no price yet. */
export class Sizing {
  readonly #parts: SizingParts

  constructor(parts: SizingParts) {
    this.#parts = parts
  }

  lastPrice(symbol: string): Decimal | undefined {
    return this.#parts.adapter.lastPrice(symbol)
  }

  /** Expected holdings in the base asset, assuming all open orders fill. */
  coming({ symbol, qtyPrecision }: MarketView): Decimal {
    const { unfilled, held } = this.#parts
    return held(symbol).plus(decimalOf(unfilled.lots('BUY', symbol) - unfilled.lots('SELL', symbol), qtyPrecision))
  }

  /** Equity in the asset of the run; undefined if a holding has no price. */
  equity(): Decimal | undefined {
    const { equity, partial } = this.#parts.portfolio()
    return partial ? undefined : equity
  }

  /** Quantity, in whole lots, that is worth a share of the equity at a price. */
  qtyOfShare(market: MarketView, share: DecimalInput, price: Decimal): Decimal | undefined {
    const equity = this.equity()
    return equity === undefined ? undefined : market.qtyWorth(equity.times(share), price)
  }

  /** Available balance of an asset. */
  available(asset: string): Decimal {
    return this.#parts.adapter.balances().get(asset)?.available ?? ZERO
  }

  /**
   * Quantity that the available balance pays for.
   * @param limit  price of a limit order; a market order is valued a little above the last price
   */
  payable(market: MarketView, lastPrice: Decimal, limit?: DecimalInput): Decimal {
    const price = limit === undefined ? lastPrice.times(ROOM.plus(ONE)) : toDecimal(limit)
    return market.affordableQty(this.available(market.quoteAsset), price)
  }
}

/** @throws {Error} if it is not a number from 0 to 1 */
export function shareOf(what: string, value: DecimalInput): Decimal {
  const share = numberOf(what, value)
  if (share.lt(0) || share.gt(1))
    throw new Error(`${what}: expected a share of the equity from 0 to 1, got ${share.toFixed()}`)
  return share
}

/** @throws {Error} if it is not a number */
export function numberOf(what: string, value: DecimalInput): Decimal {
  try {
    const number = toDecimal(value)
    if (number.isFinite()) return number
  } catch {
    // Reported below.
  }
  throw new Error(`${what}: expected a number, got ${String(value)}`)
}
