/** Market data of a live adapter, as its exchange passes it on. */
import type { CandleInterval } from '../../domain/candle.ts'
import type { Decimal } from '../../domain/decimal.ts'
import type { HotStream } from '../../strategy/hot-stream.ts'
import type { MarketCandle, MarketTicker, MarketTrade } from '../../strategy/market-data.ts'
import type { MarketGap } from '../../strategy/market-gap.ts'
import type { ConnectionState, EarlierCandles } from '../exchange-adapter.ts'

export interface LiveFeed {
  /**
   * Resolves when the history of every requested market is known.
   * @throws {ExchangeError} if one cannot be read
   */
  start(): Promise<void>
  /** Subscribes to a market. */
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
