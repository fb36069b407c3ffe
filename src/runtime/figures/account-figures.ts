/**
 * The figures of an account, made of what any session knows of it: its fills, its balances, and the trades of its
 * markets.
 */
import type { RoundTrip } from '../../analysis/round-trip.ts'
import type { Balances } from '../../domain/balances.ts'
import type { AccountFill } from '../../domain/trade.ts'
import type { RecordedCandle } from '../../simulation/candles/recorded-candle.ts'
import type { AccountSetup } from './account-setup.ts'
import { FillQuality } from './fill-quality.ts'
import { MarketCandles } from './market-candles.ts'
import { RecordedEquity } from './recorded-equity.ts'
import { TradedFigures } from './traded-figures.ts'

/** Hears of the trades of one market by which holdings are marked: ticks and lots. */
export interface MarkListener {
  /** Call before a trade is played, or when it is heard of. */
  onRecorded(time: number, price: number, qty: number): void
  /** Call before the open of a recorded candle is played. */
  onOpen(time: number, open: number): void
  /** Call when a recorded candle is over, before it fills anything. */
  onCandle(candle: RecordedCandle, endsAt: number): void
}

export class AccountFigures {
  readonly equity: RecordedEquity
  readonly traded: TradedFigures
  readonly quality: FillQuality
  /** To draw each market by, in the order of the markets; none where nobody does. */
  readonly candles: ReadonlyMap<string, MarketCandles>

  /** @param onTrip  hears of every round trip that ends, as it ends */
  constructor(setup: AccountSetup, onTrip: (trip: RoundTrip) => void = () => undefined) {
    this.equity = new RecordedEquity(setup)
    this.traded = new TradedFigures(setup, { takeMarks: (symbol) => this.equity.mark(symbol).takeRange(), onTrip })
    this.quality = new FillQuality(setup.markets)
    this.candles = new Map(
      (setup.isDrawn === false ? [] : setup.markets).map(
        ({ symbol }) => [symbol, new MarketCandles(setup.candleMs?.get(symbol))] as const,
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
   * Something is missing from what is known of the trades of a market.
   *
   * @param openOrders  of the account in that market
   */
  onGap(symbol: string, openOrders: number): void {
    this.quality.onGap(symbol, openOrders)
  }

  /**
   * @param fills     that happened at one moment, in their order; at least one
   * @param balances  after them
   */
  onFills(fills: readonly AccountFill[], balances: Balances): void {
    this.equity.onFills(fills, balances)
    this.traded.onFills(fills)
    this.quality.onFills(fills)
  }

  /**
   * Call once, after the last of them.
   *
   * @param to  of a session whose end was not known
   */
  finish(to?: number): void {
    this.equity.finish(to)
  }
}
