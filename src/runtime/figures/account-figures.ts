/** Figures of an account, from data that every session has: its fills, its balances, and the trades of its markets. */
import type { RoundTrip } from '../../analysis/round-trip.ts'
import type { Balances } from '../../domain/balances.ts'
import type { AccountFill } from '../../domain/trade.ts'
import type { RecordedCandle } from '../../simulation/candles/recorded-candle.ts'
import type { AccountSetup } from './account-setup.ts'
import { FillQuality } from './fill-quality.ts'
import { MarketCandles, MAX_CANDLES, MAX_SHORT_CANDLES } from './market-candles.ts'
import { RecordedEquity } from './recorded-equity.ts'
import { TradedFigures } from './traded-figures.ts'

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

  /** @param onTrip  receives every completed round trip */
  constructor(setup: AccountSetup, onTrip: (trip: RoundTrip) => void = () => undefined) {
    this.equity = new RecordedEquity(setup)
    this.traded = new TradedFigures(setup, { takeMarks: (symbol) => this.equity.mark(symbol).takeRange(), onTrip })
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

  /**
   * Call once, at the end.
   * @param to  of a session whose end was not known
   */
  finish(to?: number): void {
    this.equity.finish(to)
  }
}
