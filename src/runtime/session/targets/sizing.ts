/**
 * Sizes of positions at the present moment: what is there, what is to be there, and what can be paid.
 */
import type { ExchangeAdapter } from '../../../adapter/exchange-adapter.ts'
import { decimalOf, ONE, toDecimal, ZERO, type Decimal, type DecimalInput } from '../../../domain/decimal.ts'
import type { MarketView } from '../../../strategy/market-view.ts'
import type { OwnPortfolio } from '../../../strategy/own-order.ts'
import type { UnfilledOrders } from '../unfilled-orders.ts'

/** A market order walks the book: its buyer keeps this part of the price for that. */
const ROOM = toDecimal('0.01')

export interface SizingParts {
  readonly adapter: Pick<ExchangeAdapter, 'balances' | 'lastPrice' | 'markets'>
  readonly unfilled: UnfilledOrders
  /** What is held of a market's base asset, fills that were told last included. */
  readonly held: (symbol: string) => Decimal
  readonly portfolio: () => OwnPortfolio
}

/** Undefined where there is no price yet. */
export class Sizing {
  readonly #parts: SizingParts

  constructor(parts: SizingParts) {
    this.#parts = parts
  }

  lastPrice(symbol: string): Decimal | undefined {
    return this.#parts.adapter.lastPrice(symbol)
  }

  /** In the base asset, with what open orders would still buy and sell. */
  coming({ symbol, qtyPrecision }: MarketView): Decimal {
    const { unfilled, held } = this.#parts
    return held(symbol).plus(decimalOf(unfilled.lots('BUY', symbol) - unfilled.lots('SELL', symbol), qtyPrecision))
  }

  /** In the asset of the run; undefined when a holding has no price. */
  equity(): Decimal | undefined {
    const { equity, partial } = this.#parts.portfolio()
    return partial ? undefined : equity
  }

  /** The quantity, in whole lots, that is worth a part of the equity at a price. */
  qtyOfShare(market: MarketView, share: DecimalInput, price: Decimal): Decimal | undefined {
    const equity = this.equity()
    return equity === undefined ? undefined : market.qtyWorth(equity.times(share), price)
  }

  /** What is free of an asset. */
  available(asset: string): Decimal {
    return this.#parts.adapter.balances().get(asset)?.available ?? ZERO
  }

  /**
   * The quantity that the available balance pays for.
   *
   * @param limit  of a limit order; a market order's is a little above the last price
   */
  payable(market: MarketView, lastPrice: Decimal, limit?: DecimalInput): Decimal {
    const price = limit === undefined ? lastPrice.times(ROOM.plus(ONE)) : toDecimal(limit)
    return market.affordableQty(this.available(market.quoteAsset), price)
  }
}

/** @throws {Error} for what is no number of 0 to 1 */
export function shareOf(what: string, value: DecimalInput): Decimal {
  const share = numberOf(what, value)
  if (share.lt(0) || share.gt(1))
    throw new Error(`${what}: expected a share of the equity from 0 to 1, got ${share.toFixed()}`)
  return share
}

/** @throws {Error} for what is no number */
export function numberOf(what: string, value: DecimalInput): Decimal {
  try {
    const number = toDecimal(value)
    if (number.isFinite()) return number
  } catch {
    // Said below.
  }
  throw new Error(`${what}: expected a number, got ${String(value)}`)
}
