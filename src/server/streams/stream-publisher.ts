/**
 * Gives the trades and tickers of a market to its streams.
 *
 * Every trade is told. A ticker is told once for all changes of the market data in one turn of the event loop, after
 * them: one order that meets a hundred others makes a hundred trades and one ticker, which shows the state after the
 * last of them. So does a clock that is moved on by an hour, however many turns that takes. In a recorded market a
 * match that no recorded trade made changes no market data.
 */
import type { MarketConfig } from '../../domain/market.ts'
import { tickerToJson } from '../../domain/ticker.ts'
import { tradeToJson } from '../../domain/trade.ts'
import type { Service } from '../service/service.ts'
import type { StreamHub } from './stream-hub.ts'

export const tradeStream = (symbol: string): string => `trade:${symbol}`
export const tickerStream = (symbol: string): string => `ticker:${symbol}`

/** @param onEvent  hears of an event before it is told to somebody */
export function publishMarket(service: Service, market: MarketConfig, hub: StreamHub, onEvent: () => void): void {
  const { symbol } = market
  const [trades, tickers] = [tradeStream(symbol), tickerStream(symbol)]
  const ticker = (): unknown => tickerToJson(service.exchange.ticker(symbol, service.simulated.queue.now()), market)
  service.simulated.listen(symbol, {
    onTrade: (trade) => {
      if (!hub.isWatched(trades)) return
      onEvent()
      hub.publish(trades, tradeToJson(trade, market))
    },
    onMarketData: () => {
      if (!hub.isWatched(tickers)) return
      onEvent()
      hub.publishLatest(tickers, ticker)
    },
  })
}
