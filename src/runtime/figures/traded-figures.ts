/**
 * What the strategy's fills add up to: round trips and fees, from the exchange's own events.
 */
import { RoundTrips, type RoundTrip } from '../../analysis/round-trip.ts'
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import type { Order } from '../../domain/order.ts'
import type { Exchange } from '../../exchange/exchange.ts'

export class TradedFigures {
  readonly #account: string
  readonly #tripsBySymbol: ReadonlyMap<string, RoundTrips>

  constructor(exchange: Exchange, account: string) {
    this.#account = account
    this.#tripsBySymbol = new Map(
      exchange.markets.map((market) => [
        market.symbol,
        new RoundTrips(market, exchange.scales.get(market.quoteAsset) ?? 0),
      ]),
    )
  }

  onEvents(events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      if (event.type !== 'traded') continue
      const { trade, maker, taker, makerFee, takerFee } = event
      const add = (order: Order, isMaker: boolean, fee: bigint): void => {
        if (order.userId !== this.#account) return
        this.#tripsBySymbol.get(trade.symbol)?.add({ trade, side: order.side, orderId: order.id, isMaker, fee })
      }
      add(maker, true, makerFee)
      add(taker, false, takerFee)
    }
  }

  /** Closed ones of all markets, market by market. */
  get roundTrips(): readonly RoundTrip[] {
    return [...this.#tripsBySymbol.values()].flatMap((trips) => trips.closed)
  }
}
