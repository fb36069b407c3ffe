/**
 * Sums of the strategy's fills: round trips and fees, from the exchange's own events.
 */
import { RoundTrips, type RoundTrip } from '../../analysis/round-trip.ts'
import { InvariantError } from '../../domain/errors.ts'
import type { Fill } from '../../domain/trade.ts'
import type { AccountSetup } from './account-setup.ts'

interface MarketTrips {
  readonly trips: RoundTrips
  readonly quoteAsset: string
}

export class TradedFigures {
  readonly #marketsBySymbol: ReadonlyMap<string, MarketTrips>
  /** Ledger units by asset, of those that were charged. */
  readonly fees = new Map<string, bigint>()

  constructor({ markets, scales }: Pick<AccountSetup, 'markets' | 'scales'>) {
    this.#marketsBySymbol = new Map(
      markets.map((market) => {
        const { symbol, quoteAsset } = market
        return [symbol, { trips: new RoundTrips(market, scales.get(quoteAsset) ?? 0), quoteAsset }]
      }),
    )
  }

  onFills(fills: readonly Fill[]): void {
    for (const fill of fills) {
      const market = this.#marketsBySymbol.get(fill.trade.symbol)
      if (market === undefined) throw new InvariantError(`no market '${fill.trade.symbol}'`)
      market.trips.add(fill)
      if (fill.fee > 0n) this.fees.set(market.quoteAsset, (this.fees.get(market.quoteAsset) ?? 0n) + fill.fee)
    }
  }

  /** Closed ones of all markets, market by market. */
  get roundTrips(): readonly RoundTrip[] {
    return [...this.#marketsBySymbol.values()].flatMap(({ trips }) => trips.closed)
  }
}
