/** Totals of the strategy's fills: round trips and fees, from the exchange's own events. */
import { openTripReport, type OpenTripReport } from '../../analysis/open-trip.ts'
import { RoundTrips, type MarkRange, type RoundTrip } from '../../analysis/round-trip.ts'
import { TripStatisticsFold, withoutMoney, type TripStatistics } from '../../analysis/trip-statistics.ts'
import { InvariantError } from '../../domain/errors.ts'
import type { Market } from '../../domain/market.ts'
import type { AccountFill } from '../../domain/trade.ts'
import type { AccountSetup } from './account-setup.ts'

interface MarketTrips {
  readonly market: Market
  readonly trips: RoundTrips
  /** Ledger digits of its quote asset. */
  readonly quoteScale: number
}

export interface TradedOptions {
  /** The range of marks of a market since the last call; undefined if there is none. */
  readonly takeMarks: (symbol: string) => MarkRange | undefined
  /** Receives every completed round trip. */
  readonly onTrip: (trip: RoundTrip) => void
}

const ALONE: TradedOptions = { takeMarks: () => undefined, onTrip: () => undefined }

export class TradedFigures {
  readonly #marketsBySymbol: ReadonlyMap<string, MarketTrips>
  readonly #takeMarks: TradedOptions['takeMarks']
  /** Quote assets of completed trips. */
  readonly #quoteAssets = new Set<string>()
  /** Completed round trips of all markets. */
  readonly roundTrips = new TripStatisticsFold()
  /** Charged fees in ledger units by asset. */
  readonly fees = new Map<string, bigint>()

  constructor({ markets, scales }: Pick<AccountSetup, 'markets' | 'scales'>, options: TradedOptions = ALONE) {
    this.#takeMarks = options.takeMarks
    const onClosed = (trip: RoundTrip): void => {
      this.roundTrips.add(trip)
      const quoteAsset = this.#marketsBySymbol.get(trip.symbol)?.market.quoteAsset
      if (quoteAsset !== undefined) this.#quoteAssets.add(quoteAsset)
      options.onTrip(trip)
    }
    this.#marketsBySymbol = new Map(
      markets.map((market) => {
        const quoteScale = scales.get(market.quoteAsset) ?? 0
        return [market.symbol, { market, trips: new RoundTrips(market, quoteScale, onClosed), quoteScale }]
      }),
    )
  }

  onFills(fills: readonly AccountFill[]): void {
    for (const fill of fills) {
      const traded = this.#marketsBySymbol.get(fill.trade.symbol)
      if (traded === undefined) throw new InvariantError(`no market '${fill.trade.symbol}'`)
      traded.trips.add(fill, this.#takeMarks(fill.trade.symbol))
      const { quoteAsset } = traded.market
      if (fill.fee > 0n) this.fees.set(quoteAsset, (this.fees.get(quoteAsset) ?? 0n) + fill.fee)
    }
  }

  /** @param quoteAsset  of the run, with its ledger digits */
  tripStatistics(quoteAsset: string, scale: number): TripStatistics {
    const statistics = this.roundTrips.statistics(scale)
    const [first = quoteAsset, ...others] = this.#quoteAssets
    if (others.length > 0) return withoutMoney(statistics)
    return first === quoteAsset ? statistics : { ...statistics, expectancy: null }
  }

  /**
   * Open round trips of all markets, by market.
   * @param lastPrice  of a market in ticks; 0 if none was recorded
   */
  openTrips(lastPrice: (symbol: string) => number): readonly OpenTripReport[] {
    return [...this.#marketsBySymbol.values()].flatMap(({ market, trips: { open }, quoteScale }) =>
      open === undefined ? [] : [openTripReport(open, market, quoteScale, lastPrice(market.symbol))],
    )
  }
}
