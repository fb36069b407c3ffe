/**
 * Positions of a session per market: the initial holding of the base asset, and the effect of fills since.
 *
 * The initial holding is valued at the first seen price, in the first market of its asset that is quoted in the run's
 * asset.
 * Invariant: realized plus unrealized profit equals, to the last digit, the cash that fills moved plus the value of the
 * position minus the value of the initial holding.
 */
import { Subscription } from 'rxjs'
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'
import { decimalOf, toDecimal, unitsOf, type Decimal } from '../../domain/decimal.ts'
import { invariant } from '../../domain/errors.ts'
import { divideHalfEven, powerOfTen } from '../../domain/fixed-point.ts'
import { ledgerScales } from '../../domain/market.ts'
import type { OwnFill, OwnPosition } from '../../strategy/own-order.ts'
import type { MarketView } from '../../strategy/market-view.ts'
import { ExactFill } from '../../strategy/exact-fill.ts'
import { HeldCost } from './held-cost.ts'
import { lotsOf } from './lots-of.ts'

/** Extra digits beyond the ledger's, for a share of a cost and for an average price. */
const GUARD_DIGITS = 8

type PositionAdapter = Pick<ExchangeAdapter, 'balances' | 'lastPrice' | 'markets' | 'prices'>

interface MarketPosition {
  readonly market: MarketView
  /** Digits of its amounts. */
  readonly scale: number
  readonly cost: HeldCost
  /** Initial lots while no price was seen; 0 once they are valued. */
  unpricedLots: bigint
}

export class PositionBook {
  readonly #adapter: PositionAdapter
  readonly #quoteAsset: string
  readonly #bySymbol: ReadonlyMap<string, MarketPosition>
  readonly #subscriptions = new Subscription()

  /** @param quoteAsset  of the run */
  constructor(adapter: PositionAdapter, quoteAsset: string) {
    this.#adapter = adapter
    this.#quoteAsset = quoteAsset
    const scales = ledgerScales(adapter.markets)
    this.#bySymbol = new Map(
      adapter.markets.map((market) => {
        const scale = (scales.get(market.quoteAsset) ?? 0) + GUARD_DIGITS
        return [market.symbol, { market, scale, cost: new HeldCost(), unpricedLots: 0n }]
      }),
    )
  }

  /** Takes the present holdings. */
  start(): void {
    for (const [asset, { available, locked }] of this.#adapter.balances()) {
      const position = this.#valuing(asset)
      if (position === undefined) continue
      // Less than a lot cannot be traded.
      const held = position.market.floorQty(available.plus(locked))
      position.unpricedLots = unitsOf(held, position.market.qtyPrecision)
    }
  }

  /** Values the initial holding at the last price, or at the next one if there is none yet. Emits nothing. */
  price(): void {
    for (const position of this.#bySymbol.values()) {
      this.#count(position)
      if (position.unpricedLots === 0n) continue
      const first = this.#adapter.prices(position.market.symbol).subscribe(() => {
        first.unsubscribe()
        this.#count(position)
      })
      this.#subscriptions.add(first)
    }
  }

  stop(): void {
    this.#subscriptions.unsubscribe()
  }

  onFill(fill: OwnFill): void {
    const position = this.#of(fill.symbol)
    const { market, scale, cost } = position
    this.#count(position)
    const lots = BigInt(lotsOf(fill, market))
    const signed = fill.side === 'BUY' ? lots : -lots
    cost.add(signed, notionalOf(fill, market, scale), unitsOf(fill.fee, scale))
  }

  /** The position, valued at the last price. */
  position(symbol: string): OwnPosition {
    const position = this.#of(symbol)
    const { market, scale, cost, unpricedLots } = position
    const mark = this.#adapter.lastPrice(symbol)
    const lots = cost.lots + unpricedLots
    return {
      symbol,
      qty: decimalOf(lots, market.qtyPrecision),
      averagePrice: cost.lots === 0n ? undefined : meanPrice(position),
      realizedPnl: decimalOf(cost.realized, scale),
      unrealizedPnl: unpricedLots > 0n || (mark === undefined && lots !== 0n) ? undefined : unrealized(position, mark),
    }
  }

  /** Values the initial holding at the last price, once there is one. */
  #count(position: MarketPosition): void {
    if (position.unpricedLots === 0n) return
    const price = this.#adapter.lastPrice(position.market.symbol)
    if (price === undefined) return
    const { market, scale, cost, unpricedLots } = position
    cost.add(unpricedLots, unitsOf(price.times(decimalOf(unpricedLots, market.qtyPrecision)), scale), 0n)
    position.unpricedLots = 0n
  }

  #valuing(asset: string): MarketPosition | undefined {
    for (const position of this.#bySymbol.values()) {
      const { baseAsset, quoteAsset } = position.market
      if (baseAsset === asset && quoteAsset === this.#quoteAsset) return position
    }
    return undefined
  }

  #of(symbol: string): MarketPosition {
    const position = this.#bySymbol.get(symbol)
    invariant(position !== undefined, `no market '${symbol}'`)
    return position
  }
}

/** Average price of a position that is not flat, with as many digits as the average price of an order. */
function meanPrice({ market, scale, cost }: MarketPosition): Decimal {
  const digits = market.pricePrecision + GUARD_DIGITS
  const paid = cost.paid < 0n ? -cost.paid : cost.paid
  const perLot = powerOfTen(scale - digits - market.qtyPrecision) * (cost.lots < 0n ? -cost.lots : cost.lots)
  return decimalOf(divideHalfEven(paid, perLot), digits)
}

function unrealized({ market, scale, cost }: MarketPosition, mark: Decimal | undefined): Decimal {
  if (mark === undefined) return toDecimal(0)
  return mark.times(decimalOf(cost.lots, market.qtyPrecision)).minus(decimalOf(cost.paid, scale))
}

/** Price x quantity. */
function notionalOf(fill: OwnFill, market: MarketView, scale: number): bigint {
  if (!(fill instanceof ExactFill)) return unitsOf(fill.price.times(fill.qty), scale)
  const { price, qty } = fill.exact.trade
  return BigInt(price) * BigInt(qty) * powerOfTen(scale - market.pricePrecision - market.qtyPrecision)
}
