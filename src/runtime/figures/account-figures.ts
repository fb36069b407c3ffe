/** Figures of an account, from data that every session has: its fills, its balances, and the trades of its markets. */
import { openTripReport, type OpenTripReport } from '../../analysis/open-trip.ts'
import { type MarkRange, type RoundTrip, RoundTrips } from '../../analysis/round-trip.ts'
import { type TripStatistics, TripStatisticsFold, withoutMoney } from '../../analysis/trip-statistics.ts'
import type { Balances } from '../../domain/balances.ts'
import { InvariantError } from '../../domain/errors.ts'
import type { Market } from '../../domain/market.ts'
import type { AccountFill } from '../../domain/trade.ts'
import type { RecordedCandle } from '../../simulation/candles/recorded-candle.ts'
import type { AccountSetup } from './holding.ts'
import type { DepthSamples } from './depth-samples.ts'
import { FillQuality } from './fill-quality.ts'
import { MarketCandles, MAX_CANDLES, MAX_SHORT_CANDLES } from './market-candles.ts'
import { RecordedEquity } from './recorded-equity.ts'

interface MarketTrips {
  readonly market: Market
  readonly trips: RoundTrips
  /** Ledger digits of its quote asset. */
  readonly quoteScale: number
}

interface TradedOptions {
  /** The range of marks of a market since the last call; undefined if there is none. */
  readonly takeMarks: (symbol: string) => MarkRange | undefined
  /** Receives every completed round trip. */
  readonly onTrip: (trip: RoundTrip) => void
  /** Figures of the strategies of a wallet: their round trips count, not those of all fills taken together. */
  readonly parts?: readonly TradedFigures[] | undefined
}

const ALONE: TradedOptions = { takeMarks: () => undefined, onTrip: () => undefined }

/** Totals of the strategy's fills: round trips and fees, from the exchange's own events. */
export class TradedFigures {
  readonly #marketsBySymbol: ReadonlyMap<string, MarketTrips>
  readonly #options: TradedOptions
  /** Quote assets of completed trips. */
  readonly #quoteAssets = new Set<string>()
  /** Completed round trips of all markets. */
  readonly roundTrips = new TripStatisticsFold()
  /** Charged fees in ledger units by asset. */
  readonly fees = new Map<string, bigint>()

  constructor({ markets, scales }: Pick<AccountSetup, 'markets' | 'scales'>, options: TradedOptions = ALONE) {
    this.#options = options
    const onClosed = (trip: RoundTrip): void => {
      this.onTrip(trip)
    }
    this.#marketsBySymbol = new Map(
      markets.map((market) => {
        const quoteScale = scales.get(market.quoteAsset) ?? 0
        return [market.symbol, { market, trips: new RoundTrips(market, quoteScale, onClosed), quoteScale }]
      }),
    )
  }

  /** A round trip was completed, here or by a strategy of the wallet. */
  onTrip(trip: RoundTrip): void {
    this.roundTrips.add(trip)
    const quoteAsset = this.#marketsBySymbol.get(trip.symbol)?.market.quoteAsset
    if (quoteAsset !== undefined) this.#quoteAssets.add(quoteAsset)
    this.#options.onTrip(trip)
  }

  onFills(fills: readonly AccountFill[]): void {
    const { parts, takeMarks } = this.#options
    for (const fill of fills) {
      const traded = this.#marketsBySymbol.get(fill.trade.symbol)
      if (traded === undefined) throw new InvariantError(`no market '${fill.trade.symbol}'`)
      if (parts === undefined) traded.trips.add(fill, takeMarks(fill.trade.symbol))
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
    const { parts } = this.#options
    if (parts !== undefined) return parts.flatMap((part) => part.openTrips(lastPrice))
    return [...this.#marketsBySymbol.values()].flatMap(({ market, trips: { open }, quoteScale }) =>
      open === undefined ? [] : [openTripReport(open, market, quoteScale, lastPrice(market.symbol))],
    )
  }
}

/** Receives the trades of one market that mark the holdings: ticks and lots. */
export interface MarkListener {
  /** Call before a trade is played, or when it arrives. */
  onRecorded(time: number, price: number, qty: number): void
  /** Call before the open of a recorded candle is played. */
  onOpen(time: number, open: number): void
  /** Call when a recorded candle closes, before it fills anything. */
  onCandle(candle: RecordedCandle, endsAt: number): void
}

export class AccountFigures {
  readonly equity: RecordedEquity
  readonly traded: TradedFigures
  readonly quality: FillQuality
  /** Candles of each market for charts, in the order of the markets; empty if nothing is drawn. */
  readonly candles: ReadonlyMap<string, MarketCandles>
  /** Recorded books of the markets that have one, for charts. */
  readonly depths = new Map<string, DepthSamples>()

  /**
   * @param onTrip  receives every completed round trip
   * @param parts   of the strategies of a wallet
   */
  constructor(
    setup: AccountSetup,
    onTrip: (trip: RoundTrip) => void = () => undefined,
    parts?: readonly TradedFigures[],
  ) {
    this.equity = new RecordedEquity(setup)
    const takeMarks: TradedOptions['takeMarks'] = (symbol) => this.equity.mark(symbol).takeRange()
    this.traded = new TradedFigures(setup, { takeMarks, onTrip, parts })
    this.quality = new FillQuality(setup.markets)
    const limit = Math.max(MAX_SHORT_CANDLES, Math.floor(MAX_CANDLES / setup.markets.length))
    this.candles = new Map(
      (setup.isDrawn === false ? [] : setup.markets).map(
        ({ symbol }) => [symbol, new MarketCandles(setup.candleMs?.get(symbol), limit)] as const,
      ),
    )
  }

  market(symbol: string): MarkListener {
    const mark = this.equity.mark(symbol)
    const fills = this.quality.market(symbol)
    const candles = this.candles.get(symbol)
    return {
      onRecorded: (time, price, qty) => {
        mark.onRecorded(time, price)
        fills.onRecorded(time, price, qty)
        candles?.onTrade(time, price, qty)
      },
      onOpen: (time, open) => {
        mark.onOpen(time, open)
        fills.onRecorded(time, open, 0)
      },
      onCandle: (candle, endsAt) => {
        mark.onClose(endsAt, candle.close)
        fills.onCandle(endsAt, candle.close, candle.volume)
        candles?.onCandle(candle)
      },
    }
  }

  /**
   * Trades of a market are missing.
   * @param openOrders  of the account in that market
   */
  onGap(symbol: string, openOrders: number): void {
    this.quality.onGap(symbol, openOrders)
  }

  /**
   * @param fills     that happened at one moment, in order; at least one
   * @param balances  after them
   */
  onFills(fills: readonly AccountFill[], balances: Balances): void {
    this.equity.onFills(fills, balances)
    this.traded.onFills(fills)
    this.quality.onFills(fills)
  }

  /** Quote asset came from other strategies of the wallet, or went to them. @param balances  after it */
  onTransfer(time: number, balances: Balances): void {
    this.equity.onTransfer(time, balances)
  }

  /**
   * Call once, at the end.
   * @param to  of a session whose end was not known
   */
  finish(to?: number): void {
    this.equity.finish(to)
  }
}
