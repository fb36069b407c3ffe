/**
 * Market data of a live adapter, as its exchange hands it on.
 */
import type { CandleInterval } from '../../domain/candle.ts'
import type { Decimal } from '../../domain/decimal.ts'
import type { HotStream } from '../../strategy/hot-stream.ts'
import type { MarketCandle, MarketTicker, MarketTrade } from '../../strategy/market-data.ts'
import type { MarketGap } from '../../strategy/market-gap.ts'
import type { ConnectionState, EarlierCandles } from '../exchange-adapter.ts'

export interface LiveFeed {
  /**
   * Resolves when what came before is known of every market that was asked for.
   *
   * @throws {ExchangeError} when one cannot be read
   */
  start(): Promise<void>
  /** Asks for a market. */
  watch(symbol: string): unknown
  readonly state: ConnectionState
  readonly state$: HotStream<ConnectionState>
  trades(symbol: string): HotStream<MarketTrade>
  tickers(symbol: string): HotStream<MarketTicker>
  candles(symbol: string, interval: CandleInterval): HotStream<MarketCandle>
  earlierCandles(symbol: string, interval: CandleInterval): EarlierCandles
  afterCandles(symbol: string, interval: CandleInterval, time: number, action: () => void): void
  loadCandles(symbol: string, interval: CandleInterval, count: number): Promise<void>
  recentTrades(symbol: string): readonly MarketTrade[]
  gaps(symbol: string): HotStream<MarketGap>
  lastPrice(symbol: string): Decimal | undefined
}
